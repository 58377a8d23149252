import {
  type Assignment,
  allowsLabels,
  type Reason,
  type Rung,
  type RungAnswer,
  type Unjudged,
} from "../model/index.ts";
import { unsureApart } from "./apart.ts";
import { assignmentOf } from "./assign.ts";
import type { Attempt } from "./attempt.ts";
import type { Budget } from "./budget.ts";
import { GPU_LABELS, QUOTA_KINDS } from "./ceilings.ts";
import { checkAssignment } from "./checker.ts";
import { contenders } from "./contenders.ts";
import { isSameWorkload } from "./context.ts";
import { followsFirst } from "./first-pod.ts";
import { holdsWith } from "./holds.ts";
import { bugsOf } from "./known-bugs.ts";
import { choicesOf, STRICT } from "./layers.ts";
import { exhausted, jointDoubts } from "./missing.ts";
import { blindToNuma, numaDisagreements } from "./numa-blind.ts";
import { mayOutrun, mayStray } from "./party.ts";
import { poolDiffers } from "./pool-reasons.ts";
import { notGuaranteed } from "./reachable.ts";
import { runsOut } from "./runs-out.ts";
import { type Shape, schedulersText } from "./shape.ts";
import { domainNoun, every, joined, list, plural } from "./text.ts";
import { growthReason } from "./waiting.ts";
import type { World } from "./world.ts";

/** `rack a1`, or `one rack (new nodes of pool a)` where the domain has no name yet. */
const domainText = (level: string, domain: string) =>
  domain.startsWith("new nodes of ") ? `one ${domainNoun(level)} (${domain})` : `${level} ${domain}`;

export type Judged = Omit<RungAnswer, "rungs" | "steps">;

/** The answer where an assignment was found: checked by code that shares nothing with the search, or not given. */
export function fitting(
  world: World,
  shapes: readonly Shape[],
  rungs: Readonly<Record<string, Rung>>,
  now: Attempt,
  budget: Budget,
): Judged {
  const { result, board, stage } = now;
  const assignment = result.kind === "found" ? assignmentOf(board, result) : undefined;
  const doubts = jointDoubts(now);
  if (result.kind === "found" && assignment === undefined && doubts.length > 0 && !budget.exhausted)
    return { ...undecided(...doubts), verdict: "unknown" };
  if (result.kind !== "found" || assignment === undefined) return undecided(exhausted(world));
  const violations = checkAssignment(world.topology, world.demand, rungs, assignment, world.context);
  if (violations.length > 0) return refused(violations);
  const most = holdsWith(board, result, budget);
  const holds: Record<string, number> = Object.create(null);
  const scaled = assignment.newNodes.length > 0;
  const reasons: Reason[] = [];
  for (const [number, shape] of shapes.entries()) {
    const rows = result.counts[number] ?? [];
    const pods = rows.reduce((sum, one) => sum + one.pods, 0);
    const domain = result.domains[number];
    const level = board.field.index.topology.levels[shape.level ?? -1]?.level.name;
    const shared = stageLevel(now, number);
    const where =
      domain === undefined || shared === undefined || shared === "host"
        ? ""
        : `, ${pods === 1 ? "" : "all "}in ${domainText(shared, domain)}`;
    reasons.push({
      code: scaled ? "ScaleUp" : "Fits",
      message:
        pods === 0
          ? `no pod${shape.of} has to run at first`
          : `${plural(pods, "pod")}${shape.of} ${pods === 1 ? "fits" : "fit"} on ${nodesText(now, number)}${where}`,
      data: { podSet: shape.name, pods, nodes: rows.length },
    });
    // One pod shares every level with itself.
    const preferred =
      shape.soft && shape.required > 1 && level !== undefined && (stage.widen === "none" || stage.widen > 0);
    if (preferred) {
      // Where each pod has a node of its own, nodes are what there is too little of; beside other sets no one thing is told.
      const whole = shapes.length > 1 || board.count(number).largest <= 1;
      const want = whole ? "" : runsOut({ ...now, stage: STRICT }, number, { rules: "" }).after(0);
      reasons.push({
        code: "NearestMiss",
        message: `no ${domainNoun(level)} has room for ${shape.unit === "group" ? `each group of ${shape.groupSize} pods` : every(shape.required, "pod")}${shape.of}${want}; the class prefers one and does not require it`,
      });
    }
    const held = most[shape.name] ?? pods;
    holds[shape.name] = shape.set.perNode ? held : Math.min(held, shape.count);
    reasons.push(...countReasons(shape, pods, held, scaled));
  }
  if (!stage.spread)
    reasons.push({ code: "NearestMiss", message: "the pods do not spread as evenly as the class prefers" });
  if (scaled) {
    const used = world.context.pools.filter(({ name }) => assignment.newNodes.some(({ pool }) => pool === name));
    const differing = used.flatMap((pool) => poolDiffers(world, pool));
    reasons.push(
      growthReason(world, assignment.newNodes),
      ...differing,
      ...quotasUnread(world),
      ...keysUnread(world, assignment),
    );
  } else if (shapes.some(({ step }) => step.rung.source === "new"))
    reasons.push({ code: "Fits", message: "no new node is needed" });
  if (!world.topology.known.has("Pod") && world.topology.pods.length === 0)
    reasons.push({
      code: "DataMissing",
      message: "the cluster was given without its pods, so every node counts as empty",
    });
  reasons.push(
    ...otherSchedulers(shapes),
    ...unjudged(world, shapes),
    ...unsureApart(now),
    ...mayStray(now),
    ...mayOutrun(now),
    ...notGuaranteed(world, now, budget.spent),
    ...followsFirst(now),
    ...contenders(world, now),
    ...blindToNuma(world, board, true),
    ...numaDisagreements(world, board, new Set(result.counts.flatMap((counts) => counts.map(({ row }) => row)))),
    ...bugsOf(world, shapes, assignment),
    ...endingUnder(world, now),
  );
  return { verdict: scaled ? "scaleUp" : "fits", reasons, exclusions: [], assignment, holds };
}

