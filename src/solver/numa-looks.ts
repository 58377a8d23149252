import type { NumaRule } from "./numa.ts";
import type { NumaMoment, NumaRules } from "./numa-rules.ts";
import type { Stock } from "./numa-stock.ts";

/** All that a kubelet's answers depend on. Nodes that are alike in it share one. */
export interface NumaLook {
  readonly rule: Pick<NumaRule, "settings" | "doubt">;
  readonly stocks: readonly (readonly [resource: string, stock: Stock])[];
  readonly text: string;
}

/** Equal looks are one. */
export type Looks = Map<string, NumaLook>;

/** By row of existing nodes, as the ledger and the objects of the nodes have it. */
export interface KeptLooks {
  /** Undefined: the row has no rule. Up to date with the last `follow`. */
  of(row: number): NumaLook | undefined;
  readonly alike: Looks;
  follow(): void;
}

/** Looks that nodes had once are forgotten when there are so many more than there are nodes. */
const SPARE = 4096;

export function lookOf(alike: Looks, rule: NumaRule, stocks: NumaLook["stocks"]): NumaLook {
  const text = JSON.stringify([rule.settings, rule.doubt, stocks]);
  const known = alike.get(text) ?? { rule, stocks, text };
  alike.set(text, known);
  return known;
}

/** Each row is looked at when it is asked for, and again once it may have changed. */
export function keptLooks(
  rules: NumaRules,
  nodes: number,
  stocksOf: (row: number, rule: NumaRule) => NumaLook["stocks"],
): KeptLooks {
  const alike: Looks = new Map();
  const known = new Map<number, NumaLook | undefined>();
  let at: NumaMoment = rules.moment();
  return {
    alike,
    of(row) {
      if (known.has(row)) return known.get(row);
      const rule = rules.of(row);
      const look = rule === undefined ? undefined : lookOf(alike, rule, stocksOf(row, rule));
      known.set(row, look);
      return look;
    },
    follow() {
      const rows = rules.moved(at);
      if (rows === undefined || alike.size > nodes + SPARE) {
        known.clear();
        alike.clear();
      } else for (const row of rows) known.delete(row);
      at = rules.moment();
    },
  };
}
