import type { Diagnostic, Intent, Mode } from "../model/index.ts";

/** Findings by what they do to the request. */
export interface Weighed {
  readonly denials: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export const STRICTEST: readonly Mode[] = ["enforce", "warn", "audit"];

/**
 * Modes are per pod set: an error on an `enforce` set refuses, on a `warn` set it warns, on an `audit` set it is only
 * reported. A finding about the whole workload takes the strictest mode of its sets; one about a set without a class
 * (an unknown class, an enrolled namespace) has no mode that could soften it.
 */
export function weigh(findings: readonly Diagnostic[], intents: ReadonlyMap<string, Intent>): Weighed {
  const denials: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  for (const finding of findings) {
    const mode = modeOf(finding, intents);
    if (finding.severity === "error" && mode === "enforce") denials.push(finding);
    else if (finding.severity !== "info" && mode !== "audit") warnings.push(finding);
  }
  return { denials, warnings };
}

/** What the request found already there, or may not be refused for, still warns. */
export function softened(finding: Diagnostic): Diagnostic {
  return finding.severity === "error" ? { ...finding, severity: "warning" } : finding;
}

export function strictest(intents: Iterable<Intent>): Mode | undefined {
  const modes = new Set([...intents].map((intent) => intent.contract.admission.mode));
  return STRICTEST.find((mode) => modes.has(mode));
}

function modeOf(finding: Diagnostic, intents: ReadonlyMap<string, Intent>): Mode {
  if (finding.podSet !== undefined) return intents.get(finding.podSet)?.contract.admission.mode ?? "enforce";
  return strictest(intents.values()) ?? "enforce";
}
