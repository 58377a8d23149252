import { type Diagnostic, isObject, type Json, type ObjectKey, stringAt, type TopologyLayout } from "../model/index.ts";
import type { Change } from "./change.ts";
import { amountReader, faults } from "./fields.ts";
import { fingerprint } from "./fingerprint.ts";
import { type Identity, identify, isRead, placeOf } from "./identity.ts";
import type { InventoryOptions } from "./inventory.ts";
import { createClaims } from "./live-claims.ts";
import { type Columns, createColumns } from "./live-columns.ts";
import { createDeviceLedger } from "./live-devices.ts";
import { createFacts, type Follower } from "./live-facts.ts";
import { createLineages, isSameKey } from "./live-lineage.ts";
import { createPods, type LivePod } from "./live-pods.ts";
import { createSlices } from "./live-slices.ts";
import { comparePlaces } from "./live-sorted.ts";
import { createTable, type Table } from "./live-table.ts";
import { createTreeKeeper } from "./live-tree.ts";
import { createUnread } from "./live-unread.ts";
import { createPodUsage } from "./live-usage.ts";
import { readNode } from "./node.ts";
import { controllerOf, groupOf, isWorkloadKind, sameObject } from "./owner.ts";
import { malformed, skipped } from "./report.ts";
import type { Tree } from "./tree.ts";
import type { ClaimFacts, DevicePool, Lookups, PodFacts, Topology } from "./types.ts";

export interface LiveOptions extends InventoryOptions {
  readonly layout: TopologyLayout;
}

/**
 * A topology that follows what watches tell: at any moment the one that `buildTopology` would make of the objects that are there. Facts are
 * kept, not objects.
 */
export interface Live {
  /** What is malformed is left out and reported, and what was known of it before is dropped. */
  apply(change: Change): readonly Diagnostic[];
  /**
   * The topology of this moment. Another object only where nodes, their places or devices changed; else the last one, changed in place.
   * Ask for it before each solve.
   */
  topology(): Topology;
  /** After a reload of the policies. */
  setLayout(layout: TopologyLayout, climbs?: InventoryOptions["climbs"]): void;
  /** Objects known, by kind. */
  readonly stats: ReadonlyMap<string, number>;
  /** Pods whose root this is, bound and unbound. */
  podsOf(root: ObjectKey): readonly PodFacts[];
  /** Undefined for a pod that is not known. */
  rootOfPod(namespace: string, name: string): ObjectKey | undefined;
}

/** What is kept of every object, of kinds that are read and of others. */
interface Row {
  readonly owner: ObjectKey | undefined;
  /** resourceVersion, where the object was read without fault. */
  readonly version: string | undefined;
}

const NO_OWNER: { readonly owner: undefined; readonly version: undefined } = { owner: undefined, version: undefined };

