import { EVERY_DOMAIN, type Exclusion, type Reason, unitsText } from "../model/index.ts";
import { type Attempt, attemptOn, widest } from "./attempt.ts";
import type { Board } from "./board.ts";
import { createBudget } from "./budget.ts";
import { mostOf } from "./distribute.ts";
import { exclusionReason, exclusionsOf } from "./exclusions.ts";
import { portColumn } from "./field.ts";
import { type Layer, layersOf, levelAt, type Stage, withinAt } from "./layers.ts";
import { misaligned } from "./misaligned.ts";
import { numaMiss } from "./numa-miss.ts";
import { nobodyNear, sharedMiss } from "./party.ts";
import { runsOut } from "./runs-out.ts";
import type { Shape } from "./shape.ts";
import { domainNoun, joined, plural } from "./text.ts";
import { togetherMiss } from "./together.ts";
import type { Domains } from "./topology-index.ts";

/** Before what is told of the nominal supply, where more would fit on it than is free now. */
const EMPTIED = "even with every node empty and ready, ";
/** Domains that are looked at one by one for a word about rules. */
const MOST_DOMAINS = 64;

/** How close the best supply comes, in numbers; where counts and nested rules would do, the rules that do not go together. */
export function nearestMiss(tried: Attempt, number: number): readonly Reason[] {
  const { board, stage, result } = tried;
  const { field, shapes } = board;
  const shape = shapes[number];
  const screened = board.screens[number];
  if (shape === undefined || screened === undefined) return [];
  const cap = board.cap(number);
  const { rows } = board;
  const { sum: total, largest } = board.count(number);
  if (total === 0) {
    const alone = nobodyNear(board, number);
    const best = alone.length > 0 ? alone : bestNode(board, number);
    return best.length > 0 ? best : numaMiss(board, number);
  }
  const rules = ruleText(board, number, stage);
  const apart = sharedMiss(board, number, (within) => runsOut(tried, number, { within, rules }));
  if (apart !== undefined) return [apart];
  // What all pods of the set share; groups share something only where units have to stay within a wider level.
  const level = shape.unit === "group" ? withinAt(shape, stage) : levelAt(shape, stage);
  const shared = level !== undefined && shape.unit !== "pod";
  const nameOf = (one: number): string => field.index.topology.levels[one]?.level.name ?? "domain";
  if (shared) {
    const domains = field.level(level);
    const { names } = domains;
    const { total: sums } = board.room(number, domains);
    const best = names.reduce((top, _, domain) => ((sums[domain] ?? 0) > (sums[top] ?? 0) ? domain : top), 0);
    const room = sums[best] ?? 0;
    const levelName = nameOf(level);
    const noun = domainNoun(levelName);
    // A level without any domain is told as a label that is missing.
    if (names.length === 0) return [];
    if (room < shape.required) {
      // Where each pod has a node of its own, nodes are what there is too little of.
      const single = levelName !== "host" && largest <= 1 && room > 0;
      const scarce =
        single && shape.ports.length === 0 ? undefined : runsOut(tried, number, { within: { domains, best }, rules });
      const whole = single && scarce?.byPort !== true;
      const then = scarce?.after(room) ?? "";
      const pods = `${plural(shape.required, "pod")}${shape.of}`;
      const message =
        levelName === "host"
          ? `the best node, ${names[best]}, has room for ${room} of the ${pods} that must share one node${then}`
          : room === 0
            ? `no ${noun} has room for any of the ${pods}${then}`
            : whole
              ? `the best ${noun}, ${names[best]}, has ${room} of the ${plural(shape.required, "node")} needed${eachFor(board, number, domains, best)}`
              : `the best ${noun}, ${names[best]}, has room for ${room} of the ${pods}${then}`;
      return [
        {
          code: "NearestMiss",
          message,
          data: { podSet: shape.name, level: levelName, domain: names[best] ?? "", have: room, need: shape.required },
        },
      ];
    }
  }
  const layers = layersOf(field, shape, screened, cap, stage);
  if (shared && layers.length > 0) {
    const under = ruleMiss(tried, number, level, layers, rules);
    if (under !== undefined) return [under];
  }
  const spot = { field, cap, rows, layers };
  const most = mostOf(spot, shape.required, createBudget(10_000)) ?? Math.min(total, shape.required);
  if (most >= shape.required) {
    const words = [shared ? `all share one ${domainNoun(nameOf(level))}` : "", rules].filter(Boolean);
    if (result.kind !== "none" || result.scarce === true) return [];
    if (layers.length === 0 && !(shared && fitsApart(tried, shape))) return [];
    const { text } = runsOut(tried, number, { rules: "" });
    const message = `there is room for the ${plural(shape.required, "pod")}${shape.of}, but not once ${words.join(" and ")}${text === "" ? "" : `: ${text}`}`;
    return [{ code: "NearestMiss", message, data: { podSet: shape.name, need: shape.required } }];
  }
  const counted = total > most;
  const once = counted ? ` once ${rules}` : "";
  const then = runsOut(tried, number, { rules, counted }).after(most);
  const where = field.kinds.length > 0 ? "existing and new nodes together have" : "the cluster has";
  const room = most === 0 ? "no room for any" : `room for ${most}`;
  return [
    {
      code: "NearestMiss",
      message: `${where} ${room} of the ${plural(shape.required, "pod")}${shape.of}${once}${then}`,
      data: { podSet: shape.name, have: most, need: shape.required },
    },
  ];
}