/** Quotas that this autoscaler does not keep to. */
function quotasUnread({ topology, context }: World): readonly Reason[] {
  const { kind } = context.platform.autoscaler;
  const names = topology.capacityQuotas.filter(({ enforced }) => enforced).map(({ name }) => name);
  if (names.length === 0 || QUOTA_KINDS.has(kind)) return [];
  return [
    {
      code: "NotJudged",
      message: `CapacityQuota ${list(names)} ${names.length === 1 ? "is" : "are"} not counted, since only Cluster Autoscaler keeps to it, and the platform file has autoscaler ${kind}: if that is wrong, set spec.autoscaler.kind there`,
      data: { quotas: names.length, likely: "no" },
    },
  ];
}

/** What a quota over the new nodes limits and Cluster Autoscaler never counts: a label's value has no slash, so it is no kind of device either. */
function keysUnread({ topology, context, growth }: World, { newNodes }: Assignment): readonly Reason[] {
  if (!QUOTA_KINDS.has(context.platform.autoscaler.kind)) return [];
  const made = growth.rooms.flatMap(({ pool, zones }) =>
    zones.filter(({ zone }) => newNodes.some((one) => one.pool === pool.name && one.zone === zone)),
  );
  const kinds = [...new Set(made.flatMap(({ labels }) => GPU_LABELS.flatMap((key) => labels[key] ?? [])))];
  return topology.capacityQuotas.flatMap(({ name, selector, limits, enforced }): readonly Reason[] => {
    const keys = Object.keys(limits).filter((key) => key.includes("/") || UNCOUNTED.test(key));
    if (!enforced || keys.length === 0 || !made.some(({ labels }) => allowsLabels(selector, labels))) return [];
    const here = kinds.length === 0 ? "" : `, here ${joined(kinds)}`;
    const message = `CapacityQuota ${name} limits ${joined(keys)}, which Cluster Autoscaler does not count, so that bounds nothing: it counts nodes, cpu, memory, and devices under the value of the node's accelerator label${here}`;
    return [{ code: "NotJudged", message, data: { quota: name, likely: "no" } }];
  });
}

const UNCOUNTED = /^(?:ephemeral-storage|storage|pods|hugepages-.*)$/;

/** Room is room for any scheduler; which of it is taken is not. */
function otherSchedulers(shapes: readonly Shape[]): readonly Reason[] {
  const foreign = shapes.filter(({ scheduler }) => scheduler !== undefined);
  if (foreign.length === 0) return [];
  const sets = foreign.length < shapes.length ? ` of ${joined(foreign.map(({ name }) => name))}` : "";
  return [
    {
      code: "OtherScheduler",
      message: `pods${sets} are placed by ${schedulersText(foreign)}, not by kube-scheduler: whether it finds this room is for its own rules to say`,
      data: { schedulers: foreign.map(({ scheduler }) => scheduler ?? "").join() },
    },
  ];
}

