import type { Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import { type Board, boardFor } from "./board.ts";
import { createBudget } from "./budget.ts";
import type { Field } from "./field.ts";
import { followingsOf, nearRows } from "./follow.ts";
import { sharedDomains } from "./same-values.ts";
import type { Shape } from "./shape.ts";
import { every, joined, plural } from "./text.ts";
import type { Domains } from "./topology-index.ts";

/** Shapes whose pods share one value of each of these labels, by the pods' own required pod affinity. */
export interface Party {
  readonly members: readonly number[];
  readonly keys: readonly string[];
}

/** Of these shapes; a set that is looked at by itself shares with itself. What the level of the class means already is left out. */
export function partiesOf({ field, shapes }: Pick<Board, "field" | "shapes">): readonly Party[] {
  const parties = new Map<string, Party>();
  for (const { company } of shapes) {
    const { near } = company;
    if (near?.group === undefined) continue;
    const { group, keys } = near;
    const members = [...shapes.keys()].filter((number) => group.includes(shapes[number]?.name ?? ""));
    if (!keys.every((key) => isShared(field, shapes, members, key)))
      parties.set(JSON.stringify([keys, members]), { keys, members });
  }
  return [...parties.values()];
}

/** Sets that follow others, with these: where one domain has room for all of them, that is the simplest way to place them. */
export function circlesOf({ field, shapes }: Pick<Board, "field" | "shapes">): readonly Party[] {
  return [...followingsOf({ field, shapes }).values()].map(({ number, leaders }) => ({
    members: [...new Set([...leaders, number])],
    keys: shapes[number]?.company.near?.keys ?? [],
  }));
}

function isShared(field: Field, shapes: readonly Shape[], members: readonly number[], key: string): boolean {
  return members.every((number) => {
    const shape = shapes[number];
    if (shape?.level === undefined || shape.soft || shape.required === 0) return false;
    const whole = shape.unit === "workload" || (shape.unit === "podSet" && members.length === 1);
    return whole && field.index.topology.levels[shape.level]?.level.key === key;
  });
}

/** Of the party's domains the one with most room for the shape, by number; undefined: it shares none. */
export function roomiest(
  board: Board,
  number: number,
): { readonly domains: Domains; readonly best: number } | undefined {
  const party = partiesOf(board).find(({ members }) => members.includes(number));
  if (party === undefined) return undefined;
  const domains = sharedDomains(board.field, party.keys);
  const { total } = board.room(number, domains);
  let best = 0;
  for (let domain = 1; domain < total.length; domain += 1) if ((total[domain] ?? 0) > (total[best] ?? 0)) best = domain;
  return { domains, best };
}

/** The domain that comes nearest, where no one takes all the pods of a set that must share one. `scarce`: what runs out there. */
export function sharedMiss(
  board: Board,
  number: number,
  scarce: (within: { readonly domains: Domains; readonly best: number }) => { after(have: number): string },
): Reason | undefined {
  const shape = board.shapes[number];
  const near = shape?.company.near;
  const found = roomiest(board, number);
  if (shape === undefined || near === undefined || found === undefined) return undefined;
  const { domains, best } = found;
  const have = board.room(number, domains).total[best] ?? 0;
  if (have >= shape.required || have === 0) return undefined;
  const keys = joined(near.keys);
  return {
    code: "NearestMiss",
    message: `the ${plural(shape.required, "pod")}${shape.of} must share one ${keys} (their own pod affinity), and the roomiest, ${domains.names[best]}, has room for ${have}${scarce(found).after(have)}`,
    data: { podSet: shape.name, domain: domains.names[best] ?? "", have, need: shape.required },
  };
}

/** Nobody runs that the pods have to stand with. */
export function nobodyNear({ field, shapes }: Board, number: number): readonly Reason[] {
  const shape = shapes[number];
  const { keys = [], places, follows } = shape?.company.near ?? {};
  if (shape === undefined || field.nominal || places === undefined || follows !== undefined) return [];
  if (keys.every((key) => places.has(key))) return [];
  return [
    {
      code: "NearestMiss",
      message: `no pod runs that the pods${shape.of} have to stand with (their own pod affinity over ${joined(keys)}): they wait until one does`,
      data: { podSet: shape.name },
    },
  ];
}

/** The first pod goes anywhere that has the labels, and the others of the party, or of a set that follows none but itself, have to follow it: where not everywhere has room for all, that is said. */
export function mayStray({ board }: Attempt): readonly Reason[] {
  const { field, shapes } = board;
  const alone = [...followingsOf(board).values()]
    .filter(({ number, leaders, starts }) => starts && leaders.every((one) => one === number))
    .map(({ number }): Party => ({ members: [number], keys: shapes[number]?.company.near?.keys ?? [] }));
  const parties = [...partiesOf(board), ...alone];
  if (parties.length === 0) return [];
  const open = boardFor(field, shapes, createBudget(STRAY_STEPS));
  return parties.flatMap(({ members, keys }): readonly Reason[] => {
    const sets = members.flatMap((one) => shapes[one] ?? []);
    const pods = sets.reduce((sum, { required }) => sum + required, 0);
    if (pods < 2 || sets.some(({ scheduler }) => scheduler !== undefined)) return [];
    const domains = sharedDomains(field, keys);
    const totals = members.map((one) => open.room(one, domains).total);
    let [some, small] = [0, 0];
    for (const domain of domains.names.keys()) {
      if (totals.every((total) => (total[domain] ?? 0) === 0)) continue;
      some += 1;
      if (totals.some((total, index) => (total[domain] ?? 0) < (sets[index]?.required ?? 0))) small += 1;
    }
    const led = members.filter((one) => shapes[one]?.company.near !== undefined);
    const bare = offTheMap(
      open,
      members.filter((one) => !led.includes(one)),
      led,
      keys,
    );
    if (small === 0) return bare;
    const of = shapes.length === 1 ? "" : ` of ${joined(sets.map(({ name }) => name))}`;
    const where = `${small} of the ${plural(some, "value")} of ${joined(keys)} with room for it ${small === 1 ? "has" : "have"}`;
    return [
      ...bare,
      {
        code: "NotGuaranteed",
        message: `kube-scheduler places the first pod${of} without looking ahead, and ${where} no room for all ${pods}, which must share one (their own pod affinity)`,
        data: { podSet: sets.map(({ name }) => name).join(", "), short: small, open: some },
      },
    ];
  });
}

/** Sets that others follow go wherever they have room: where not everywhere has room for all that follow, that is said. */
export function mayOutrun({ board }: Attempt): readonly Reason[] {
  const { field, shapes } = board;
  const followings = [...followingsOf(board).values()];
  if (followings.length === 0) return [];
  const open = boardFor(field, shapes, createBudget(STRAY_STEPS));
  return followings.flatMap((following): readonly Reason[] => {
    const { number, leaders } = following;
    const shape = shapes[number];
    const others = leaders.filter((one) => one !== number);
    const sets = [number, ...others].flatMap((one) => shapes[one] ?? []);
    if (shape === undefined || shape.required === 0 || others.length === 0) return [];
    if (sets.some(({ scheduler }) => scheduler !== undefined)) return [];
    const cap = open.cap(number);
    const beside = nearRows(field.hopeful, following, [], [], open.rows);
    // Near to pods that run already there is room whatever the others do.
    if (beside.reduce((sum, row) => sum + (cap[row] ?? 0), 0) >= shape.required) return [];
    const keys = shape.company.near?.keys ?? [];
    const domains = sharedDomains(field, keys);
    const [own, ...led] = [number, ...others].map((one) => open.room(one, domains).total);
    let [some, small] = [0, 0];
    for (const domain of domains.names.keys()) {
      if (led.every((total) => (total[domain] ?? 0) === 0)) continue;
      some += 1;
      if ((own?.[domain] ?? 0) < shape.required) small += 1;
    }
    const bare = offTheMap(open, others, [number], keys);
    if (small === 0) return bare;
    const names = joined(others.flatMap((one) => shapes[one]?.name ?? []));
    const values = `of ${joined(keys)} with room for those`;
    const none = some === 1 ? `the one value ${values} has no room` : `none of the ${some} values ${values} has room`;
    const where =
      small === some
        ? none
        : `${small} of the ${plural(some, "value")} ${values} ${small === 1 ? "has" : "have"} no room`;
    return [
      ...bare,
      {
        code: "NotGuaranteed",
        message: `kube-scheduler places pods of ${names} without looking ahead, and ${where} for ${every(shape.required, "pod")} of ${shape.name}, which must stand with them (their own pod affinity)`,
        data: { podSet: shape.name, short: small, open: some },
      },
    ];
  });
}

/** Who is followed may go to nodes without the label, where nobody may follow: where all of them may, that is said. */
function offTheMap(
  { field, shapes, cap, rows }: Board,
  leaders: readonly number[],
  followers: readonly number[],
  keys: readonly string[],
): readonly Reason[] {
  const { of } = sharedDomains(field, keys);
  const bare = (one: number): readonly number[] => rows.filter((row) => of[row] === -1 && (cap(one)[row] ?? 0) > 0);
  const room = (one: number): number => bare(one).reduce((sum, row) => sum + (cap(one)[row] ?? 0), 0);
  if (leaders.length === 0 || leaders.some((one) => room(one) < (shapes[one]?.required ?? 0))) return [];
  const names = (some: readonly number[]): string => joined(some.flatMap((one) => shapes[one]?.name ?? []));
  const nodes = new Set(leaders.flatMap(bare)).size;
  return [
    {
      code: "NotGuaranteed",
      message: `kube-scheduler places pods of ${names(leaders)} without looking ahead, and ${plural(nodes, "node")} with room for those ${nodes === 1 ? "has" : "have"} no label ${joined(keys)}, where no pod of ${names(followers)} may follow them (their own pod affinity): have ${names(leaders)} select nodes with the label`,
      data: { podSet: names(followers), nodes },
    },
  ];
}

/** Devices of all nodes are counted once more. */
const STRAY_STEPS = 20_000;
