import {
  type Checked,
  type ClaimState,
  type ClusterFacts,
  type Diagnostic,
  isObject,
  type JsonObject,
  type NamespaceFacts,
  type ObjectKey,
} from "../model/index.ts";
import { claimDevices, readAllocation, readClaim } from "./claim.ts";
import { READERS, type Reader, readNamespaceLabels, tenantIn } from "./classes.ts";
import { type Documents, type Entry, entriesOf, type InventoryFile, readDocuments } from "./documents.ts";
import { clusterFacts } from "./facts.ts";
import { amountReader, type Faults, faults } from "./fields.ts";
import { identify, idOf, isReadKind } from "./identity.ts";
import { readNode } from "./node.ts";
import { compareText } from "./order.ts";
import { controllerOf, isWorkloadKind, type Owner, type OwnerIndex, objectId, rootOf } from "./owner.ts";
import { isTerminal, podKey, readPod } from "./pod.ts";
import { joinPools } from "./pools.ts";
import { malformed, repeated, skipped, withoutNamespace } from "./report.ts";
import { readSlice } from "./slice.ts";
import { tainted } from "./taint-rule.ts";
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

function build(documents: readonly Documents[], options: InventoryOptions): Checked<Inventory> {
  const diagnostics: Diagnostic[] = documents.flatMap((one) => one.diagnostics);
  const known = new Set<string>(documents.flatMap((one) => one.listed).filter(isReadKind));
  const unread = new Set<string>();
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
        diagnostics.push(skipped(item.entry, problems));
        unread.add(kind);
        continue;
      }
      known.add(kind);
      const id = idOf(item);
      if (seen.has(id)) diagnostics.push(repeated(item.entry));
      seen.add(id);
      if (value === undefined) result.delete(id);
      else result.set(id, value);
    }
    return result;
  };

  const amounts = amountReader();
  const simple = <T>(kind: string, read: Reader<T>): Map<string, T> =>
    readAll(kind, ({ object, name }, problems) => read(object, name, problems, amounts));
  const limits = grouped(
    readAll("LimitRange", ({ object, namespace, name }, problems) => ({
      namespace,
      value: READERS.LimitRange(object, name, problems, amounts),
    })),
  );
  const quotas = grouped(
    readAll("ResourceQuota", ({ object, namespace, name }, problems) => ({
      namespace,
      value: [READERS.ResourceQuota(object, name, problems, amounts)],
    })),
  );
  const budgets = grouped(
    readAll("PodDisruptionBudget", ({ object, namespace, name }, problems) => ({
      namespace,
      value: [READERS.PodDisruptionBudget(object, name, problems, amounts)],
    })),
  );
  const namespaces = readAll("Namespace", ({ object, name }, problems): NamespaceFacts => {
    const labels = readNamespaceLabels(object, name, problems);
    return { name, labels, containerLimits: limits.get(name) ?? [], quotas: quotas.get(name) ?? [] };
  });
  for (const namespace of new Set([...limits.keys(), ...quotas.keys()])) {
    if (!namespaces.has(namespace)) diagnostics.push(withoutNamespace(namespace));
  }
  const tenantOf = (namespace: string) => tenantIn(namespace, namespaces.get(namespace)?.labels);
  const claimSpecs = new Map<string, JsonObject>();
  const claimStates = new Map<string, ClaimState>();
  const facts: ClusterFacts = clusterFacts({
    namespaces,
    priorityClasses: simple("PriorityClass", READERS.PriorityClass),
    runtimeClasses: simple("RuntimeClass", READERS.RuntimeClass),
    deviceClasses: simple("DeviceClass", READERS.DeviceClass),
    claimTemplates: simple("ResourceClaimTemplate", READERS.ResourceClaimTemplate),
    claims: claimSpecs,
    claimStates,
    localQueues: simple("LocalQueue", READERS.LocalQueue),
    clusterQueues: simple("ClusterQueue", READERS.ClusterQueue),
    cohorts: simple("Cohort", READERS.Cohort),
    flavors: simple("ResourceFlavor", READERS.ResourceFlavor),
    disruptionBudgets: (namespace) => budgets.get(namespace) ?? [],
    numa: simple("NodeResourceTopology", READERS.NodeResourceTopology),
    known,
    unread,
  });

  const index: OwnerIndex = {
    ownerOf: (object) => owners.get(objectId(object)),
    climbs: options.climbs ?? isWorkloadKind,
  };
  const priorityOf = (className: string | undefined) =>
    (className === undefined ? facts.defaultPriorityClass() : facts.priorityClass(className))?.value ?? 0;
  const pods = readAll("Pod", ({ object, namespace, name }, problems) =>
    isTerminal(object)
      ? undefined
      : readPod(
          object,
          podKey(object, namespace, name),
          { rootOf: (pod, owner, labels) => rootOf(pod, owner, labels, index), tenantOf, priorityOf, amounts },
          problems,
        ),
  );
  const roots = new Map<string, ObjectKey>([...pods.values()].map((pod) => [objectId(pod.key), pod.root]));
  const claims = readAll("ResourceClaim", ({ object, namespace, name }, problems) => {
    const devices = claimDevices(object, ["spec", "devices"], problems);
    const claim = readClaim(
      object,
      namespace,
      name,
      { rootOfPod: (pod) => roots.get(objectId(pod)), tenantOf },
      problems,
    );
    const state = readAllocation(object, problems);
    if (problems.found.length === 0) {
      claimSpecs.set(`${namespace}/${name}`, devices);
      claimStates.set(`${namespace}/${name}`, state);
    }
    return claim;
  });

  const rules = byName(simple("DeviceTaintRule", READERS.DeviceTaintRule));
  const value: Inventory = {
    nodes: byName(readAll("Node", (item, problems) => readNode(item.object, item.name, amounts, problems))),
    pods: byName(pods),
    devicePools: joinPools(
      byName(readAll("ResourceSlice", (item, problems) => readSlice(item.object, item.name, problems))),
    ).map((pool) => tainted(pool, rules)),
    claims: byName(claims),
    nodePools: byName(simple("NodePool", READERS.NodePool)),
    capacityQuotas: byName(simple("CapacityQuota", READERS.CapacityQuota)),
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
  const { identity, fault } = identify(object);
  if (fault !== undefined) diagnostics.push(malformed(entry, fault));
  if (identity === undefined || fault !== undefined || !isObject(object)) return;
  owners.set(objectId(identity), { owner: controllerOf(object, identity.namespace) });
  if (!identity.wanted) return;
  const { kind, namespace, name } = identity;
  const list = items.get(kind);
  const item: Item = { entry, object, kind, name, namespace };
  if (list === undefined) items.set(kind, [item]);
  else list.push(item);
}

/** By namespace, in the order of names. */
function grouped<T>(
  list: ReadonlyMap<string, { readonly namespace: string; readonly value: readonly T[] }>,
): Map<string, T[]> {
  const result = new Map<string, T[]>();
  for (const { namespace, value } of byName(list)) {
    const known = result.get(namespace);
    if (known === undefined) result.set(namespace, [...value]);
    else for (const one of value) known.push(one);
  }
  return result;
}

function byName<T>(map: ReadonlyMap<string, T>): readonly T[] {
  return [...map.entries()].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
}
