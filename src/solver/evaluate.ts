import type { Reason, Rung, RungAnswer, Verdict } from "../model/index.ts";
import { type Attempt, attempt, widest } from "./attempt.ts";
import type { Board } from "./board.ts";
import type { Budget } from "./budget.ts";
import { holdersOf } from "./busy.ts";
import { checkLimits } from "./check-limits.ts";
import { doubtsOf } from "./doubts.ts";
import { fitting, type Judged, refused } from "./fitting.ts";
import { holdsAlone } from "./holds.ts";
import { type Limit, limitsOf } from "./limits.ts";
import { poolMisfits } from "./misfits.ts";
import {
  abortReasons,
  dataMissing,
  exhausted,
  incomplete,
  jointDoubts,
  scarceReasons,
  selectorErrors,
  selectorFaults,
  tangledClaims,
  vastSelections,
} from "./missing.ts";
import { blindToNuma } from "./numa-blind.ts";
import { poolReasons } from "./pool-reasons.ts";
import { preemption } from "./preemption.ts";
import { type Shortfall, shortfall } from "./reasons.ts";
import { type Kind, kindsFor } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { holdsNow, worstOf } from "./verdicts.ts";
import { slowLeads, tooSlow } from "./waiting.ts";
import type { Look, World } from "./world.ts";

const FOREVER = Number.POSITIVE_INFINITY;
/** Words about this many unknown things are enough. */
const MAX_DOUBTS = 3;

/**
 * The verdict on one rung for each set.
 *
 * 1. now: does it fit on what is free and what pools may still add in time;
 * 2. unknown: would it, if everything that is not known were in its favour;
 * 3. slow: would it, with pools that take too long;
 * 4. busy: would it, on nodes as they are when empty, ready and uncordoned;
 * 5. else never, where the declared supply is all there is;
 * 6. limits: quotas and the tenant's limit can only make it worse.
 */
export function evaluate(
  world: World,
  shapes: readonly Shape[],
  budget: Budget,
  alone: (number: number) => boolean,
): Evaluated {
  const before = budget.spent;
  const rungs = rungsOf(shapes);
  const placed = place(world, shapes, rungs, budget, alone);
  const limited = withLimits(world, shapes, placed);
  const faults =
    limited.assignment === undefined
      ? []
      : checkLimits(world.topology, world.demand, rungs, limited.assignment, world.context);
  const judged = faults.length === 0 ? limited : refused(faults);
  return { answer: { rungs, ...judged, steps: budget.spent - before }, placed };
}

export interface Evaluated {
  readonly answer: RungAnswer;
  /** Without quotas and limits. */
  readonly placed: Judged;
}

/**
 * The verdict on sets of which some cannot be placed even by themselves, or of which that is not known: the worst of theirs, under the quotas and limits
 * for all of them together.
 */
export function evaluateParts(world: World, shapes: readonly Shape[], parts: readonly Evaluated[]): RungAnswer {
  const worst = worstOf(parts.map(({ answer }) => answer.verdict));
  const failing = parts.flatMap(({ answer, placed }) => (holdsNow(answer.verdict) ? [] : placed));
  const together: Judged = {
    verdict: worst,
    reasons: failing.flatMap(({ reasons }) => reasons),
    exclusions: failing.flatMap(({ exclusions }) => exclusions),
    holds: Object.assign(Object.create(null), ...parts.map(({ placed }) => placed.holds)) as Judged["holds"],
  };
  // Of a step that cannot be taken nobody knows what it would need.
  const known = shapes.every(({ step }) => step.skipped === undefined);
  return { rungs: rungsOf(shapes), ...(known ? withLimits(world, shapes, together) : together), steps: 0 };
}

function rungsOf(shapes: readonly Shape[]): Readonly<Record<string, Rung>> {
  const rungs: Record<string, Rung> = Object.create(null);
  for (const shape of shapes) rungs[shape.name] = shape.step.rung;
  return rungs;
}

