import { NODE_NAME_FIELD, type Taint } from "../model/index.ts";
import type { PodFacts, Topology } from "../topology/index.ts";
import { type DeviceTable, deviceTable } from "./device-table.ts";

/** One label over all nodes: `of[node]` is an index into `values`, -1 where the label is absent. */
export interface Column {
  readonly values: readonly string[];
  readonly of: Int32Array;
}

/**
 * Lookups derived from an immutable topology, filled on demand. Values only, so sharing it changes no answer; the number of columns
 * it keeps is bounded because label keys come from users.
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
  /** Names of a level's domains, by index: the path from the widest level on. */
  levelNames(level: number): readonly string[];
  /** Pods whose root has this name, whatever its kind and namespace. */
  podsOfRoot(name: string): readonly PodFacts[];
}

const NO_PODS: readonly PodFacts[] = [];

const MAX_COLUMNS = 64;

export function indexTopology(topology: Topology): TopologyIndex {
  const columns = new Map<string, Column>();
  const { taintsOf, taintLists } = groupTaints(topology);
  const names = new Map<number, readonly string[]>();
  let devices: DeviceTable | undefined;
  let roots: ReadonlyMap<string, readonly PodFacts[]> | undefined;
  return {
    topology,
    taintsOf,
    taintLists,
    states: statesOf(topology),
    levelNames(level) {
      const known = names.get(level) ?? (topology.levels[level]?.domains ?? []).map(({ path }) => path.join("/"));
      names.set(level, known);
      return known;
    },
    podsOfRoot(name) {
      roots ??= groupPods(topology);
      return roots.get(name) ?? NO_PODS;
    },
    get devices() {
      devices ??= deviceTable(topology);
      return devices;
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
