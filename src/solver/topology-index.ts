import { NODE_NAME_FIELD, type Taint } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
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
  readonly devices: DeviceTable;
}

const MAX_COLUMNS = 64;

export function indexTopology(topology: Topology): TopologyIndex {
  const columns = new Map<string, Column>();
  const { taintsOf, taintLists } = groupTaints(topology);
  let devices: DeviceTable | undefined;
  return {
    topology,
    taintsOf,
    taintLists,
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

function groupTaints(topology: Topology): { taintsOf: Int32Array; taintLists: readonly (readonly Taint[])[] } {
  const taintsOf = new Int32Array(topology.nodes.length);
  const taintLists: (readonly Taint[])[] = [[]];
  const ids = new Map<string, number>([["", 0]]);
  for (const [index, node] of topology.nodes.entries()) {
    const signature = node.taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`).join(" ");
    let id = ids.get(signature);
    if (id === undefined) {
      id = taintLists.length;
      ids.set(signature, id);
      taintLists.push(node.taints);
    }
    taintsOf[index] = id;
  }
  return { taintsOf, taintLists };
}