/** What the pods require beside what was judged: it may take room away, and never gives any. */
function unjudged({ topology, demand }: World, shapes: readonly Shape[]): readonly Reason[] {
  const bears = ({ beside }: Unjudged): boolean =>
    beside === undefined ||
    topology.pods.some(
      ({ key, labels, node, root }) =>
        node !== undefined &&
        key.namespace === beside.namespace &&
        allowsLabels(beside.labels, labels) &&
        !isSameWorkload(root, demand.workload),
    );
  return shapes.flatMap(({ set, of, name, company }) => {
    const held = (set.pod.unjudged ?? []).filter(bears);
    const texts = (kind: Unjudged["kind"]): readonly string[] => [
      ...new Set(held.flatMap((one) => (one.kind === kind ? [one.text] : []))),
    ];
    const rules = [...new Set([...company.untold, ...texts("affinity")])];
    const volumes = texts("volume");
    const found: Reason[] = [];
    if (rules.length > 0)
      found.push({
        code: "NotJudged",
        message: `the pods${of} require ${joined(rules)}, which ${rules.length === 1 ? "is" : "are"} not judged: kube-scheduler may find less room for them than is counted here`,
        data: { podSet: name },
      });
    if (volumes.length > 0)
      found.push({
        code: "NotJudged",
        message: `${joined(volumes)} may tie the pods${of} to one zone or node, and a node attaches only so many volumes: neither is judged`,
        data: { podSet: name, likely: "no" },
      });
    return found;
  });
}

/** How many nodes, and which of them are there: a rung that may add nodes takes those that exist first. */
function nodesText({ board: { field }, result }: Attempt, number: number): string {
  const rows = (result.kind === "found" && result.counts[number]) || [];
  const fresh = rows.filter(({ row }) => row >= field.existing).length;
  if (fresh === rows.length) return plural(fresh, "new node");
  return `${plural(rows.length, "node")}${fresh > 0 ? `, ${fresh} of them new` : ""}`;
}

/** Runs of unknown length on nodes whose reservation ends some day. */
function endingUnder({ index, context }: World, { board, result }: Attempt): readonly Reason[] {
  const { kinds, kindOf } = board.field;
  return context.pools.flatMap((pool): readonly Reason[] => {
    const { name, end } = pool.reservation ?? {};
    if (end === undefined || result.kind !== "found") return [];
    const members = new Set(pool.members.size === 0 ? [] : index.matching(pool.members));
    const ends = (row: number): boolean => members.has(row) || kinds[kindOf[row] ?? -1]?.pool === pool;
    const under = board.shapes.filter(
      ({ set }, number) => set.runMs === undefined && (result.counts[number] ?? []).some(({ row }) => ends(row)),
    );
    if (under.length === 0) return [];
    const names = joined(under.map((shape) => shape.name));
    return [
      {
        code: "ReservationEnds",
        message: `reservation ${name}, on which ${board.shapes.length === 1 ? "it" : names} would run, ends at ${end}, and nothing says how long the run takes`,
        data: { pool: pool.name, reservation: name ?? "", end },
      },
    ];
  });
}

/** The answer where an assignment does not pass its check. */
export function refused(violations: readonly string[]): Judged {
  return undecided({
    code: "CheckFailed",
    message: `the assignment found does not pass its check: ${list(violations)}`,
    data: { violations: violations.length },
  });
}

function undecided(...reasons: readonly Reason[]): Judged {
  return {
    verdict: "undecided",
    reasons,
    exclusions: [],
    holds: Object.create(null) as Record<string, number>,
  };
}

/** How much of the full size, and of the most there may ever be, holds as well. */
function countReasons(shape: Shape, pods: number, held: number, scaled: boolean): readonly Reason[] {
  if (shape.set.perNode) return [];
  const told = (most: number, when: string): Reason => {
    const fit = Math.min(held, most);
    const some = `${fit === 0 ? "none" : fit} of the ${plural(most, "pod")}`;
    const message = `${when}, ${fit === most ? every(most, "pod") : some}${shape.of} ${fit < 2 ? "fits" : "fit"} ${scaled ? "once the new nodes are there" : "now"}`;
    return { code: "Count", message, data: { podSet: shape.name, fit, count: most } };
  };
  return [
    ...(shape.count > pods ? [told(shape.count, "at full size")] : []),
    ...(shape.peak > shape.count ? [told(shape.peak, "at its peak (rollout or autoscaling)")] : []),
  ];
}

/** Of the domain that all pods of the shape share. */
function stageLevel({ board, stage }: Attempt, number: number): string | undefined {
  const shape = board.shapes[number];
  const level = shape === undefined ? undefined : choicesOf(shape, stage).at(-1)?.level;
  return level === undefined ? undefined : board.field.index.topology.levels[level]?.level.name;
}
