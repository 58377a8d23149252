import { type Exclusion, type Reason, unitsText } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import type { Board } from "./board.ts";
import { createBudget } from "./budget.ts";
import { mostOf } from "./distribute.ts";
import { exclusionReason, exclusionsOf } from "./exclusions.ts";
import { portColumn } from "./field.ts";
import { type Layer, layersOf, levelAt, type Stage } from "./layers.ts";
import { numaMiss } from "./numa-miss.ts";
import { joined, plural } from "./text.ts";

/** Domains that are looked at one by one for a word about rules. */
const MOST_DOMAINS = 64;

/** How close the best supply comes, in numbers. */
export function nearestMiss(board: Board, number: number, stage: Stage): readonly Reason[] {
  const { field, shapes } = board;
  const shape = shapes[number];
  const screened = board.screens[number];
  if (shape === undefined || screened === undefined) return [];
  const cap = board.cap(number);
  const { rows } = board;
  const { sum: total, largest } = board.count(number);
  if (total === 0) {
    const best = bestNode(board, number);
    return best.length > 0 ? best : numaMiss(board, number);
  }
  const level = levelAt(shape, stage);
  if (level !== undefined && (shape.unit === "podSet" || shape.unit === "workload")) {
    const domains = field.level(level);
    const { names } = domains;
    const { total: sums } = board.room(number, domains);
    const best = names.reduce((top, _, domain) => ((sums[domain] ?? 0) > (sums[top] ?? 0) ? domain : top), 0);
    const room = sums[best] ?? 0;
    const levelName = field.index.topology.levels[level]?.level.name ?? "domain";
    // A level without any domain is told as a label that is missing.
    if (names.length === 0) return [];
    if (room < shape.required) {
      const onePerNode = largest <= 1;
      const message =
        levelName === "host"
          ? `the emptiest node, ${names[best]}, has room for ${room} of the ${plural(shape.required, "pod")}${shape.of} that must share one`
          : onePerNode
            ? `the fullest ${levelName}, ${names[best]}, has ${room} of the ${plural(shape.required, "node")} needed`
            : `the fullest ${levelName}, ${names[best]}, has room for ${room} of the ${plural(shape.required, "pod")}${shape.of}`;
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
  if (level !== undefined && layers.length > 0 && (shape.unit === "podSet" || shape.unit === "workload")) {
    const under = ruleMiss(board, number, level, layers, ruleText(board, number, stage));
    if (under !== undefined) return [under];
  }
  const spot = { field, cap, rows, layers };
  const most = mostOf(spot, shape.required, createBudget(10_000)) ?? Math.min(total, shape.required);
  if (most >= shape.required) return [];
  const rules = total > most ? ` once ${ruleText(board, number, stage)}` : "";
  const where = field.kinds.length > 0 ? "existing and new nodes together have" : "the cluster has";
  return [
    {
      code: "NearestMiss",
      message: `${where} room for ${most} of the ${plural(shape.required, "pod")}${shape.of}${rules}`,
      data: { podSet: shape.name, have: most, need: shape.required },
    },
  ];
}

/** Domains with room enough by count, of which the rules leave too little. */
function ruleMiss(
  board: Board,
  number: number,
  level: number,
  layers: readonly Layer[],
  rules: string,
): Reason | undefined {
  const { field, rows } = board;
  const [shape, cap] = [board.shapes[number], board.cap(number)];
  const { names, of } = field.level(level);
  let best = { domain: -1, most: -1 };
  for (const domain of [...names.keys()].slice(0, MOST_DOMAINS)) {
    const own = rows.filter((row) => of[row] === domain && (cap[row] ?? 0) > 0);
    const most = mostOf({ field, cap, rows: own, layers }, shape?.required ?? 0, createBudget(2000)) ?? 0;
    if (own.length > 0 && most > best.most) best = { domain, most };
  }
  if (shape === undefined || best.domain === -1 || best.most >= shape.required) return undefined;
  const levelName = field.index.topology.levels[level]?.level.name ?? "domain";
  return {
    code: "NearestMiss",
    message: `the best ${levelName}, ${names[best.domain]}, has room for ${best.most} of the ${plural(shape.required, "pod")}${shape.of} once ${rules}`,
    data: {
      podSet: shape.name,
      level: levelName,
      domain: names[best.domain] ?? "",
      have: best.most,
      need: shape.required,
    },
  };
}

function ruleText(board: Board, number: number, stage: Stage): string {
  const shape = board.shapes[number];
  const parts = (shape?.spreads ?? [])
    .filter(({ soft }) => !soft || stage.spread)
    .map(({ key, maxSkew }) => `they spread over ${key} with maxSkew ${maxSkew}`);
  const level = shape === undefined ? undefined : levelAt(shape, stage);
  if (shape?.unit === "group" && level !== undefined)
    parts.push(`every ${shape.groupSize} share a ${board.field.index.topology.levels[level]?.level.name}`);
  return parts.join(" and ");
}

/** What a node has too little of for one pod. */
interface Lack {
  readonly what: string;
  readonly have: number;
  readonly need: number;
  readonly text: string;
}

/** No node has room for one pod: the one that lacks least, by the shares of what it lacks taken together; all of it is named. */
function bestNode(board: Board, number: number): readonly Reason[] {
  const { field, screens, shapes } = board;
  const shape = shapes[number];
  if (shape === undefined) return [];
  const width = field.columns.length;
  const lacksOn = (row: number): readonly Lack[] => {
    const lacks: Lack[] = [];
    for (const { resource, amount } of shape.needs) {
      if (field.leaves(row, resource)) continue;
      const have = Math.max(0, field.free[row * width + field.columns.indexOf(resource)] ?? 0);
      if (have >= amount) continue;
      const text = `${unitsText(resource, have)} of the ${unitsText(resource, amount)} ${resource}`;
      lacks.push({ what: resource, have, need: amount, text });
    }
    for (const { request, have, need } of board.devices?.short(row, number) ?? [])
      lacks.push({
        what: request,
        have,
        need,
        text: `${have} of the ${plural(need, "device")} for request ${request}`,
      });
    return lacks.sort((a, b) => a.have / a.need - b.have / b.need);
  };
  let best: { readonly row: number; readonly lacks: readonly Lack[]; readonly far: number } | undefined;
  for (let row = 0; row < field.existing; row += 1) {
    if (screens[number]?.code[row] !== 0 || isTaken(board, number, row)) continue;
    const lacks = lacksOn(row);
    if (lacks.length === 0) continue;
    const far = lacks.reduce((sum, { have, need }) => sum + 1 - have / need, 0);
    if (best === undefined || far < best.far) best = { row, lacks, far };
  }
  const [worst] = best?.lacks ?? [];
  if (best === undefined || worst === undefined) return [];
  const node = field.index.topology.nodes[best.row]?.name ?? "";
  const { what, have, need } = worst;
  return [
    {
      code: "NearestMiss",
      message: `the best node, ${node}, has ${joined(best.lacks.map(({ text }) => text))} that one pod${shape.of} needs free`,
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

/** Counts and near misses of the sets that do not hold by themselves; of none, that they do not hold together. */
export function shortfall(
  tried: Attempt,
  alone: (number: number) => boolean,
): { exclusions: readonly Exclusion[]; reasons: readonly Reason[] } {
  const { board, stage } = tried;
  const failing = [...board.shapes.keys()].filter((number) => board.shapes.length === 1 || !alone(number));
  if (failing.length === 0) {
    const names = joined(board.shapes.map(({ name }) => name));
    return {
      exclusions: [],
      reasons: [{ code: "NearestMiss", message: `${names} each fit by themselves, but not all together` }],
    };
  }
  const exclusions: Exclusion[] = [];
  const reasons: Reason[] = [];
  for (const number of failing) {
    const own = exclusionsOf(board, number);
    const podSet = board.shapes[number]?.name ?? "";
    exclusions.push(...own.map((one) => ({ ...one, podSet })));
    reasons.push(...nearestMiss(board, number, stage), ...exclusionReason(board, own, podSet));
  }
  return { exclusions, reasons };
}