function place(
  world: World,
  shapes: readonly Shape[],
  rungs: Readonly<Record<string, Rung>>,
  budget: Budget,
  alone: (number: number) => boolean,
): Judged {
  const faults = shapes.flatMap((shape) => shape.faults);
  const hopeless = faults.filter(({ verdict }) => verdict === "never");
  if (hopeless.length > 0)
    return bare(
      "never",
      hopeless.map(({ reason }) => reason),
    );
  const missing = dataMissing(world, shapes);
  if (missing.length > 0) return bare("unknown", missing);
  const vast = vastSelections(shapes);
  if (vast.length > 0) return bare("undecided", vast);
  const adds = shapes.some(({ step }) => step.rung.source === "new");
  const kinds = adds ? kindsFor(world.growth, shapes, { waitMs: 0, unpromised: false }) : [];
  // New nodes only where the existing ones do not do.
  const standing = kinds.length === 0 ? undefined : look(world, shapes, [], { nominal: false, hopeful: false }, budget);
  const now =
    standing?.result.kind === "found"
      ? standing
      : look(world, shapes, kinds, { nominal: false, hopeful: false }, budget);
  const unknowns = [
    ...faults.map(({ reason }) => reason),
    ...selectorFaults(now),
    ...abortReasons(now, false),
    ...tangledClaims(shapes),
  ];
  if (now.result.kind === "found")
    return unknowns.length > 0 ? bare("unknown", unknowns) : fitting(world, shapes, rungs, now, budget);
  const aborts = abortReasons(now, true);
  let missed: Shortfall | undefined;
  const toldNow = (): Shortfall => {
    missed ??= shortfall(now, alone);
    return missed;
  };
  const scarce = scarceReasons(now);
  const holds = scarce.length === 0 ? holdsAlone(now.board, budget) : belowRequired(now.board, budget);
  const misfits = poolMisfits(world, now);
  const pools = [...shapes.flatMap((shape) => poolReasons(world, shape, misfits)), ...misfits];
  /** What would be missing if the class waited for pools that it does not wait for. */
  let waited: readonly Reason[] = [];
  const because = (verdict: Verdict, reasons: readonly Reason[], told = toldNow()): Judged => ({
    verdict,
    reasons: distinct(
      aborts.length > 0
        ? [...aborts, ...reasons, ...selectorErrors(now)]
        : [
            ...reasons,
            ...told.reasons,
            ...scarce,
            ...pools,
            ...waited,
            ...selectorErrors(now),
            ...blindToNuma(world, now.board, false),
          ],
    ),
    exclusions: aborts.length > 0 ? [] : told.exclusions,
    holds,
  });
  const undecided = () => because("undecided", [exhausted(world)]);
  if (now.result.kind === "out") return undecided();

  const doubts = [...unknowns, ...doubtsOf(widest(now), now.stage), ...jointDoubts(now)];
  if (doubts.length > 0) {
    const hope = look(world, shapes, kinds, { nominal: false, hopeful: true }, budget);
    if (hope.result.kind === "found") return because("unknown", shortened(doubts));
    if (hope.result.kind === "out") return undecided();
  }

  const allKinds = kindsFor(world.growth, shapes, { waitMs: FOREVER, unpromised: false });
  const leads = slowLeads(allKinds);
  if (leads.length > 0) {
    const late = look(world, shapes, allKinds, { nominal: false, hopeful: false }, budget);
    if (late.result.kind === "out") return undecided();
    if (late.result.kind === "found") {
      const reasons = [...unknowns, ...tooSlow(world, shapes, soonest(world, shapes, leads, late, budget))];
      return because(unknowns.length > 0 ? "unknown" : "busy", reasons);
    }
    const silent = toldNow().reasons.length + pools.length === 0;
    waited = [...poolMisfits(world, late), ...(silent ? shortfall(late, alone).reasons : [])];
  }

  const mostKinds = kindsFor(world.growth, shapes, { waitMs: FOREVER, unpromised: true });
  const nominal = look(world, shapes, mostKinds, { nominal: true, hopeful: false }, budget);
  if (nominal.result.kind === "out") return undecided();
  if (nominal.result.kind === "found") {
    if (unknowns.length > 0) return because("unknown", shortened(unknowns));
    // Nothing that ends by itself keeps the scheduler from giving up on it.
    if (aborts.length > 0 && abortReasons(nominal, true).length > 0) return because("never", []);
    const reasons = [
      ...holdersOf(world, nominal.board),
      ...preemption(world, shapes, { index: world.index, kinds: allKinds }, nominal.board, budget),
    ];
    const busy = because("busy", []);
    return { ...busy, reasons: distinct([...busy.reasons, ...reasons]) };
  }
  const remaining = [
    ...unknowns,
    ...selectorFaults(nominal),
    ...doubtsOf(widest(nominal), nominal.stage),
    ...jointDoubts(nominal),
  ];
  if (remaining.length > 0) {
    const hope = look(world, shapes, mostKinds, { nominal: true, hopeful: true }, budget);
    if (hope.result.kind === "found") return because("unknown", shortened(remaining));
    if (hope.result.kind === "out") return undecided();
  }
  const partial = incomplete(world, shapes);
  // What is free now is not what stands in the way for good.
  const nominally = shortfall(nominal, alone, now.board);
  const told = nominally.reasons.length + pools.length === 0 ? toldNow() : nominally;
  return because(partial.length > 0 ? "unknown" : "never", partial, told);
}

