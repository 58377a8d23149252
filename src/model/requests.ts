import type { ContainerLimits } from "./cluster.ts";
import { arrayAt, type Json, type JsonObject, objectAt, valueAt } from "./json.ts";
import { memo } from "./memo.ts";
import { isSidecar } from "./podspec.ts";
import { parseQuantity, schedulerUnits } from "./quantity.ts";
import type { Resources } from "./scheduling.ts";

/** Exact amounts in nano-units by resource name; rounding happens once, at the end, as the scheduler does. */
type Amounts = Map<string, bigint>;

/**
 * What the scheduler will count for a pod, in its units, with `pods: 1`. Follows k8s.io/component-helpers resource.PodRequests after
 * the API server's defaulting: limits stand in for missing requests, then the defaults of LimitRanges (in order, per container), the sum of
 * containers and sidecars against the peak of init containers, pod-level requests instead where given, and the overhead on top.
 * Amounts that cannot be parsed, and negative ones, count as nothing.
 */
export function podRequests(
  spec: JsonObject,
  options: { readonly defaults?: readonly ContainerLimits[]; readonly overhead?: Resources } = {},
): Resources {
  const defaults = options.defaults ?? [];
  const total = summed(spec, (container) => containerRequests(container, defaults));
  for (const [name, amount] of podLevelRequests(spec, total)) total.set(name, amount);

  const result: Record<string, number> = Object.create(null);
  const overhead = options.overhead ?? overheadUnits(spec);
  for (const [name, nano] of total) result[name] = schedulerUnits(name, { nano, format: "DecimalSI" });
  for (const [name, units] of Object.entries(overhead)) result[name] = (result[name] ?? 0) + units;
  result["pods"] = 1;
  return result;
}

/** The limits of a pod in the same units, as quotas on `limits.cpu` and the like count them; what has no limit is absent. */
export function podLimits(
  spec: JsonObject,
  options: { readonly defaults?: readonly ContainerLimits[]; readonly overhead?: Resources } = {},
): Resources {
  const defaults = options.defaults ?? [];
  const total = summed(spec, (container) => containerLimits(container, defaults));
  for (const [name, amount] of onlyPodLevel(amountsOf(objectAt(spec, ["resources", "limits"]))))
    total.set(name, amount);
  const overhead = options.overhead ?? overheadUnits(spec);
  const result: Record<string, number> = Object.create(null);
  for (const [name, nano] of total)
    if (nano > 0n) result[name] = schedulerUnits(name, { nano, format: "DecimalSI" }) + (overhead[name] ?? 0);
  return result;
}

/** Containers and sidecars together, or the peak of the init containers where that is more. */
function summed(spec: JsonObject, amountsIn: (container: Json) => Amounts): Amounts {
  const total: Amounts = new Map();
  for (const container of arrayAt(spec, ["containers"])) add(total, amountsIn(container));
  const running: Amounts = new Map();
  const peak: Amounts = new Map();
  for (const container of arrayAt(spec, ["initContainers"])) {
    const own = amountsIn(container);
    if (isSidecar(container)) {
      add(total, own);
      add(running, own);
      raise(peak, running);
    } else {
      add(own, running);
      raise(peak, own);
    }
  }
  raise(total, peak);
  return total;
}

/** A container's limits after the defaults of LimitRanges, exact. */
export function containerLimits(container: Json, defaults: readonly ContainerLimits[]): Amounts {
  const limits = amountsOf(objectAt(container, ["resources", "limits"]));
  for (const one of defaults) fill(limits, amountsOf(one.defaults));
  return limits;
}

/** A container's requests after defaulting, exact. */
export function containerRequests(container: Json, defaults: readonly ContainerLimits[]): Amounts {
  const limits = amountsOf(objectAt(container, ["resources", "limits"]));
  const requests = amountsOf(objectAt(container, ["resources", "requests"]));
  fill(requests, limits);
  for (const one of defaults) {
    fill(requests, amountsOf(one.defaultRequests));
    fill(requests, amountsOf(one.defaults));
  }
  return requests;
}

/** Once a pod-level limit is given, the API server fills a missing request from the containers' sum (not huge pages), else from the limit. */
function podLevelRequests(spec: JsonObject, containers: Amounts): Amounts {
  const requests = onlyPodLevel(amountsOf(objectAt(spec, ["resources", "requests"])));
  const limits = onlyPodLevel(amountsOf(objectAt(spec, ["resources", "limits"])));
  for (const [name, amount] of limits) {
    if (!requests.has(name))
      requests.set(name, (name.startsWith("hugepages-") ? undefined : containers.get(name)) ?? amount);
  }
  return requests;
}

function onlyPodLevel(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([name]) => name === "cpu" || name === "memory" || name.startsWith("hugepages-")));
}

function overheadUnits(spec: JsonObject): Resources {
  const result: Record<string, number> = Object.create(null);
  for (const [name, nano] of amountsOf(objectAt(spec, ["overhead"])))
    result[name] = schedulerUnits(name, { nano, format: "DecimalSI" });
  return result;
}

function amountsOf(list: Readonly<Record<string, Json | undefined>>): Amounts {
  const amounts: Amounts = new Map();
  for (const name of Object.keys(list)) {
    const value = valueAt(list, [name]);
    const nano = typeof value === "string" || typeof value === "number" ? nanoOf(String(value)) : undefined;
    if (nano !== undefined && nano >= 0n) amounts.set(name, nano);
  }
  return amounts;
}

/** Few amounts are written, and each many times. Negative where there is none. */
const KEPT_AMOUNTS = 256;
const nanoOf = memo(KEPT_AMOUNTS, (text) => parseQuantity(text)?.nano ?? -1n);

function add(target: Amounts, more: Amounts): void {
  for (const [name, amount] of more) target.set(name, (target.get(name) ?? 0n) + amount);
}

function raise(target: Amounts, floor: Amounts): void {
  for (const [name, amount] of floor) if ((target.get(name) ?? -1n) < amount) target.set(name, amount);
}

function fill(target: Amounts, from: Amounts): void {
  for (const [name, amount] of from) if (!target.has(name)) target.set(name, amount);
}
