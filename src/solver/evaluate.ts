import { durationText, type Reason, type Rung, type RungAnswer, type Verdict } from "../model/index.ts";
import { assignmentOf } from "./assign.ts";
import { type Attempt, attempt } from "./attempt.ts";
import type { Budget } from "./budget.ts";
import { holdersOf, preemption } from "./busy.ts";
import { checkAssignment } from "./checker.ts";
import { doubtsOf } from "./doubts.ts";
import { holdsAlone, holdsWith } from "./holds.ts";
import { limitsOf } from "./quota.ts";
import { notGuaranteed } from "./reachable.ts";
import { shortfall } from "./reasons.ts";
import { isSlow, type Kind, kindsFor, offers, poolReasons } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { joined, list, plural } from "./text.ts";
import type { World } from "./world.ts";

type Partial = Omit<RungAnswer, "rungs" | "steps">;

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
): RungAnswer {
  const before = budget.spent;
  const rungs: Record<string, Rung> = Object.create(null);
  for (const shape of shapes) rungs[shape.name] = shape.step.rung;
  const placed = withLimits(world, shapes, place(world, shapes, rungs, budget, alone));
  return { rungs, ...placed, steps: budget.spent - before };
}

function place(
  world: World,
  shapes: readonly Shape[],
  rungs: Readonly<Record<string, Rung>>,
  budget: Budget,
  alone: (number: number) => boolean,
): Partial {
  const faults = shapes.flatMap((shape) => shape.faults);
  const hopeless = faults.filter(({ verdict }) => verdict === "never");
  if (hopeless.length > 0)
    return bare(
      "never",
      hopeless.map(({ reason }) => reason),
    );
  const missing = dataMissing(world, shapes);
  if (missing.length > 0) return bare("unknown", missing);
  const kinds = kindsFor(world.topology, world.rooms, shapes, { late: false, unpromised: false });
  // New nodes only where the existing ones do not do.
  const standing = kinds.length === 0 ? undefined : look(world, shapes, [], { nominal: false, hopeful: false }, budget);
  const now =
    standing?.result.kind === "found"
      ? standing
      : look(world, shapes, kinds, { nominal: false, hopeful: false }, budget);
  const unknowns = [...faults.map(({ reason }) => reason), ...selectorFaults(now)];
  if (now.result.kind === "found")
    return unknowns.length > 0 ? bare("unknown", unknowns) : fitting(world, shapes, rungs, now, budget);
  const told = shortfall(now, alone);
  const holds = holdsAlone(now.board, now.stage, budget);
  const pools = shapes.flatMap((shape) => poolReasons(world.rooms, shape));
  const because = (verdict: Verdict, reasons: readonly Reason[]): Partial => ({
    verdict,
    reasons: distinct([...reasons, ...told.reasons, ...pools]),
    exclusions: told.exclusions,
    holds,
  });
  const undecided = () => because("undecided", [exhausted(world)]);
  if (now.result.kind === "out") return undecided();

  const doubts = [...unknowns, ...doubtsOf(now.board, now.stage)];
  if (doubts.length > 0) {
    const hope = look(world, shapes, kinds, { nominal: false, hopeful: true }, budget);
    if (hope.result.kind === "found") return because("unknown", shortened(doubts));
    if (hope.result.kind === "out") return undecided();
  }

  const allKinds = kindsFor(world.topology, world.rooms, shapes, { late: true, unpromised: false });
  if (allKinds.some(({ slow }) => slow)) {
    const late = look(world, shapes, allKinds, { nominal: false, hopeful: false }, budget);
    if (late.result.kind === "out") return undecided();
    if (late.result.kind === "found")
      return because(unknowns.length > 0 ? "unknown" : "busy", [...unknowns, ...tooSlow(world, shapes)]);
  }

  const mostKinds = kindsFor(world.topology, world.rooms, shapes, { late: true, unpromised: true });
  const nominal = look(world, shapes, mostKinds, { nominal: true, hopeful: false }, budget);
  if (nominal.result.kind === "out") return undecided();
  if (nominal.result.kind === "found") {
    if (unknowns.length > 0) return because("unknown", shortened(unknowns));
    const reasons = [
      ...holdersOf(world, nominal.board),
      ...preemption(world, shapes, { index: world.index, kinds: allKinds }, budget),
    ];
    const busy = because("busy", []);
    return { ...busy, reasons: distinct([...busy.reasons, ...reasons]) };
  }
  const remaining = [...unknowns, ...doubtsOf(nominal.board, nominal.stage)];
  if (remaining.length > 0) {
    const hope = look(world, shapes, mostKinds, { nominal: true, hopeful: true }, budget);
    if (hope.result.kind === "found") return because("unknown", shortened(remaining));
    if (hope.result.kind === "out") return undecided();
  }
  const partial = incomplete(world, shapes);
  return partial.length > 0 ? because("unknown", partial) : because("never", []);
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
  const key =
    kinds.length > 0 ? undefined : `${how.nominal}|${how.hopeful}|${shapes.map((shape) => shape.key).join("|")}`;
  const known = key === undefined ? undefined : looks.get(key);
  if (known !== undefined) {
    const enough = budget.spend(known.steps);
    return enough ? known.attempt : { ...known.attempt, result: { kind: "out" } };
  }
  const before = budget.spent;
  const fresh = attempt({ index, usage, kinds, ...how }, shapes, budget);
  if (key !== undefined && fresh.result.kind !== "out")
    looks.set(key, { attempt: fresh, steps: budget.spent - before });
  return fresh;
}

