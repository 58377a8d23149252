import type { Board } from "./board.ts";
import { choicesOf, isFree, type Layer, layersOf, STRICT, type Stage } from "./layers.ts";
import type { Shape } from "./shape.ts";
import type { Domains, Screen } from "./topology-index.ts";

/** A pod that a preference keeps out of nothing runs. */
const LOOSE: Stage = { widen: "none", spread: false };

/**
 * What a rival's own rules leave it of its choices, on the way to any end: its pods share the domain of their level, groups are no more than there are,
 * and a domain is ahead of others by no more than its pods and their room allow. Necessary at every moment of every order, so what they rule
 * out never happens; what they let pass may still not happen.
 */
export interface RivalRules {
  /** Equal for rows that the rules do not tell apart. */
  place(row: number): string;
  /** May one more pod stand on the row, beside those that were put. */
  allows(row: number): boolean;
  put(row: number): void;
  take(row: number): void;
  /** Rows among which all of its pods have to be, one list for each choice. */
  choices(rows: readonly number[]): readonly (readonly number[])[];
  /** Most pods that ever stand in one domain, of each partition that limits them. */
  readonly limits: readonly { readonly domains: Domains; readonly pods: number }[];
}

/** Pods by domain that must not pass some condition, which only grows harder with each pod. */
interface Rule {
  readonly domains: Domains;
  readonly pods: Map<number, number>;
  readonly allows: (domain: number) => boolean;
}

export function rivalRules(board: Board, number: number, pods: number): RivalRules {
  const shape = board.shapes[number];
  const own = shape === undefined || shape.set.perNode || pods < 2 ? [] : rulesOf(board, shape, number, pods);
  const confined = own.filter(({ together }) => together);
  return {
    place: (row) => own.map(({ domains }) => domains.of[row] ?? -1).join(),
    allows: (row) =>
      own.every(({ domains, allows }) => {
        const domain = domains.of[row] ?? -1;
        return domain !== -1 && allows(domain);
      }),
    put: (row) => {
      for (const { domains, pods: counts } of own) move(counts, domains.of[row] ?? -1, 1);
    },
    take: (row) => {
      for (const { domains, pods: counts } of own) move(counts, domains.of[row] ?? -1, -1);
    },
    choices(rows) {
      let lists: readonly (readonly number[])[] = [rows];
      for (const { domains, allows } of confined) lists = lists.flatMap((list) => split(list, domains, allows));
      return lists;
    },
    limits: own.flatMap(({ domains, limit }) => (limit === undefined ? [] : [{ domains, pods: limit }])),
  };
}

function move(counts: Map<number, number>, domain: number, by: 1 | -1): void {
  const left = (counts.get(domain) ?? 0) + by;
  if (left > 0) counts.set(domain, left);
  else counts.delete(domain);
}

/** By domain; rows without one, and of domains that are not allowed, are left out. */
export function split(
  rows: readonly number[],
  { of }: Domains,
  allows: (domain: number) => boolean = () => true,
): readonly (readonly number[])[] {
  const lists = new Map<number, number[]>();
  for (const row of rows) {
    const domain = of[row] ?? -1;
    if (domain === -1 || !allows(domain)) continue;
    const list = lists.get(domain);
    if (list === undefined) lists.set(domain, [row]);
    else list.push(row);
  }
  return [...lists.values()];
}

type OwnRule = Rule & { readonly together?: boolean; readonly limit?: number };

function rulesOf(board: Board, shape: Shape, number: number, pods: number): readonly OwnRule[] {
  const { field } = board;
  const cap = board.cap(number);
  const chosenFirst = shape.set.placement.keptBy !== undefined;
  const together = (shape.soft ? [] : choicesOf(shape, STRICT)).map(({ level }): OwnRule => {
    const domains = field.level(level);
    const counts = new Map<number, number>();
    const { total } = board.room(number, domains);
    const open = (domain: number): boolean => !chosenFirst || (total[domain] ?? 0) >= shape.required;
    return {
      domains,
      pods: counts,
      together: true,
      allows: (domain) => open(domain) && (counts.size === 0 || counts.has(domain)),
    };
  });
  const layers = layersOf(field, shape, board.screens[number] as Screen, cap, LOOSE);
  return [
    ...together,
    ...layers.map((layer) =>
      layer.rule.kind === "group" ? groupRule(layer, shape, pods) : spreadRule(layer, layer.rule, cap, pods),
    ),
  ];
}

/** A domain with some of its pods has one group at least for each `size` of them. */
function groupRule({ domains, rule }: Layer, shape: Shape, pods: number): OwnRule {
  const counts = new Map<number, number>();
  const size = rule.kind === "group" ? rule.size : 1;
  // Pods of another set may make a group whole.
  const most = shape.joint === undefined ? Math.ceil(pods / size) : Number.POSITIVE_INFINITY;
  return {
    domains,
    pods: counts,
    allows(domain) {
      let groups = 0;
      for (const [one, count] of counts) if (one !== domain) groups += Math.ceil(count / size);
      return groups + Math.ceil(((counts.get(domain) ?? 0) + 1) / size) <= most;
    },
  };
}

/** A domain with `top` pods got the last of them when every other had `top - maxSkew`. */
function spreadRule(
  { domains, counts: counted }: Layer,
  rule: Extract<Layer["rule"], { kind: "spread" }>,
  cap: Int32Array,
  pods: number,
): OwnRule {
  const { maxSkew, minDomains } = rule;
  const counts = new Map<number, number>();
  const room = new Float64Array(domains.names.length);
  for (const [row, domain] of domains.of.entries())
    if (domain !== -1) room[domain] = (room[domain] ?? 0) + (cap[row] ?? 0);
  const list = [...counted.keys()].filter((domain) => counted[domain] === 2);
  const scarcest = list.length < minDomains ? 0 : Math.min(...list.map((domain) => room[domain] ?? 0));
  const needed = (top: number, of: (domain: number) => number): number =>
    list.reduce((sum, domain) => sum + Math.max(of(domain), top - maxSkew), 0);
  const isPossible = (top: number, of: (domain: number) => number): boolean =>
    top <= maxSkew + scarcest && needed(top, of) <= pods;
  let limit = 0;
  while (limit < pods && isPossible(limit + 1, (domain) => (domain === list[0] ? limit + 1 : 0))) limit += 1;
  return {
    domains,
    pods: counts,
    // Where nodes lack the label nothing limits them.
    ...(rule.free === undefined || rule.free === domains.names.length ? { limit } : {}),
    allows(domain) {
      if (isFree(rule, domain)) return true;
      const next = (counts.get(domain) ?? 0) + 1;
      const top = Math.max(next, ...[...counts].flatMap(([one, has]) => (isFree(rule, one) ? [] : has)));
      return isPossible(top, (one) => (one === domain ? next : (counts.get(one) ?? 0)));
    },
  };
}
