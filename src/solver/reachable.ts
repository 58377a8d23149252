import { atLeast, type Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import { type Board, boardFor } from "./board.ts";
import { type Budget, createBudget, passCost } from "./budget.ts";
import { mostOf } from "./distribute.ts";
import { followingsOf, nearRows } from "./follow.ts";
import { keepersOf, remainder } from "./kept-off.ts";
import { layersOf, levelAt, type Stage } from "./layers.ts";
import { rowsWithin } from "./members.ts";
import { givesUpText } from "./missing.ts";
import { partiesOf as followedTogether } from "./party.ts";
import { type Loss, type OwnRules, type Rivalry, rivalry } from "./rivals.ts";
import { sharedDomains } from "./same-values.ts";
import { wouldMiss } from "./scoring.ts";
import type { Shape } from "./shape.ts";
import { domainNoun, every, joined, plural } from "./text.ts";
import type { Domains, Screen } from "./topology-index.ts";
import { fewestUnder } from "./uneven.ts";
import type { World } from "./world.ts";

/** A pod that a preference keeps out of nothing runs. */
const LOOSE: Stage = { widen: "none", spread: false };
/** Domains of one level that are searched choice by choice. */
const MOST_SEARCHED = 8;
/** Steps of one count under rules. */
const RULE_STEPS = 20_000;

/** Sets that share one domain, which their first pod chooses for all of them; or one set that asks for none. */
interface Party {
  readonly members: readonly number[];
  readonly level: number | undefined;
  /** What their own pod affinity asks of them instead, which says itself where a domain is too small. */
  readonly near?: Nearby;
}

/** Where pods stand by their own pod affinity: near to what runs, or in any one of these domains. */
interface Nearby {
  readonly running: readonly number[];
  readonly domains: Domains;
  /** In which those that they follow, or their own first pod, may stand. */
  readonly open: (domain: number) => boolean;
}

/** A place in which a party may find itself: all rows, or one domain. */
interface Corner {
  readonly name: string | undefined;
  /** The first pod of one set alone has chosen it. */
  readonly begun: boolean;
  readonly rows: readonly number[];
}

/** What keeps a member from having all its pods in a corner; undefined: nothing does. */
type Trouble =
  | { readonly kind: "small" | "crossing"; readonly member: number }
  | {
      readonly kind: "kept";
      readonly member: number;
      readonly by: readonly number[];
      readonly room: number;
      readonly wanted: number;
    }
  | {
      readonly kind: "ruled";
      readonly member: number;
      readonly name: string;
      readonly room: number;
      readonly wanted: number;
    }
  | { readonly kind: "devices"; readonly member: number; readonly served: number; readonly wanted: number }
  | {
      readonly kind: "rivals";
      readonly member: number;
      readonly loss: Loss | undefined;
      readonly wanted: number;
      readonly corner: Corner;
    };

/**
 * Feasible is not the same as reachable: kube-scheduler looks at one pod after another, neither ahead nor back. Whatever the order of the pods
 * and of its choices, do all required pods still find their place? Where some order misses, that is said; where it cannot be ruled out in
 * a third of the steps that the search took, too.
 *
 * 1. parties: sets that share a domain by pod affinity are judged together, in every domain that their first pod may choose; a PodGroup, a
 *    queue or a pinned domain chooses for all pods at once;
 * 2. alone: room for one set in a corner by counting, with devices handed out in the allocator's order;
 * 3. rivals: what other sets of the workload could take of that room, by bound, then by search;
 * 4. scoring: would it come to that by the scores that the platform gives nodes.
 */
export function notGuaranteed(world: World, { board: found, stage, open }: Attempt, spent: number): readonly Reason[] {
  const budget = createBudget(Math.max(2000, Math.floor(spent / 3)));
  // What was found is in one domain of those that pods may share; kube-scheduler may choose any.
  const isPinned = followedTogether(found).length > 0 && open === undefined;
  const board = isPinned ? boardFor(found.field, found.shapes, createBudget(RULE_STEPS)) : found;
  const judge = judgeOf(world, board, budget);
  const reasons = new Map<string, Reason>();
  for (const reason of givenUp(board)) reasons.set(reason.message, reason);
  const troubled = new Set<number>();
  for (const party of [...partiesOf(board, stage), ...nearbyOf(board)]) {
    const [first = -1] = party.members;
    // What is so wherever its pods stand need not be said of one domain.
    if (party.near !== undefined && troubled.has(first)) continue;
    for (const reason of judge(party)) {
      reasons.set(reason.message, reason);
      troubled.add(first);
    }
  }
  return [...reasons.values()];
}

function partiesOf({ shapes }: Board, stage: Stage): readonly Party[] {
  const parties: { members: number[]; level: number | undefined; shared: boolean }[] = [];
  for (const [number, shape] of shapes.entries()) {
    // What another scheduler chooses is not known.
    if (shape.required === 0 || shape.scheduler !== undefined) continue;
    const level = shape.soft || shape.unit === "pod" ? undefined : levelAt(shape, stage);
    const shared = shape.unit === "workload" && level !== undefined;
    const known = shared ? parties.find((one) => one.shared && one.level === level) : undefined;
    if (known !== undefined) known.members.push(number);
    else parties.push({ members: [number], level, shared });
  }
  // One pod shares every level with itself.
  const pods = (members: readonly number[]): number =>
    members.reduce((sum, one) => sum + (shapes[one]?.required ?? 0), 0);
  return parties.map(({ members, level }) => ({ members, level: pods(members) > 1 ? level : undefined }));
}

/** Sets that are where pods are that they ask for: those of the workload go where they will. */
function nearbyOf(board: Board): readonly Party[] {
  const { field, shapes } = board;
  const followings = followingsOf(board);
  return shapes.flatMap((shape, number): readonly Party[] => {
    const { keys, group } = shape.company.near ?? { keys: [] };
    const following = followings.get(number);
    const led = following?.leaders ?? group?.map((name) => shapes.findIndex((one) => one.name === name));
    if (led === undefined || shape.required === 0 || shape.scheduler !== undefined) return [];
    const domains = sharedDomains(field, keys);
    const rooms = led.map((one) => board.room(one, domains).total);
    const running = following === undefined ? [] : nearRows(field.hopeful, following, [], [], board.rows);
    const open = (domain: number): boolean => rooms.some((total) => (total[domain] ?? 0) > 0);
    return [{ members: [number], level: undefined, near: { running, domains, open } }];
  });
}

function judgeOf(world: World, board: Board, budget: Budget): (party: Party) => readonly Reason[] {
  const { field, shapes } = board;
  const looks = shapes.map((_, number) => lookAt(world, board, number));
  const troubleOf = (number: number, corner: Corner, searched: () => boolean): Trouble | undefined => {
    const look = looks[number];
    if (look === undefined || look.wanted === 0) return undefined;
    const { wanted, cap, turn, rival, simple, times, keepers } = look;
    const room = look.roomIn(corner.rows, cap);
    if (room === undefined) return { kind: "crossing", member: number };
    if (room < wanted) return { kind: "small", member: number };
    if (look.tied && (look.fewest(corner.rows) ?? 0) < wanted) return { kind: "crossing", member: number };
    const served = turn === cap ? room : (look.roomIn(corner.rows, turn) ?? 0);
    if (served < wanted && board.aborted(number) !== undefined) return undefined;
    if (served < wanted) return { kind: "devices", member: number, served, wanted };
    const left = remainder(board, number, keepers, corner.rows);
    if (left !== undefined) {
      const needed = wanted + rival.bound(left.rows) * times;
      const room = look.roomIn(left.rows, turn, needed) ?? 0;
      if (room < needed) return { kind: "kept", member: number, by: left.by, room: Math.min(room, wanted - 1), wanted };
    }
    const bound = rival.bound(corner.rows);
    if (bound === 0) return undefined;
    // `room` ends at what is wanted; what lies beyond may be lost without harm.
    const spare = corner.rows.reduce((sum, row) => sum + (turn[row] ?? 0), 0) - wanted;
    if (simple && spare >= bound) return undefined;
    if (!simple && (look.roomIn(corner.rows, turn, wanted + bound * times) ?? 0) >= wanted + bound * times)
      return undefined;
    const may = turn === cap && !look.tied && searched();
    const loss = may ? rival.worst(corner.rows, wanted, budget, look.ownRules(corner.rows, bound, budget)) : undefined;
    const real =
      loss === undefined || loss === "none" || !corner.begun || !simple ? loss : begun(number, corner, wanted);
    return real === "none" ? undefined : { kind: "rivals", member: number, loss: real, wanted, corner };
  };
  /** Rivals may leave no place at all for the first pod. */
  const shutOut = (number: number, domains: Domains): Trouble | undefined => {
    const look = looks[number];
    const room = board.room(number, domains).total.reduce((sum, one) => sum + one, 0);
    if (look === undefined || look.rival.ceiling < room) return undefined;
    const rows = board.rows.filter((row) => domains.of[row] !== -1);
    if (look.rival.bound(rows) < sumOf(rows, look.cap)) return undefined;
    const loss = look.rival.worst(rows, 1, budget);
    const corner: Corner = { name: undefined, begun: false, rows };
    return loss === "none" ? undefined : { kind: "rivals", member: number, loss, wanted: look.wanted, corner };
  };
  /** The first pod has chosen the corner, so it stands there before rivals can take the rest. */
  const begun = (number: number, { rows }: Corner, wanted: number): Loss | "none" | undefined => {
    const rival = looks[number]?.rival;
    const tried = new Set<string>();
    for (const row of rows) {
      const look = `${board.look(row)}|${rival?.place(row)}`;
      if (tried.has(look)) continue;
      tried.add(look);
      board.put(number, [{ row, pods: 1 }]);
      const loss = rival?.worst(rows, wanted - 1, budget);
      board.take(number, [{ row, pods: 1 }]);
      if (loss !== "none") return loss === undefined ? undefined : { ...loss, room: loss.room + 1 };
    }
    return "none";
  };
  /** One domain after the other; one with too little room even alone is told of elsewhere, but where only rules among the pods make it so. */
  const nearby = (number: number, { running, domains, open }: Nearby): readonly Reason[] => {
    let left = MOST_SEARCHED;
    const searched = (): boolean => {
      left -= 1;
      return left >= 0;
    };
    const at = (rows: readonly number[], name?: string): Trouble | undefined =>
      troubleOf(number, { name, begun: false, rows }, searched);
    if (running.length > 0 && at(running) === undefined) return [];
    const cap = board.cap(number);
    const wanted = looks[number]?.wanted ?? 0;
    for (let domain = 0; domain < domains.names.length; domain += 1) {
      if (!open(domain)) continue;
      const name = domains.names[domain] ?? "";
      const rows = [...new Set([...running, ...rowsWithin(domains, domain, [cap])])];
      const trouble = at(rows, name);
      if (trouble === undefined || (trouble.kind === "small" && sumOf(rows, cap) < wanted)) continue;
      const room = looks[number]?.roomIn(rows, cap) ?? 0;
      const real: Trouble = trouble.kind === "small" ? { kind: "ruled", member: number, name, room, wanted } : trouble;
      return [tell(world, board, real, [number])];
    }
    return [];
  };
  return ({ members, level, near }) => {
    const [first] = members;
    if (first !== undefined && near !== undefined) return nearby(first, near);
    const shape = shapes[first ?? 0];
    if (first === undefined || shape === undefined) return [];
    const kept = shape.set.placement.keptBy;
    let left = MOST_SEARCHED;
    const searched = (): boolean => {
      left -= 1;
      return left >= 0;
    };
    if (level === undefined || (groupsOf(shape) > 1 && kept === "queue")) {
      if (looks[first]?.safe(board.count(first).sum) === true) return [];
      const everywhere: Corner = { name: undefined, begun: false, rows: board.rows };
      const trouble = troubleOf(first, everywhere, searched);
      return trouble === undefined ? [] : [tell(world, board, trouble, members)];
    }
    const levelName = field.index.topology.levels[level]?.level.name ?? "domain";
    const domains = field.level(level);
    const totals = members.map((one) => board.room(one, domains).total);
    const caps = members.map((one) => board.cap(one));
    const alone = members.length === 1 && groupsOf(shape) === 1 && kept !== "podGroup" && kept !== "queue";
    let [open, small] = [0, 0];
    const others: Trouble[] = [];
    for (let domain = 0; domain < domains.names.length; domain += 1) {
      let trouble: Trouble | undefined;
      let room = 0;
      for (let index = 0; index < members.length; index += 1) {
        const member = members[index] ?? 0;
        const look = looks[member];
        const total = totals[index]?.[domain] ?? 0;
        room += total;
        let found: Trouble | undefined;
        if (total < (look?.wanted ?? 0)) found = { kind: "small", member };
        else if (look?.safe(total) !== true)
          found = troubleOf(
            member,
            { name: domains.names[domain], begun: alone, rows: rowsWithin(domains, domain, caps) },
            searched,
          );
        if (found?.kind === "small" || trouble === undefined) trouble = found ?? trouble;
      }
      if (room === 0) continue;
      open += 1;
      // Chosen for all pods at once: one domain in which every order holds is enough.
      if (trouble === undefined && (kept === "podGroup" || kept === "queue")) return [];
      if (trouble?.kind === "small") small += 1;
      else if (trouble !== undefined) others.push(trouble);
    }
    const nowhere = alone && others.length === 0 ? shutOut(first, domains) : undefined;
    if (nowhere !== undefined) others.push(nowhere);
    const worst = others.sort((a, b) => roomLeft(a) - roomLeft(b))[0];
    return [
      ...(kept === undefined && small > 0 ? [stuck(board, members, levelName, small, open)] : []),
      ...(worst === undefined ? [] : [tell(world, board, worst, members)]),
    ];
  };
}

/** Nodes that end a pod's attempt once they carry some, in an order that others would avoid. */
function givenUp({ field, shapes, aborted }: Board): readonly Reason[] {
  return shapes.flatMap((shape, number): readonly Reason[] => {
    const abort = aborted(number);
    if (abort === undefined) return [];
    const node = field.index.topology.nodes[abort.row]?.name ?? "";
    return [{ code: "NotGuaranteed", message: givesUpText(shape, abort, node), data: { podSet: shape.name, node } }];
  });
}

/** What is asked of one set again and again. */
interface Look {
  readonly wanted: number;
  readonly cap: Int32Array;
  /** The same with devices handed out in the allocator's order. */
  readonly turn: Int32Array;
  readonly rival: Rivalry;
  /** No rule but room limits where its pods stand. */
  readonly simple: boolean;
  /** Is so much room enough whatever the order, wherever it is: then rows need not be looked at. */
  safe(room: number): boolean;
  /** Sets that it and that keep off each other. */
  readonly keepers: ReturnType<typeof keepersOf>;
  /** Several spread rules tie domains together. */
  readonly tied: boolean;
  /** Pods that stand at least under those, whatever the order; undefined where that cannot be told. */
  fewest(rows: readonly number[]): number | undefined;
  /** A place less may be so many places less, where rules tie domains together. */
  readonly times: number;
  /** For a search in which the rules of its own count; undefined: it has none. */
  ownRules(rows: readonly number[], lost: number, budget: Budget): OwnRules | undefined;
  /** Pods that its own rules let stand on the rows, at most `most`, whoever comes first; undefined where rules cross each other. */
  roomIn(rows: readonly number[], cap: Int32Array, most?: number): number | undefined;
}

function lookAt(world: World, board: Board, number: number): Look {
  const { field, shapes } = board;
  const shape = shapes[number] as Shape;
  const screened = board.screens[number] as Screen;
  const cap = board.cap(number);
  const turn = servedInTurn(world, board, number);
  const others = shapes.flatMap((other, index) =>
    index === number ? [] : [{ shape: index, pods: other.set.perNode ? field.rows : other.count }],
  );
  const rival = rivalry(board, number, others);
  // One pod is uneven to none, and one group is together in any domain.
  const hard =
    shape.count === 1
      ? []
      : [...shape.spreads.filter(({ soft }) => !soft).map(({ key }) => key), ...shape.company.alone];
  const groups = shape.level !== undefined && !shape.soft && groupsOf(shape) > 1 ? shape.groupSize : 1;
  const simple = hard.length === 0 && groups === 1;
  const wanted = shape.set.perNode ? cap.reduce((sum, room) => sum + room, 0) : shape.required;
  const keepers = keepersOf(board, number);
  const layers = lazily(() => layersOf(field, shape, screened, cap, LOOSE));
  const times = groups * Math.max(1, ...hard.map((key) => field.apart(key).names.length));
  const roomIn = (rows: readonly number[], room: Int32Array, most = wanted): number | undefined => {
    if (simple) return Math.min(most, sumOf(rows, room));
    return mostOf({ field, cap: room, rows, layers: layers() }, most, createBudget(RULE_STEPS));
  };
  return {
    wanted,
    cap,
    turn,
    rival,
    simple,
    keepers,
    safe: (room) => simple && keepers.length === 0 && turn === cap && room >= wanted + rival.ceiling,
    tied: hard.length > 1,
    fewest: (rows) => fewestUnder(layers(), rows, turn, wanted),
    times,
    roomIn,
    ownRules(rows, lost, budget) {
      if (simple) return undefined;
      const before = roomIn(rows, cap, wanted + lost * times) ?? 0;
      const left = (): number | undefined =>
        budget.spend(passCost(rows.length)) ? roomIn(rows, board.cap(number), wanted) : undefined;
      const domains = [...hard.map((key) => field.key(key)), ...(groups > 1 ? [field.level(shape.level ?? 0)] : [])];
      return { before, times, domains, left };
    },
  };
}

const sumOf = (rows: readonly number[], room: Int32Array): number =>
  rows.reduce((sum, row) => sum + (room[row] ?? 0), 0);

function lazily<T>(make: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: make() };
    return known.value;
  };
}

