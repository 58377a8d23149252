import type { DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { deviceRequest } from "./demand.ts";
import { DRIVER } from "./device-cases.ts";

/** Placements of an H100 by memory slice, as dra-driver-nvidia-gpu publishes them: profile, first slices, slices each, multiprocessors. */
const PROFILES = [
  ["1g.10gb", [0, 1, 2, 3, 4, 5, 6], 1, 16],
  ["1g.20gb", [0, 2, 4, 6], 2, 26],
  ["2g.20gb", [0, 2, 4], 2, 32],
  ["3g.40gb", [0, 4], 4, 60],
  ["4g.40gb", [0], 4, 64],
  ["7g.80gb", [0], 8, 132],
] as const;

/** The ResourceSlices of a node with that many H100, each whole or in any of its partitions. */
export function migSlices(node: string, cards: number): readonly JsonObject[] {
  const pool = { name: node, generation: 1, resourceSliceCount: cards + 1 };
  const slice = (number: number, spec: JsonObject): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `${node}-${number}` },
    spec: { driver: DRIVER, nodeName: node, pool, ...spec },
  });
  const counters = (from: number, size: number, sms: number): JsonObject => ({
    multiprocessors: { value: String(sms) },
    ...Object.fromEntries(Array.from({ length: size }, (_, at) => [`memory-slice-${from + at}`, { value: "1" }])),
  });
  const counterSets = Array.from({ length: cards }, (_, card) => ({
    name: `gpu-${card}-counter-set`,
    counters: counters(0, 8, 132),
  }));
  const devicesOf = (card: number): readonly JsonObject[] => {
    const uses = (from: number, size: number, sms: number): JsonObject => ({
      consumesCounters: [{ counterSet: `gpu-${card}-counter-set`, counters: counters(from, size, sms) }],
    });
    const parts = PROFILES.flatMap(([profile, starts, size, sms]) =>
      starts.map((from) => ({
        name: migDevice(card, profile, from),
        attributes: {
          type: { string: "mig" },
          profile: { string: profile },
          parentUUID: { string: `GPU-${card}` },
        },
        ...uses(from, size, sms),
      })),
    );
    return [{ name: `gpu-${card}`, attributes: { type: { string: "gpu" } }, ...uses(0, 8, 132) }, ...parts];
  };
  return [
    slice(0, { sharedCounters: counterSets }),
    ...Array.from({ length: cards }, (_, card) => slice(card + 1, { devices: devicesOf(card) })),
  ];
}

/** The device of a profile that begins at that memory slice. */
export function migDevice(card: number, profile: string, from: number): string {
  return `gpu-${card}-mig-${profile.replace(".", "-")}-${from}`;
}

export const migRequest = (name: string, count = 1, extra: Partial<DeviceRequest> = {}): DeviceRequest =>
  deviceRequest(name.replace(".", "-"), count, {
    selectors: [
      `device.driver == "${DRIVER}" && device.attributes["${DRIVER}"].type == "mig" && device.attributes["${DRIVER}"].profile == "${name}"`,
    ],
    ...extra,
  });
