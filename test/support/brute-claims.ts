import fc from "fast-check";
import type { DeviceRequest, JsonObject } from "../../src/model/index.ts";
import type { ClusterBuilder, NodeBuilder } from "./cluster.ts";
import { deviceRequest } from "./demand.ts";

/** Small random nodes with what a driver may say of devices beside attributes and counters, claims for them, and by trying everything whether those are served. */
const DRIVER = "gpu.nvidia.com";
const RESOURCE = "example.com/dev";
const UNITS = 8;

type Policy = "whole" | "default" | "range" | "values";
interface DeviceCase {
  readonly kind: "a" | "b";
  /** Its own taint, or one that a rule gives it. */
  readonly sick: "no" | "NoSchedule" | "NoExecute" | "None" | "by a rule";
  readonly used: "no" | "by a claim" | "by an administrator";
  readonly shared: boolean;
  readonly policy: Policy;
  /** Units of a shared one that others have. */
  readonly taken: number;
}
export interface NodeCase {
  readonly devices: readonly DeviceCase[];
  readonly pool: "sound" | "incomplete" | "published twice" | "beside an older generation";
  readonly reach: "name" | "selector" | "device by device";
  /** Counted by a device plugin instead. */
  readonly plugin: number;
}
interface RequestCase {
  readonly kind: "a" | "b" | undefined;
  readonly count: 1 | 2 | "all";
  readonly asks: number | undefined;
  readonly tolerates: "nothing" | "NoSchedule" | "NoExecute" | "all";
  /** What serves as well, without units or tolerations of its own. */
  readonly second: "a" | "b" | undefined;
}
export interface PodCase {
  readonly claims: readonly (readonly RequestCase[])[];
  readonly admin: boolean;
  /** Of the extended resource, which a class serves by devices of kind a. */
  readonly extended: number;
}

const often = <T>(one: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(one) }, { weight: 3, arbitrary: fc.constantFrom(one, ...others) });

const deviceCase: fc.Arbitrary<DeviceCase> = fc.record({
  kind: fc.constantFrom("a", "b"),
  sick: often<DeviceCase["sick"]>("no", "NoSchedule", "NoExecute", "None", "by a rule"),
  used: often<DeviceCase["used"]>("no", "by a claim", "by an administrator"),
  shared: fc.constantFrom(false, false, true),
  policy: fc.constantFrom<Policy>("whole", "default", "range", "values"),
  taken: fc.constantFrom(0, 0, 2, 4, 7),
});

export const nodeCase: fc.Arbitrary<NodeCase> = fc
  .record({
    devices: fc.array(deviceCase, { maxLength: 4 }),
    pool: often<NodeCase["pool"]>("sound", "incomplete", "published twice", "beside an older generation"),
    reach: often<NodeCase["reach"]>("name", "selector", "device by device"),
    plugin: often(0, 1, 2),
  })
  // Of a shared device that is published twice it cannot be said how much is left of which.
  .map((one) =>
    one.pool === "published twice" && one.devices[0]?.shared === true ? { ...one, pool: "incomplete" } : one,
  );

const requestCase: fc.Arbitrary<RequestCase> = fc.record({
  kind: fc.constantFrom("a", "b", undefined, undefined),
  count: fc.constantFrom<RequestCase["count"]>(1, 1, 1, 2, "all"),
  asks: fc.constantFrom(undefined, undefined, 1, 2, 3, 5, 7),
  tolerates: fc.constantFrom("nothing", "nothing", "NoSchedule", "NoExecute", "all"),
  second: fc.constantFrom(undefined, undefined, undefined, "a", "b"),
});

export const podCase: fc.Arbitrary<PodCase> = fc
  .record({
    claims: fc.array(fc.array(requestCase, { minLength: 1, maxLength: 2 }), { minLength: 0, maxLength: 2 }),
    admin: often(false, true),
    extended: fc.constantFrom(0, 0, 1, 2),
  })
  .map((one) => ({ ...one, admin: one.admin && one.extended === 0 }))
  .filter(({ claims, extended }) => claims.length + extended > 0);

/** Of the units that a device has, and of those that a request may take. */
const POLICIES: Readonly<
  Record<Policy, { readonly policy?: JsonObject; readonly allowed: readonly number[]; readonly unasked: number }>
> = {
  whole: { allowed: [1, 2, 3, 4, 5, 6, 7, 8], unasked: UNITS },
  default: { policy: { default: "2" }, allowed: [1, 2, 3, 4, 5, 6, 7, 8], unasked: 2 },
  range: {
    policy: { default: "2", validRange: { min: "2", step: "2", max: "6" } },
    allowed: [2, 4, 6],
    unasked: 2,
  },
  values: { policy: { default: "3", validValues: ["1", "3", "8"] }, allowed: [1, 3, 8], unasked: 3 },
};

