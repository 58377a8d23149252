import type { Exclusion, Reason } from "../model/index.ts";
import type { Board } from "./board.ts";
import { portColumn } from "./field.ts";
import { misaligned } from "./misaligned.ts";
import { every, plural } from "./text.ts";

const EXAMPLES = 3;
/** How the texts of the static filters begin, in the scheduler's order. */
const FILTERS = [
  "starting",
  "not ready",
  "cordoned",
  "the pod names",
  "taint",
  "label",
  "none of",
  "the node affinity",
  "reservation",
  "no label",
  "no pod that",
  "pods of",
];

/** Which filter or shortage takes how many existing nodes away from a shape, each node counted once, in the scheduler's order. */
export function exclusionsOf(board: Board, number: number): readonly Exclusion[] {
  return board.count(number).derived("exclusions", () => excluded(board, number));
}

function excluded(board: Board, number: number): readonly Exclusion[] {
  const { field, screens, shapes } = board;
  const shape = shapes[number];
  const screened = screens[number];
  if (shape === undefined || screened === undefined) return [];
  const shortages = shortagesOf(board, number);
  const filters = screened.texts.length;
  const nodes: number[] = [];
  const examples: string[][] = [];
  const cap = board.cap(number);
  for (let row = 0; row < field.existing; row += 1) {
    const code = screened.code[row] ?? 0;
    if (code === 0 && (cap[row] ?? 0) > 0) continue;
    const why = code === 0 ? filters + shortages.of(row) : code;
    nodes[why] = (nodes[why] ?? 0) + 1;
    const shown = examples[why] ?? [];
    examples[why] = shown;
    if (shown.length < EXAMPLES) shown.push(field.index.topology.nodes[row]?.name ?? "");
  }
  const texts = [...screened.texts, ...shortages.texts()];
  /** What is only found by looking at devices has no order: whatever takes most nodes away comes first. */
  const rank = (why: number): number =>
    why >= filters
      ? FILTERS.length + Math.min(why, filters + shortages.ordered)
      : FILTERS.findIndex((one) => texts[why]?.startsWith(one));
  return [...texts.keys()]
    .filter((why) => (nodes[why] ?? 0) > 0)
    .sort(
      (a, b) =>
        rank(a) - rank(b) || (nodes[b] ?? 0) - (nodes[a] ?? 0) || ((texts[a] ?? "") < (texts[b] ?? "") ? -1 : 1),
    )
    .map((why) => ({ constraint: texts[why] ?? "", nodes: nodes[why] ?? 0, examples: examples[why] ?? [] }));
}

/** For rows that pass the filters: the first thing of which there is too little, as an index into `texts`. */
function shortagesOf(
  board: Board,
  number: number,
): {
  texts(): readonly string[];
  /** So many of the texts stand in the order in which they are looked for. */
  readonly ordered: number;
  of(row: number): number;
} {
  const { field, shapes } = board;
  const { topology } = field.index;
  const shape = shapes[number];
  const width = field.columns.length;
  const needs = (shape?.needs ?? []).map(({ resource, amount }) => ({
    resource,
    amount,
    column: field.columns.indexOf(resource),
    source: topology.resourceIndex.get(resource),
  }));
  const ports = (shape?.ports ?? []).map((port) => ({ port, column: field.columns.indexOf(portColumn(port)) }));
  const devices = shape?.devices ?? [];
  const devicesNever = misaligned(field, devices);
  const free = field.nominal ? "" : " free";
  const asked = devices.length > 1 ? "the pod's claims together" : `request ${devices[0]?.name ?? ""}`;
  const fixed = [
    ...ports.map(({ port }) => `host port ${port} taken`),
    ...needs.flatMap(({ resource }) => {
      const name = resource === "pods" ? "pod slots" : resource;
      return [`no ${name}`, `smaller than one pod in ${name}`, `not enough ${name} free`];
    }),
    `not known whether a NUMA node has enough${free} for one pod`,
    `no NUMA node with enough${free} for one pod`,
    `the devices there do not serve ${asked}`,
    `too few${free} devices for ${asked}`,
  ];
  return {
    ordered: fixed.length,
    texts: () => [...fixed, ...devicesNever.texts],
    of(row) {
      const taken = ports.findIndex(({ column }) => (field.free[row * width + column] ?? 0) < 1);
      if (taken !== -1) return taken;
      for (let index = 0; index < needs.length; index += 1) {
        const need = needs[index];
        if (need === undefined || (field.free[row * width + need.column] ?? 0) >= need.amount) continue;
        const at = row * topology.resources.length + (need.source ?? 0);
        const offered = need.source === undefined ? 0 : (topology.allocatable[at] ?? 0);
        return ports.length + index * 3 + (offered === 0 ? 0 : offered < need.amount ? 1 : 2);
      }
      const never = devicesNever.of(row);
      if (never !== undefined) return fixed.length + never;
      if (board.refused[number]?.has(row) === true) return fixed.length - (board.unsure.has(row) ? 4 : 3);
      // Of an empty node too little is only what is counted; else it is what the requests ask of it.
      const counted = !field.nominal || (board.devices?.short(row, number) ?? []).length > 0;
      return fixed.length - (counted ? 1 : 2);
    },
  };
}

/** One sentence of counts. */
export function exclusionReason(board: Board, exclusions: readonly Exclusion[], name: string): readonly Reason[] {
  if (exclusions.length === 0) return [];
  const total = board.field.existing;
  const some = (nodes: number): string =>
    nodes === total ? every(total, "node") : `${nodes} of ${plural(total, "node")}`;
  const parts = exclusions.map(({ constraint, nodes }, index) => `${index === 0 ? some(nodes) : nodes}: ${constraint}`);
  const several = board.shapes.length > 1 ? `for ${name}, ` : "";
  const nodes = exclusions.reduce((sum, one) => sum + one.nodes, 0);
  return [{ code: "Excluded", message: `${several}${parts.join("; ")}`, data: { podSet: name, nodes, of: total } }];
}