/** What bounds new nodes of several domains together may leave each of them too few, though each by itself could have enough: would they fit anywhere. */
function fitsApart({ board: { field }, stage }: Attempt, shape: Shape): boolean {
  if (field.kinds.length === 0) return false;
  const screen = () => `${shape.screen()} anywhere`;
  const apart: Shape =
    shape.unit === "group"
      ? { ...shape, within: undefined, screen }
      : { ...shape, unit: "pod", level: undefined, within: undefined, separate: false, screen };
  return attemptOn(field, [apart], stage, createBudget(10_000)).result.kind === "found";
}

/** Domains with room enough by count, of which the rules leave too little. */
function ruleMiss(
  tried: Attempt,
  number: number,
  level: number,
  layers: readonly Layer[],
  rules: string,
): Reason | undefined {
  const { board } = tried;
  const { field, rows } = board;
  const [shape, cap] = [board.shapes[number], board.cap(number)];
  const domains = field.level(level);
  const { names, of } = domains;
  const { total } = board.room(number, domains);
  let best = { domain: -1, most: -1 };
  const roomiest = [...names.keys()].sort((a, b) => (total[b] ?? 0) - (total[a] ?? 0));
  for (const domain of roomiest.slice(0, MOST_DOMAINS)) {
    if ((total[domain] ?? 0) <= best.most) break;
    const own = rows.filter((row) => of[row] === domain && (cap[row] ?? 0) > 0);
    const most = mostOf({ field, cap, rows: own, layers }, shape?.required ?? 0, createBudget(2000));
    // Of rules that do not nest it is not told how many keep them.
    if (most === undefined) return undefined;
    if (own.length > 0 && most > best.most) best = { domain, most };
  }
  if (shape === undefined || best.domain === -1 || best.most >= shape.required) return undefined;
  const levelName = field.index.topology.levels[level]?.level.name ?? "domain";
  const then = runsOut(tried, number, { within: { domains, best: best.domain }, rules, counted: true }).after(
    best.most,
  );
  const room = best.most === 0 ? "no room for any" : `room for ${best.most}`;
  return {
    code: "NearestMiss",
    message: `the best ${domainNoun(levelName)}, ${names[best.domain]}, has ${room} of the ${plural(shape.required, "pod")}${shape.of} once ${rules}${then}`,
    data: {
      podSet: shape.name,
      level: levelName,
      domain: names[best.domain] ?? "",
      have: best.most,
      need: shape.required,
    },
  };
}

/** Where each node of the domain takes one pod for something else than its accelerators, which may stay idle: what that is. */
function eachFor(board: Board, number: number, { of }: Domains, best: number): string {
  const { devices, field, rows } = board;
  const { needs = [], extended = [] } = board.shapes[number] ?? {};
  if (field.numa !== undefined || extended.length > 0) return "";
  const cap = board.cap(number);
  const width = field.columns.length;
  const single = new Set<string>();
  for (const row of rows) {
    if (of[row] !== best || cap[row] !== 1) continue;
    if ((devices?.most(row, number, 2, []) ?? 2) < 2) return "";
    for (const { resource, amount } of needs)
      if ((field.free[row * width + field.columns.indexOf(resource)] ?? 0) < 2 * amount) single.add(resource);
  }
  if (single.size === 0 || [...single].some((resource) => resource.includes("/"))) return "";
  return `, each with ${joined([...single].map((one) => (one === "pods" ? "a pod slot" : one)))} for one pod`;
}

function ruleText(board: Board, number: number, stage: Stage): string {
  const shape = board.shapes[number];
  const parts = (shape?.spreads ?? [])
    .filter(({ soft }) => !soft || stage.spread)
    .map(({ key, maxSkew, minDomains }) => {
      // How a required anti-affinity stands.
      if (minDomains === EVERY_DOMAIN) return `no two share one ${key}`;
      return `they spread over ${key} with maxSkew ${maxSkew}${minDomains > 1 ? ` and minDomains ${minDomains}` : ""}`;
    });
  for (const key of shape?.company.alone ?? []) parts.push(`no two share one ${key}`);
  const level = shape === undefined ? undefined : levelAt(shape, stage);
  if (shape?.unit === "group" && level !== undefined)
    parts.push(
      `every ${shape.groupSize} share one ${domainNoun(board.field.index.topology.levels[level]?.level.name ?? "")}${shape.separate ? " of their own" : ""}`,
    );
  return parts.join(" and ");
}

/** What a node has too little of for one pod. */
interface Lack {
  readonly what: string;
  readonly have: number;
  readonly need: number;
  readonly text: string;
  /** Where there is nothing of it. */
  readonly none: string;
}

