import { CLASS_ANNOTATION, type Decision, type Diagnostic, ENROLLED_LABEL, type Intent } from "../model/index.ts";
import { asksForDevice, type ResolvedIntents, resolveIntents } from "../policy/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";
import type { AdmissionCode } from "./codes.ts";
import { type AdmissionContext, factsOf } from "./context.ts";

/** The class that the user names for a pod set: the template's annotation before the object's. */
export function namedClass(workload: Workload, set: PodSet): string | undefined {
  return set.pod.annotations[CLASS_ANNOTATION] ?? workload.annotations[CLASS_ANNOTATION];
}

/**
 * Class and overrides of each pod set. `before`: the old object with its decision, on an update; a class that it took
 * from its namespace's default stands until an annotation says otherwise, and a default never reaches old workloads.
 */
export function classify(
  workload: Workload,
  context: AdmissionContext,
  before: { readonly workload: Workload; readonly decision: Decision } | undefined,
): ResolvedIntents {
  const labels = factsOf(context).namespace(workload.key.namespace)?.labels;
  return resolveIntents(workload, context.catalogue, {
    ...(labels === undefined ? {} : { namespaceLabels: labels }),
    ...(before === undefined ? {} : { standing: standingClasses(before.workload, before.decision) }),
    creating: before === undefined,
  });
}

/** Classes in a decision that no annotation of the object explains: they came from the namespace. */
function standingClasses(workload: Workload, decision: Decision): Readonly<Record<string, string>> {
  const standing: Record<string, string> = Object.create(null);
  for (const set of workload.podSets) {
    const entry = Object.hasOwn(decision, set.name) ? decision[set.name] : undefined;
    if (entry !== undefined && namedClass(workload, set) === undefined) standing[set.name] = entry.className;
  }
  return standing;
}

/**
 * In enrolled namespaces no device is used without a contract: refused at CREATE, and at the update that adds the
 * device or takes the class away. `classedBefore`: does the old object give this pod set a class.
 */
export function enrolment(
  workload: Workload,
  intents: ReadonlyMap<string, Intent>,
  context: AdmissionContext,
  old: { readonly workload: Workload; readonly intents: ReadonlyMap<string, Intent> } | undefined,
): readonly Diagnostic[] {
  const labels = factsOf(context).namespace(workload.key.namespace)?.labels ?? {};
  if (labels[ENROLLED_LABEL] !== "true") return [];
  const code: AdmissionCode = "ClassRequired";
  return workload.podSets
    .filter((set) => !intents.has(set.name) && asksForDevice(set).form !== "none")
    .filter((set) => {
      const before = old?.workload.podSets.find((one) => one.name === set.name);
      return before === undefined || asksForDevice(before).form === "none" || old?.intents.has(set.name) === true;
    })
    .map((set) => ({
      code,
      severity: "error",
      message: `namespace ${workload.key.namespace} is enrolled and this pod set asks for ${deviceText(set)} without a class`,
      hint: `annotate it with ${CLASS_ANNOTATION}: NAME, one of ${[...context.catalogue.classes.keys()].sort().slice(0, 12).join(", ")}`,
      path: ["metadata", "annotations"],
      ...(workload.podSets.length > 1 ? { podSet: set.name } : {}),
    }));
}

function deviceText(set: PodSet): string {
  const asked = asksForDevice(set);
  const resources = Object.entries(asked.resources).map(([name, count]) => `${count} ${name}`);
  if (asked.claims.length > 0)
    resources.push(`${asked.claims.length} resource claim${asked.claims.length === 1 ? "" : "s"}`);
  return resources.length === 0 ? "a device" : resources.join(" and ");
}