/** Groups that each choose a domain: their first pods may all choose the same one. */
function groupsOf(shape: Shape): number {
  return shape.unit === "group" ? Math.ceil(shape.required / shape.groupSize) : 1;
}

const roomLeft = (trouble: Trouble): number =>
  trouble.kind === "devices"
    ? trouble.served
    : trouble.kind === "kept" || trouble.kind === "ruled"
      ? trouble.room
      : trouble.kind === "rivals"
        ? (trouble.loss?.room ?? 0)
        : 0;

function stuck({ shapes }: Board, members: readonly number[], level: string, short: number, open: number): Reason {
  const sets = members.flatMap((one) => shapes[one] ?? []);
  const [shape] = sets;
  const pods = sets.reduce((sum, one) => sum + one.required, 0);
  const name = sets.map((one) => one.name).join(", ");
  const groups = shape === undefined ? 1 : groupsOf(shape);
  const noun = domainNoun(level);
  const some = `${short} of the ${plural(open, noun)} with room for it ${short === 1 ? "has" : "have"} no room`;
  const none = open === 1 ? `the one ${noun} with room for it has none` : `none of the ${plural(open, noun)} has room`;
  const has = `${groups > 1 && short === open ? none : some} for ${every(pods, "pod")}`;
  const of = members.length > 1 ? "" : (shape?.of ?? "");
  return {
    code: "NotGuaranteed",
    message:
      groups > 1
        ? `kube-scheduler places the first pod of each of the ${groups} groups${of} without looking ahead: should ${every(groups, "group")} begin in one ${noun}, ${has}`
        : `kube-scheduler places the first pod${of} without looking ahead, and ${has}`,
    data: { podSet: name, level, short, open },
  };
}

