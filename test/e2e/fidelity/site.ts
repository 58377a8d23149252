import {
  arrayAt,
  integerAt,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
  valueAt,
} from "../../../src/model/index.ts";
import type { ReplayDevice } from "./allocate.ts";
import { amount, type ReplayPod, requestsOf } from "./pod.ts";

/** A node as the scheduler's filters see it. */
export interface Site {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly JsonObject[];
  readonly cordoned: boolean;
  readonly free: Readonly<Record<string, number>>;
  readonly devices: readonly ReplayDevice[];
  /** Bit by place in `devices`. */
  readonly taken: number;
}

/** Nodes with what bound pods and allocated claims leave of them; `empty`: as if nothing ran there and none were cordoned. */
export function sitesOf(objects: readonly JsonObject[], empty: boolean): readonly Site[] {
  const of = (kind: string) => objects.filter((one) => one["kind"] === kind);
  const held = new Set(
    of("ResourceClaim").flatMap((claim) =>
      arrayAt(claim, ["status", "allocation", "devices", "results"]).map((result) =>
        ["driver", "pool", "device"].map((key) => stringAt(result, [key])).join("/"),
      ),
    ),
  );
  return of("Node").map((node): Site => {
    const name = stringAt(node, ["metadata", "name"]) ?? "";
    const free: Record<string, number> = {};
    for (const [resource, value] of Object.entries(objectAt(node, ["status", "allocatable"])))
      free[resource] = amount(resource, value ?? null);
    for (const pod of empty ? [] : of("Pod")) {
      if (stringAt(pod, ["spec", "nodeName"]) !== name) continue;
      for (const [resource, used] of Object.entries(requestsOf(objectAt(pod, ["spec"]))))
        free[resource] = (free[resource] ?? 0) - used;
    }
    const devices = devicesOf(of("ResourceSlice"), name);
    let taken = 0;
    for (const [index, { driver, pool, name: device }] of devices.entries())
      if (!empty && held.has(`${driver}/${pool}/${device}`)) taken |= 1 << index;
    return {
      name,
      labels: objectAt(node, ["metadata", "labels"]) as Readonly<Record<string, string>>,
      taints: arrayAt(node, ["spec", "taints"]).map((one) => objectAt(one, [])),
      cordoned: !empty && valueAt(node, ["spec", "unschedulable"]) === true,
      free,
      devices,
      taken,
    };
  });
}

/** By pool (driver, then name), then by slice name, then in the slice's order: the allocator's order since 1.36. */
function devicesOf(slices: readonly JsonObject[], node: string): readonly ReplayDevice[] {
  const keyOf = (slice: JsonObject): string =>
    [
      ["spec", "driver"],
      ["spec", "pool", "name"],
      ["metadata", "name"],
    ]
      .map((path) => stringAt(slice, path))
      .join("\0");
  return slices
    .filter((slice) => stringAt(slice, ["spec", "nodeName"]) === node)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .flatMap((slice) => {
      const driver = stringAt(slice, ["spec", "driver"]) ?? "";
      return arrayAt(slice, ["spec", "devices"]).map((device) => ({
        driver,
        pool: stringAt(slice, ["spec", "pool", "name"]) ?? "",
        name: stringAt(device, ["name"]) ?? "",
        attributes: Object.fromEntries(
          Object.entries(objectAt(device, ["attributes"])).map(([key, value]) => [
            key.includes("/") ? key : `${driver}/${key}`,
            stringAt(value, ["string"]) ?? integerAt(value, ["int"]) ?? "",
          ]),
        ),
      }));
    });
}

const CORDON: JsonObject = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" };

/** NodeAffinity: nodeSelector and the required terms. */
export function isSelected(site: Site, pod: ReplayPod): boolean {
  return (
    Object.entries(pod.nodeSelector).every(([key, value]) => site.labels[key] === value) &&
    (pod.terms === undefined || pod.terms.some((term) => termHolds(site, term)))
  );
}

function termHolds(site: Site, term: JsonObject): boolean {
  const expressions = arrayAt(term, ["matchExpressions"]);
  const fields = arrayAt(term, ["matchFields"]);
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((one) => holds(site.labels[stringAt(one, ["key"]) ?? ""], one)) &&
    fields.every((one) => holds(site.name, one))
  );
}

function holds(value: string | undefined, expression: Json): boolean {
  const values = arrayAt(expression, ["values"]).map(String);
  switch (stringAt(expression, ["operator"])) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      throw new Error(`node affinity ${JSON.stringify(expression)} is not one that cases write`);
  }
}

/** NodeUnschedulable and TaintToleration. */
export function isTolerated(site: Site, pod: ReplayPod): boolean {
  const taints = site.cordoned ? [...site.taints, CORDON] : site.taints;
  return taints.every(
    (taint) =>
      stringAt(taint, ["effect"]) === "PreferNoSchedule" || pod.tolerations.some((one) => tolerates(one, taint)),
  );
}

function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const at = (object: JsonObject, key: string): string => stringAt(object, [key]) ?? "";
  if (at(toleration, "effect") !== "" && at(toleration, "effect") !== at(taint, "effect")) return false;
  if (at(toleration, "key") !== "" && at(toleration, "key") !== at(taint, "key")) return false;
  return at(toleration, "operator") === "Exists" || at(toleration, "value") === at(taint, "value");
}