/** The attempt that waits least, of those that wait for slow pools; `late` waits for all of them. */
function soonest(
  world: World,
  shapes: readonly Shape[],
  leads: readonly number[],
  late: Attempt,
  budget: Budget,
): Attempt {
  for (const waitMs of leads.slice(0, -1)) {
    const kinds = kindsFor(world.growth, shapes, { waitMs, unpromised: false });
    const one = look(world, shapes, kinds, { nominal: false, hopeful: false }, budget);
    if (one.result.kind === "found") return one;
    if (one.result.kind === "out") break;
  }
  return late;
}

/** One attempt. Rungs that look at the same existing nodes for equal shapes share it, and each pays for it. */
function look(
  world: World,
  shapes: readonly Shape[],
  kinds: readonly Kind[],
  how: { readonly nominal: boolean; readonly hopeful: boolean },
  budget: Budget,
): Attempt {
  const { index, usage, looks } = world;
  const known = kinds.length > 0 ? undefined : looks.find((one) => isAlike(one, shapes, how));
  if (known !== undefined) {
    const enough = budget.spend(known.steps);
    return enough ? known.attempt : { ...known.attempt, result: { kind: "out" } };
  }
  const before = budget.spent;
  const { nominal, hopeful } = how;
  const fresh = attempt({ index, usage, kinds, nominal, hopeful, numa: world.numa }, shapes, budget);
  if (kinds.length === 0 && fresh.result.kind !== "out")
    looks.push({ nominal, hopeful, shapes, attempt: fresh, steps: budget.spent - before });
  return fresh;
}

function isAlike(
  { nominal, hopeful, shapes }: Look,
  others: readonly Shape[],
  how: { readonly nominal: boolean; readonly hopeful: boolean },
): boolean {
  return (
    nominal === how.nominal &&
    hopeful === how.hopeful &&
    shapes.length === others.length &&
    shapes.every((shape, number) => shape === others[number] || shape.key() === others[number]?.key())
  );
}

/** Counted row by row, where rows share devices that do not suffice for the required pods of all sets. */
function belowRequired(board: Board, budget: Budget): Readonly<Record<string, number>> {
  const holds = holdsAlone(board, budget);
  const [only] = board.shapes;
  if (only === undefined || board.shapes.length > 1) return holds;
  return { [only.name]: Math.min(holds[only.name] ?? 0, only.required - 1) };
}

function bare(verdict: Verdict, reasons: readonly Reason[]): Judged {
  return { verdict, reasons: distinct(reasons), exclusions: [], holds: Object.create(null) as Record<string, number> };
}

/** Quotas and limits: `never` beats every other verdict, `busy` those under which it would run now. */
function withLimits(world: World, shapes: readonly Shape[], placed: Judged): Judged {
  const limits = limitsOf(world, shapes, placed.assignment);
  if (limits.length === 0) return placed;
  const told = limits.filter(({ verdict }) => verdict === "told").map(({ reason }) => reason);
  const standing = limits.filter(({ verdict }) => verdict !== "told");
  if (standing.length === 0) return { ...placed, reasons: distinct([...placed.reasons, ...told]) };
  // Nodes would take it: that is said beside the limit, not against it.
  const first = placed.reasons.find(({ code, data }) => isHeld(code) && data?.["podSet"] !== undefined);
  const others = placed.reasons.map((one) =>
    one === first ? { ...one, message: `apart from that, ${one.message}` } : one,
  );
  const reasons = distinct([...standing.map(({ reason }) => reason), ...others, ...told]);
  const { assignment, ...rest } = { ...placed, holds: within(placed.holds, standing) };
  if (limits.some(({ verdict }) => verdict === "never")) return { ...rest, reasons, verdict: "never" };
  if (placed.verdict !== "fits" && placed.verdict !== "scaleUp") return { ...rest, reasons };
  return { ...rest, reasons, verdict: standing.some(({ verdict }) => verdict === "busy") ? "busy" : "unknown" };
}

/** No more pods hold than limits leave room for. */
function within(holds: Judged["holds"], limits: readonly Limit[]): Judged["holds"] {
  const least: Record<string, number> = { ...holds };
  for (const { room = {} } of limits)
    for (const [name, pods] of Object.entries(room)) least[name] = Math.min(least[name] ?? pods, pods);
  return least;
}

const isHeld = (code: string): boolean => code === "Fits" || code === "ScaleUp";

function shortened(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.slice(0, MAX_DOUBTS);
}

function distinct(reasons: readonly Reason[]): readonly Reason[] {
  return [...new Map(reasons.map((reason) => [`${reason.code}|${reason.message}`, reason])).values()];
}
