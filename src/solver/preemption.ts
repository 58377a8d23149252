import type { Reason } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";
import { attempt, type Supply } from "./attempt.ts";
import { type Board, boardFor } from "./board.ts";
import type { Budget } from "./budget.ts";
import { leansOn } from "./company.ts";
import { isSameWorkload } from "./context.ts";
import { sparing } from "./disruption.ts";
import { fieldFor } from "./field.ts";
import { type Shape, schedulersText } from "./shape.ts";
import { every, joined, list, plural } from "./text.ts";
import { HOST_LABEL } from "./topology-index.ts";
import { type DeviceUsage, type Usage, usageFor } from "./usage.ts";
import type { World } from "./world.ts";

/** Do the shapes find their places where this is in use. */
type Tries = (some: readonly Shape[], usage: Usage) => boolean;
/** Do they once these pods are gone. */
type Frees = (some: readonly Shape[], gone: (pod: PodFacts) => boolean) => boolean;

/**
 * Would the scheduler make room by itself. It takes pods of lower priority away, for as long as something that they hold by count (cpu,
 * memory, extended resources of a device plugin, ports) is what is missing; devices of claims it never frees. It keeps to
 * PodDisruptionBudgets where it can, and breaks them where nothing else helps. `board` is the one of the nominal supply: its nodes could
 * take the pods when empty.
 */
export function preemption(
  world: World,
  shapes: readonly Shape[],
  supply: Pick<Supply, "index" | "kinds">,
  board: Board,
  budget: Budget,
): readonly Reason[] {
  const foreign = shapes.filter(({ scheduler }) => scheduler !== undefined);
  const reason = (message: string, preempts: "yes" | "no" | "unknown", budgets?: string): readonly Reason[] => [
    { code: "Preemption", message, data: { preempts, ...(budgets === undefined ? {} : { budgets }) } },
  ];
  if (foreign.length > 0)
    return reason(`what ${schedulersText(foreign)} preempts is for its own rules to say, and is not judged`, "unknown");
  const preempting = shapes.filter(({ set }) => set.pod.preempts);
  const patient = shapes.filter(({ set }) => !set.pod.preempts);
  if (preempting.length === 0) return reason("the priority class of this workload never preempts", "no");
  const tries: Tries = (some, usage) =>
    attempt({ ...supply, numa: world.numa, usage, nominal: false, hopeful: false }, some, budget).result.kind ===
    "found";
  const byCount: Supply = { ...supply, usage: world.usage, nominal: false, hopeful: false };
  if (world.numa !== undefined && attempt(byCount, shapes, budget).result.kind === "found")
    return reason(
      "kube-scheduler, which does not look at NUMA nodes, sees room for all of it and so preempts no pod",
      "no",
    );
  if (patient.length > 0 && !tries(patient, world.usage))
    return reason(`the priority class of ${joined(patient.map(({ name }) => name))} never preempts`, "no");
  const ranks = preempting.map(({ set }) => set.pod.priority);
  const [priority, highest] = [Math.min(...ranks), Math.max(...ranks)];
  const isLower = (pod: PodFacts): boolean => pod.priority < priority;
  const frees: Frees = (some, gone) => tries(relieved(world, some, gone), without(world, gone));
  const devices = shapes.some((shape) => shape.devices.length + shape.extended.length > 0);
  const makes = (below: number, wide = false) => roomMade(world, shapes, tries, budget, below, wide);
  const made = makes(priority);
  if (made !== undefined && shapes.some((shape) => leansOn(world.index, shape, made.goes)))
    return reason(
      `pods of a priority below ${priority} are among those that these have to stand with (required pod affinity), and whether kube-scheduler takes others away is not judged`,
      "unknown",
    );
  if (made !== undefined) {
    const harm = harmDone(world, shapes, made.victims, frees, budget);
    const tenants = tenantsOf(made.victims);
    return reason(
      `kube-scheduler would preempt pods of a priority below ${priority} to make room (${list(tenants)} ${tenants.length === 1 ? "has" : "have"} such pods)${harm.text}`,
      "yes",
      harm.budgets,
    );
  }
  if (highest > priority && makes(highest) !== undefined)
    return reason(
      `its pod sets are of unlike priorities, ${priority} to ${highest}: the highest may preempt pods that the others may not, and whether that makes room for all of them is not judged`,
      "unknown",
    );
  // It takes pods away node by node, so where several keep others off a zone, it never takes all of them.
  if (shapes.some(isKeptOffWidely) && makes(priority, true) !== undefined)
    return reason(
      `pods of a priority below ${priority} stand between these and more than their own nodes (required anti-affinity), and whether kube-scheduler takes them away is not judged`,
      "unknown",
    );
  // With the devices of claims free as well it would fit, so they are what stays missing.
  if (devices && tries(relieved(world, shapes, isLower), freed(without(world, isLower), board)))
    return reason("the scheduler never preempts pods to free devices of claims", "no");
  if (budget.exhausted) return [];
  const { count, anybody } = lowerOn(world, board, priority);
  // Nodes are cordoned, say, and no pod stands where it could: there is nobody to speak of.
  if (!anybody) return [];
  return count === 0
    ? reason("no pod there has a lower priority than this workload, so the scheduler preempts none", "no")
    : reason(
        `preempting ${every(count, "pod")} of a priority below ${priority} there would not make enough room`,
        "no",
      );
}

