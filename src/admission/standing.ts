import {
  type Answer,
  addTo,
  type Demand,
  type Diagnostic,
  type Hold,
  type JsonObject,
  type ObjectKey,
  type PodSetDemand,
  type Rung,
  requirement,
} from "../model/index.ts";
import type { PodFacts, Topology } from "../topology/index.ts";
import { isFinished, readWorkload } from "../workloads/index.ts";
import { ask } from "./ask.ts";
import { capacityFindings } from "./capacity.ts";
import { entryOf } from "./compare.ts";
import type { AdmissionContext } from "./context.ts";
import { demandOf } from "./decide.ts";
import { holdFor, isIdle } from "./hold.ts";
import { softened } from "./modes.ts";
import { notRoot, unknownOwner } from "./roots.ts";
import { oldSubjectFrom } from "./subject.ts";

/** A decided workload as the watch shows it: what of it still waits for a node, and what that comes to now. */
export interface Standing {
  readonly key: ObjectKey;
  /** Pods that are to run and are bound to no node yet. */
  readonly waiting: number;
  readonly bound: number;
  /** What those pods will take; absent where nothing is to be held. */
  readonly hold: Hold | undefined;
  /** The uid of the controller of unknown kind whose pods follow these rungs. */
  readonly owner: string | undefined;
  readonly rungs: Readonly<Record<string, Rung>>;
  /** Of the pods that wait; absent where none does. */
  readonly answer: Answer | undefined;
  /** What its people should hear: pods wait, and why. Never an error. */
  readonly findings: readonly Diagnostic[];
}

/**
 * Looks again at a root that carries a decision, on the rungs that stand in it: nothing is decided anew. `pods` are those of the workload
 * that exist. `context.holds` must not hold the workload itself. undefined: no classed root, not judged here (exempt, being deleted),
 * without a decision, or finished.
 */
export function standing(
  object: JsonObject,
  pods: readonly PodFacts[],
  context: AdmissionContext,
): Standing | undefined {
  const read = readWorkload(object, context.catalogue.kinds, { namespace: "default" });
  if (read === undefined || notRoot(read) !== undefined || isFinished(read)) return undefined;
  const subject = oldSubjectFrom(object, read.key.namespace, context);
  if (subject === undefined || subject.intents.size === 0 || Object.keys(subject.decision).length === 0)
    return undefined;
  const { base, intents, decision } = subject;
  if (base.kind.life === "templateOnly") return undefined;

  const rungs: Record<string, Rung> = Object.create(null);
  for (const name of intents.keys()) {
    const rung = entryOf(decision, name)?.rung;
    if (rung !== undefined && rung !== "none") rungs[name] = rung;
  }
  const placed = pods.filter(({ node, terminating }) => node !== undefined && !terminating);
  const waiting = waitingDemand(demandOf(subject, context), placed, base.object, context.topology);
  const count = waiting.podSets.reduce((sum, set) => sum + set.count, 0);
  const nothing = {
    key: base.key,
    waiting: count,
    bound: placed.length,
    hold: undefined,
    owner: unknownOwner(base, context.catalogue.kinds),
    rungs,
    answer: undefined,
    findings: [],
  };
  // A rung that was never chosen promises nothing, and what is stopped asks for nothing.
  if (count === 0 || Object.keys(rungs).length === 0 || isIdle(base, intents)) return nothing;

  const [answer, asked] = askWhole(waiting, context, rungs);
  const hold = holdFor({
    workload: base,
    key: base.key,
    demand: asked,
    intents,
    answer,
    nowMs: context.nowMs,
    owner: nothing.owner,
  });
  const held = hold?.placed.reduce((sum, one) => sum + one.pods, 0) ?? 0;
  const findings =
    hold === undefined || (held < count && hold.newNodes.length === 0)
      ? capacityFindings(answer, intents, waiting).map(softened).map(waits(count, placed.length))
      : [];
  return { ...nothing, hold, answer, findings };
}

