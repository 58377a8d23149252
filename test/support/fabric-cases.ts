import type { JsonObject } from "../../src/model/index.ts";
import type { ClusterBuilder } from "./cluster.ts";

export const DRIVER = "fabric.example.com";
/** What a device has, and what the counters of its pool have, in all. */
export const UNITS = 4;
export const COUNTERS = 3;

/** A device of a pool that several nodes reach. */
interface FabricDevice {
  readonly kind: string;
  readonly used: boolean;
  readonly tainted: boolean;
  readonly side: number | undefined;
  readonly shared: boolean;
  readonly draws: number;
}

/** One pool of devices that several nodes may reach, as its slices and the claims of others publish it. */
export function addFabric<Device extends FabricDevice>(
  builder: ClusterBuilder,
  devices: readonly Device[],
  counted: boolean,
  reachOf: (device: Device) => JsonObject,
): void {
  const pool = { name: "p", generation: 1, resourceSliceCount: counted ? 2 : 1 };
  const slice = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name },
    spec: { driver: DRIVER, pool, ...spec },
  });
  builder.object(
    slice("devices", {
      perDeviceNodeSelection: true,
      devices: devices.map((one, index) => ({
        name: `d${index}`,
        attributes: { kind: { string: one.kind }, ...(one.side === undefined ? {} : { side: { int: one.side } }) },
        capacity: { units: { value: String(UNITS), ...(one.shared ? { requestPolicy: { default: "1" } } : {}) } },
        ...(one.shared ? { allowMultipleAllocations: true } : {}),
        ...(one.tainted ? { taints: [{ key: "sick", effect: "NoSchedule" }] } : {}),
        ...(counted && one.draws > 0
          ? { consumesCounters: [{ counterSet: "c", counters: { s: { value: String(one.draws) } } }] }
          : {}),
        ...reachOf(one),
      })),
    }),
  );
  if (counted)
    builder.object(
      slice("counters", {
        allNodes: true,
        sharedCounters: [{ name: "c", counters: { s: { value: String(COUNTERS) } } }],
      }),
    );
  for (const [index, { used, shared }] of devices.entries()) {
    if (!used) continue;
    const result = { request: "r", driver: DRIVER, pool: "p", device: `d${index}` };
    const share = shared ? { shareID: "s", consumedCapacity: { units: "2" } } : {};
    builder.object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: { name: `held-${index}`, namespace: "other" },
      spec: {},
      status: { allocation: { devices: { results: [{ ...result, ...share }] } } },
    });
  }
}
