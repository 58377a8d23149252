import { type ChangeLog, createLog, type Resources } from "../model/index.ts";
import { acceleratorsIn } from "./accelerators.ts";
import type { Columns } from "./live-columns.ts";
import { placeFor } from "./live-sorted.ts";
import { contends } from "./pod.ts";
import type { Tree } from "./tree.ts";
import type { PodFacts } from "./types.ts";

/** Which pods are on which node, and what they use. */
export interface PodUsage {
  moved(before: PodFacts | undefined, after: PodFacts | undefined): void;
  /** Brings rows of the tree up to date with what has moved since. */
  settle(): void;
  /** Begins to follow another tree. */
  attach(tree: Tree): void;
  readonly podsOn: readonly (readonly PodFacts[])[];
  readonly used: Float64Array;
  /** Rows of the tree that have changed since. */
  readonly log: ChangeLog<number>;
  /** Accelerators of pods on nodes, by tenant. */
  readonly held: ReadonlyMap<string, number>;
  /** Nominated pods, whether or not their node is there, in no order. */
  readonly nominated: ReadonlySet<PodFacts>;
  /** Pods with a node, there or not, that have a required anti-affinity, in no order. */
  readonly apart: ReadonlySet<PodFacts>;
  /** Pods that wait for accelerators and the like, in no order. */
  readonly contending: ReadonlySet<PodFacts>;
}

const NONE: readonly PodFacts[] = [];

interface Charge {
  readonly amounts: readonly (readonly [column: number, amount: number])[];
  readonly accelerators: number;
}

function readCharge(requests: Resources, columnOf: ReadonlyMap<string, number>): Charge {
  const amounts = Object.keys(requests).flatMap((name): [number, number][] => {
    const column = columnOf.get(name);
    return column === undefined ? [] : [[column, requests[name] ?? 0]];
  });
  return { amounts, accelerators: acceleratorsIn(requests) };
}

/** `rowOf`: a node's row, nothing where there is no such node or the tree no longer holds. */
export function createPodUsage(columns: Columns, rowOf: (node: string) => number | undefined): PodUsage {
  /** Pods by the name of their node, whether or not it is there, in the order of `namespace/name`. */
  const byNode = new Map<string, PodFacts[]>();
  const touched = new Set<string>();
  /** What equal pods use, worked out once for all of them and for one set of columns. */
  let charges = new WeakMap<Resources, Charge>();
  let held = new Map<string, number>();
  const nominated = new Set<PodFacts>();
  const apart = new Set<PodFacts>();
  const contending = new Set<PodFacts>();
  let podsOn: (readonly PodFacts[])[] = [];
  let used = new Float64Array(0);
  let columnOf: ReadonlyMap<string, number> = new Map();
  const { log, note } = createLog<number>();

  const chargeOf = (requests: Resources): Charge => {
    const known = charges.get(requests) ?? readCharge(requests, columnOf);
    charges.set(requests, known);
    return known;
  };
  const hold = ({ tenant, requests }: PodFacts, sign: 1 | -1): void => {
    const { accelerators } = chargeOf(requests);
    if (accelerators === 0) return;
    const sum = (held.get(tenant) ?? 0) + sign * accelerators;
    if (sum === 0) held.delete(tenant);
    else held.set(tenant, sum);
  };
  const leave = (pod: PodFacts, node: string): void => {
    const list = byNode.get(node);
    const at = list?.indexOf(pod) ?? -1;
    if (list === undefined || at === -1) return;
    list.splice(at, 1);
    if (list.length === 0) byNode.delete(node);
  };
  const enter = (pod: PodFacts, node: string): void => {
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [pod]);
    else
      list.splice(
        placeFor(list, pod.key, ({ key }) => key),
        0,
        pod,
      );
  };
  /** Summed anew, in one order: taking away would leave the dust of rounding behind. */
  const settleRow = (row: number, node: string): void => {
    const pods = byNode.get(node) ?? NONE;
    const width = columnOf.size;
    podsOn[row] = pods;
    used.fill(0, row * width, (row + 1) * width);
    for (const { requests } of pods) {
      for (const [column, amount] of chargeOf(requests).amounts) {
        const at = row * width + column;
        used[at] = (used[at] ?? 0) + amount;
      }
    }
  };

  return {
    moved(before, after) {
      if (before?.requests !== after?.requests) {
        if (after !== undefined) columns.add(after.requests);
        if (before !== undefined) columns.drop(before.requests);
      }
      if (before?.nominated === true) nominated.delete(before);
      if (after?.nominated === true) nominated.add(after);
      if (before !== undefined) contending.delete(before);
      if (after !== undefined && contends(after)) contending.add(after);
      for (const [pod, step] of [[before, -1] as const, [after, 1] as const]) {
        if (pod?.node === undefined) continue;
        if (pod.apart !== undefined && step === -1) apart.delete(pod);
        else if (pod.apart !== undefined) apart.add(pod);
        if (step === -1) leave(pod, pod.node);
        else enter(pod, pod.node);
        touched.add(pod.node);
        if (rowOf(pod.node) !== undefined) hold(pod, step);
      }
    },
    settle() {
      for (const node of touched) {
        const row = rowOf(node);
        if (row === undefined) continue;
        settleRow(row, node);
        note(row);
      }
      touched.clear();
    },
    attach(tree) {
      columnOf = tree.resourceIndex;
      charges = new WeakMap();
      used = new Float64Array(tree.nodes.length * columnOf.size);
      podsOn = tree.nodes.map(() => NONE);
      held = new Map();
      for (const [row, { name }] of tree.nodes.entries()) {
        settleRow(row, name);
        for (const pod of podsOn[row] ?? NONE) hold(pod, 1);
      }
      touched.clear();
    },
    get podsOn() {
      return podsOn;
    },
    get used() {
      return used;
    },
    get held() {
      return held;
    },
    nominated,
    apart,
    contending,
    log,
  };
}
