import { clashes, type HostPort, keep } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { type Count, countOf, keptCounts } from "./count.ts";
import type { Amounts } from "./feasible.ts";
import type { Kind } from "./scaleup.ts";
import type { Screen, TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/** What rows have free of some columns, and how many pods that is room for. */
export interface Free {
  /** rows x columns, row by row. Not to be written to. */
  readonly amounts: Float64Array;
  /** Room by row for pods that ask for these amounts, at most `limit` on one row. `text` tells filters apart. */
  count(screened: Screen, text: string, each: Amounts, limit: number): Count;
}

/** Columns of an attempt: resources, then host ports. */
export interface Columns {
  readonly resources: readonly string[];
  readonly ports: readonly HostPort[];
  /** Nodes as they would be empty. */
  readonly nominal: boolean;
  /** Does a row leave the extended resource to claims. */
  leaves(row: number, resource: string): boolean;
  /** Resources of which some row may. */
  readonly extended: ReadonlySet<string>;
}

/** Some 32 bytes a node each, and what is counted of it. */
const KEPT_FREE = 4;

/** What is free on existing nodes by the ledger, by columns: made once, and kept up row by row as the ledger changes. */
export interface KeptFree {
  of(columns: Columns): Free;
}

export function keepFree(index: Pick<TopologyIndex, "topology" | "moment" | "moved">): KeptFree {
  const kept = keep<Free & { follow(): void }>(KEPT_FREE);
  return {
    of(columns) {
      const text = `${columns.nominal} ${columns.resources.join(" ")} ${[...columns.extended].join(" ")}`;
      const known = kept.get(text) ?? kept.set(text, followed(index, columns));
      known.follow();
      return known;
    },
  };
}

function followed(
  { topology, moment, moved }: Pick<TopologyIndex, "topology" | "moment" | "moved">,
  columns: Columns,
): Free & { follow(): void } {
  const amounts = new Float64Array(topology.nodes.length * columns.resources.length);
  fillExisting(amounts, columns, topology, topology.ledger.used);
  const counts = keptCounts({ amounts, width: columns.resources.length }, { moment, moved });
  let at = moment();
  return {
    amounts,
    follow() {
      const now = moment();
      if (now === at || columns.nominal) return;
      const rows = moved(at);
      if (rows === undefined) fillExisting(amounts, columns, topology, topology.ledger.used);
      else for (const row of rows) fillRow(amounts, row, columns, topology, topology.ledger.used);
      at = now;
    },
    count: (screened, text, each, limit) => counts.of(screened, text, each, limit),
  };
}

/** The same where the workload sees some rows otherwise than the ledger has them. */
export function freeBeside(base: Free, columns: Columns, topology: Topology, { used, touched }: Usage): Free {
  if (touched.size === 0 || columns.nominal) return base;
  const width = columns.resources.length;
  const amounts = base.amounts.slice();
  for (const row of touched) fillRow(amounts, row, columns, topology, used);
  return {
    amounts,
    count: (screened, text, each, limit) =>
      base.count(screened, text, each, limit).beside({ amounts, width }, touched, screened, each, limit),
  };
}

/** For new nodes and host ports, which no two attempts have in common. */
export function freeAnew(
  columns: Columns,
  { topology }: Pick<TopologyIndex, "topology">,
  usage: Usage,
  kinds: readonly Kind[],
  rows: number,
): Free {
  const { resources, ports, extended, nominal } = columns;
  const width = resources.length + ports.length;
  const existing = topology.nodes.length;
  const amounts = new Float64Array(rows * width);
  fillExisting(amounts, columns, topology, usage.used);
  for (const [column, resource] of resources.entries()) {
    fillKinds(amounts, column, width, existing, resource, kinds);
    if (extended.has(resource))
      for (let row = existing; row < rows; row += 1)
        if (columns.leaves(row, resource)) amounts[row * width + column] = Number.POSITIVE_INFINITY;
  }
  for (const [offset, port] of ports.entries())
    for (let row = 0; row < rows; row += 1)
      amounts[row * width + resources.length + offset] =
        row < existing && !nominal && isTaken(usage.ports(row), port) ? 0 : 1;
  return {
    amounts,
    count: (screened, _text, each, limit) => countOf({ amounts, width }, screened, each, limit),
  };
}

const isTaken = (taken: ReadonlySet<HostPort>, port: HostPort): boolean =>
  taken.has(port) || [...taken].some((other) => clashes(other, port));

function fillExisting(free: Float64Array, columns: Columns, topology: Topology, used: Float64Array): void {
  const { resources, ports, extended, leaves, nominal } = columns;
  const width = resources.length + ports.length;
  const stride = topology.resources.length;
  const { allocatable } = topology;
  for (const [column, resource] of resources.entries()) {
    const source = topology.resourceIndex.get(resource);
    if (source !== undefined && nominal) fillNominal(free, column, width, topology, source, resource.includes("/"));
    else if (source !== undefined)
      for (let from = source, to = column; from < allocatable.length; from += stride, to += width)
        free[to] = (allocatable[from] ?? 0) - (used[from] ?? 0);
    if (extended.has(resource))
      for (let row = 0; row < topology.nodes.length; row += 1)
        if (leaves(row, resource)) free[row * width + column] = Number.POSITIVE_INFINITY;
  }
}

/** One row as `fillExisting` fills it by the ledger, host ports left out. */
function fillRow(free: Float64Array, row: number, columns: Columns, topology: Topology, used: Float64Array): void {
  const { resources, extended, leaves } = columns;
  const offset = row * topology.resources.length;
  for (const [column, resource] of resources.entries()) {
    const source = topology.resourceIndex.get(resource);
    if (source === undefined || (extended.has(resource) && leaves(row, resource))) continue;
    free[row * resources.length + column] = (topology.allocatable[offset + source] ?? 0) - (used[offset + source] ?? 0);
  }
}

/** What an empty node offers. Reserved cpu and memory never come free; devices that are out of order may come back. */
function fillNominal(
  free: Float64Array,
  column: number,
  width: number,
  { resources, allocatable, capacity }: Topology,
  source: number,
  device: boolean,
): void {
  for (let from = source, to = column; from < allocatable.length; from += resources.length, to += width) {
    const most = allocatable[from] ?? 0;
    free[to] = device ? Math.max(most, capacity[from] ?? 0) : most;
  }
}

function fillKinds(
  free: Float64Array,
  column: number,
  width: number,
  existing: number,
  resource: string,
  kinds: readonly Kind[],
): void {
  let row = existing;
  for (const kind of kinds) {
    // A pool that does not say how many pods a node takes leaves the kubelet's default.
    const amount = kind.pool.node.allocatable[resource] ?? (resource === "pods" ? 110 : 0);
    for (let count = 0; count < kind.rows; count += 1, row += 1) free[row * width + column] = amount;
  }
}
