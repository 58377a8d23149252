import { arrayAt, type Json, type JsonObject, stringAt, valueAt } from "./json.ts";
import type { Requirement } from "./requirement.ts";
import { labelSelector } from "./selector.ts";

/** A term of a required pod anti-affinity: pods that it selects do not come to nodes with the same value of the label `key`. Plain data, so that equal ones are one. */
export interface ApartTerm {
  readonly key: string;
  /** Of the pods. */
  readonly labels: readonly Requirement[];
  /** By name; those that `namespaceLabels` selects come on top. */
  readonly namespaces: readonly string[];
  readonly namespaceLabels?: readonly Requirement[];
}

/** Labels without a prefix that controllers give the pods that they make. */
const MADE: ReadonlySet<string> = new Set([
  "controller-uid",
  "job-name",
  "pod-template-hash",
  "controller-revision-hash",
  "pod-template-generation",
]);

/** May a controller add a label of this key to pods whose template lacks it. */
export const mayBeAdded = (key: string): boolean => key.includes("/") || MADE.has(key);

/** Those of a pod in a namespace. The API server has merged `matchLabelKeys` into the selector. */
export function apartTerms(spec: JsonObject, namespace: string): readonly ApartTerm[] {
  const terms = arrayAt(spec, ["affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
  return terms.flatMap((term) => readTerm(term, namespace) ?? []);
}

/** A term of a required pod affinity or anti-affinity. Undefined without a selector: it selects no pod. */
export function readTerm(term: Json, namespace: string): ApartTerm | undefined {
  const key = stringAt(term, ["topologyKey"]) ?? "";
  const labels = labelSelector(valueAt(term, ["labelSelector"]));
  if (key === "" || labels === undefined) return undefined;
  const named = arrayAt(term, ["namespaces"]).filter((one) => typeof one === "string");
  const selector = valueAt(term, ["namespaceSelector"]) ?? undefined;
  const selected = labelSelector(selector);
  return {
    key,
    labels: [...labels.values()],
    namespaces: named.length === 0 && selector === undefined ? [namespace] : named,
    ...(selected === undefined ? {} : { namespaceLabels: [...selected.values()] }),
  };
}