/** No node has room for one pod: the one that lacks least, by the shares of what it lacks taken together; all of it is named. */
function bestNode(board: Board, number: number): readonly Reason[] {
  const { field, screens, shapes } = board;
  const shape = shapes[number];
  if (shape === undefined) return [];
  const width = field.columns.length;
  const free = field.nominal ? "" : " free";
  // Devices that can never be aligned as asked are free in vain: the table of nodes says what is amiss, a count of free ones would not.
  const { devices } = board;
  const never = devices === undefined ? undefined : misaligned(field, shape.devices);
  const lacksOn = (row: number): readonly Lack[] => {
    const lacks: Lack[] = [];
    for (const { resource, amount } of shape.needs) {
      if (field.leaves(row, resource)) continue;
      const have = Math.max(0, field.free[row * width + field.columns.indexOf(resource)] ?? 0);
      if (have >= amount) continue;
      const name = resource === "pods" ? "pod slots" : resource;
      const text = `${unitsText(resource, have)} of the ${unitsText(resource, amount)} ${name}`;
      lacks.push({
        what: resource,
        have,
        need: amount,
        text,
        none: `${name}${free}, and one pod${shape.of} needs ${unitsText(resource, amount)}`,
      });
    }
    const short = devices?.short(row, number) ?? [];
    for (const { request, have, need } of short.length > 0 && never?.of(row) !== undefined ? [] : short)
      lacks.push({
        what: request,
        have,
        need,
        text: `${have} of the ${plural(need, "device")} for ${request}`,
        none: `device${free} for ${request}, and one pod${shape.of} needs ${need}`,
      });
    return lacks.sort((a, b) => a.have / a.need - b.have / b.need);
  };
  let best: { readonly row: number; readonly lacks: readonly Lack[]; readonly far: number } | undefined;
  let open = 0;
  /** Rows that have nothing at all of it. */
  const bare = new Map<string, number>();
  for (let row = 0; row < field.existing; row += 1) {
    if (screens[number]?.code[row] !== 0 || isTaken(board, number, row)) continue;
    open += 1;
    const lacks = lacksOn(row);
    for (const { what, have } of lacks) if (have === 0) bare.set(what, (bare.get(what) ?? 0) + 1);
    if (lacks.length === 0) continue;
    const far = lacks.reduce((sum, { have, need }) => sum + 1 - have / need, 0);
    if (best === undefined || far < best.far) best = { row, lacks, far };
  }
  const [worst] = best?.lacks ?? [];
  if (best === undefined || worst === undefined) return [];
  const node = field.index.topology.nodes[best.row]?.name ?? "";
  const { what, have, need } = worst;
  const message =
    best.lacks.length === 1 && bare.get(what) === open
      ? `${open === 1 ? `the one node that it may use, ${node}, has no` : `none of the ${open} nodes that it may use has any`} ${worst.none}`
      : `the best node, ${node}, has ${joined(best.lacks.map(({ text }) => text))} that one pod${shape.of} needs${free}`;
  return [
    {
      code: "NearestMiss",
      message,
      data: { podSet: shape.name, node, resource: what, have, need, lacks: best.lacks.length },
    },
  ];
}

/** Is a host port of the shape in use there. */
function isTaken({ field, shapes }: Board, number: number, row: number): boolean {
  return (shapes[number]?.ports ?? []).some(
    (port) => (field.free[row * field.columns.length + field.columns.indexOf(portColumn(port))] ?? 0) < 1,
  );
}

export interface Shortfall {
  readonly exclusions: readonly Exclusion[];
  readonly reasons: readonly Reason[];
}

/**
 * Counts and near misses of the sets that do not hold by themselves; of none, why they do not hold together. On the nominal supply every
 * set that comes here together with others holds by itself. `now`: the board of what is free, where that is not what is told of.
 */
export function shortfall(tried: Attempt, alone: (number: number) => boolean, now?: Board): Shortfall {
  const { board } = tried;
  const several = board.shapes.length > 1;
  const failing = [...board.shapes.keys()].filter((number) => !several || !(board.field.nominal || alone(number)));
  const emptied = (numbers: readonly number[]): boolean =>
    now !== undefined && numbers.some((number) => now.count(number).sum !== board.count(number).sum);
  if (failing.length === 0) {
    // A search that ended early does not tell that they do not hold together.
    if (tried.result.kind === "out") return { exclusions: [], reasons: [] };
    const even = emptied([...board.shapes.keys()]) ? EMPTIED : "";
    const miss = togetherMiss(tried);
    return { exclusions: [], reasons: [{ ...miss, message: `${even}${miss.message}` }] };
  }
  const exclusions: Exclusion[] = [];
  const reasons: Reason[] = [];
  for (const number of failing) {
    const own = exclusionsOf(widest(tried), number);
    const podSet = board.shapes[number]?.name ?? "";
    exclusions.push(...own.map((one) => ({ ...one, podSet })));
    const even = emptied([number]) ? EMPTIED : "";
    const miss = nearestMiss(tried, number).map((one) => ({ ...one, message: `${even}${one.message}` }));
    reasons.push(...miss, ...exclusionReason(board, own, podSet));
  }
  return { exclusions, reasons };
}
