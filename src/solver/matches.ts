import {
  type ApartTerm,
  allows,
  type ClusterFacts,
  mayBeAdded,
  type OwnTerm,
  type Requirement,
} from "../model/index.ts";

/** Does a selector match pods; `maybe`: what decides is not known. */
export type Match = "yes" | "no" | "maybe";
type Labels = Readonly<Record<string, string>>;
const NAMESPACE_NAME = "kubernetes.io/metadata.name";

const labelOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

export const every = (all: readonly Match[]): Match =>
  all.includes("no") ? "no" : all.includes("maybe") ? "maybe" : "yes";

/** Does the term of a pod that runs select pods of this template. */
export function selectsTemplate(term: ApartTerm, facts: ClusterFacts, namespace: string, labels: Labels): Match {
  const within = inNamespace(term, facts, namespace);
  return within === "no" ? "no" : every([within, ...term.labels.map((one) => meetsTheirs(one, labels))]);
}

/** Does the term of a template select this pod of another workload. */
export function selectsOther(term: OwnTerm, facts: ClusterFacts, namespace: string, labels: Labels): Match {
  const within = inNamespace(term, facts, namespace);
  if (within === "no" || !term.labels.every((one) => allows(one, labelOf(labels, one.key)))) return "no";
  const made = (term.made ?? []).map(({ key, same, shared }): Match => {
    if (shared) return same ? "no" : "yes";
    return !same && labelOf(labels, key) === undefined ? "yes" : "maybe";
  });
  return every([within, ...made]);
}

/** Does the term of a template select pods of a template of its own workload. */
export function selectsOwn(term: OwnTerm, facts: ClusterFacts, namespace: string, labels: Labels): Match {
  const within = inNamespace(term, facts, namespace);
  if (within === "no") return "no";
  const made = (term.made ?? []).map(({ same, shared }): Match => (shared ? (same ? "yes" : "no") : "maybe"));
  return every([within, ...term.labels.map((one) => meetsOurs(one, labels)), ...made]);
}

/** Every namespace has its name as a label; what others it has is known where it was read. */
function inNamespace({ namespaces, namespaceLabels }: ApartTerm, facts: ClusterFacts, namespace: string): Match {
  if (namespaces.includes(namespace)) return "yes";
  if (namespaceLabels === undefined) return "no";
  const known = facts.namespace(namespace)?.labels;
  const labels: Labels = { ...known, [NAMESPACE_NAME]: namespace };
  return every(
    namespaceLabels.map((one) => {
      if (known === undefined && one.key !== NAMESPACE_NAME) return "maybe";
      return allows(one, labelOf(labels, one.key)) ? "yes" : "no";
    }),
  );
}

/** A label that a controller may add is of a value of its own: only whether it is there at all is open. */
function meetsTheirs(one: Requirement, labels: Labels): Match {
  const value = labelOf(labels, one.key);
  if (value !== undefined || !mayBeAdded(one.key)) return allows(one, value) ? "yes" : "no";
  if (one.absent) return one.complement ? "yes" : "maybe";
  return one.complement ? "maybe" : "no";
}

/** Its author may know the value that a controller adds. */
function meetsOurs(one: Requirement, labels: Labels): Match {
  const value = labelOf(labels, one.key);
  if (value !== undefined || !mayBeAdded(one.key)) return allows(one, value) ? "yes" : "no";
  return "maybe";
}