const without = ({ index, demand, context }: World, gone: (pod: PodFacts) => boolean): Usage =>
  usageFor(index, demand, context, gone);

const isKeptOffWidely = ({ apart, company }: Shape): boolean =>
  [...apart.barred.keys(), ...company.barred.keys()].some((key) => key !== HOST_LABEL);

/**
 * Who is taken away keeps nobody off any longer. kube-scheduler looks at the pods of one node at a time, so a domain wider than that opens where it is
 * not closed by others as well: that is not followed, and only `wide` counts on it.
 */
function relieved(
  world: World,
  shapes: readonly Shape[],
  gone: (pod: PodFacts) => boolean,
  wide = false,
): readonly Shape[] {
  return shapes.map((shape) => {
    const { set, step, apart, company } = shape;
    if (apart.barred.size === 0 && company.barred.size === 0) return shape;
    return world.shape(set, step, (pod, key) => (wide || key === HOST_LABEL) && gone(pod) && !pod.nominated);
  });
}

/** As if no claim had any device. */
function freed(usage: Usage, { field }: Board): Usage {
  const { used } = usage.devices();
  const devices: DeviceUsage = {
    used: used.map(() => 0),
    touched: new Set(field.index.topology.nodes.keys()),
    shares: new Map(),
  };
  return { ...usage, devices: () => devices };
}

/** Who makes room by going. */
interface Made {
  readonly victims: readonly PodFacts[];
  /** These, and those that only wait for a node and give way. */
  readonly goes: (pod: PodFacts) => boolean;
}

/**
 * Is there room once pods of a priority below are taken away. For a pod it takes others from a node alone where the pod has room once all of a lower
 * priority are gone from there (SelectVictimsOnNode): who stands elsewhere stays, also where it keeps the pod off a whole zone. For a PodGroup it begins
 * with all of them gone from every node.
 *
 * 1. bound: with all of them gone from everywhere;
 * 2. whose: those on nodes that open so for a set that preempts;
 * 3. again, where others stay, with these alone gone.
 */
function roomMade(
  world: World,
  shapes: readonly Shape[],
  tries: Tries,
  budget: Budget,
  below: number,
  wide: boolean,
): Made | undefined {
  const { topology, demand, index } = world;
  const isLower = (pod: PodFacts): boolean => pod.priority < below;
  const [free, usage] = [relieved(world, shapes, isLower, wide), without(world, isLower)];
  if (!tries(free, usage)) return undefined;
  const preempting = free.filter(({ set }) => set.pod.preempts);
  const field = fieldFor(index, usage, preempting, [], { nominal: false, hopeful: false });
  const { cap } = boardFor(field, preempting, budget);
  const rooms = preempting.map((_, number) => cap(number));
  const anywhere = wide && preempting.every(isGrouped);
  const victims: PodFacts[] = [];
  let stays = false;
  for (let row = 0; row < field.existing; row += 1) {
    const opens = anywhere || rooms.some((room) => (room[row] ?? 0) > 0);
    for (const pod of topology.podsOn[row] ?? []) {
      if (!isLower(pod) || pod.nominated || isSameWorkload(pod.root, demand.workload)) continue;
      if (opens) victims.push(pod);
      else stays = true;
    }
  }
  if (victims.length === 0) return undefined;
  if (!stays) return { victims, goes: isLower };
  const taken = new Set(victims);
  const goes = (pod: PodFacts): boolean => taken.has(pod) || (pod.nominated && isLower(pod));
  return tries(relieved(world, shapes, goes, wide), without(world, goes)) ? { victims, goes } : undefined;
}

