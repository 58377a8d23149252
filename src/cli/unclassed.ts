import { type AdmissionContext, judge } from "../admission/index.ts";
import {
  APPLIED_ANNOTATION,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  type Diagnostic,
  INTENT_ANNOTATION,
  type Path,
  RENEW_ANNOTATION,
} from "../model/index.ts";
import { asksForDevice } from "../policy/index.ts";
import { readWorkload } from "../workloads/index.ts";
import type { Manifest } from "./manifests.ts";

const KNOWN: ReadonlySet<string> = new Set([
  CLASS_ANNOTATION,
  INTENT_ANNOTATION,
  RENEW_ANNOTATION,
  DECISION_ANNOTATION,
  APPLIED_ANNOTATION,
]);

/**
 * What no webhook would tell, since it is never called: an annotation of ours that does not exist (a misspelt class would otherwise
 * pass in silence), and a workload that asks for a device and names no class.
 */
export function unclassedFindings(manifest: Manifest, context: AdmissionContext): readonly Diagnostic[] {
  const workload = readWorkload(manifest.object, context.catalogue.kinds);
  if (workload === undefined) return [];
  const own: readonly (readonly [Path, Readonly<Record<string, string>>])[] = [
    [["metadata", "annotations"], workload.annotations],
    ...workload.podSets.map((set) => [[...set.path, "metadata", "annotations"], set.pod.annotations] as const),
  ];
  const unknown = own.flatMap(([path, annotations]) =>
    Object.keys(annotations).flatMap((key): Diagnostic[] =>
      !key.startsWith("plimsoll.dev/") || KNOWN.has(key)
        ? []
        : [
            {
              code: "UnknownAnnotation",
              severity: "warning",
              message: `There is no annotation ${key}, so it does nothing.`,
              hint: `To name a class write ${CLASS_ANNOTATION}.`,
              path: [...path, key],
              source: manifest.position([...path, key]),
            },
          ],
    ),
  );
  const judged = judge(manifest.object, context, { suggestions: false });
  const asks = workload.root && workload.podSets.some((set) => asksForDevice(set).form !== "none");
  if (judged.judged || judged.why !== "no class" || !asks) return unknown;
  return [
    ...unknown,
    {
      code: "Unclassed",
      severity: "info",
      message: `${workload.key.kind} ${workload.key.name || workload.generateName || ""} asks for a device and names no class, so nothing about it was checked.`,
      hint: `Name one in the annotation ${CLASS_ANNOTATION}.`,
      source: manifest.position([]),
    },
  ];
}