function bare(verdict: Verdict, reasons: readonly Reason[]): Partial {
  return { verdict, reasons: distinct(reasons), exclusions: [], holds: Object.create(null) as Record<string, number> };
}

/** The answer where an assignment was found: checked by code that shares nothing with the search, or not given. */
function fitting(
  world: World,
  shapes: readonly Shape[],
  rungs: Readonly<Record<string, Rung>>,
  now: Attempt,
  budget: Budget,
): Partial {
  const { result, board, stage } = now;
  const assignment = result.kind === "found" ? assignmentOf(board, result) : undefined;
  if (result.kind !== "found" || assignment === undefined) return bare("undecided", [exhausted(world)]);
  const violations = checkAssignment(world.topology, world.demand, rungs, assignment, world.context);
  if (violations.length > 0)
    return bare("undecided", [
      {
        code: "BudgetExhausted",
        message: `the assignment found does not pass its check: ${list(violations)}`,
        data: { violations: violations.length },
      },
    ]);
  const holds = holdsWith(board, result, stage, budget);
  const scaled = assignment.newNodes.length > 0;
  const reasons: Reason[] = [];
  for (const [number, shape] of shapes.entries()) {
    const rows = result.counts[number] ?? [];
    const pods = rows.reduce((sum, one) => sum + one.pods, 0);
    const domain = result.domains[number];
    const level = board.field.index.topology.levels[shape.level ?? -1]?.level.name;
    const where =
      domain === undefined || level === undefined || level === "host"
        ? ""
        : `, all in ${stageLevel(now, number) ?? level} ${domain}`;
    reasons.push({
      code: scaled ? "ScaleUp" : "Fits",
      message: `${plural(pods, "pod")} of ${shape.name} fit on ${plural(rows.length, "node")}${where}`,
      data: { podSet: shape.name, pods, nodes: rows.length },
    });
    const preferred = shape.soft && level !== undefined && (stage.widen === "none" || stage.widen > 0);
    if (preferred)
      reasons.push({
        code: "NearestMiss",
        message: `no ${level} has room for all of ${shape.name}, which the class prefers but does not require`,
      });
    const most = holds[shape.name] ?? pods;
    if (shape.count > pods && !shape.set.perNode)
      reasons.push({
        code: "Count",
        message: `${most} of the ${plural(shape.count, "pod")} of ${shape.name} at full size fit now`,
        data: { podSet: shape.name, fit: most, count: shape.count },
      });
  }
  if (!stage.spread)
    reasons.push({ code: "NearestMiss", message: "the pods do not spread as evenly as the class prefers" });
  if (scaled) reasons.push(scaleText(world, assignment.newNodes));
  if (!world.topology.known.has("Pod") && world.topology.pods.length === 0)
    reasons.push({
      code: "DataMissing",
      message: "the cluster was given without its pods, so every node counts as empty",
    });
  reasons.push(...notGuaranteed(world, now));
  return { verdict: scaled ? "scaleUp" : "fits", reasons, exclusions: [], assignment, holds };
}

function stageLevel({ board, stage }: Attempt, number: number): string | undefined {
  const level = board.shapes[number]?.level;
  if (level === undefined || stage.widen === "none") return undefined;
  const soft = board.shapes[number]?.soft === true;
  return board.field.index.topology.levels[soft ? level - stage.widen : level]?.level.name;
}

