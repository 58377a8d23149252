import {
  type Checked,
  type ClusterFacts,
  type Diagnostic,
  isObject,
  type Json,
  type JsonObject,
  type NamespaceFacts,
  type ObjectKey,
  stringAt,
  TENANT_LABEL,
} from "../model/index.ts";
import { claimDevices, readClaim } from "./claim.ts";
import { readDeviceClass, readLimitRange, readPriorityClass, readQuota, readRuntimeClass } from "./classes.ts";
import { type Documents, type Entry, entriesOf, type InventoryFile, readDocuments } from "./documents.ts";
import { clusterFacts } from "./facts.ts";
import { amountReader, type Faults, faults, faultText, isShallow, stringsAt } from "./fields.ts";
import { readNode } from "./node.ts";
import { compareText } from "./order.ts";
import { controllerOf, isWorkloadKind, type Owner, type OwnerIndex, objectId } from "./owner.ts";
import { isTerminal, podKey, readPod } from "./pod.ts";
import { joinPools } from "./pools.ts";
import { readSlice } from "./slice.ts";
import type { Inventory } from "./types.ts";

export interface InventoryOptions {
  /** Is an object of this kind a workload to which its children belong; by default the kinds that Plimsoll ships. */
  readonly climbs?: (owner: Owner) => boolean;
}

/**
 * The inventory of files as kubectl prints them, in any mix. The value is always there: what cannot be read is left out and
 * reported, text as `ClusterSyntax` (error), objects as `ClusterObject` (warning), repeats as `ClusterDuplicate` (info).
 */
export function readInventory(files: readonly InventoryFile[], options: InventoryOptions = {}): Checked<Inventory> {
  return build(files.map(readDocuments), options);
}

/** The same from plain objects, which may be Lists. */
export function inventoryFrom(objects: readonly JsonObject[], options: InventoryOptions = {}): Checked<Inventory> {
  return build([entriesOf(objects)], options);
}