const isGrouped = ({ set }: Shape): boolean => set.placement.keptBy === "podGroup";

const tenantsOf = (pods: readonly PodFacts[]): readonly string[] =>
  [...new Set(pods.map(({ tenant }) => tenant))].sort();

/** Pods of a lower priority on nodes that could take the workload's; does any pod of others stand there at all. */
function lowerOn(
  { topology, demand }: World,
  { field, shapes, cap }: Board,
  priority: number,
): { readonly count: number; readonly anybody: boolean } {
  const rooms = shapes.map((_, number) => cap(number));
  let [count, anybody] = [0, false];
  for (let row = 0; row < field.existing; row += 1) {
    if (rooms.every((room) => (room[row] ?? 0) === 0)) continue;
    for (const pod of topology.podsOn[row] ?? []) {
      if (isSameWorkload(pod.root, demand.workload)) continue;
      anybody = true;
      if (!pod.nominated && pod.priority < priority) count += 1;
    }
  }
  return { count, anybody };
}

interface Harm {
  readonly text: string;
  /** `broken`: whatever it chooses; `endangered`: some choices break one; `unread`. */
  readonly budgets?: "broken" | "endangered" | "unread";
}

/**
 * Can it make room without breaking a PodDisruptionBudget. For one pod it counts the pods of each node by themselves, for a PodGroup those of all
 * nodes together. Pods that preempt one after another are in between: each looks at nodes by themselves, and finds less allowed than the last.
 */
function harmDone(
  world: World,
  shapes: readonly Shape[],
  victims: readonly PodFacts[],
  frees: Frees,
  budget: Budget,
): Harm {
  const { facts } = world.topology;
  if (facts.unread?.has("PodDisruptionBudget") === true)
    return {
      text: "; a PodDisruptionBudget could not be read, so whether it breaks one is not known",
      budgets: "unread",
    };
  if (!facts.known.has("PodDisruptionBudget"))
    return { text: "; PodDisruptionBudgets were not given, so whether it breaks one is not known", budgets: "unread" };
  const together = sparing(facts, victims);
  if (together.broken.size === 0) return NO_HARM;
  const apart = sparingByNode(facts, victims);
  const fits = (free: ReadonlySet<PodFacts>): boolean => frees(shapes, (pod) => free.has(pod));
  const lone = shapes.reduce((sum, { required }) => sum + required, 0) === 1;
  const grouped = shapes.every(isGrouped);
  if (fits((lone ? apart : together).free)) return NO_HARM;
  const names = new Map([...together.broken, ...apart.broken]);
  const told = list([...names].map(([id, allowed]) => `${id} (${allowedText(allowed)})`).sort());
  const noun = names.size === 1 ? "PodDisruptionBudget" : "PodDisruptionBudgets";
  if ((!lone && !grouped && fits(apart.free)) || budget.exhausted)
    return { text: `, and may break the ${noun} ${told} to do so`, budgets: "endangered" };
  return {
    text: `, and cannot but break the ${noun} ${told}, which does not keep it from doing so`,
    budgets: "broken",
  };
}

const NO_HARM: Harm = { text: "" };

function sparingByNode(facts: World["topology"]["facts"], victims: readonly PodFacts[]): ReturnType<typeof sparing> {
  const nodes = new Map<string | undefined, PodFacts[]>();
  for (const pod of victims) nodes.set(pod.node, [...(nodes.get(pod.node) ?? []), pod]);
  const parts = [...nodes.values()].map((pods) => sparing(facts, pods));
  return {
    free: new Set(parts.flatMap(({ free }) => [...free])),
    broken: new Map(parts.flatMap(({ broken }) => [...broken])),
  };
}

const allowedText = (allowed: number): string =>
  allowed <= 0 ? "no disruption allowed now" : `${plural(allowed, "disruption")} allowed now`;
