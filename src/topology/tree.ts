import type { Resources, TopologyLayout, TopologyLevel } from "../model/index.ts";
import { fingerprint } from "./fingerprint.ts";
import { fillLedger } from "./ledger.ts";
import { comparePaths, compareText } from "./order.ts";
import type { Domain, Inventory, Level, NodeFacts, PodFacts, Topology } from "./types.ts";

const HOST_LEVEL = "host";
const HOST_KEY = "kubernetes.io/hostname";
/** Columns that every cluster has, in this order; the others follow by name. */
const COMMON_COLUMNS: readonly string[] = ["cpu", "memory", "ephemeral-storage", "pods"];

/** What only nodes, layout and the set of columns decide. */
export type Tree = Pick<
  Topology,
  "layout" | "nodes" | "nodeIndex" | "levels" | "resources" | "resourceIndex" | "allocatable" | "capacity"
>;

/**
 * The tree of a layout over an inventory, and the ledger of what is used. A domain is its path from the widest level on, so equal
 * rack names in two zones are two racks. A node that lacks a label is in no domain of that level nor of any inner one, but always in one of the host level.
 * Linear in nodes, levels and pods, but for sorting.
 */
export function buildTopology(inventory: Inventory, layout: TopologyLayout): Topology {
  const nodes = [...inventory.nodes].sort((a, b) => compareText(a.name, b.name));
  const tree = buildTree(nodes, layout, columns(nodes, inventory.pods));
  const podsOn: PodFacts[][] = nodes.map(() => []);
  for (const pod of inventory.pods) {
    const index = pod.node === undefined ? undefined : tree.nodeIndex.get(pod.node);
    if (index !== undefined) podsOn[index]?.push(pod);
  }
  const ledger = fillLedger(podsOn, tree.resourceIndex, inventory.claims);
  let generation: string | undefined;
  return {
    ...tree,
    get generation() {
      generation ??= fingerprint(nodes, tree.levels, tree.allocatable, ledger);
      return generation;
    },
    podsOn,
    pods: inventory.pods,
    devicePools: inventory.devicePools,
    claims: inventory.claims,
    nodePools: inventory.nodePools,
    capacityQuotas: inventory.capacityQuotas,
    facts: inventory.facts,
    known: inventory.known,
    ledger,
  };
}

/** `nodes` sorted by name; `names` are the resources of nodes and pods. */
export function buildTree(nodes: readonly NodeFacts[], layout: TopologyLayout, names: Iterable<string>): Tree {
  const nodeIndex = new Map<string, number>();
  let next = 0;
  for (const node of nodes) nodeIndex.set(node.name, next++);
  const others = new Set(names);
  for (const name of COMMON_COLUMNS) others.delete(name);
  const resources = [...COMMON_COLUMNS, ...[...others].sort(compareText)];
  const resourceIndex = new Map(resources.map((name, index) => [name, index]));
  return {
    layout,
    nodes,
    nodeIndex,
    levels: buildLevels(nodes, layout.levels),
    resources,
    resourceIndex,
    allocatable: matrix(nodes, resourceIndex, (node) => node.allocatable),
    capacity: matrix(nodes, resourceIndex, (node) => node.capacity),
  };
}

/** The same tree with other facts, by index, of nodes which stand where they stood and name no other resources. */
export function withNodes(tree: Tree, edited: ReadonlyMap<number, NodeFacts>): Tree {
  const nodes = [...tree.nodes];
  let amounts = false;
  for (const [index, node] of edited) {
    const before = nodes[index];
    nodes[index] = node;
    amounts ||= before?.allocatable !== node.allocatable || before.capacity !== node.capacity;
  }
  if (!amounts) return { ...tree, nodes };
  return {
    ...tree,
    nodes,
    allocatable: matrix(nodes, tree.resourceIndex, (node) => node.allocatable),
    capacity: matrix(nodes, tree.resourceIndex, (node) => node.capacity),
  };
}

/** Do labels that moved from `a` to `b` leave a node where it stands in every level. */
export function isSamePlace(a: NodeFacts, b: NodeFacts, layout: TopologyLayout): boolean {
  return (
    a.labels === b.labels ||
    (hostName(a) === hostName(b) && layout.levels.every(({ key }) => labelValue(a, key) === labelValue(b, key)))
  );
}

/** Has a column whether or not a node or pod names it. */
export function isCommonColumn(name: string): boolean {
  return COMMON_COLUMNS.includes(name);
}

