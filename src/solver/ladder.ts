import type { PodSetDemand, Reason, Rung, RungAnswer, Step, Verdict } from "../model/index.ts";
import { rungText } from "../model/index.ts";
import { createBudget, passCost } from "./budget.ts";
import { type Evaluated, evaluate, evaluateParts } from "./evaluate.ts";
import { holdsNow, isBetter, worstOf } from "./verdicts.ts";
import type { World } from "./world.ts";

/** Combinations that are listed one by one; beyond it the walk ends at the first that fits. */
const MAX_LISTED = 64;
/** Combinations looked at in all. */
const MAX_COMBINATIONS = 4096;
/** Rungs of all sets together that are looked at one by one, each of which costs passes over the nodes that no budget counts. */
const MAX_SINGLES = 1024;
/** What a set of a combination costs before its search begins, and what it costs for each set beside it. */
const SET_COST = 16;
const PAIR_COST = 4;

/**
 * Every rung, or for several pod sets every combination of rungs, in lexicographic order of the sets' own ladders.
 *
 * 1. each set by itself on each of its rungs: a bound for every combination;
 * 2. a combination with a set that can never hold by itself, or of which that is not known, gets that verdict without another search;
 * 3. the others are searched together.
 *
 * Steps are shared out evenly, so that no rung can use up what a later one needs.
 */
export function walk(world: World): { readonly ladder: readonly RungAnswer[]; readonly steps: number } {
  const { demand, context } = world;
  const ladders = demand.podSets.map((set) => stepsOf(set, context.fixed));
  const empty = demand.podSets.filter((_, index) => ladders[index]?.length === 0);
  if (empty.length > 0) return { ladder: [noRung(world, empty)], steps: 0 };
  const total = ladders.reduce((product, steps) => product * steps.length, 1);
  const singles = ladders.reduce((sum, steps) => sum + steps.length, 0);
  if (singles > MAX_SINGLES) return { ladder: [tooMany(demand.podSets.length, singles)], steps: 0 };
  const rungs = demand.podSets.length === 1 ? singles : singles + Math.min(total, MAX_LISTED);
  const share = Math.max(1, Math.floor(context.maxSteps / Math.max(1, rungs)));
  const alone = new Map<Step, Evaluated>();
  for (const [index, set] of demand.podSets.entries()) {
    for (const step of ladders[index] ?? []) {
      const one = single(world, set, step, share);
      alone.set(step, one);
      if (context.stopAtFirst === true && demand.podSets.length === 1 && holdsNow(one.answer.verdict)) break;
    }
  }
  const singly = [...alone.values()].map(({ answer }) => answer);
  const spent = singly.reduce((sum, { steps }) => sum + steps, 0);
  if (demand.podSets.length === 1) return { ladder: singly, steps: spent };
  const listAll = total <= MAX_LISTED;
  const answers: RungAnswer[] = [];
  // Every set is looked up on every node, and its rows are put together, before a search takes its first step.
  const sets = demand.podSets.length;
  const pass = sets * (SET_COST + sets * PAIR_COST + 4 * passCost(world.topology.nodes.length));
  let used = spent;
  let best: Verdict = "never";
  // A combination is never better than its sets by themselves, so steps that cannot improve on what was found are left out.
  const improves = (step: Step) => listAll || answers.length === 0 || isBetter(bound([step], alone), best);
  const walked = listAll ? ladders : hopeful(ladders, alone);
  for (const steps of combinations(walked, improves)) {
    const most = bound(steps, alone);
    if (answers.length >= MAX_COMBINATIONS || used >= context.maxSteps) {
      answers.push(cutShort(answers.length));
      break;
    }
    const answer = combined(world, steps, alone, share);
    answers.push(answer);
    if (isBetter(answer.verdict, best)) best = answer.verdict;
    used += answer.steps + (most === "fits" || most === "busy" ? pass : 1);
    if ((!listAll || context.stopAtFirst === true) && holdsNow(answer.verdict)) break;
    if (walked.some((choices) => !choices.some(improves))) break;
  }
  return { ladder: answers, steps: answers.reduce((sum, { steps }) => sum + steps, spent) };
}

/** What the sets get by themselves on these steps. */
function bound(steps: readonly Step[], alone: ReadonlyMap<Step, Evaluated>): Verdict {
  return worstOf(steps.map((step) => alone.get(step)?.answer.verdict ?? "never"));
}

