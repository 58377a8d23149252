import {
  arrayAt,
  type Json,
  type JsonObject,
  type NodeNuma,
  NUMA_POLICIES,
  NUMA_SCOPES,
  type NumaAmounts,
  type NumaPolicy,
  type NumaScope,
  type NumaZone,
  POD_SET_FINGERPRINT,
  stringAt,
  unitsText,
  valueAt,
} from "../model/index.ts";
import { type AmountReader, type Faults, listAt, shown, textAt } from "./fields.ts";

/** `topologyPolicies`, which `attributes` have replaced: policy and scope in one word. Without a scope it is the kubelet's default. */
const OLD_POLICIES: Readonly<Record<string, readonly [NumaPolicy, NumaScope]>> = {
  None: ["none", "container"],
  BestEffort: ["best-effort", "container"],
  BestEffortContainerLevel: ["best-effort", "container"],
  BestEffortPodLevel: ["best-effort", "pod"],
  Restricted: ["restricted", "container"],
  RestrictedContainerLevel: ["restricted", "container"],
  RestrictedPodLevel: ["restricted", "pod"],
  SingleNUMANodeContainerLevel: ["single-numa-node", "container"],
  SingleNUMANodePodLevel: ["single-numa-node", "pod"],
};

const ZONE_NAME = /^(?:numa-)?node-(\d{1,4})$/;

/**
 * A topology.node.k8s.io NodeResourceTopology, as node-feature-discovery and resource-topology-exporter write it. Attributes win over
 * `topologyPolicies`, as in scheduler-plugins.
 */
export function readNuma(object: JsonObject, _name: string, problems: Faults, amounts: AmountReader): NodeNuma {
  const faults: string[] = [];
  const told = (name: string): string | undefined =>
    stringAt(
      arrayAt(object, ["attributes"]).findLast((one) => stringAt(one, ["name"]) === name),
      ["value"],
    );
  const choice = <T extends string>(name: string, options: readonly T[]): T | undefined => {
    const value = told(name);
    const found = options.find((one) => one === value);
    if (value !== undefined && found === undefined)
      faults.push(`says ${name} ${shown(value)}, which is none of ${options.join(", ")}`);
    return found;
  };
  const old = stringAt(object, ["topologyPolicies", 0]);
  const [oldPolicy, oldScope] = (old !== undefined && Object.hasOwn(OLD_POLICIES, old) && OLD_POLICIES[old]) || [];
  if (old !== undefined && oldPolicy === undefined)
    faults.push(`says topologyPolicies ${shown(old)}, which is none of ${Object.keys(OLD_POLICIES).join(", ")}`);
  const policy = choice("topologyManagerPolicy", NUMA_POLICIES) ?? oldPolicy;
  const scope = choice("topologyManagerScope", NUMA_SCOPES) ?? oldScope;

  const zones: NumaZone[] = [];
  for (const [index, zone] of listAt(object, ["zones"], problems).entries()) {
    if (stringAt(zone, ["type"]) !== "Node") continue;
    const name = textAt(zone, ["name"], problems, ["zones", index]);
    const id = ZONE_NAME.exec(name)?.[1];
    if (id === undefined) faults.push(`has a zone named ${shown(name)}, and which NUMA node that is cannot be told`);
    else if (zones.some((one) => one.id === Number(id))) faults.push(`has two zones of NUMA node ${Number(id)}`);
    else zones.push({ id: Number(id), resources: zoneAmounts(zone, index, amounts, problems, faults) });
  }
  const fingerprint =
    told("nodeTopologyPodsFingerprint") ??
    stringAt(object, ["metadata", "annotations", "topology.node.k8s.io/fingerprint"]);
  const method = told("nodeTopologyPodsFingerprintMethod") ?? "all";
  zones.sort((a, b) => a.id - b.id);
  if (zones.length === 0 && faults.length === 0) faults.push("lists no zone of type Node");
  return amounts.shared({ policy, scope, ...writtenFor(fingerprint, method), zones, faults });
}

/** Other forms, and pods chosen in other ways (with-exclusive-resources, which exporters read differently), are not compared. */
function writtenFor(fingerprint: string | undefined, method: string): Pick<NodeNuma, "pods"> {
  if (fingerprint === undefined || !POD_SET_FINGERPRINT.test(fingerprint)) return {};
  return method === "all" || method === "exclude-terminal" ? { pods: { fingerprint, ended: method === "all" } } : {};
}

function zoneAmounts(
  zone: Json,
  index: number,
  amounts: AmountReader,
  problems: Faults,
  faults: string[],
): NumaZone["resources"] {
  const result: Record<string, NumaAmounts> = Object.create(null);
  for (const [number, entry] of arrayAt(zone, ["resources"]).entries()) {
    const path = ["zones", index, "resources", number] as const;
    const name = textAt(entry, ["name"], problems, path);
    const amount = (key: string, absent?: number): number => {
      const value = valueAt(entry, [key]);
      const units = value === undefined ? absent : amounts.units(name, value);
      if (units === undefined) problems.add([...path, key], `must be a resource quantity, not ${shown(value)}`);
      return units ?? 0;
    };
    const allocatable = amount("allocatable");
    const available = amount("available");
    if (available < 0 || available > allocatable)
      faults.push(
        `says that ${unitsText(name, available)} of ${unitsText(name, allocatable)} ${name} are available in zone ${stringAt(zone, ["name"])}`,
      );
    result[name] = { capacity: amount("capacity", allocatable), allocatable, available };
  }
  return result;
}
