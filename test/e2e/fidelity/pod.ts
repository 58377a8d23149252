import {
  arrayAt,
  integerAt,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
  valueAt,
} from "../../../src/model/index.ts";
import type { Meaning } from "./case.ts";

/** One pod of an expanded workload, as far as filters read it. Amounts: cpu in millicores, others in whole units. */
export interface ReplayPod {
  readonly requests: Readonly<Record<string, number>>;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Undefined: no required node affinity. */
  readonly terms: readonly JsonObject[] | undefined;
  readonly tolerations: readonly JsonObject[];
  /** Topology keys of required pod affinity terms, which all match the pod itself. */
  readonly affinity: readonly string[];
  readonly spread: readonly { readonly key: string; readonly maxSkew: number; readonly honorTaints: boolean }[];
  readonly claims: readonly ReplayClaim[];
}

export interface ReplayClaim {
  readonly requests: readonly ReplayRequest[];
  readonly constraints: readonly { readonly attribute: string; readonly requests: readonly string[] }[];
}

export interface ReplayRequest {
  readonly name: string;
  readonly count: number | "all";
  readonly meanings: readonly Meaning[];
}

export function podOf(
  template: JsonObject,
  find: (kind: string, name: string) => JsonObject | undefined,
  meanings: Readonly<Record<string, Meaning>>,
): ReplayPod {
  const spec = objectAt(template, ["spec"]);
  const required = valueAt(spec, ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
  return {
    requests: requestsOf(spec),
    nodeSelector: objectAt(spec, ["nodeSelector"]) as Readonly<Record<string, string>>,
    terms: required === undefined ? undefined : arrayAt(required, ["nodeSelectorTerms"]).map(asObject),
    tolerations: arrayAt(spec, ["tolerations"]).map(asObject),
    affinity: affinityKeys(template),
    spread: arrayAt(spec, ["topologySpreadConstraints"])
      .filter((one) => stringAt(one, ["whenUnsatisfiable"]) === "DoNotSchedule")
      .map((one) => ({
        key: stringAt(one, ["topologyKey"]) ?? "",
        maxSkew: integerAt(one, ["maxSkew"]) ?? 1,
        honorTaints: stringAt(one, ["nodeTaintsPolicy"]) === "Honor",
      })),
    claims: arrayAt(spec, ["resourceClaims"]).map((entry) => {
      const name = stringAt(entry, ["resourceClaimTemplateName"]) ?? "";
      const found = find("ResourceClaimTemplate", name);
      if (found === undefined) throw new Error(`no ResourceClaimTemplate ${name}`);
      return claimOf(objectAt(found, ["spec", "spec", "devices"]), find, meanings);
    }),
  };
}

/** Containers only: the cases have no init containers and no overhead. Limits stand in for requests that are left out. */
export function requestsOf(spec: JsonObject): Readonly<Record<string, number>> {
  const sum: Record<string, number> = { pods: 1 };
  for (const container of arrayAt(spec, ["containers"])) {
    const limits = objectAt(container, ["resources", "limits"]);
    const all = { ...limits, ...objectAt(container, ["resources", "requests"]) };
    for (const [name, text] of Object.entries(all)) sum[name] = (sum[name] ?? 0) + amount(name, text ?? null);
  }
  return sum;
}

/** The few forms that the cases write. */
export function amount(name: string, value: Json): number {
  const match = /^(\d+)(m|Gi|Mi)?$/.exec(String(value));
  if (match === null) throw new Error(`${name}: ${JSON.stringify(value)} is no quantity of a case`);
  const number = Number(match[1]);
  if (name === "cpu") return match[2] === "m" ? number : number * 1000;
  return number * (match[2] === "Gi" ? 2 ** 30 : match[2] === "Mi" ? 2 ** 20 : 1);
}

function affinityKeys(template: JsonObject): readonly string[] {
  const spec = objectAt(template, ["spec"]);
  const labels = objectAt(template, ["metadata", "labels"]);
  const terms = arrayAt(spec, ["affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
  return terms.map((term) => {
    for (const [key, value] of Object.entries(objectAt(term, ["labelSelector", "matchLabels"])))
      if (labels[key] !== value)
        throw new Error(`pod affinity for ${key}=${String(value)}, which the pods do not have`);
    for (const expression of arrayAt(term, ["labelSelector", "matchExpressions"]))
      if (stringAt(expression, ["operator"]) !== "Exists" || labels[stringAt(expression, ["key"]) ?? ""] === undefined)
        throw new Error(`pod affinity by ${JSON.stringify(expression)}, which does not match the pods`);
    return stringAt(term, ["topologyKey"]) ?? "";
  });
}

function claimOf(
  devices: JsonObject,
  find: (kind: string, name: string) => JsonObject | undefined,
  meanings: Readonly<Record<string, Meaning>>,
): ReplayClaim {
  const requests = arrayAt(devices, ["requests"]).map((request): ReplayRequest => {
    const exactly = objectAt(request, ["exactly"]);
    const deviceClass = find("DeviceClass", stringAt(exactly, ["deviceClassName"]) ?? "");
    if (deviceClass === undefined) throw new Error(`no DeviceClass for ${JSON.stringify(request)}`);
    const selectors = [...arrayAt(deviceClass, ["spec", "selectors"]), ...arrayAt(exactly, ["selectors"])];
    return {
      name: stringAt(request, ["name"]) ?? "",
      count: stringAt(exactly, ["allocationMode"]) === "All" ? "all" : (integerAt(exactly, ["count"]) ?? 1),
      meanings: selectors.map((selector) => {
        const text = stringAt(selector, ["cel", "expression"]) ?? "";
        const meaning = meanings[text];
        if (meaning === undefined) throw new Error(`no meaning for selector ${text}`);
        return meaning;
      }),
    };
  });
  const constraints = arrayAt(devices, ["constraints"]).map((constraint) => ({
    attribute: stringAt(constraint, ["matchAttribute"]) ?? "",
    requests: arrayAt(constraint, ["requests"]).map(String),
  }));
  return { requests, constraints };
}

const asObject = (value: Json): JsonObject => objectAt(value, []);
