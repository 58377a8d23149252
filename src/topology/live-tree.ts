import type { TopologyLayout } from "../model/index.ts";
import type { Columns } from "./live-columns.ts";
import { compareText } from "./order.ts";
import { buildTree, isSamePlace, type Tree, withNodes } from "./tree.ts";
import type { NodeFacts } from "./types.ts";

/** The nodes, and the tree over them, which is made anew only when it is asked for. */
export interface TreeKeeper {
  set(name: string, facts: NodeFacts | undefined): boolean;
  setLayout(layout: TopologyLayout): void;
  /** The set of columns is another. */
  columnsChanged(): void;
  /** Where a node stands in the tree as it was last made; nothing where that tree no longer holds. */
  rowOf(node: string): number | undefined;
  /** `whole`: nodes have other numbers, or there are other columns. */
  tree(): { readonly tree: Tree; readonly whole: boolean };
  readonly size: number;
}

export function createTreeKeeper(initial: TopologyLayout, columns: () => Columns): TreeKeeper {
  let layout = initial;
  const nodes = new Map<string, NodeFacts>();
  /** Undefined: the next one is built from all nodes. */
  let tree: Tree | undefined;
  const edited = new Map<number, NodeFacts>();
  return {
    set(name, facts) {
      const before = nodes.get(name);
      if (before === facts || (before !== undefined && facts !== undefined && isSameNode(before, facts))) return false;
      if (facts === undefined) nodes.delete(name);
      else nodes.set(name, facts);
      for (const list of facts === undefined ? [] : [facts.allocatable, facts.capacity]) columns().add(list);
      for (const list of before === undefined ? [] : [before.allocatable, before.capacity]) columns().drop(list);
      const row = tree?.nodeIndex.get(name);
      if (row === undefined || before === undefined || facts === undefined || !isSamePlace(before, facts, layout))
        tree = undefined;
      else edited.set(row, facts);
      return true;
    },
    setLayout(next) {
      layout = next;
      tree = undefined;
    },
    columnsChanged() {
      tree = undefined;
    },
    rowOf: (node) => tree?.nodeIndex.get(node),
    tree() {
      if (tree === undefined) {
        const sorted = [...nodes.values()].sort((a, b) => compareText(a.name, b.name));
        tree = buildTree(sorted, layout, columns().names());
        edited.clear();
        return { tree, whole: true };
      }
      if (edited.size > 0) tree = withNodes(tree, edited);
      edited.clear();
      return { tree, whole: false };
    },
    get size() {
      return nodes.size;
    },
  };
}

function isSameNode(a: NodeFacts, b: NodeFacts): boolean {
  return (
    a.ready === b.ready &&
    a.cordoned === b.cordoned &&
    isSame(a.labels, b.labels) &&
    isSame(a.taints, b.taints) &&
    isSame(a.allocatable, b.allocatable) &&
    isSame(a.capacity, b.capacity)
  );
}

/** Equal values are one object as long as the pool remembers them. */
function isSame(a: object, b: object): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
