import { type Attempt, attemptOn } from "./attempt.ts";
import { createBudget } from "./budget.ts";
import { amountsIn, screen } from "./feasible.ts";
import type { Field } from "./field.ts";
import type { Shape } from "./shape.ts";
import { joined } from "./text.ts";
import { numaText, type Thing, thingsOf } from "./things.ts";
import type { Domains } from "./topology-index.ts";

/** For each of the searches that one sentence takes; one that ends early tells nothing. */
const MOST_STEPS = 4000;

/** What keeps pods out: things each of which would be enough, or, where none is, things that would have to be there together. */
export interface Scarce {
  readonly things: readonly Thing[];
  readonly together: boolean;
}

/** `fits`: does it all fit without these things. Every thing that is told was searched. */
export function scarceOf(
  things: readonly Thing[],
  likely: (thing: Thing) => boolean,
  fits: (without: readonly Thing[]) => boolean,
): Scarce {
  const single = things.filter((thing) => likely(thing) && fits([thing]));
  if (single.length > 0) return { things: single, together: false };
  if (things.length < 2 || !fits(things)) return { things: [], together: false };
  // A least set: without any one of them the others are not enough.
  const least = things.reduce((left, thing) => {
    const rest = left.filter((one) => one !== thing);
    return fits(rest) ? rest : left;
  }, things);
  return { things: least, together: true };
}

/** `cpu runs out`; `both cpu and memory run out` where more of only one would not do. */
export function scarceText({ things, together }: Scarce): string {
  const told = together ? things : concise(things);
  const verb = told.length > 1 || told[0]?.many === true ? "run" : "runs";
  const all = together && told.length > 2 ? "all " : "";
  return `${together && told.length === 2 ? "both " : ""}${joined(told.map(({ text }) => text))} ${all}${verb} out`;
}

/** `both cpu and memory` */
function wantText({ things, together }: Scarce): string {
  const names = (together ? things : concise(things)).map(({ text }) => text);
  if (!together) return joined(names);
  return names.length === 2 ? `both ${joined(names)}` : `${joined(names)} together`;
}

/** What another name says already is left out: devices that only have to be aligned, and resources that only NUMA nodes have too little of. */
function concise(things: readonly Thing[]): readonly Thing[] {
  const numa = things.some(({ kind }) => kind === "numa");
  const aligned = new Set(things.flatMap(({ kind, of }) => (kind === "alignment" ? of : [])));
  const resources = things.flatMap(({ kind, text }) => (kind === "resource" ? [text] : []));
  return things.flatMap((thing) => {
    if (thing.kind === "numa") return { ...thing, text: numaText(resources) };
    if (thing.kind === "resource" && numa) return [];
    return thing.kind === "devices" && aligned.has(thing.text) ? [] : thing;
  });
}

/** What by itself keeps the required pods of one set out. */
export interface RunsOut {
  /** To stand after a count of pods: what there is too little of for more, or for any. */
  after(have: number): string;
  /** The same after a colon. */
  readonly text: string;
  /** A host port is among it, so no node takes two. */
  readonly byPort: boolean;
}

const NOTHING: RunsOut = { after: () => "", text: "", byPort: false };

/** Without what its pods ask of each other, by spreading, by anti-affinity and in groups. */
const unruled = (shape: Shape): Shape => ({
  ...shape,
  spreads: [],
  company: { ...shape.company, alone: [] },
  screen: () => `${shape.screen()} without its rules`,
  ...(shape.unit === "group" ? { unit: "podSet", level: shape.within, within: undefined, separate: false } : {}),
});

/** What is told of: `within`, one domain; `rules`, what pods of the set ask of each other, and whether the count is told as theirs. */
interface Told {
  readonly within?: { readonly domains: Domains; readonly best: number };
  readonly rules: string;
  readonly counted?: boolean;
}

/**
 * Each thing without which all required pods of the set would have room, by the search that found none. What would be enough in other domains only is
 * told as such, and what would be enough without the rules only as that.
 */
export function runsOut(tried: Attempt, number: number, { within, rules, counted = false }: Told): RunsOut {
  const shape = tried.board.shapes[number];
  if (shape === undefined) return NOTHING;
  const plain = lookFor(tried, shape, within);
  if (plain !== NOTHING || rules === "") return plain;
  const { text, after, ...rest } = lookFor(tried, unruled(shape), within);
  if (text === "") return NOTHING;
  const ruled = (told: string): string =>
    counted ? `, and without that ${text}` : `${told}, and more would not do while ${rules}`;
  return { ...rest, text: ruled(text), after: (have) => ruled(after(have)) };
}

