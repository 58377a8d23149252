import {
  type Answer,
  type Decision,
  type Demand,
  type Intent,
  RENEW_ANNOTATION,
  type Rung,
  type SetDecision,
} from "../model/index.ts";
import { buildDemand, demandDigest, intentsIf } from "../policy/index.ts";
import type { SolveContext } from "../solver/index.ts";
import { podsOfRoot } from "../topology/index.ts";
import { editable, fieldPath, type PodField, type PodSet, type Workload } from "../workloads/index.ts";
import { alignedAnyhow } from "./aligned.ts";
import { ask, sharedRungs } from "./ask.ts";
import { changeOf, entryOf, isSame, renewed } from "./compare.ts";
import { type AdmissionContext, factsOf } from "./context.ts";
import { unknownOwner } from "./roots.ts";
import { allowedStep, rungsToSkip, sameRung, withoutRungs } from "./rungs.ts";
import { outerOf, steerOf } from "./steer.ts";
import { isFrozen, type Subject } from "./subject.ts";

/** What is to stand on the workload: an entry for each classed pod set, and which of them keep the old object's edits verbatim. */
export interface Plan {
  readonly decision: Decision;
  readonly standing: ReadonlySet<string>;
  readonly demand: Demand;
  readonly answer: Answer | undefined;
}

/** A new workload is solved whole, whatever stamp came along. `id` names companions where the object has no name yet. */
export function decideNew(
  subject: Subject,
  context: AdmissionContext,
  id: string | undefined,
  suggestions: boolean,
): Plan & { readonly answer: Answer } {
  const demand = demandOf(subject, context);
  if (seenInPart(subject, context)) {
    const answer = partialAnswer();
    return { demand, answer, standing: new Set(), decision: entries(subject, demand, answer, context, id) };
  }
  const shared = sharedRungs(unknownOwner(subject.base, context.catalogue.kinds), context.holds);
  const { intents } = subject;
  const answer = ask(demand, context, {
    suggestions,
    intents,
    demandIf: demandIf(subject, context),
    ...(shared === undefined ? {} : { fixed: shared }),
  });
  return { demand, answer, standing: new Set(), decision: entries(subject, demand, answer, context, id) };
}

/**
 * What stands, stands: a pod set is decided again only where what the user wrote for it, its class or its intent
 * changed, or where somebody asks; where only the pods and not their demand changed, the rung stays.
 */
export function decideUpdate(subject: Subject, old: Subject, context: AdmissionContext, id: string | undefined): Plan {
  const plan = planUpdate(subject, old, context, id);
  // Mode audit neither adds nor removes: what an earlier mode wrote stays as it is.
  const audited = [...subject.intents.values()].filter(
    ({ contract, podSet }) => contract.admission.mode === "audit" && entryOf(old.decision, podSet) !== undefined,
  );
  return audited.length === 0
    ? plan
    : { ...plan, standing: new Set([...plan.standing, ...audited.map(({ podSet }) => podSet)]) };
}

function planUpdate(subject: Subject, old: Subject, context: AdmissionContext, id: string | undefined): Plan {
  const demand = demandOf(subject, context);
  const standing = new Map<string, SetDecision>();
  const kept = new Map<string, Rung>();
  const asked = new Set<string>();
  const again = new Set<string>();
  const isRenewed = renewed(subject.base, old.base);
  const unsuspending = old.base.suspended && !subject.base.suspended;
  const bound = boundPods(subject.base, context);
  for (const set of subject.base.podSets) {
    const intent = subject.intents.get(set.name);
    const entry = entryOf(old.decision, set.name);
    if (intent === undefined) continue;
    if (isFrozen(set, old.base) || old.base.queue !== undefined) {
      if (entry !== undefined) standing.set(set.name, entry);
      continue;
    }
    const change = changeOf(set, intent, subject.base, old.base, entry);
    const same = entry !== undefined && isSame(change) && !isRenewed;
    const openQuestion =
      entry !== undefined &&
      (entry.rung === "none" || ((entry.verdict === "busy" || entry.verdict === "undecided") && bound === 0));
    const setDemand = demand.podSets.find((one) => one.name === set.name);
    if (same && !openQuestion && !unsuspending) standing.set(set.name, entry);
    else if (same) again.add(set.name);
    else if (entry !== undefined && !openQuestion && !isRenewed && keepsRung(entry, change, setDemand))
      kept.set(set.name, entry.rung as Rung);
    else asked.add(set.name);
  }
  if (asked.size === 0 && again.size === 0) {
    return {
      demand,
      answer: undefined,
      standing: new Set(standing.keys()),
      decision: { ...fromMap(standing), ...reissued(subject, demand, kept, old.decision) },
    };
  }
  const fixed: Record<string, Rung> = Object.create(null);
  for (const [name, entry] of standing) if (entry.rung !== "none") fixed[name] = entry.rung;
  for (const [name, rung] of kept) fixed[name] = rung;
  const answer = seenInPart(subject, context) ? partialAnswer() : ask(demand, context, { suggestions: false, fixed });
  const made = entries(subject, demand, answer, context, id, old.decision);
  const decision: Record<string, SetDecision> = Object.create(null);
  const verbatim = new Set(standing.keys());
  for (const name of [...asked, ...again]) {
    const entry = made[name];
    const before = entryOf(old.decision, name);
    // Asked again on our own account, and nothing new came of it.
    if (again.has(name) && before !== undefined && sameRung(entry?.rung, before.rung)) {
      decision[name] = before;
      verbatim.add(name);
    } else if (entry !== undefined) decision[name] = entry;
  }
  return {
    demand,
    answer,
    standing: verbatim,
    decision: { ...fromMap(standing), ...reissued(subject, demand, kept, old.decision), ...decision },
  };
}