export function addNode(
  builder: ClusterBuilder,
  name: string,
  one: NodeCase,
  describe: (node: NodeBuilder) => unknown,
): void {
  builder.node(name, (node) => {
    describe(node);
    if (one.plugin > 0) node.resource(RESOURCE, one.plugin);
  });
  const nodeSelector = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [name] }] }],
  };
  const whole: JsonObject =
    one.reach === "name"
      ? { nodeName: name }
      : one.reach === "selector"
        ? { nodeSelector }
        : { perDeviceNodeSelection: true };
  const slice = (text: string, generation: number, devices: readonly JsonObject[]): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `${name}-${text}` },
    spec: {
      driver: DRIVER,
      pool: { name, generation, resourceSliceCount: one.pool === "incomplete" ? 2 : 1 },
      ...whole,
      devices,
    },
  });
  const devices = one.devices.map((each, index): JsonObject => {
    const { policy } = POLICIES[each.policy];
    const own = each.sick === "no" || each.sick === "by a rule" ? [] : [{ key: "sick", effect: each.sick }];
    return {
      name: `d${index}`,
      attributes: { kind: { string: each.kind } },
      capacity: { units: { value: String(UNITS), ...(policy === undefined ? {} : { requestPolicy: policy }) } },
      ...(each.shared ? { allowMultipleAllocations: true } : {}),
      ...(own.length > 0 ? { taints: own } : {}),
      ...(one.reach !== "device by device" ? {} : index % 2 === 0 ? { nodeName: name } : { nodeSelector }),
    };
  });
  const [first] = devices;
  const twice = one.pool === "published twice" && first !== undefined ? [first] : [];
  builder.object(slice("now", 2, [...devices, ...twice]));
  if (one.pool === "beside an older generation" && devices.length > 0)
    builder.object(slice("before", 1, [{ ...devices[0], name: "gone", attributes: { kind: { string: "a" } } }]));
  for (const [index, each] of one.devices.entries()) {
    if (each.sick === "by a rule")
      builder.object({
        apiVersion: "resource.k8s.io/v1",
        kind: "DeviceTaintRule",
        metadata: { name: `${name}-${index}` },
        spec: { deviceSelector: { pool: name, device: `d${index}` }, taint: { key: "sick", effect: "NoExecute" } },
      });
    if (each.used === "no" || (each.shared && each.taken === 0)) continue;
    const result = {
      ...{ request: "r", driver: DRIVER, pool: name, device: `d${index}` },
      ...(each.used === "by an administrator" ? { adminAccess: true } : {}),
      ...(each.shared ? { shareID: "s", consumedCapacity: { units: String(each.taken) } } : {}),
    };
    builder.object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: { name: `used-${name}-${index}`, namespace: "other" },
      spec: {},
      status: { allocation: { devices: { results: [result] } } },
    });
  }
}

const kindIs = (kind: string): string => `device.attributes["${DRIVER}"].kind == "${kind}"`;

export function addClass(builder: ClusterBuilder): void {
  builder.deviceClass("served", [`device.driver == "${DRIVER}"`, kindIs("a")], RESOURCE);
}

/** What the pod asks for, as the demand says it. */
export function askedBy({ claims, admin, extended }: PodCase): {
  readonly devices: readonly DeviceRequest[];
  readonly requests: Readonly<Record<string, number>>;
} {
  const devices = claims.flatMap((requests, claim) =>
    requests.map((one, index): DeviceRequest => {
      const tolerations =
        one.tolerates === "nothing"
          ? []
          : [
              {
                key: "sick",
                operator: "Exists" as const,
                ...(one.tolerates === "all" ? {} : { effect: one.tolerates }),
              },
            ];
      const body = deviceRequest(`r${index}`, one.count, {
        claim: `c${claim}`,
        selectors: [`device.driver == "${DRIVER}"`, ...(one.kind === undefined ? [] : [kindIs(one.kind)])],
        tolerations,
        ...(one.asks === undefined ? {} : { capacity: { units: String(one.asks) } }),
      });
      if (admin) return { ...body, adminAccess: true };
      if (one.second === undefined) return body;
      const second = deviceRequest("y", 1, { claim: `c${claim}`, selectors: [kindIs(one.second)] });
      return { ...body, firstAvailable: [{ ...body, name: "x" }, second] };
    }),
  );
  return { devices, requests: extended > 0 ? { [RESOURCE]: extended } : {} };
}

