import {
  allowsLabels,
  type CapacityPool,
  endOf,
  entriesSince,
  type Kept,
  keep,
  NODE_NAME_FIELD,
  type ObjectKey,
  once,
  type Requirements,
  type Taint,
} from "../model/index.ts";
import { acceleratorsByTenant, type ClaimFacts, contends, type PodFacts, type Topology } from "../topology/index.ts";
import type { Selected } from "./company.ts";
import { isSameWorkload } from "./context.ts";
import { type DeviceIndex, indexDevices } from "./device-index.ts";
import type { DeviceTable } from "./device-table.ts";
import { type KeptFree, keepFree } from "./free.ts";
import { type NumaRules, numaRules } from "./numa-rules.ts";

export const HOST_LABEL = "kubernetes.io/hostname";

/** One label over all nodes: `of[node]` is an index into `values`, -1 where the label is absent. */
export interface Column {
  readonly values: readonly string[];
  readonly of: Int32Array;
}

/** Which domain of one partition each row belongs to; -1: none that is known. */
export interface Domains {
  readonly of: Int32Array;
  readonly names: readonly string[];
}

/** The node selection holds. */
export const SELECTED = 1;
/** The taints are tolerated. */
export const TOLERATED = 2;

/** What the filters that do not depend on what is free say of every row. */
export interface Screen {
  /** 0: passes; else the first filter that excludes it, an index into `texts`. */
  readonly code: Uint16Array;
  readonly texts: readonly string[];
  /** Whether the row's domains count for spreading: bits SELECTED and TOLERATED. */
  readonly affine: Uint8Array;
}

/**
 * Lookups derived from a topology, filled on demand and shared by all solves on it. Values only, so sharing changes no answer: what
 * depends on nodes alone stands as long as the topology, and what depends on pods, claims or the ledger is made anew when the topology's
 * `version` is another. Whatever is kept by text that comes from users is bounded.
 */
export interface TopologyIndex {
  readonly topology: Topology;
  column(key: string): Column;
  /** Node -> index into `taintLists`. */
  readonly taintsOf: Int32Array;
  readonly taintLists: readonly (readonly Taint[])[];
  /** Bit 1: not ready; bit 2: cordoned. */
  readonly states: Uint8Array;
  readonly devices: DeviceTable;
  readonly deviceIndex: DeviceIndex;
  /** Names of a level's domains, by index: the path from the widest level on. */
  levelNames(level: number): readonly string[];
  /** Pods whose root is this workload, bound and unbound. */
  podsOfRoot(root: ObjectKey): readonly PodFacts[];
  claimsOfRoot(root: ObjectKey): readonly ClaimFacts[];
  /** Pods that are nominated to a node and not bound yet. */
  nominated(): readonly PodFacts[];
  /** Pods with a node that have a required anti-affinity, in no order. */
  apart(): Iterable<PodFacts>;
  /** Pods on nodes that rules select, by the rules' text: made anew once pods change. */
  selected(text: string, make: () => readonly Selected[]): readonly Selected[];
  /** Pods that wait for a node with accelerators or the like, in no order. */
  contending(): Iterable<PodFacts>;
  /** Accelerators that the tenant holds now, without those of one workload. */
  acceleratorsOf(tenant: string, except: ObjectKey): number;
  /** Rules of existing nodes for NUMA nodes, under these pools. `activeOnly`: kubelets list no pods that have ended. */
  numa(pools: readonly CapacityPool[], activeOnly: boolean): NumaRules;
  /** Nodes with these labels, ascending. */
  matching(labels: Requirements): readonly number[];
  /** Domains of a level over the existing nodes. A host is a domain of its own whatever other labels say. */
  domains(level: number): Domains;
  /** As many as there are nodes, of -1: existing nodes have no kind. Not to be written to. */
  readonly blank: Int32Array;
  /** What filters say of the existing nodes, by all that the filters take from a shape. */
  readonly screens: Kept<Screen>;
  /** What is free on existing nodes by the ledger as it is now. */
  readonly free: KeptFree;
  /** A number that is another once the ledger's rows may be. */
  moment(): number;
  /** Rows of the ledger that may have changed since that moment; undefined: any may have. */
  moved(since: number): readonly number[] | undefined;
}

