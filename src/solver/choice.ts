import {
  type Demand,
  durationText,
  RENEW_ANNOTATION,
  type Reason,
  type RungAnswer,
  rungText,
  type Step,
} from "../model/index.ts";
import { walk } from "./ladder.ts";
import { differing, isCovered, isSame, newBefore, newBetween, precedes, rungsText, stepOf } from "./order.ts";
import { supplies } from "./scaleup.ts";
import { plural, sizeText } from "./text.ts";
import { firstOf, holdsNow } from "./verdicts.ts";
import { newNodesText } from "./waiting.ts";
import type { World } from "./world.ts";

/** Rungs that are left out one by one, before all are that could be in the way. */
const MAX_TRIES = 4;
/** Longer waits that are tried. */
const MAX_WAITS = 3;

interface Told {
  readonly reasons: readonly Reason[];
  readonly steps: number;
}

const NOTHING: Told = { reasons: [], steps: 0 };

/**
 * What the choice of a rung gives up, in numbers: that it waits for new nodes while a later rung fits now; that a rung before it would have
 * held, had the class waited longer. Both are solved before they are said.
 */
export function tradeOffs(world: World, chosen: RungAnswer | undefined): Told {
  if (chosen === undefined || !holdsNow(chosen.verdict)) return NOTHING;
  const now = chosen.verdict === "scaleUp" ? fitsNow(world, chosen) : NOTHING;
  const passed = passedBy(world, chosen);
  return { reasons: [...passed.reasons, ...now.reasons], steps: now.steps + passed.steps };
}

/** The first rung on nodes that are there which fits, for a choice that waits. */
function fitsNow(world: World, chosen: RungAnswer): Told {
  const { demand } = world;
  const standing = withSteps(demand, ({ rung }) => rung.source === "existing");
  if (standing.podSets.some(({ ladder }) => ladder.steps.every(({ skipped }) => skipped !== undefined))) return NOTHING;
  const walked = walk({ ...world, demand: standing, context: reopened(world) });
  const other = firstOf(walked.ladder);
  if (other?.verdict !== "fits") return { reasons: [], steps: walked.steps };
  const { waits, on, waitMs } = waitOf(chosen);
  const [from, to] = [rungsText(chosen, other), rungsText(other, chosen)];
  const { skipped, steps } = skippedFor(world, chosen, other);
  const shared = demand.podSets.every((set) => isCovered(stepOf(set, chosen), stepOf(set, other)));
  const value = skipped.length === 0 ? "another value" : skipped.join(",");
  const givenUp = skipped.length === 0 ? "" : skipped.length === 1 ? ", the rung to give up" : ", the rungs to give up";
  const how = shared
    ? "its template lists both, so kube-scheduler takes what is free first"
    : `to take that instead, set the annotation ${RENEW_ANNOTATION} to ${value}${givenUp}`;
  const size = sizeText(other.assignment);
  const holds =
    demand.podSets.length === 1 ? `${to} would hold ${size} now` : `with ${to} the workload would fit now (${size})`;
  return {
    steps: walked.steps + steps,
    reasons: [
      {
        code: "FallbackFits",
        message: `${from} ${waitText(chosen, other)} about ${durationText(waitMs)} for ${on}, and ${holds}: ${how}`,
        data: {
          rung: to,
          waitMs,
          nodes: waits,
          skip: skipped.join(","),
          // Nothing is to be done where the pods may stand there anyway.
          ...(shared ? { shared: "yes" } : {}),
          short: `${to} fits now; ${from} ${waitText(chosen, other)} about ${durationText(waitMs)} for ${plural(waits, "new node")}`,
        },
      },
    ],
  };
}

