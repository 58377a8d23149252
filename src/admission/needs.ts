import { arrayAt, type JsonObject, objectAt, stringAt } from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Expansion } from "../translate/index.ts";
import { readWorkload, type Workload } from "../workloads/index.ts";
import { expansionOf } from "./expansion.ts";
import { notRoot } from "./roots.ts";
import { oldSubjectFrom, type Subject } from "./subject.ts";

/** What an admitted root needs beside it. */
export interface Needs {
  /** Before what names them: companions that the object, as it stands, names, and the disruption budgets of its class today. */
  readonly companions: readonly JsonObject[];
  /** false: a pod set of the decision has no class any more, so nothing is said about what it wants. */
  readonly complete: boolean;
  /**
   * Companions that our edits name and that today's catalogue would no longer make (the class was edited since, and what
   * stands, stands): they can be kept, and cannot be made again.
   */
  readonly irreproducible: readonly Named[];
  /** Everything of these kinds that its pods name, whoever wrote it. */
  readonly named: readonly Named[];
}

export interface Named {
  readonly kind: "ResourceClaimTemplate" | "PodGroup" | "ProvisioningRequest";
  readonly name: string;
}

const CONSUMED = "autoscaling.x-k8s.io/consume-provisioning-request";
const NOTHING: Needs = { complete: true, companions: [], irreproducible: [], named: [] };

/**
 * Of a stored object, read from its stamp: nothing is decided. The content is worked out anew from today's catalogue; since names
 * carry the digest of the content, what the object names is what is meant. undefined: no root of ours, or one without a decision.
 * Platform flags are heeded: what nobody here creates is not among the companions.
 */
export function needsOf(
  object: JsonObject,
  known: { readonly catalogue: Catalogue; readonly topology: Topology | undefined },
): Needs | undefined {
  const { catalogue } = known;
  const context = { ...known, holds: [], maxSteps: 0, nowMs: 0 };
  const namespace = stringAt(object, ["metadata", "namespace"]) ?? "";
  const subject = oldSubjectFrom(object, namespace, context);
  if (subject === undefined || notRoot(subject.base) !== undefined) return undefined;
  if (Object.keys(subject.decision).length === 0) return undefined;
  const { life } = subject.base.kind;
  const whole = readWorkload(object, catalogue.kinds, { namespace });
  if (whole === undefined || life === "templateOnly" || life === "derived") return NOTHING;
  const { decision } = subject;
  const expansion = expansionOf(subject, { decision, standing: new Set() }, context, undefined);
  const named = namesIn(whole);
  const flags = catalogue.platform.companions;
  const isMade: Readonly<Record<string, boolean>> = {
    ResourceClaimTemplate: flags.resourceClaimTemplates,
    PodTemplate: flags.podTemplates,
    PodDisruptionBudget: flags.podDisruptionBudgets,
    PodGroup: flags.podGroups,
    ProvisioningRequest: flags.provisioningRequests,
  };
  const isNamed = (one: JsonObject) =>
    named.some(({ kind, name }) => kind === one["kind"] && name === stringAt(one, ["metadata", "name"]));
  const templates = new Set(
    expansion.companions
      .filter((one) => one["kind"] === "ProvisioningRequest" && isNamed(one))
      .flatMap((one) => arrayAt(one, ["spec", "podSets"]).map((set) => stringAt(set, ["podTemplateRef", "name"]))),
  );
  const companions = expansion.companions.filter((one) => {
    const kind = stringAt(one, ["kind"]) ?? "";
    if (isMade[kind] !== true) return false;
    if (kind === "PodDisruptionBudget") return true;
    return kind === "PodTemplate" ? templates.has(stringAt(one, ["metadata", "name"])) : isNamed(one);
  });
  const made = new Set(expansion.companions.map((one) => `${one["kind"]} ${stringAt(one, ["metadata", "name"])}`));
  const ours = new Set(
    [...subject.undone.sets.values()].flatMap(({ found }) =>
      found.flatMap(({ value }) => (typeof value === "string" ? [value] : Object.values(objectAt(value, [])))),
    ),
  );
  const irreproducible = named.filter(
    (one) => ours.has(one.name) && isMade[one.kind] === true && !made.has(`${one.kind} ${one.name}`),
  );
  const complete = Object.keys(decision).every((name) => subject.intents.has(name));
  return { complete, companions, irreproducible, named };
}

/** Claim templates that a final object names and its expansion makes. A maker's own template makes no pods. */
export function templatesOf(
  { object, base }: Subject,
  { companions }: Expansion,
  { kinds, platform }: Catalogue,
): readonly JsonObject[] {
  const made = companions.filter((one) => one["kind"] === "ResourceClaimTemplate");
  if (made.length === 0 || !platform.companions.resourceClaimTemplates || base.kind.life === "templateOnly") return [];
  const whole = readWorkload(object, kinds, { namespace: base.key.namespace });
  const named = new Set(whole === undefined ? [] : namesIn(whole).map(({ kind, name }) => `${kind} ${name}`));
  return made.filter((one) => named.has(`${one["kind"]} ${stringAt(one, ["metadata", "name"])}`));
}

function namesIn(workload: Workload): readonly Named[] {
  const found = new Map<string, Named>();
  const add = (kind: Named["kind"], name: string | undefined) => {
    if (name !== undefined && name !== "") found.set(`${kind} ${name}`, { kind, name });
  };
  for (const { pod } of workload.podSets) {
    for (const claim of arrayAt(pod.spec, ["resourceClaims"]))
      add("ResourceClaimTemplate", stringAt(claim, ["resourceClaimTemplateName"]));
    add("PodGroup", stringAt(pod.spec, ["schedulingGroup", "podGroupName"]));
    if (Object.hasOwn(pod.annotations, CONSUMED)) add("ProvisioningRequest", pod.annotations[CONSUMED]);
  }
  return [...found.values()];
}