const MAX_COLUMNS = 64;
/** Pods that rules of workloads select. */
const KEPT_RULES = 32;
/** Three bytes a node each. */
const KEPT_SCREENS = 32;

/** `before`: the index of an earlier topology, of which whatever still holds is taken over. */
export function indexTopology(topology: Topology, before?: TopologyIndex): TopologyIndex {
  const columns = new Map<string, Column>();
  const { taintsOf, taintLists } = groupTaints(topology);
  const names = new Map<number, readonly string[]>();
  const roots = current(topology, () => groupPods(topology));
  const claims = current(topology, () => groupClaims(topology));
  const nominated = current(topology, () =>
    topology.lookups === undefined ? topology.pods.filter((pod) => pod.nominated) : topology.lookups.nominated(),
  );
  const apart = current(
    topology,
    (): Iterable<PodFacts> =>
      topology.lookups?.apart() ?? topology.pods.filter((pod) => pod.apart !== undefined && pod.node !== undefined),
  );
  const selected = current(topology, () => keep<readonly Selected[]>(KEPT_RULES));
  const contending = current(
    topology,
    (): Iterable<PodFacts> => topology.lookups?.contending() ?? topology.pods.filter(contends),
  );
  const tenants = current(topology, () => acceleratorsByTenant(topology));
  const ledger = { topology, ...followRows(topology) };
  const deviceIndex = indexDevices(topology, before?.deviceIndex.made());
  const podsOfRoot = (root: ObjectKey): readonly PodFacts[] =>
    topology.lookups?.podsOfRoot(root) ??
    (roots().get(root.name) ?? []).filter((pod) => isSameWorkload(pod.root, root));
  const claimsOfRoot = (root: ObjectKey): readonly ClaimFacts[] =>
    topology.lookups?.claimsOfRoot(root) ??
    (claims().get(root.name) ?? []).filter((claim) => claim.root !== undefined && isSameWorkload(claim.root, root));
  const partitions = new Map<number, Domains>();
  const levelNames = (level: number): readonly string[] => {
    const known = names.get(level) ?? (topology.levels[level]?.domains ?? []).map(({ path }) => path.join("/"));
    names.set(level, known);
    return known;
  };
  const matching = once((labels: Requirements) =>
    [...topology.nodes.keys()].filter((node) => allowsLabels(labels, topology.nodes[node]?.labels ?? {})),
  );
  const numa = [false, true].map((activeOnly) =>
    once((pools: readonly CapacityPool[]) => numaRules({ ...ledger, matching }, pools, activeOnly)),
  );
  return {
    taintsOf,
    taintLists,
    states: statesOf(topology),
    levelNames,
    podsOfRoot,
    claimsOfRoot,
    nominated,
    apart,
    selected: (text, make) => selected().get(text) ?? selected().set(text, make()),
    contending,
    acceleratorsOf(tenant, except) {
      const own = podsOfRoot(except).length > 0 || claimsOfRoot(except).length > 0;
      return (own ? acceleratorsByTenant(topology, except) : tenants()).get(tenant) ?? 0;
    },
    matching,
    numa(pools, activeOnly) {
      const rules = numa[Number(activeOnly)]?.(pools) ?? numaRules({ ...ledger, matching }, pools, activeOnly);
      rules.follow();
      return rules;
    },
    domains(number) {
      const known = partitions.get(number);
      if (known !== undefined) return known;
      const level = topology.levels[number];
      const host = level === undefined || level.level.name === "host" || level.level.key === HOST_LABEL;
      const fresh = host
        ? { of: Int32Array.from(topology.nodes.keys()), names: topology.nodes.map(({ name }) => name) }
        : { of: level.domainOf, names: levelNames(number) };
      partitions.set(number, fresh);
      return fresh;
    },
    blank: new Int32Array(topology.nodes.length).fill(-1),
    screens: keep<Screen>(KEPT_SCREENS),
    ...ledger,
    free: keepFree(ledger),
    deviceIndex,
    get devices() {
      return deviceIndex.table();
    },
    column(key) {
      const known = columns.get(key);
      if (known !== undefined) return known;
      const fresh = buildColumn(topology, key);
      const oldest = columns.size >= MAX_COLUMNS ? columns.keys().next().value : undefined;
      if (oldest !== undefined) columns.delete(oldest);
      columns.set(key, fresh);
      return fresh;
    },
  };
}