function tell(world: World, board: Board, trouble: Trouble, members: readonly number[]): Reason {
  const shape = board.shapes[trouble.member];
  const of = shape?.of ?? "";
  const podSet = shape?.name ?? "";
  if (trouble.kind === "devices")
    return {
      code: "NotGuaranteed",
      message: `kube-scheduler gives each pod${of} the first devices that serve it, and in that order they last for ${trouble.served} of ${plural(trouble.wanted, "pod")}`,
      data: { podSet, served: trouble.served, wanted: trouble.wanted },
    };
  if (trouble.kind === "kept")
    return {
      code: "NotGuaranteed",
      message: `kube-scheduler looks at one pod at a time: pods of ${joined(trouble.by.map((one) => board.shapes[one]?.name ?? ""))} may stand where pods${of} have room and keep off them (required anti-affinity), and then ${restText(trouble.room, trouble.wanted, of)}`,
      data: { podSet, served: trouble.room, wanted: trouble.wanted },
    };
  if (trouble.kind === "ruled")
    return {
      code: "NotGuaranteed",
      message: `kube-scheduler looks at one pod at a time: should those with which pods${of} have to stand (their own pod affinity) all be in ${trouble.name}, their other rules leave room there for ${trouble.room} of ${plural(trouble.wanted, "pod")}`,
      data: { podSet, served: trouble.room, wanted: trouble.wanted },
    };
  if (trouble.kind !== "rivals")
    return {
      code: "NotGuaranteed",
      message: `kube-scheduler spreads the pods${of} one by one under several rules, and some order leaves a later pod no node that meets them all`,
      data: { podSet },
    };
  const { loss, wanted, corner } = trouble;
  const where = corner.name === undefined ? "" : ` in ${corner.name}`;
  const rivals = loss?.rivals ?? [...board.shapes.keys()].filter((one) => one !== trouble.member);
  const names = joined(rivals.map((one) => board.shapes[one]?.name ?? ""));
  const followed =
    members.length === 1 && corner.name === undefined && board.shapes.every((one) => one.scheduler === undefined);
  const likely = followed ? wouldMiss(world, board, trouble.member) : undefined;
  const scoring = world.context.platform.scoring;
  const how = likely === true ? `scores nodes ${scoring ?? "LeastAllocated"}, so` : "looks at one pod at a time:";
  const may = likely === true ? "would stand" : "may stand";
  return {
    code: "NotGuaranteed",
    message:
      loss === undefined
        ? `kube-scheduler looks at one pod at a time: pods of ${names} may stand${where} where the ${plural(wanted, "pod")}${of} ${wanted === 1 ? "has" : "have"} room, and then leave too little of it`
        : `kube-scheduler ${how} pods of ${names} ${may}${where} on ${plural(loss.rows, "node")} with room for pods${of}, and then ${restText(loss.room, wanted, of)}`,
    data: {
      podSet,
      ...(loss === undefined ? {} : { served: loss.room }),
      wanted,
      ...(likely === false && scoring !== undefined ? { likely: "no" } : {}),
    },
  };
}

function restText(room: number, wanted: number, of: string): string {
  if (wanted === 1) return `the one pod${of} fits nowhere`;
  if (room === 0) return `none of the ${wanted} pods${of} fits`;
  return `only ${room} of the ${wanted} pods${of} ${room === 1 ? "fits" : "fit"}`;
}

/** Room on each row where the devices are handed out in the allocator's order. */
function servedInTurn({ context }: World, { devices, cap }: Board, number: number): Int32Array {
  const rooms = cap(number);
  if (devices === undefined) return rooms;
  // The allocator goes through pools in order since 1.36; before, in any.
  const ordered = atLeast(context.platform.kubernetes.version, 1, 36);
  let changed = false;
  const turn = rooms.map((room, row) => {
    const served = room === 0 ? 0 : devices.inTurn(row, number, room, ordered);
    if (served !== room) changed = true;
    return served;
  });
  return changed ? turn : rooms;
}
