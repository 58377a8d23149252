import { type CapacityPool, endOf, entriesSince, type Kept, keep, type NodeNuma } from "../model/index.ts";
import { type NumaRule, ruleOfPool, ruleTold } from "./numa.ts";
import type { KeptNumaCount } from "./numa-count.ts";
import type { KeptLooks } from "./numa-looks.ts";
import type { TopologyIndex } from "./topology-index.ts";

/**
 * The rule of each existing node whose kubelet may turn pods away: by its NodeResourceTopology, else by the pool that it belongs to. Made once,
 * and kept up row by row as those objects change, with what is made of it.
 */
export interface NumaRules {
  /** Nodes with a rule. */
  readonly size: number;
  of(row: number): NumaRule | undefined;
  /** Brings it up to date. */
  follow(): void;
  /** Another one once a row's rule, or what its node has in use, may be another. */
  moment(): NumaMoment;
  /** Those rows; undefined: any may be. */
  moved(since: NumaMoment): ReadonlySet<number> | undefined;
  readonly looks: Kept<KeptLooks>;
  readonly counts: Kept<KeptNumaCount>;
}

export interface NumaMoment {
  readonly ledger: number;
  readonly objects: number;
}

/** Some 8 bytes a node each. */
const KEPT_LOOKS = 8;
/** Some 4 bytes a node each, and more for nodes of which something is not known. */
const KEPT_COUNTS = 16;

export function numaRules(
  { topology, matching, moment, moved }: Pick<TopologyIndex, "topology" | "matching" | "moment" | "moved">,
  pools: readonly CapacityPool[],
  activeOnly: boolean,
): NumaRules {
  const { nodes, nodeIndex, facts } = topology;
  const declared = new Map<number, NumaRule>();
  for (const pool of pools) {
    const rule = ruleOfPool(pool);
    if (rule === undefined || pool.members.size === 0) continue;
    for (const row of matching(pool.members)) if (!declared.has(row)) declared.set(row, rule);
  }
  // Equal objects are one, and so are their rules.
  let known = new WeakMap<NodeNuma, Map<NumaRule | undefined, NumaRule | undefined>>();
  const ruleOn = (row: number, told: NodeNuma | undefined): NumaRule | undefined => {
    const own = declared.get(row);
    if (told === undefined) return own;
    const made = known.get(told) ?? new Map<NumaRule | undefined, NumaRule | undefined>();
    known.set(told, made);
    if (!made.has(own)) made.set(own, ruleTold(told, own, activeOnly));
    return made.get(own);
  };
  let rules = new Map<number, NumaRule>();
  const setRow = (row: number, told: NodeNuma | undefined): void => {
    const rule = ruleOn(row, told);
    if (rule === undefined) rules.delete(row);
    else rules.set(row, rule);
  };
  const anew = (): void => {
    known = new WeakMap();
    rules = new Map(declared);
    for (const [name, told] of facts.numa ?? []) {
      const row = nodeIndex.get(name);
      if (row !== undefined) setRow(row, told);
    }
  };
  const log = facts.numaLog;
  const now = (): number => (log === undefined ? (topology.version ?? 0) : endOf(log));
  const rowsSince = (since: number): readonly number[] | undefined =>
    (log === undefined ? undefined : entriesSince(log, since))?.flatMap((name) => nodeIndex.get(name) ?? []);
  let at = now();
  anew();
  return {
    get size() {
      return rules.size;
    },
    of: (row) => rules.get(row),
    follow() {
      const next = now();
      if (next === at) return;
      const rows = rowsSince(at);
      if (rows === undefined) anew();
      else for (const row of rows) setRow(row, facts.numa?.get(nodes[row]?.name ?? ""));
      at = next;
    },
    moment: () => ({ ledger: moment(), objects: now() }),
    moved(since) {
      const byLedger = since.ledger === moment() ? [] : moved(since.ledger);
      const byObject = since.objects === now() ? [] : rowsSince(since.objects);
      return byLedger === undefined || byObject === undefined ? undefined : new Set([...byLedger, ...byObject]);
    },
    looks: keep(KEPT_LOOKS),
    counts: keep(KEPT_COUNTS),
  };
}