/** One object that is of use here, with its identity. */
interface Item {
  readonly entry: Entry;
  readonly object: JsonObject;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Kinds that are read, by API group. */
const GROUPS: Readonly<Record<string, string>> = {
  Node: "",
  Pod: "",
  Namespace: "",
  LimitRange: "",
  ResourceQuota: "",
  ResourceSlice: "resource.k8s.io",
  ResourceClaim: "resource.k8s.io",
  ResourceClaimTemplate: "resource.k8s.io",
  DeviceClass: "resource.k8s.io",
  NodePool: "karpenter.sh",
  RuntimeClass: "node.k8s.io",
  PriorityClass: "scheduling.k8s.io",
};
const NAMESPACED: ReadonlySet<string> = new Set([
  "Pod",
  "LimitRange",
  "ResourceQuota",
  "ResourceClaim",
  "ResourceClaimTemplate",
]);
const DEVICE_VERSIONS: readonly string[] = ["v1", "v1beta2", "v1beta1"];
/** Never looked into: their content is nobody's business here. */
const SECRET_KINDS: ReadonlySet<string> = new Set(["Secret", "ConfigMap"]);

function build(documents: readonly Documents[], options: InventoryOptions): Checked<Inventory> {
  const diagnostics: Diagnostic[] = documents.flatMap((one) => one.diagnostics);
  const known = new Set<string>(documents.flatMap((one) => one.listed).filter((kind) => Object.hasOwn(GROUPS, kind)));
  const owners = new Map<string, { readonly owner: ObjectKey | undefined }>();
  const items = new Map<string, Item[]>();
  for (const { entries } of documents) for (const entry of entries) sort(entry, owners, items, diagnostics);

  /** Reads every object of one kind; a later one of the same name replaces an earlier one. */
  const readAll = <T>(kind: string, read: (item: Item, problems: Faults) => T | undefined): Map<string, T> => {
    const result = new Map<string, T>();
    const seen = new Set<string>();
    for (const item of items.get(kind) ?? []) {
      const problems = faults();
      const value = read(item, problems);
      if (problems.found.length > 0) {
        diagnostics.push(skipped(item, problems));
        continue;
      }
      known.add(kind);
      const id = NAMESPACED.has(kind) ? `${item.namespace}/${item.name}` : item.name;
      if (seen.has(id)) diagnostics.push(repeated(item));
      seen.add(id);
      if (value === undefined) result.delete(id);
      else result.set(id, value);
    }
    return result;
  };

  const amounts = amountReader();
  const limits = grouped(
    readAll("LimitRange", (item, problems) => ({ item, value: readLimitRange(item.object, problems) })),
  );
  const quotas = grouped(
    readAll("ResourceQuota", (item, problems) => ({
      item,
      value: [readQuota(item.object, item.name, amounts, problems)],
    })),
  );
  const namespaces = readAll("Namespace", ({ object, name }, problems): NamespaceFacts => {
    const labels = { "kubernetes.io/metadata.name": name, ...stringsAt(object, ["metadata", "labels"], problems) };
    return { name, labels, containerLimits: limits.get(name) ?? [], quotas: quotas.get(name) ?? [] };
  });
  for (const namespace of new Set([...limits.keys(), ...quotas.keys()])) {
    if (!namespaces.has(namespace)) diagnostics.push(withoutNamespace(namespace));
  }
  const tenantOf = (namespace: string) => {
    const labels = namespaces.get(namespace)?.labels ?? {};
    return (Object.hasOwn(labels, TENANT_LABEL) ? labels[TENANT_LABEL] : undefined) || namespace;
  };
  const priorityClasses = readAll("PriorityClass", (item, problems) =>
    readPriorityClass(item.object, item.name, problems),
  );
  const claimSpecs = new Map<string, JsonObject>();
  const facts: ClusterFacts = clusterFacts({
    namespaces,
    priorityClasses,
    runtimeClasses: readAll("RuntimeClass", (item, problems) =>
      readRuntimeClass(item.object, item.name, amounts, problems),
    ),
    deviceClasses: readAll("DeviceClass", (item, problems) => readDeviceClass(item.object, item.name, problems)),
    claimTemplates: readAll("ResourceClaimTemplate", (item, problems) =>
      claimDevices(item.object, ["spec", "spec", "devices"], problems),
    ),
    claims: claimSpecs,
    known,
  });

  const index: OwnerIndex = { byObject: owners, climbs: options.climbs ?? isWorkloadKind };
  const priorityOf = (className: string | undefined) =>
    (className === undefined ? facts.defaultPriorityClass() : facts.priorityClass(className))?.value ?? 0;
  const pods = readAll("Pod", ({ object, namespace, name }, problems) =>
    isTerminal(object)
      ? undefined
      : readPod(
          object,
          podKey(object, namespace, name),
          { owners: index, tenantOf, priorityOf, shared: amounts.shared },
          problems,
        ),
  );
  const roots = new Map<string, ObjectKey>([...pods.values()].map((pod) => [objectId(pod.key), pod.root]));
  const claims = readAll("ResourceClaim", ({ object, namespace, name }, problems) => {
    const devices = claimDevices(object, ["spec", "devices"], problems);
    const claim = readClaim(object, namespace, name, { rootOfPod: (id) => roots.get(id), tenantOf }, problems);
    if (problems.found.length === 0) claimSpecs.set(`${namespace}/${name}`, devices);
    return claim;
  });

  const value: Inventory = {
    nodes: byName(readAll("Node", (item, problems) => readNode(item.object, item.name, amounts, problems))),
    pods: byName(pods),
    devicePools: joinPools(
      byName(readAll("ResourceSlice", (item, problems) => readSlice(item.object, item.name, problems))),
    ),
    claims: byName(claims),
    nodePools: byName(
      readAll("NodePool", (item, problems) => {
        if (!isShallow(item.object)) problems.add([], "nests too deep");
        return { name: item.name, object: item.object };
      }),
    ),
    facts,
    known,
  };
  return { value, diagnostics };
}

/** Files one entry by kind, and notes who owns it. What is of no use is dropped; what has no identity is reported. */
function sort(
  entry: Entry,
  owners: Map<string, { readonly owner: ObjectKey | undefined }>,
  items: Map<string, Item[]>,
  diagnostics: Diagnostic[],
): void {
  const { object } = entry;
  const fail = (message: string) => diagnostics.push(malformed(entry, describe(entry, object), message));
  if (!isObject(object)) {
    fail("is not an object with apiVersion and kind");
    return;
  }
  const kind = stringAt(object, ["kind"]);
  const apiVersion = stringAt(object, ["apiVersion"]);
  if (kind === undefined || SECRET_KINDS.has(kind)) {
    if (kind === undefined) fail("has no kind");
    return;
  }
  if (apiVersion === undefined) {
    fail("has no apiVersion");
    return;
  }
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const wanted = Object.hasOwn(GROUPS, kind) && GROUPS[kind] === group;
  const name = stringAt(object, ["metadata", "name"]) ?? "";
  if (name === "") {
    if (wanted) fail("has no metadata.name");
    return;
  }
  if (group === "resource.k8s.io" && wanted && !DEVICE_VERSIONS.includes(version)) {
    fail(`is of version ${version}; the versions read are ${DEVICE_VERSIONS.join(", ")}`);
    return;
  }
  const namespaced = NAMESPACED.has(kind) || !wanted;
  const namespace = stringAt(object, ["metadata", "namespace"]) || (namespaced ? "default" : "");
  owners.set(objectId({ apiVersion, kind, namespace, name }), { owner: controllerOf(object, namespace) });
  if (!wanted) return;
  const list = items.get(kind);
  const item: Item = { entry, object, kind, name, namespace };
  if (list === undefined) items.set(kind, [item]);
  else list.push(item);
}

function grouped<T>(
  list: ReadonlyMap<string, { readonly item: Item; readonly value: readonly T[] }>,
): Map<string, T[]> {
  const result = new Map<string, T[]>();
  for (const { item, value } of list.values())
    result.set(item.namespace, [...(result.get(item.namespace) ?? []), ...value]);
  return result;
}

function byName<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map.entries()].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
}

