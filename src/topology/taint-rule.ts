import { isObject, type JsonObject, stringAt, type Taint, valueAt } from "../model/index.ts";
import { deviceTaintsAt, type Faults } from "./fields.ts";
import type { DevicePool } from "./types.ts";

/** A DeviceTaintRule: a taint that devices get without their driver's doing. */
export interface TaintRule {
  /** What is named must be equal; undefined: no device is selected. */
  readonly selector: { readonly driver?: string; readonly pool?: string; readonly device?: string } | undefined;
  /** None for one that informs only. */
  readonly taints: readonly Taint[];
}

/** What only v1alpha3 could select by, before Kubernetes 1.35. */
const GONE: readonly string[] = ["deviceClassName", "selectors"];

/** resource.k8s.io DeviceTaintRule. Without a selector it selects nothing, with an empty one everything. */
export function readTaintRule(object: JsonObject, _name: string, problems: Faults): TaintRule {
  const given = valueAt(object, ["spec", "deviceSelector"]);
  const taint = valueAt(object, ["spec", "taint"]);
  const taints = deviceTaintsAt({ spec: { taint: [taint ?? {}] } }, ["spec", "taint"], problems);
  if (!isObject(given)) return { selector: undefined, taints };
  for (const key of GONE)
    if (valueAt(given, [key]) !== undefined)
      problems.add(["spec", "deviceSelector", key], "is not read: from Kubernetes 1.35 on there is no such field");
  const part = <K extends string>(key: K): { readonly [key in K]?: string } => {
    const text = stringAt(given, [key]);
    return (text === undefined ? {} : { [key]: text }) as { readonly [key in K]?: string };
  };
  return { selector: { ...part("driver"), ...part("pool"), ...part("device") }, taints };
}

/** The pool with the taints that rules give its devices, as kube-scheduler sees it (resourceslice/tracker); itself where none does. */
export function tainted(pool: DevicePool, rules: readonly TaintRule[]): DevicePool {
  const own = rules.filter(
    ({ selector, taints }) =>
      selector !== undefined &&
      taints.length > 0 &&
      (selector.driver ?? pool.driver) === pool.driver &&
      (selector.pool ?? pool.name) === pool.name,
  );
  if (own.length === 0) return pool;
  const devices = pool.devices.map((device) => {
    const more = own.filter(({ selector }) => (selector?.device ?? device.name) === device.name);
    return more.length === 0
      ? device
      : { ...device, taints: [...device.taints, ...more.flatMap(({ taints }) => taints)] };
  });
  return { ...pool, devices };
}