/** Without steps that can never hold by themselves, where the set has others: no combination with one of them does. */
function hopeful(
  ladders: readonly (readonly Step[])[],
  alone: ReadonlyMap<Step, Evaluated>,
): readonly (readonly Step[])[] {
  return ladders.map((steps) => {
    const left = steps.filter((step) => alone.get(step)?.answer.verdict !== "never");
    return left.length === 0 ? steps : left;
  });
}

function cutShort(looked: number): RungAnswer {
  const message =
    looked === 0
      ? "the search ran out of steps before it could look at any combination of rungs"
      : `the search ran out of steps after ${looked} combinations of rungs, and others may fit`;
  return undecided(message, { combinations: looked });
}

function tooMany(sets: number, rungs: number): RungAnswer {
  const message = `${sets} pod sets have ${rungs} rungs together, and no more than ${MAX_SINGLES} are looked at: split the workload, or give its class fewer accelerators or capacity types`;
  return undecided(message, { sets, rungs });
}

function undecided(message: string, data: Readonly<Record<string, number>>): RungAnswer {
  return {
    rungs: {},
    verdict: "undecided",
    reasons: [{ code: "BudgetExhausted", message, data }],
    exclusions: [],
    holds: {},
    steps: 0,
  };
}

/** A set whose rung stands has that rung only. */
function stepsOf(set: PodSetDemand, fixed: Readonly<Record<string, Rung>> | undefined): readonly Step[] {
  const rung = fixed !== undefined && Object.hasOwn(fixed, set.name) ? fixed[set.name] : undefined;
  if (rung === undefined) return set.ladder.steps;
  return set.ladder.steps.filter((step) => rungText(step.rung) === rungText(rung));
}

function noRung(world: World, sets: readonly PodSetDemand[]): RungAnswer {
  const reasons = sets.map((set): Reason => {
    const rung = world.context.fixed?.[set.name];
    const message =
      rung === undefined
        ? `the class gives ${set.name} no rung at all`
        : `the rung ${rungText(rung)} that stands for ${set.name} is no longer on its ladder`;
    return { code: "RungSkipped", message, data: { podSet: set.name } };
  });
  return { rungs: {}, verdict: "unknown", reasons, exclusions: [], holds: {}, steps: 0 };
}

function single(world: World, set: PodSetDemand, step: Step, share: number): Evaluated {
  if (step.skipped !== undefined) {
    const answer = skippedAnswer(set, step);
    return { answer, placed: answer };
  }
  return evaluate(world, [world.shape(set, step)], createBudget(share), () => false);
}

function skippedAnswer(set: PodSetDemand, step: Step): RungAnswer {
  const message = (step.skipped?.message ?? "the workload cannot take this rung").replace(/\.$/, "");
  return {
    rungs: { [set.name]: step.rung },
    verdict: "never",
    reasons: [{ code: "RungSkipped", message, data: { podSet: set.name, code: step.skipped?.code ?? "" } }],
    exclusions: [],
    holds: {},
    steps: 0,
  };
}

function combined(
  world: World,
  steps: readonly Step[],
  alone: ReadonlyMap<Step, Evaluated>,
  share: number,
): RungAnswer {
  const parts = steps.flatMap((step) => alone.get(step) ?? []);
  const sets = world.demand.podSets;
  const shapes = steps.flatMap((step, index) => {
    const set = sets[index];
    return set === undefined ? [] : [world.shape(set, step)];
  });
  const worst = bound(steps, alone);
  // Sets that are each busy may be impossible together, so that one is searched too.
  return worst === "fits" || worst === "busy"
    ? evaluate(world, shapes, createBudget(share), (number) => holdsNow(parts[number]?.answer.verdict ?? "never"))
        .answer
    : evaluateParts(world, shapes, parts);
}

/**
 * In lexicographic order, of steps that are of use at the moment when they are reached. While every ladder has one, each combination costs no more
 * than its length, however many are left out.
 */
function* combinations(
  ladders: readonly (readonly Step[])[],
  useful: (step: Step) => boolean,
): Generator<readonly Step[]> {
  const [first, ...rest] = ladders;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const step of first) {
    if (!useful(step)) continue;
    for (const others of combinations(rest, useful)) {
      yield [step, ...others];
      if (!useful(step)) break;
    }
  }
}
