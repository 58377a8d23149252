import { type ApartTerm, mayBeAdded, readTerm } from "./apart.ts";
import { arrayAt, stringAt } from "./json.ts";
import type { RuleOwner } from "./podrules.ts";
import { requirement } from "./requirement.ts";

/** A term of a pod's own required pod affinity (`near`) or anti-affinity (`apart`). Plain data. */
export interface OwnTerm extends ApartTerm {
  readonly kind: "near" | "apart";
  /** Labels of its match- and mismatchLabelKeys that a controller adds, so that their values are not known yet. */
  readonly made?: readonly MadeLabel[];
}

export interface MadeLabel {
  readonly key: string;
  /** The pods selected have the same value (matchLabelKeys), or another one. */
  readonly same: boolean;
  /** All pods of the workload have one value, and no others have it; else that is open. */
  readonly shared: boolean;
}

/**
 * The terms of a pod's template, with `matchLabelKeys` and `mismatchLabelKeys` merged into the selector as the API server does it: by the labels that
 * the pod has, and never by those that it lacks.
 */
export function ownTerms(owner: RuleOwner): readonly OwnTerm[] {
  const terms: OwnTerm[] = [];
  for (const [field, kind] of FIELDS)
    for (const term of arrayAt(owner.spec, ["affinity", field, "requiredDuringSchedulingIgnoredDuringExecution"])) {
      const read = readTerm(term, owner.namespace);
      if (read === undefined) {
        // Without a selector it selects no pod: nobody is near enough, and nobody is kept off.
        const key = stringAt(term, ["topologyKey"]) ?? "";
        if (kind === "near" && key !== "") terms.push({ kind, key, labels: [], namespaces: [] });
        continue;
      }
      const labels = [...read.labels];
      const made: MadeLabel[] = [];
      for (const same of [true, false])
        for (const key of arrayAt(term, [same ? "matchLabelKeys" : "mismatchLabelKeys"])) {
          if (typeof key !== "string") continue;
          const value = Object.hasOwn(owner.labels, key) ? owner.labels[key] : undefined;
          if (value !== undefined) labels.push(requirement(key, same ? "In" : "NotIn", [value]));
          else if (mayBeAdded(key) || key === owner.sharedLabel)
            made.push({ key, same, shared: key === owner.sharedLabel });
        }
      terms.push({ ...read, kind, labels, ...(made.length === 0 ? {} : { made }) });
    }
  return terms;
}

const FIELDS = [
  ["podAffinity", "near"],
  ["podAntiAffinity", "apart"],
] as const;