/** All that wait if they fit together, else those that must hold together, else the answer about all. */
function askWhole(
  waiting: Demand,
  context: AdmissionContext,
  fixed: Readonly<Record<string, Rung>>,
): readonly [Answer, Demand] {
  const whole: Demand = {
    ...waiting,
    podSets: waiting.podSets.map((set) => ({ ...set, required: set.count })),
  };
  const answer = ask(whole, context, { suggestions: false, fixed });
  if (answer.verdict === "fits" || answer.verdict === "scaleUp") return [answer, whole];
  if (waiting.podSets.every((set) => set.required === set.count) || waiting.podSets.every((set) => set.required === 0))
    return [answer, whole];
  const least = ask(waiting, context, { suggestions: false, fixed });
  return least.verdict === "fits" || least.verdict === "scaleUp" ? [least, waiting] : [answer, whole];
}

/**
 * The demand of the pods that are not bound, beside those that are: the name is left out, since a workload's own pods do not count against
 * it and here they do. A unit that shares a domain goes on in the domain where its first pods are.
 */
function waitingDemand(
  demand: Demand,
  placed: readonly PodFacts[],
  object: JsonObject,
  topology: Topology | undefined,
): Demand {
  const left = placed.slice();
  const podSets = demand.podSets.map((set): PodSetDemand => {
    const own: PodFacts[] = [];
    const wanted = set.perNode ? set.count : Math.min(set.count, remaining(object));
    // What no set is like (something else changed it on the way) belongs to the last.
    for (const matches of set === demand.podSets.at(-1) ? [isLike(set), () => true] : [isLike(set)]) {
      for (let index = left.length - 1; index >= 0 && own.length < wanted; index -= 1) {
        const pod = left[index];
        if (pod === undefined || !matches(pod)) continue;
        own.push(pod);
        left.splice(index, 1);
      }
    }
    const count = Math.max(0, wanted - own.length);
    return {
      ...set,
      count,
      required: Math.min(count, Math.max(0, set.required - own.length)),
      peak: count,
      pod: count > 0 ? besides(set, own[0], topology) : set.pod,
    };
  });
  return {
    ...demand,
    workload: { ...demand.workload, name: "" },
    podSets: podSets.filter(({ count, perNode }) => count > 0 && !perNode),
  };
}

/** A Job that has done part of its work needs fewer pods than run at once. */
function remaining(object: JsonObject): number {
  const number = (parent: string, key: string): number | undefined => {
    const at = object[parent];
    const value = typeof at === "object" && at !== null && !Array.isArray(at) ? (at as JsonObject)[key] : undefined;
    return typeof value === "number" ? value : undefined;
  };
  const completions = number("spec", "completions");
  return object["kind"] === "Job" && completions !== undefined
    ? Math.max(0, completions - (number("status", "succeeded") ?? 0))
    : Number.POSITIVE_INFINITY;
}

/** Pods carry no pod set's name; those of one set ask for the same. */
function isLike(set: PodSetDemand): (pod: PodFacts) => boolean {
  const wanted = Object.entries(set.pod.requests);
  return ({ requests }) => wanted.every(([name, amount]) => (requests[name] ?? 0) === amount);
}

function besides(set: PodSetDemand, first: PodFacts | undefined, topology: Topology | undefined): PodSetDemand["pod"] {
  const { placement, pod } = set;
  if (first?.node === undefined || topology === undefined || placement.level === undefined || placement.unit === "pod")
    return pod;
  if (placement.unit === "group" || placement.mode !== "required") return pod;
  const level = topology.levels.find(({ level }) => level.name === placement.level);
  const index = topology.nodeIndex.get(first.node);
  const node = index === undefined ? undefined : topology.nodes[index];
  const key = level?.level.key;
  const value = key === undefined ? undefined : node?.labels[key];
  if (key === undefined || value === undefined) return pod;
  return { ...pod, selection: pod.selection.map((term) => addTo(term, requirement(key, "In", [value]))) };
}

const waits =
  (count: number, bound: number) =>
  (finding: Diagnostic): Diagnostic => ({
    ...finding,
    message: `${count} of ${count + bound} pods ${count === 1 ? "waits" : "wait"}: it ${finding.message}`,
  });