/** The first rung before the chosen one that would hold with a longer wait, by the shortest wait that does it. */
function passedBy(world: World, chosen: RungAnswer): Told {
  const { demand, context } = world;
  const patience = Math.min(...demand.podSets.map(({ ladder }) => ladder.maxProvisioningMs));
  const before = newBefore(demand, chosen);
  if (before.length === 0) return NOTHING;
  const leads = world.growth.rooms.flatMap(({ pool, leadMs, fresh, starting }) =>
    fresh + starting.length > 0 && leadMs > patience && before.some(({ rung }) => supplies(pool, rung)) ? [leadMs] : [],
  );
  let steps = 0;
  for (const ms of [...new Set(leads)].sort((a, b) => a - b).slice(0, MAX_WAITS)) {
    const walked = walk({ ...world, demand: patient(demand, ms), context: reopened(world) });
    steps += walked.steps;
    const other = firstOf(walked.ladder);
    if (other === undefined || other.verdict !== "scaleUp" || !precedes(demand, other, chosen)) continue;
    const { on, waitMs } = waitOf(other);
    const [from, to] = [rungsText(other, chosen), rungsText(chosen, other)];
    const change = `capacity.maxProvisioning: ${durationText(ms)}`;
    const own = context.mayOverride?.("capacity.maxProvisioning", durationText(ms)) === true;
    return {
      steps,
      reasons: [
        {
          code: "PreferredTooSlow",
          message: `${from} ${differing(other, chosen).length > 1 ? "come" : "comes"} first, but would wait about ${durationText(waitMs)} for ${on}, and the class waits at most ${durationText(patience)}, so ${to} is taken; ${change} would wait for it${own ? "" : " (the platform team's to change)"}`,
          data: { rung: from, waitMs, maxProvisioningMs: patience, change },
        },
      ],
    };
  }
  return { reasons: [], steps };
}

/** Rungs without which `other` is what holds first: those that hold before it, one after the other, as far as that leads there soon. */
function skippedFor(
  world: World,
  chosen: RungAnswer,
  other: RungAnswer,
): { readonly skipped: readonly string[]; readonly steps: number } {
  const skip = new Set<string>();
  let steps = 0;
  let first: RungAnswer | undefined = chosen;
  for (let tries = 0; tries < MAX_TRIES && first !== undefined; tries += 1) {
    const more = Object.values(first.rungs).filter(({ source }) => source === "new");
    for (const rung of more) skip.add(rungText(rung));
    const walked = walk({
      ...world,
      demand: withSteps(world.demand, ({ rung }) => !skip.has(rungText(rung))),
      context: reopened(world),
    });
    steps += walked.steps;
    first = firstOf(walked.ladder);
    if (first !== undefined && isSame(first, other)) return { skipped: [...skip], steps };
  }
  return { skipped: [...new Set(newBetween(world.demand, chosen, other).map(({ rung }) => rungText(rung)))], steps };
}

const waitText = (one: RungAnswer, other: RungAnswer): string => (differing(one, other).length > 1 ? "wait" : "waits");

/** What a rung that holds with new nodes waits for. */
function waitOf({ reasons, assignment }: RungAnswer): {
  readonly waits: number;
  readonly on: string;
  readonly waitMs: number;
} {
  const nodes = assignment?.newNodes ?? [];
  const waitMs = reasons.map(({ data }) => data?.["startupMs"]).find((ms) => typeof ms === "number") ?? 0;
  return { waits: nodes.reduce((sum, { count }) => sum + count, 0), on: newNodesText(nodes), waitMs };
}

/** The walk ends at the first rung that holds, and no rung stands. */
function reopened({ context: { fixed: _fixed, ...context } }: World): World["context"] {
  return { ...context, maxSteps: Math.ceil(context.maxSteps / 8), stopAtFirst: true };
}

function withSteps(demand: Demand, keeps: (step: Step) => boolean): Demand {
  return {
    ...demand,
    podSets: demand.podSets.map((set) => ({
      ...set,
      ladder: { ...set.ladder, steps: set.ladder.steps.filter(keeps) },
    })),
  };
}

function patient(demand: Demand, ms: number): Demand {
  return {
    ...demand,
    podSets: demand.podSets.map((set) => ({
      ...set,
      ladder: { ...set.ladder, maxProvisioningMs: Math.max(ms, set.ladder.maxProvisioningMs) },
    })),
  };
}