/** Is there a field that an expansion may need and that cannot change any more (claims of a suspended Job). */
export function isPartlyFrozen(set: PodSet, old: Workload): boolean {
  const before = old.podSets.find((one) => one.name === set.name);
  return (
    before !== undefined &&
    EDITED.some((field) => fieldPath(before, field) !== undefined && !editable(before, old, field))
  );
}

const EDITED: readonly PodField[] = [
  "nodeSelector",
  "affinity",
  "tolerations",
  "topologySpreadConstraints",
  "resourceClaims",
  "containerResources",
  "priorityClassName",
  "terminationGracePeriodSeconds",
];

/** One pod of many that an unknown controller makes says nothing about a gang or a shared domain. */
export function seenInPart(subject: Subject, context: AdmissionContext): boolean {
  if (unknownOwner(subject.base, context.catalogue.kinds) === undefined) return false;
  return [...subject.intents.values()].some(
    ({ contract }) =>
      contract.demand.shape === "gang" || (contract.topology !== undefined && contract.topology.unit !== "pod"),
  );
}

export function demandOf(subject: Subject, context: AdmissionContext): Demand {
  const demand = buildDemand(subject.base, subject.intents, context.catalogue, factsOf(context));
  return withoutRungs(demand, rungsToSkip(subject.base.annotations[RENEW_ANNOTATION]));
}

/** What the workload would ask if its classes said a field otherwise. */
export function demandIf(subject: Subject, context: AdmissionContext): NonNullable<SolveContext["demandIf"]> {
  return (field, value, podSets) => {
    const intents = intentsIf(subject.intents, field, value, podSets, context.catalogue);
    return intents === undefined ? undefined : demandOf({ ...subject, intents }, context);
  };
}

function partialAnswer(): Answer {
  return { verdict: "unknown", rungs: {}, chosen: undefined, ladder: [], suggestions: [], choice: [], steps: 0 };
}

function keepsRung(
  entry: SetDecision,
  change: ReturnType<typeof changeOf>,
  set: Demand["podSets"][number] | undefined,
): boolean {
  if (change === undefined || change.className || change.intent || set === undefined || entry.rung === "none")
    return false;
  return demandDigest(set) === entry.demandDigest && allowedStep(set, entry.rung) !== undefined;
}

/** `unknown` and `never` carry no rung: only edits that no rung decides are made. */
function entries(
  subject: Subject,
  demand: Demand,
  answer: Answer,
  context: AdmissionContext,
  id: string | undefined,
  before: Decision = {},
): Readonly<Record<string, SetDecision>> {
  const chosen = answer.verdict !== "unknown" && answer.verdict !== "never";
  const result: Record<string, SetDecision> = Object.create(null);
  for (const set of demand.podSets) {
    const intent = subject.intents.get(set.name);
    if (intent === undefined) continue;
    const steer = steerOf(set, answer, context.topology);
    const outer = outerOf(set, context.topology);
    const name = entryOf(before, set.name)?.id ?? id;
    const anyhow = chosen ? alignedAnyhow(set, answer, context.topology, context.catalogue) : [];
    result[set.name] = {
      ...stamp(intent, set),
      rung: (chosen ? answer.rungs[set.name] : undefined) ?? "none",
      verdict: answer.verdict,
      ...(name === undefined ? {} : { id: name }),
      ...(steer === undefined ? {} : { steer }),
      ...(outer === undefined ? {} : { outer }),
      ...(anyhow.length === 0 ? {} : { alignedAnyhow: anyhow }),
      ...auditOf(intent),
    };
  }
  return result;
}

/** The same rung for pods that changed and whose demand did not. */
function reissued(subject: Subject, demand: Demand, kept: ReadonlyMap<string, Rung>, before: Decision): Decision {
  const result: Record<string, SetDecision> = Object.create(null);
  for (const set of demand.podSets) {
    const intent = subject.intents.get(set.name);
    const entry = entryOf(before, set.name);
    if (intent === undefined || entry === undefined || !kept.has(set.name)) continue;
    const { audit: _audit, ...rest } = entry;
    result[set.name] = { ...rest, ...stamp(intent, set), ...auditOf(intent) };
  }
  return result;
}

function stamp(
  intent: Intent,
  set: Demand["podSets"][number],
): Pick<SetDecision, "className" | "classDigest" | "intentDigest" | "demandDigest"> {
  return {
    className: intent.className,
    classDigest: intent.classDigest,
    intentDigest: intent.intentDigest,
    demandDigest: demandDigest(set),
  };
}

const auditOf = (intent: Intent): Pick<SetDecision, "audit"> =>
  intent.contract.admission.mode === "audit" ? { audit: true } : {};

function boundPods({ key }: Workload, { topology }: AdmissionContext): number {
  const root = { ...key, namespace: key.namespace || "default" };
  return topology === undefined ? 0 : podsOfRoot(topology, root).filter(({ node }) => node !== undefined).length;
}

function fromMap(map: ReadonlyMap<string, SetDecision>): Decision {
  return Object.assign(Object.create(null) as Record<string, SetDecision>, Object.fromEntries(map));
}

/** After a fault: classed and stamped, with nothing chosen. */
export function entriesWithoutRung(subject: Subject, demand: Demand): Readonly<Record<string, SetDecision>> {
  const result: Record<string, SetDecision> = Object.create(null);
  for (const set of demand.podSets) {
    const intent = subject.intents.get(set.name);
    if (intent !== undefined)
      result[set.name] = { ...stamp(intent, set), rung: "none", verdict: "undecided", ...auditOf(intent) };
  }
  return result;
}
