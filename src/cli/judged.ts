import { type AdmissionContext, type Judgement, judge } from "../admission/index.ts";
import type { Diagnostic } from "../model/index.ts";
import type { Workload } from "../workloads/index.ts";
import type { Manifest } from "./manifests.ts";

/** One workload of the input and what creating it would come to. */
export interface Judged {
  readonly manifest: Manifest;
  readonly judgement: Extract<Judgement, { readonly judged: true }>;
  /** As severe as the modes of the classes make them, as at the API server (but for what is of the moment); each where it stands in the file. */
  readonly findings: readonly Diagnostic[];
  readonly refused: boolean;
}

/** What was not asked is no finding: without a cluster the commands say once that capacity was skipped. */
const NOT_ASKED = "DataMissing";

/**
 * Whoever applies a workload is warned that it waits though something fits now. To a pipeline that is no fault of the manifest: its class chose the
 * order, and what is free changes by the minute.
 */
const OF_THE_MOMENT = "FallbackFits";

/** Undefined for what no webhook would judge. */
export function judgeManifest(manifest: Manifest, context: AdmissionContext, suggestions: boolean): Judged | undefined {
  const judgement = judge(manifest.object, context, { suggestions });
  if (!judgement.judged) return undefined;
  const asked = judgement.findings.filter(({ code }) => context.topology !== undefined || code !== NOT_ASKED);
  const denials = new Set(judgement.denials);
  const warnings = new Set(judgement.warnings);
  const isWarned = (one: Diagnostic): boolean => warnings.has(one) && one.code !== OF_THE_MOMENT;
  const findings = asked.map((one) => ({
    ...one,
    severity: denials.has(one) ? ("error" as const) : isWarned(one) ? ("warning" as const) : ("info" as const),
    source: manifest.position(one.path ?? []),
  }));
  return { manifest, judgement, findings, refused: findings.some(({ severity }) => severity === "error") };
}

/** `Job team-a/train`; a generated name ends in an asterisk, and what stands in no namespace has none. */
export function workloadName({ key, generateName }: Workload): string {
  const namespace = key.namespace === "" ? "" : `${key.namespace}/`;
  return `${key.kind} ${namespace}${key.name || `${generateName ?? ""}*`}`;
}