function scaleText(
  world: World,
  nodes: readonly { readonly pool: string; readonly zone: string; readonly count: number }[],
): Reason {
  const parts = nodes.map(
    ({ pool, zone, count }) => `pool ${pool} adds ${plural(count, "node")}${zone === "" ? "" : ` in ${zone}`}`,
  );
  const startup = Math.max(
    ...nodes.map(({ pool }) => world.context.pools.find(({ name }) => name === pool)?.startupMs ?? 0),
  );
  const total = nodes.reduce((sum, { count }) => sum + count, 0);
  return {
    code: "ScaleUp",
    message: `${joined(parts)}, which take about ${durationText(startup)} to start`,
    data: { nodes: total, startupMs: startup },
  };
}

/** Quotas and limits: `never` beats every other verdict, `busy` those under which it would run now. */
function withLimits(world: World, shapes: readonly Shape[], placed: Partial): Partial {
  const limits = limitsOf(world, shapes);
  if (limits.length === 0) return placed;
  const reasons = distinct([...limits.map(({ reason }) => reason), ...placed.reasons]);
  const { assignment, ...rest } = placed;
  if (limits.some(({ verdict }) => verdict === "never")) return { ...rest, reasons, verdict: "never" };
  const runs = placed.verdict === "fits" || placed.verdict === "scaleUp";
  return runs ? { ...rest, reasons, verdict: "busy" } : { ...placed, reasons };
}

function dataMissing(world: World, shapes: readonly Shape[]): readonly Reason[] {
  const { topology } = world;
  if (lacksNodes(world) && shapes.some(({ step }) => step.rung.source === "existing")) return [NO_NODES];
  const existing = shapes.filter(({ step, devices }) => step.rung.source === "existing" && devices.length > 0);
  if (existing.length > 0 && topology.devicePools.length === 0 && !topology.known.has("ResourceSlice"))
    return [
      {
        code: "DataMissing",
        message: `the cluster was given without its ResourceSlices, in which the devices that ${existing[0]?.name} asks for stand`,
      },
    ];
  return [];
}

const NO_NODES: Reason = { code: "DataMissing", message: "the cluster was given without its nodes" };

function lacksNodes({ topology }: World): boolean {
  return topology.nodes.length === 0 && !topology.known.has("Node");
}

function selectorFaults({ board }: Attempt): readonly Reason[] {
  return [...(board.devices?.faults ?? [])]
    .sort()
    .slice(0, MAX_DOUBTS)
    .map((message) => ({ code: "SelectorFault", message }));
}

function tooSlow(world: World, shapes: readonly Shape[]): readonly Reason[] {
  return shapes.flatMap((shape) =>
    world.context.pools
      .filter((pool) => offers(pool, shape) && isSlow(pool, shape))
      .map(
        (pool): Reason => ({
          code: "TooSlow",
          message: `pool ${pool.name} takes about ${durationText(pool.startupMs)} to start a node, and the class waits at most ${durationText(shape.set.ladder.maxProvisioningMs)}`,
          data: { pool: pool.name, startupMs: pool.startupMs, maxProvisioningMs: shape.set.ladder.maxProvisioningMs },
        }),
      ),
  );
}

function incomplete(world: World, shapes: readonly Shape[]): readonly Reason[] {
  if (lacksNodes(world)) return [NO_NODES];
  const { supply } = world.context.platform;
  const wantsNew = shapes.some(({ step }) => step.rung.source === "new");
  const parts = [
    ...(supply.nodes === "partial" ? ["nodes"] : []),
    ...(wantsNew && supply.pools === "partial" ? ["pools"] : []),
  ];
  if (parts.length === 0) return [];
  return [
    {
      code: "SupplyIncomplete",
      message: `nothing that is declared could hold it, but the platform says that its ${joined(parts)} are not all declared`,
    },
  ];
}

function exhausted(world: World): Reason {
  return {
    code: "BudgetExhausted",
    message: "the search ran out of steps before it could tell",
    data: { maxSteps: world.context.maxSteps },
  };
}

function shortened(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.slice(0, MAX_DOUBTS);
}

function distinct(reasons: readonly Reason[]): readonly Reason[] {
  return [...new Map(reasons.map((reason) => [`${reason.code}|${reason.message}`, reason])).values()];
}
