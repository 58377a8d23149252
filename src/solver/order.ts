import {
  type Demand,
  intersect,
  type PodSetDemand,
  type RungAnswer,
  requirementText,
  rungText,
  type Step,
} from "../model/index.ts";
import { joined } from "./text.ts";

/** Of the set's ladder, skipped or not. */
export function stepOf(set: PodSetDemand, { rungs }: RungAnswer): Step | undefined {
  const rung = Object.hasOwn(rungs, set.name) ? rungs[set.name] : undefined;
  return rung === undefined ? undefined : set.ladder.steps.find((step) => rungText(step.rung) === rungText(rung));
}

function placeOf(set: PodSetDemand, answer: RungAnswer): number {
  const step = stepOf(set, answer);
  return step === undefined ? -1 : set.ladder.steps.indexOf(step);
}

/** Does `a` stand before `b` in the lexicographic order of the sets' ladders. */
export function precedes({ podSets }: Demand, a: RungAnswer, b: RungAnswer): boolean {
  for (const set of podSets) {
    const [first, second] = [placeOf(set, a), placeOf(set, b)];
    if (first !== second) return first < second;
  }
  return false;
}

const adds = ({ rung, skipped }: Step): boolean => rung.source === "new" && skipped === undefined;

/** Steps that add nodes, of one set those before what `chosen` takes, of several all. */
export function newBefore({ podSets }: Demand, chosen: RungAnswer): readonly Step[] {
  return podSets.flatMap((set) => {
    const { steps } = set.ladder;
    return (podSets.length === 1 ? steps.slice(0, Math.max(0, placeOf(set, chosen))) : steps).filter(adds);
  });
}

/**
 * Rungs that add nodes and would have to be skipped so that none of them holds before `to`, where `from` is the first that holds: of one set
 * those between the two; of several all that some combination before `to` takes.
 */
export function newBetween({ podSets }: Demand, from: RungAnswer, to: RungAnswer): readonly Step[] {
  const [only] = podSets;
  if (podSets.length === 1 && only !== undefined)
    return only.ladder.steps.slice(placeOf(only, from), placeOf(only, to)).filter(adds);
  let any = false;
  return podSets.flatMap((set) => {
    const before = set.ladder.steps.slice(0, placeOf(set, to)).filter(({ skipped }) => skipped === undefined);
    const steps = (any ? set.ladder.steps : before).filter(adds);
    any ||= before.length > 0;
    return steps;
  });
}

export function isSame(a: RungAnswer, b: RungAnswer): boolean {
  const texts = ({ rungs }: RungAnswer) => Object.entries(rungs).map(([set, rung]) => `${set} ${rungText(rung)}`);
  return texts(a).sort().join() === texts(b).sort().join();
}

/** The sets of `answer` whose rung is not as in `other`; all of them where none differs. */
export function differing(
  answer: RungAnswer,
  other: RungAnswer,
): readonly { readonly set: string; readonly text: string }[] {
  const rungs = Object.entries(answer.rungs).map(([set, rung]) => ({ set, text: rungText(rung) }));
  const unlike = rungs.filter(({ set, text }) => {
    const theirs = other.rungs[set];
    return theirs === undefined || rungText(theirs) !== text;
  });
  return unlike.length === 0 ? rungs : unlike;
}

/** The rungs of `answer` where it is not as `other`; of several sets with their names. */
export function rungsText(answer: RungAnswer, other: RungAnswer): string {
  const named = differing(answer, other);
  const [only] = named;
  if (Object.keys(answer.rungs).length === 1 && only !== undefined) return only.text;
  const texts = new Set(named.map(({ text }) => text));
  if (texts.size === 1) return `${joined(named.map(({ set }) => set))} on ${[...texts].join("")}`;
  return joined(named.map(({ set, text }) => `${set} on ${text}`));
}

/** May pods whose template is written for `step` stand wherever those of `wider` may: the same accelerator, and nothing more is selected. */
export function isCovered(step: Step | undefined, wider: Step | undefined): boolean {
  if (step === undefined || wider === undefined || step.rung.accelerator !== wider.rung.accelerator) return false;
  return wider.selection.every((one) => {
    const own = step.selection.find(({ key }) => key === one.key);
    return own !== undefined && requirementText(intersect(own, one)) === requirementText(own);
  });
}
