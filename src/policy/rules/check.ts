import type { ClusterFacts, Diagnostic, Intent, Severity } from "../../model/index.ts";
import type { Workload } from "../../workloads/index.ts";
import type { Catalogue } from "../types.ts";
import { rules } from "./table.ts";
import type { Rule, RuleContext } from "./types.ts";

export interface RuleInput {
  readonly workload: Workload;
  /** By pod set name; sets without a class are not judged. */
  readonly intents: ReadonlyMap<string, Intent>;
  readonly catalogue: Catalogue;
  readonly facts: ClusterFacts;
}

/** A rule that was not decided, and why. */
export interface SkippedRule {
  readonly id: string;
  /** Absent for a rule about the whole workload. */
  readonly podSet?: string;
  readonly reason: string;
}

/**
 * What the workload, as it stands, does against the contract of its classes: findings by rule id, then in the order of its pod sets.
 * `code` is the rule's id. A rule that cannot be decided yields nothing here and stands in `skippedRules`.
 */
export function checkRules(input: RuleInput): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const { rule, context, severity } of asked(input)) {
    if (severity === "off" || rule.undecidable?.(context) !== undefined) continue;
    for (const { message, hint, path } of rule.check(context)) {
      const podSet = rule.scope === "podSet" ? { podSet: context.set.name } : {};
      findings.push({
        code: rule.id,
        severity,
        message: oneLine(message),
        hint: oneLine(hint ?? rule.remedy),
        path,
        ...podSet,
      });
    }
  }
  return findings;
}

/** Rules that say nothing because an object was not read, or because the class turned them off. */
export function skippedRules(input: RuleInput): readonly SkippedRule[] {
  return asked(input).flatMap(({ rule, context, severity }) => {
    const reason = severity === "off" ? `turned off by class ${context.intent.className}` : rule.undecidable?.(context);
    if (reason === undefined) return [];
    return [{ id: rule.id, ...(rule.scope === "podSet" ? { podSet: context.set.name } : {}), reason }];
  });
}

function asked(input: RuleInput): readonly { rule: Rule; context: RuleContext; severity: Severity | "off" }[] {
  const classed = input.workload.podSets.flatMap((set): RuleContext[] => {
    const intent = input.intents.get(set.name);
    return intent === undefined ? [] : [{ ...input, set, intent }];
  });
  const firsts = classed.filter(
    ({ intent }, index) => classed.findIndex((one) => one.intent.className === intent.className) === index,
  );
  return rules.flatMap((rule) =>
    (rule.scope === "podSet" ? classed : firsts).map((context) => {
      const changed = context.intent.contract.admission.rules;
      const severity = Object.hasOwn(changed, rule.id) ? (changed[rule.id] ?? rule.severity) : rule.severity;
      return { rule, context, severity };
    }),
  );
}

const MAX_LENGTH = 800;

/** Messages quote what users wrote, which may hold line breaks or be of any length. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, " ");
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH)} ... (cut).`;
}