export function createLive(options: LiveOptions): Live {
  const amounts = amountReader();
  const known = new Set<string>();
  const unread = createUnread();
  const rows = new Map<string, { readonly kind: string; readonly apiVersion: string; readonly table: Table<Row> }>();
  /** The version under which a kind was last listed. */
  const listed = new Map<string, string>();
  let version = 0;
  const moved = (): void => {
    version += 1;
  };

  const columns: Columns = createColumns(() => trees.columnsChanged());
  const trees = createTreeKeeper(options.layout, () => columns);
  const usage = createPodUsage(columns, trees.rowOf);
  const devices = createDeviceLedger();
  const slices = createSlices(moved);
  const claims = createClaims({
    amounts,
    devices,
    moved,
    rootOfPod: (pod) => pods.get(pod.namespace, pod.name)?.root,
    tenantOf: (namespace) => facts.tenantOf(namespace),
  });
  const facts = createFacts({
    amounts,
    known,
    unread: unread.kinds,
    claims: claims.specs,
    claimStates: claims.states,
    moved,
    tenantMoved(namespace) {
      pods.tenantMoved(namespace);
      claims.tenantMoved(namespace);
    },
    prioritiesMoved: () => pods.prioritiesMoved(),
  });
  const pods = createPods({
    amounts,
    lineages: () => lineages,
    tenantOf: facts.tenantOf,
    priorityOf: (className) =>
      (className === undefined ? facts.facts.defaultPriorityClass() : facts.facts.priorityClass(className))?.value ?? 0,
    moved(before, after) {
      usage.moved(before, after);
      const key = (after ?? before)?.key;
      if (key !== undefined && !isSameKey(before?.root, after?.root)) claims.podMoved(key);
      moved();
    },
  });
  const lineages = createLineages<LivePod>(
    (object) => rows.get(kindOf(object))?.table.get(object.namespace, object.name),
    options.climbs ?? isWorkloadKind,
    (lineage) => pods.rootMoved(lineage),
  );

  const followers: Readonly<Record<string, Follower>> = {
    ...facts.followers,
    Pod: pods,
    ResourceClaim: claims,
    ResourceSlice: {
      set: (object, { name }, problems) => slices.set(object, name, problems),
      remove: (_namespace, name) => slices.remove(name),
    },
    DeviceTaintRule: {
      set: (object, { name }, problems) => slices.setRule(object, name, problems),
      remove: (_namespace, name) => slices.removeRule(name),
    },
    Node: {
      set(object, { name }, problems) {
        const node = readNode(object, name, amounts, problems);
        if (problems.found.length === 0 && trees.set(name, node)) moved();
      },
      remove(_namespace, name) {
        if (trees.set(name, undefined)) moved();
      },
    },
  };

  const tableOf = ({ apiVersion, kind }: Pick<Identity, "apiVersion" | "kind">): Table<Row> => {
    const id = kindOf({ apiVersion, kind });
    const found = rows.get(id) ?? { kind, apiVersion, table: createTable<Row>() };
    rows.set(id, found);
    return found.table;
  };
  const followerOf = (one: Pick<Identity, "apiVersion" | "kind">): Follower | undefined =>
    isRead(one.apiVersion, one.kind) ? followers[one.kind] : undefined;

  const learn = (kind: string): void => {
    if (known.has(kind)) return;
    known.add(kind);
    moved();
  };
  const forget = (one: ObjectKey): void => {
    const table = tableOf(one);
    if (table.get(one.namespace, one.name) === undefined) return;
    table.delete(one.namespace, one.name);
    if (unread.note(one, true)) moved();
    followerOf(one)?.remove(one.namespace, one.name);
    lineages.ownerChanged(one);
  };
  /** Returns what is wrong with the object; `met` gathers the places of a list. */
  const set = (object: Json, met?: Table<true>): Diagnostic | undefined => {
    const entry = { object, position: () => undefined, label: "" };
    const { identity, fault } = identify(object);
    if (identity === undefined || fault !== undefined || !isObject(object)) {
      if (identity !== undefined) forget(identity);
      return fault === undefined ? undefined : malformed(entry, fault);
    }
    const { namespace, name } = identity;
    met?.set(namespace, name, true);
    const table = tableOf(identity);
    const before = table.get(namespace, name);
    const resourceVersion = stringAt(object, ["metadata", "resourceVersion"]);
    if (resourceVersion !== undefined && before?.version === resourceVersion) return undefined;

    const controller = controllerOf(object, namespace);
    const owner = controller === undefined ? undefined : amounts.shared(controller);
    const problems = faults();
    const follower = followerOf(identity);
    follower?.set(object, identity, problems);
    const sound = problems.found.length === 0;
    if (unread.note(identity, sound)) moved();
    if (!sound) follower?.remove(namespace, name);
    else if (follower !== undefined) learn(identity.kind);
    const kept = sound ? resourceVersion : undefined;
    table.set(namespace, name, owner === undefined && kept === undefined ? NO_OWNER : { owner, version: kept });
    if (before === undefined || !isSameKey(before.owner, owner)) lineages.ownerChanged(identity);
    return sound ? undefined : skipped(entry, problems);
  };
  const relist = (change: Change & { readonly type: "relisted" }): readonly Diagnostic[] => {
    const met = createTable<true>();
    const found: Diagnostic[] = [];
    for (const object of change.objects) {
      const one = set(object, met);
      if (one !== undefined) found.push(one);
    }
    forgetAll(change, met);
    if (isRead(change.apiVersion, change.kind)) learn(change.kind);
    listed.set(kindOf(change), change.apiVersion);
    return found;
  };
  const forgetAll = ({ apiVersion, kind }: Pick<Identity, "apiVersion" | "kind">, but?: Table<true>): void => {
    for (const [namespace, name] of tableOf({ apiVersion, kind }).entries())
      if (but?.get(namespace, name) === undefined) forget({ apiVersion, kind, namespace, name });
  };
  const unserve = (change: Change & { readonly type: "unserved" }): void => {
    // Another version of the kind may have taken over already.
    if ((listed.get(kindOf(change)) ?? change.apiVersion) !== change.apiVersion) return;
    forgetAll(change);
    listed.delete(kindOf(change));
    // A server that serves no such kind has no such objects: that is known, as in a snapshot.
    if (isRead(change.apiVersion, change.kind)) learn(change.kind);
  };

  const applied = (change: Change): readonly Diagnostic[] => {
    switch (change.type) {
      case "set": {
        const found = set(change.object);
        return found === undefined ? [] : [found];
      }
      case "deleted":
        forget({ ...change, namespace: placeOf(change) });
        return [];
      case "relisted":
        return relist(change);
      case "unserved":
        unserve(change);
        return [];
    }
  };

  const podsOf = (root: ObjectKey): readonly PodFacts[] => {
    const key = root.namespace === "" ? { ...root, namespace: "default" } : root;
    const below = lineages.below(key).map((pod) => pod.facts);
    const own = kindOf(key) === "/Pod" ? pods.get(key.namespace, key.name) : undefined;
    const found = own !== undefined && sameObject(own.root, key) ? new Set([...below, own]) : below;
    return [...found].sort((a, b) => comparePlaces(a.key, b.key));
  };
  const claimsOf = (root: ObjectKey): readonly ClaimFacts[] =>
    claims.ofRoot(root.namespace === "" ? { ...root, namespace: "default" } : root);
  const lookups: Lookups = {
    podsOfRoot: podsOf,
    claimsOfRoot: claimsOf,
    apart: () => usage.apart,
    contending: () => usage.contending,
    nominated: () => [...usage.nominated].sort((a, b) => comparePlaces(a.key, b.key)),
    accelerators() {
      const sums = new Map(usage.held);
      for (const [tenant, amount] of claims.held) sums.set(tenant, (sums.get(tenant) ?? 0) + amount);
      return sums;
    },
  };

  const assemble = (tree: Tree, devicePools: readonly DevicePool[]): Topology => {
    const ledger = { used: usage.used, devices: devices.holders, log: devices.log, rowLog: usage.log };
    let generation: { readonly version: number; readonly text: string } | undefined;
    return {
      ...tree,
      get version() {
        return version;
      },
      get generation() {
        if (generation?.version !== version)
          generation = { version, text: fingerprint(tree.nodes, tree.levels, tree.allocatable, ledger) };
        return generation.text;
      },
      podsOn: usage.podsOn,
      get pods() {
        return pods.facts();
      },
      devicePools,
      get claims() {
        return claims.facts();
      },
      get nodePools() {
        return facts.nodePools();
      },
      get capacityQuotas() {
        return facts.capacityQuotas();
      },
      facts: facts.facts,
      known,
      ledger,
      lookups,
    };
  };
  let current: { readonly tree: Tree; readonly topology: Topology } | undefined;

  return {
    apply(change) {
      const found = applied(change);
      usage.settle();
      return found;
    },
    topology() {
      const { tree, whole } = trees.tree();
      if (whole) usage.attach(tree);
      const devicePools = slices.pools();
      if (current?.tree !== tree || current.topology.devicePools !== devicePools)
        current = { tree, topology: assemble(tree, devicePools) };
      return current.topology;
    },
    setLayout(layout, climbs = isWorkloadKind) {
      trees.setLayout(layout);
      lineages.setClimbs(climbs);
      usage.settle();
      moved();
    },
    get stats() {
      return new Map([...rows.values()].map(({ kind, table }) => [kind, table.size]));
    },
    podsOf,
    rootOfPod: (namespace, name) => pods.get(namespace, name)?.root,
  };
}

/** `apps/Deployment`; the core group is the empty text. */
function kindOf({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${groupOf(apiVersion)}/${kind}`;
}