function lookFor({ board, stage, unjudged }: Attempt, shape: Shape, within: Told["within"]): RunsOut {
  const { field } = board;
  const pins =
    within === undefined ? [] : [{ shapes: [0], holds: (row: number) => within.domains.of[row] === within.best }];
  const fitsOn = (here: typeof pins) => (without: readonly Thing[]) => {
    const lifted = without.reduce((one, thing) => thing.without(one), shape);
    return attemptOn(field, [lifted], stage, createBudget(MOST_STEPS), here).result.kind === "found";
  };
  // Which nodes may share a claim that is not judged is not told to run out.
  const things = thingsOf([shape], field.numa !== undefined).filter(({ shared }) => !(shared && unjudged === true));
  const likely = new Set(likelyOf(field, shape, things));
  const anywhere = things.filter((one) => within !== undefined && likely.has(one) && fitsOn([])([one]));
  const worth = within === undefined ? likely : new Set(anywhere);
  const here = scarceOf(things, (one) => worth.has(one), fitsOn(pins));
  // Nothing runs out where it fits as it is: without its rules.
  if (here.things.length > 0 && !board.shapes.includes(shape) && fitsOn([])([])) return NOTHING;
  return told(here, concise(anywhere.filter((one) => here.together || !here.things.includes(one))));
}

function told(here: Scarce, others: readonly Thing[]): RunsOut {
  if (here.things.length + others.length === 0) return NOTHING;
  const elsewhere = others.length === 0 ? "" : `, elsewhere ${joined(others.map(({ text }) => text))}`;
  const text = here.things.length === 0 ? scarceText({ things: others, together: false }) : scarceText(here);
  const ports = here.together ? [] : here.things.filter(({ kind }) => kind === "port");
  const rest = { ...here, things: here.things.filter((one) => !ports.includes(one)) };
  return {
    byPort: ports.length > 0,
    text: here.things.length === 0 ? `elsewhere ${text}` : `${text}${elsewhere}`,
    after(have) {
      if (here.things.length === 0) return `, elsewhere ${text}`;
      if (have === 0) return `, for want of ${wantText(here)}${elsewhere}`;
      const each = ports.length === 0 ? "" : `, one on each node for ${joined(ports.map((one) => one.text))}`;
      const then = rest.things.length === 0 ? "" : `, then ${scarceText(rest)}`;
      return `${each}${then}${elsewhere}`;
    },
  };
}

/**
 * Things without which there may be room for all, by amounts alone: of each row the least and the second least count of pods tell what it would hold
 * without each resource. What depends on more than amounts is left to the search.
 */
function likelyOf(field: Field, shape: Shape, things: readonly Thing[]): readonly Thing[] {
  const { code } = screen(field, shape);
  const { columns, amounts } = amountsIn(field, shape);
  const [width, { length: needs }] = [field.columns.length, shape.needs];
  const without = new Float64Array(needs);
  const raises = new Uint8Array(needs);
  let [asTheyAre, withoutPorts] = [0, 0];
  for (let row = 0; row < field.rows; row += 1) {
    if (code[row] !== 0) continue;
    let [first, second, scarce, port] = [shape.required, shape.required, -1, shape.required];
    for (const [index, column] of columns.entries()) {
      const holds = Math.max(0, Math.floor((field.free[row * width + column] ?? 0) / (amounts[index] ?? 1)));
      if (index >= needs) port = Math.min(port, holds);
      else if (holds < first) [first, second, scarce] = [holds, first, index];
      else if (holds < second) second = holds;
    }
    asTheyAre += Math.min(first, port);
    withoutPorts += first;
    for (let index = 0; index < needs; index += 1)
      without[index] = (without[index] ?? 0) + Math.min(port, index === scarce ? second : first);
    if (scarce !== -1 && Math.min(second, port) > Math.min(first, port)) raises[scarce] = 1;
  }
  return things.filter(({ kind, of }) => {
    if (kind === "others") return true;
    if (kind === "port") return withoutPorts >= shape.required;
    if (kind !== "resource") return asTheyAre >= shape.required;
    const index = shape.needs.findIndex(({ resource }) => resource === of[0]);
    const beyond = field.numa !== undefined || shape.extended.some(({ resource }) => resource === of[0]);
    return (without[index] ?? 0) >= shape.required && (beyond || raises[index] === 1);
  });
}