function describe(entry: Entry, object: Json): string {
  const kind = stringAt(object, ["kind"]) ?? "object";
  const name = stringAt(object, ["metadata", "name"]);
  const place = entry.label === "" ? "" : ` (${entry.label})`;
  return `${kind}${name === undefined ? "" : ` ${name}`}${place}`;
}

function malformed(entry: Entry, what: string, message: string): Diagnostic {
  const source = entry.position();
  return {
    code: "ClusterObject",
    severity: "warning",
    message: `${what} ${message}; it is left out.`,
    hint: "Export the object again with kubectl get -o yaml, or correct it.",
    ...(source === undefined ? {} : { source }),
  };
}

function skipped(item: Item, problems: Faults): Diagnostic {
  const [first] = problems.found;
  const more = problems.found.length > 1 ? ` (and ${problems.found.length - 1} more)` : "";
  const text = first === undefined ? "" : faultText(first);
  const diagnostic = malformed(item.entry, `${describe(item.entry, item.object)}:`, `${text}${more}`);
  return first === undefined ? diagnostic : { ...diagnostic, path: first.path };
}

function repeated(item: Item): Diagnostic {
  const source = item.entry.position();
  return {
    code: "ClusterDuplicate",
    severity: "info",
    message: `${describe(item.entry, item.object)} stands more than once; the last one counts.`,
    ...(source === undefined ? {} : { source }),
  };
}

function withoutNamespace(namespace: string): Diagnostic {
  return {
    code: "ClusterNamespace",
    severity: "info",
    message: `Namespace ${namespace} has quotas or LimitRanges in the input but is not part of it itself; they are left out.`,
    hint: "Add namespaces to the export: kubectl get nodes,pods,namespaces,limitranges,resourcequotas -A -o json.",
  };
}