function columns(nodes: readonly NodeFacts[], pods: readonly PodFacts[]): ReadonlySet<string> {
  const names = new Set<string>();
  // Nodes of one kind share their lists, so that most are looked at once.
  const seen = new Set<Resources>();
  const look = (resources: Resources) => {
    if (seen.has(resources)) return;
    seen.add(resources);
    for (const name of Object.keys(resources)) names.add(name);
  };
  for (const node of nodes) {
    look(node.allocatable);
    look(node.capacity);
  }
  for (const pod of pods) look(pod.requests);
  return names;
}

function matrix(
  nodes: readonly NodeFacts[],
  columnOf: ReadonlyMap<string, number>,
  pick: (node: NodeFacts) => Resources,
): Float64Array {
  const width = columnOf.size;
  const result = new Float64Array(nodes.length * width);
  const rowOf = new Map<Resources, number>();
  for (let row = 0; row < nodes.length; row += 1) {
    const node = nodes[row];
    if (node === undefined) continue;
    const amounts = pick(node);
    const same = rowOf.get(amounts);
    if (same !== undefined) {
      result.copyWithin(row * width, same * width, (same + 1) * width);
      continue;
    }
    rowOf.set(amounts, row);
    for (const name of Object.keys(amounts)) result[row * width + (columnOf.get(name) ?? 0)] = amounts[name] ?? 0;
  }
  return result;
}

interface Draft {
  readonly path: readonly string[];
  /** Index among the drafts of the level above; -1 for none. */
  readonly parent: number;
  readonly nodes: number[];
}

function buildLevels(nodes: readonly NodeFacts[], layout: readonly TopologyLevel[]): readonly Level[] {
  const levels: Level[] = [];
  /** The node's path down to the innermost level so far without a gap. */
  const paths: (readonly string[])[] = nodes.map(() => []);
  let outer: Int32Array | undefined;
  for (const [depth, level] of layout.entries()) {
    const isHost = level.name === HOST_LEVEL;
    const drafts: Draft[] = [];
    const byParent = new Map<number, Map<string, number>>();
    const draftOf = new Int32Array(nodes.length).fill(-1);
    const unlabelled: number[] = [];
    for (let index = 0; index < nodes.length; index += 1) {
      const node = nodes[index];
      if (node === undefined) continue;
      const own = labelValue(node, level.key) ?? (isHost ? hostName(node) : undefined);
      if (own === undefined) unlabelled.push(index);
      const parent = outer === undefined ? -1 : (outer[index] ?? -1);
      if (own === undefined || (parent === -1 && depth > 0 && !isHost)) continue;
      // Hosts outside the tree keep what is known of their path, apart from those of the same name elsewhere.
      const path = paths[index] ?? [];
      const group = parent === -1 && depth > 0 ? -2 - index : parent;
      const siblings = byParent.get(group) ?? new Map<string, number>();
      if (siblings.size === 0) byParent.set(group, siblings);
      const known = siblings.get(own);
      if (known === undefined) {
        siblings.set(own, drafts.length);
        draftOf[index] = drafts.length;
        const full = [...path, own];
        drafts.push({ path: full, parent, nodes: [index] });
        paths[index] = full;
      } else {
        const draft = drafts[known];
        draft?.nodes.push(index);
        draftOf[index] = known;
        paths[index] = draft?.path ?? path;
      }
    }
    const order = drafts.map((_, index) => index).sort((a, b) => compareDrafts(drafts[a], drafts[b]) || a - b);
    const rank = new Int32Array(drafts.length);
    for (const [index, draft] of order.entries()) rank[draft] = index;
    const domains = order.flatMap((draft, index): Domain[] => {
      const found = drafts[draft];
      return found === undefined
        ? []
        : [{ level: depth, index, path: found.path, parent: found.parent, nodes: found.nodes }];
    });
    const domainOf = draftOf.map((draft) => (draft === -1 ? -1 : (rank[draft] ?? -1)));
    levels.push({ level, domains, domainOf, unlabelled });
    outer = domainOf;
  }
  return levels;
}

/** By path. Domains of the outer level are sorted already, so that most pairs differ in their parent or their own value only. */
function compareDrafts(a: Draft | undefined, b: Draft | undefined): number {
  if (a === undefined || b === undefined) return 0;
  if (a.parent === -1 || b.parent === -1) return comparePaths(a.path, b.path);
  return a.parent - b.parent || compareText(a.path.at(-1) ?? "", b.path.at(-1) ?? "");
}

/** An empty label value names no place. */
function labelValue(node: NodeFacts, key: string): string | undefined {
  const value: unknown = node.labels[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function hostName(node: NodeFacts): string {
  return labelValue(node, HOST_KEY) ?? node.name;
}
