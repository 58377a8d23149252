import fc from "fast-check";
import type { DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { deviceRequest } from "./demand.ts";

/** Small random nodes with devices, and claims for them, for comparison with the plain search below. */
export const DRIVER = "gpu.nvidia.com";

export interface DeviceCase {
  readonly kind: "a" | "b";
  readonly numa: number | readonly number[] | undefined;
  /** Which of two cards it is a part of, and the slices that it takes there. */
  readonly card: 0 | 1;
  readonly slices: readonly [number, number];
  readonly shared: boolean;
  readonly used: boolean;
  readonly tainted: boolean;
}

export interface NodeDevices {
  readonly partitioned: boolean;
  readonly devices: readonly DeviceCase[];
  /** Units that shared devices have left. */
  readonly taken: number;
}

const rarely = (times: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: times }).map((one) => one === times);

const deviceCase: fc.Arbitrary<DeviceCase> = fc.record({
  kind: fc.constantFrom("a", "b"),
  numa: fc.constantFrom<DeviceCase["numa"]>(0, 1, undefined, 0, 1, [0, 1]),
  card: fc.constantFrom(0, 1),
  slices: fc.constantFrom([1, 0], [0, 1], [1, 1], [2, 0]),
  shared: rarely(5),
  used: rarely(6),
  tainted: rarely(9),
});

export const nodeDevices: fc.Arbitrary<NodeDevices> = fc.record({
  partitioned: fc.boolean(),
  devices: fc.array(deviceCase, { minLength: 0, maxLength: 5 }),
  taken: fc.integer({ min: 0, max: 3 }),
});

/** As a slice says it. */
export const numaOf = (numa: NonNullable<DeviceCase["numa"]>): JsonObject =>
  typeof numa === "number" ? { int: numa } : { ints: [...numa] };

export const UNITS = 4;

/** Slices of one node: counters stand in one of their own. */
export function slicesOf(node: string, { partitioned, devices }: NodeDevices): readonly JsonObject[] {
  const pool = { name: node, generation: 1, resourceSliceCount: partitioned ? 2 : 1 };
  const slice = (name: string, extra: JsonObject): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `${node}-${name}` },
    spec: { driver: DRIVER, nodeName: node, pool, ...extra },
  });
  const counters = (one: readonly [number, number]): JsonObject => ({
    s0: { value: String(one[0]) },
    s1: { value: String(one[1]) },
  });
  return [
    slice("devices", {
      devices: devices.map((one, index) => ({
        name: `d${index}`,
        attributes: {
          kind: { string: one.kind },
          ...(one.numa === undefined ? {} : { [NUMA]: numaOf(one.numa) }),
        },
        ...(one.shared
          ? {
              allowMultipleAllocations: true,
              capacity: {
                units: {
                  value: String(UNITS),
                  requestPolicy: { default: "1", validRange: { min: "1", step: "1", max: String(UNITS) } },
                },
              },
            }
          : { capacity: { units: { value: one.kind === "a" ? "2" : "3" } } }),
        ...(one.tainted ? { taints: [{ key: "sick", effect: "NoSchedule" }] } : {}),
        ...(partitioned
          ? { consumesCounters: [{ counterSet: `card-${one.card}`, counters: counters(one.slices) }] }
          : {}),
      })),
    }),
    ...(partitioned
      ? [
          slice("counters", {
            sharedCounters: [0, 1].map((card) => ({ name: `card-${card}`, counters: counters([2, 1]) })),
          }),
        ]
      : []),
  ];
}

export const NUMA = "resource.kubernetes.io/numaNode";

/** Claims of others for what is in use. */
export function claimsOf(node: string, { devices, taken }: NodeDevices): readonly JsonObject[] {
  return devices.flatMap((one, index) => {
    if (!one.used || (one.shared && taken === 0)) return [];
    const result = {
      request: "r",
      driver: DRIVER,
      pool: node,
      device: `d${index}`,
      ...(one.shared ? { shareID: "u", consumedCapacity: { units: String(taken) } } : {}),
    };
    return [
      {
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceClaim",
        metadata: { name: `used-${node}-${index}`, namespace: "other" },
        spec: {},
        status: { allocation: { devices: { results: [result] } } },
      },
    ];
  });
}

export interface RequestCase {
  readonly kind: "a" | "b" | undefined;
  readonly count: 1 | 2 | "all";
  readonly units: number | undefined;
  readonly tolerates: boolean;
  readonly second: boolean;
  readonly otherKind: "a" | "b" | undefined;
}

export interface ClaimCase {
  readonly requests: readonly RequestCase[];
  readonly bond: "none" | "match" | "distinct";
  readonly bindsFirst: boolean;
  readonly shared: boolean;
}

export const claimCase: fc.Arbitrary<ClaimCase> = fc.record({
  requests: fc.array(
    fc.record({
      kind: fc.constantFrom("a", "b", undefined),
      count: fc.constantFrom<1 | 2 | "all">(1, 1, 1, 2, "all"),
      units: fc.constantFrom(1, 2, 3, undefined, undefined, undefined),
      tolerates: rarely(3),
      second: rarely(4),
      otherKind: fc.constantFrom("a", "b", undefined),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  bond: fc.constantFrom("none", "none", "match", "distinct"),
  bindsFirst: rarely(3),
  shared: rarely(5),
});

const kindSelector = (kind: "a" | "b" | undefined): readonly string[] =>
  kind === undefined ? [] : [`device.attributes["${DRIVER}"].kind == "${kind}"`];

/** The claim's requests; the second way of a request wants one device of another kind. */
export function requestsOf(
  { requests, bond, bindsFirst, shared }: ClaimCase,
  claim = "gpus",
): readonly DeviceRequest[] {
  return requests.map((one, index) => {
    const name = `r${index}`;
    const names = bindsFirst ? (requests[0]?.second === true ? ["r0/x"] : ["r0"]) : requests.map((_, at) => `r${at}`);
    const binds = names.some((bound) => bound === name || bound.startsWith(`${name}/`));
    const constraint = binds && bond !== "none" ? [{ attribute: NUMA, requests: names }] : [];
    const body = deviceRequest(name, one.count, {
      claim,
      selectors: [`device.driver == "${DRIVER}"`, ...kindSelector(one.kind)],
      tolerations: one.tolerates ? [{ key: "sick", operator: "Exists" as const }] : [],
      ...(one.units === undefined ? {} : { capacity: { units: String(one.units) } }),
    });
    const second = deviceRequest("y", 1, { claim, selectors: kindSelector(one.otherKind) });
    return {
      ...body,
      matchAttributes: bond === "match" ? constraint : [],
      ...(bond === "distinct" && constraint.length > 0 ? { distinctAttributes: constraint } : {}),
      ...(one.second ? { firstAvailable: [{ ...body, name: "x" }, second] } : {}),
      ...(shared ? { sharedClaim: `default/${claim}` } : {}),
    };
  });
}