/** The value for the topology's version of this moment. */
function current<Value>(topology: Topology, make: () => Value): () => Value {
  let known: { readonly version: number | undefined; readonly value: Value } | undefined;
  return () => {
    if (known === undefined || known.version !== topology.version) known = { version: topology.version, value: make() };
    return known.value;
  };
}

/** Which rows of the ledger changed, where it logs that; else the version tells that some may have. */
function followRows(topology: Topology): Pick<TopologyIndex, "moment" | "moved"> {
  const { rowLog: log } = topology.ledger;
  if (log === undefined) return { moment: () => topology.version ?? 0, moved: () => undefined };
  return { moment: () => endOf(log), moved: (since) => entriesSince(log, since) };
}

function statesOf(topology: Topology): Uint8Array {
  const states = new Uint8Array(topology.nodes.length);
  for (const [index, { ready, cordoned }] of topology.nodes.entries())
    if (!ready || cordoned) states[index] = (ready ? 0 : 1) | (cordoned ? 2 : 0);
  return states;
}

function groupPods(topology: Topology): ReadonlyMap<string, readonly PodFacts[]> {
  const roots = new Map<string, PodFacts[]>();
  for (const pod of topology.pods) {
    const list = roots.get(pod.root.name);
    if (list === undefined) roots.set(pod.root.name, [pod]);
    else list.push(pod);
  }
  return roots;
}

function groupClaims(topology: Topology): ReadonlyMap<string, readonly ClaimFacts[]> {
  const roots = new Map<string, ClaimFacts[]>();
  for (const claim of topology.claims) {
    if (claim.root === undefined) continue;
    const list = roots.get(claim.root.name);
    if (list === undefined) roots.set(claim.root.name, [claim]);
    else list.push(claim);
  }
  return roots;
}

function buildColumn(topology: Topology, key: string): Column {
  const values: string[] = [];
  const ids = new Map<string, number>();
  const of = new Int32Array(topology.nodes.length).fill(-1);
  for (const [index, node] of topology.nodes.entries()) {
    const value = key === NODE_NAME_FIELD ? node.name : Object.hasOwn(node.labels, key) ? node.labels[key] : undefined;
    if (value === undefined) continue;
    let id = ids.get(value);
    if (id === undefined) {
      id = values.length;
      ids.set(value, id);
      values.push(value);
    }
    of[index] = id;
  }
  return { values, of };
}

/** Few lists differ, so a node's is compared with the one before it, then with the others. */
function groupTaints(topology: Topology): { taintsOf: Int32Array; taintLists: readonly (readonly Taint[])[] } {
  const taintsOf = new Int32Array(topology.nodes.length);
  const taintLists: (readonly Taint[])[] = [[]];
  let last = 0;
  for (const [index, { taints }] of topology.nodes.entries()) {
    if (taints.length === 0) continue;
    if (!sameTaints(taintLists[last], taints)) {
      last = taintLists.findIndex((list) => sameTaints(list, taints));
      if (last === -1) last = taintLists.push(taints) - 1;
    }
    taintsOf[index] = last;
  }
  return { taintsOf, taintLists };
}

function sameTaints(a: readonly Taint[] | undefined, b: readonly Taint[]): boolean {
  if (a === b) return true;
  if (a === undefined || a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    const [one, other] = [a[index], b[index]];
    if (one?.key !== other?.key || one?.value !== other?.value || one?.effect !== other?.effect) return false;
  }
  return true;
}