interface World {
  /** As if nothing were in use or sick. */
  readonly nominal: boolean;
  /** As if every pool were sound. */
  readonly hopeful: boolean;
}
interface Way {
  readonly claim: number;
  readonly kind: string | undefined;
  readonly count: 1 | 2 | "all";
  readonly asks: number | undefined;
  readonly tolerates: RequestCase["tolerates"];
}
/** A pod's requests with their ways, by claim. */
type Asked = readonly (readonly Way[])[];

/** Most pods, up to `limit`, that the node serves at once. */
export function mostOn(node: NodeCase, pod: PodCase, world: World, limit: number): number {
  const plugged = pod.extended > 0 && node.plugin > 0;
  const most = plugged ? Math.min(limit, Math.floor(node.plugin / pod.extended)) : limit;
  const asked: Asked = [
    ...pod.claims.flatMap((requests, claim) =>
      requests.map(({ second, ...one }): readonly Way[] => [
        { ...one, claim },
        ...(second === undefined || pod.admin
          ? []
          : [{ claim, kind: second, count: 1, asks: undefined, tolerates: "nothing" } as const]),
      ]),
    ),
    ...(pod.extended > 0 && !plugged
      ? [[{ claim: -1, kind: "a", count: pod.extended as 1 | 2, asks: undefined, tolerates: "nothing" } as const]]
      : []),
  ];
  // What the missing slices of a pool bring is not known, once some of what is there would serve.
  const open = ({ kind, policy }: DeviceCase): boolean =>
    asked.flat().some((way) => (way.kind === undefined || way.kind === kind) && unitsOf(policy, way) !== undefined);
  if (world.hopeful && node.pool === "incomplete" && node.devices.some(open)) return most;
  let count = 0;
  // What administrators have is taken from nobody.
  if (pod.admin) return serves(node, true, asked, world) ? most : 0;
  while (count < most && serves(node, false, Array.from({ length: count + 1 }, () => asked).flat(), world)) count += 1;
  return count;
}

function unitsOf(policy: DeviceCase["policy"], { asks }: Way): number | undefined {
  const { allowed, unasked } = POLICIES[policy];
  return asks === undefined ? unasked : allowed.find((amount) => amount >= asks);
}

function serves(published: NodeCase, admin: boolean, asked: Asked, { nominal, hopeful }: World): boolean {
  // What is published twice may be two devices, of which one has the wrong name.
  const [first] = published.pool === "published twice" ? published.devices : [];
  const node = { ...published, devices: [...published.devices, ...(first === undefined ? [] : [first])] };
  if (asked.length === 0) return true;
  if (!hopeful && (node.pool === "incomplete" || (node.pool === "published twice" && node.devices.length > 0)))
    return false;
  const inUse = ({ used, shared, taken }: DeviceCase): boolean =>
    !nominal && used === "by a claim" && (!shared || taken > 0);
  /** Of a claim for administrators: devices that it has already. */
  const seen = new Set<string>();
  const left = node.devices.map((one) => (one.shared ? UNITS - (inUse(one) ? one.taken : 0) : inUse(one) ? 0 : 1));
  /** Units that the way takes of it; undefined: it does not serve. */
  const takes = (one: DeviceCase, way: Way): number | undefined => {
    return way.kind !== undefined && way.kind !== one.kind ? undefined : unitsOf(one.policy, way);
  };
  const healthy = ({ sick }: DeviceCase, { tolerates }: Way): boolean => {
    const effect = sick === "by a rule" ? "NoExecute" : sick;
    return nominal || effect === "no" || effect === "None" || tolerates === "all" || tolerates === effect;
  };
  const place = (at: number): boolean => {
    const ways = asked[at];
    if (ways === undefined) return true;
    return ways.some((way) => {
      const matching = node.devices.flatMap((one, index) => (takes(one, way) === undefined ? [] : [index]));
      const wanted = way.count === "all" ? matching.length : way.count;
      const pick = (from: number, missing: number): boolean => {
        if (missing === 0) return place(at + 1);
        for (let next = from; next < matching.length; next += 1) {
          const index = matching[next] ?? 0;
          const one = node.devices[index] as DeviceCase;
          const amount = one.shared ? (takes(one, way) ?? 0) : 1;
          if (!healthy(one, way)) continue;
          const free = admin && !one.shared;
          const key = `${way.claim}/${index}`;
          if (free ? seen.has(key) : (left[index] ?? 0) < amount) continue;
          if (free) seen.add(key);
          else left[index] = (left[index] ?? 0) - amount;
          const found = pick(next + 1, missing - 1);
          if (free) seen.delete(key);
          else left[index] = (left[index] ?? 0) + amount;
          if (found) return true;
        }
        return false;
      };
      return wanted > 0 && pick(0, wanted);
    });
  };
  return place(0);
}
