import { type NumaRule, ruleOfPool } from "./numa.ts";
import { type KeptLooks, keptLooks, lookOf, type NumaLook } from "./numa-looks.ts";
import type { NumaRules } from "./numa-rules.ts";
import { stockOf } from "./numa-stock.ts";
import type { Kind } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import type { TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/** How kubelets hand out what lies on NUMA nodes, on the rows of one field. */
export interface NumaSupply {
  rule(row: number): NumaRule | undefined;
  /** What the row has of all that the shapes ask for; undefined: it has no rule. */
  look(row: number): NumaLook | undefined;
  /** Of existing nodes, as the ledger has them. */
  readonly kept: KeptSupply | undefined;
}

export interface KeptSupply {
  readonly rules: NumaRules;
  readonly looks: KeptLooks;
  /** What the looks are made for. */
  readonly text: string;
  /** Rows that are seen otherwise than the ledger has them. */
  readonly touched: ReadonlySet<number>;
}

/** What the stocks of a row are read from. */
interface Source {
  readonly index: TopologyIndex;
  readonly kinds: readonly Kind[];
  readonly kindOf: Int32Array;
  readonly nominal: boolean;
  leaves(row: number, resource: string): boolean;
}

interface Given extends Source {
  readonly usage: Usage;
  readonly shapes: readonly Shape[];
  /** Resources that some row leaves to claims. */
  readonly extended: ReadonlySet<string>;
  readonly numa?: NumaRules | undefined;
}

type Seen = Pick<Usage, "used" | "moved">;

const NOTHING_MOVED: Usage["moved"] = new Map();

/** Undefined where no row has a rule. */
export function numaSupply(given: Given): NumaSupply | undefined {
  const { usage, kinds, kindOf, numa } = given;
  const ofKind = kinds.map(({ pool }) => ruleOfPool(pool));
  if (numa === undefined && ofKind.every((one) => one === undefined)) return undefined;
  const names = resourcesOf(given.shapes);
  const kept = numa === undefined ? undefined : keptSupply(given, numa, names);
  const alike = kept?.looks.alike ?? new Map<string, NumaLook>();
  const rule = (row: number): NumaRule | undefined => {
    const kind = kindOf[row] ?? -1;
    return kind === -1 ? numa?.of(row) : ofKind[kind];
  };
  /** By row, or by kind counted down from -1: new nodes of a kind are alike. */
  const own = new Map<number, NumaLook | undefined>();
  return {
    rule,
    look(row) {
      const kind = kindOf[row] ?? -1;
      if (kind === -1 && kept?.touched.has(row) !== true) return kept?.looks.of(row);
      const key = kind === -1 ? row : -1 - kind;
      if (!own.has(key)) {
        const one = rule(row);
        own.set(key, one === undefined ? undefined : lookOf(alike, one, stocksOn(given, usage, names, row, one)));
      }
      return own.get(key);
    },
    kept,
  };
}

/** All that containers ask for, by name. */
const resourcesOf = (shapes: readonly Shape[]): readonly string[] =>
  [...new Set(shapes.flatMap(({ containers }) => containers.flatMap(({ requests }) => Object.keys(requests))))].sort();

function keptSupply(
  { index, usage, nominal, leaves, extended }: Given,
  rules: NumaRules,
  names: readonly string[],
): KeptSupply {
  const { ledger, nodes } = index.topology;
  const text = `${nominal} ${names.join(" ")} ${[...extended].sort().join(" ")}`;
  const source: Source = { index, kinds: [], kindOf: index.blank, nominal, leaves };
  const plain: Seen = { used: ledger.used, moved: NOTHING_MOVED };
  const looks =
    rules.looks.get(text) ??
    rules.looks.set(
      text,
      keptLooks(rules, nodes.length, (row, rule) => stocksOn(source, plain, names, row, rule)),
    );
  looks.follow();
  return { rules, looks, text, touched: nominal ? new Set() : usage.touched };
}

function stocksOn(
  source: Source,
  seen: Seen,
  names: readonly string[],
  row: number,
  rule: NumaRule,
): NumaLook["stocks"] {
  return names.flatMap((resource) =>
    source.leaves(row, resource)
      ? []
      : [
          [
            resource,
            stockOf(source.index, seen, source.nominal, {
              rule,
              row,
              resource,
              ...amountsOn(source, seen, row, resource),
            }),
          ] as const,
        ],
  );
}

/** What a row has of a resource, and what of that is free. */
function amountsOn(
  { index, kinds, kindOf, nominal }: Source,
  { used }: Seen,
  row: number,
  resource: string,
): { readonly offered: number; readonly left: number } {
  const kind = kinds[kindOf[row] ?? -1];
  if (kind !== undefined) {
    const offered = kind.pool.node.allocatable[resource] ?? 0;
    return { offered, left: offered };
  }
  const { allocatable, capacity, resourceIndex, resources } = index.topology;
  const at = row * resources.length + (resourceIndex.get(resource) ?? Number.NaN);
  const there = allocatable[at] ?? 0;
  const offered = nominal ? Math.max(there, capacity[at] ?? 0) : there;
  return { offered, left: nominal ? offered : there - (used[at] ?? 0) };
}
