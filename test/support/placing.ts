import { arrayAt, type Json, type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";

/**
 * A replay of what kube-scheduler makes of the affinity in a pod spec, sharing no code with the solver: pods come one after the other, each goes to any node
 * that its node selector, its required node affinity, pod affinity and pod anti-affinity allow, and nothing is taken back. All choices are followed.
 */
export interface Machine {
  /** Selectors over labels that no machine has (of the accelerator, say) count as met. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly room: number;
}

export interface Podlet {
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

/** Where the pods end up, node by pod (undefined: it stays pending), for every order of choices. */
export function outcomes(
  machines: readonly Machine[],
  pods: readonly Podlet[],
): readonly (readonly (number | undefined)[])[] {
  const found = new Map<string, readonly (number | undefined)[]>();
  const place = (placed: readonly (number | undefined)[]): void => {
    const pod = pods[placed.length];
    if (pod === undefined) {
      found.set(JSON.stringify(placed.map((one) => one ?? null)), placed);
      return;
    }
    const open = [...machines.keys()].filter((node) => admits(machines, pods, placed, pod, node));
    if (open.length === 0) place([...placed, undefined]);
    for (const node of open) place([...placed, node]);
  };
  place([]);
  return [...found.values()];
}

function admits(
  machines: readonly Machine[],
  pods: readonly Podlet[],
  placed: readonly (number | undefined)[],
  pod: Podlet,
  node: number,
): boolean {
  const machine = machines[node];
  if (machine === undefined || placed.filter((one) => one === node).length >= machine.room) return false;
  for (const [key, value] of Object.entries(objectAt(pod.spec, ["nodeSelector"])))
    if (machines.some(({ labels }) => key in labels) && machine.labels[key] !== value) return false;
  const wanted = terms(pod, "podAffinity");
  const standing = placed.flatMap((where, index) => {
    const other = pods[index];
    return where === undefined || other === undefined ? [] : [{ pod: other, machine: machines[where] }];
  });
  const same = (key: string, a: Machine | undefined): boolean =>
    machine.labels[key] !== undefined && a?.labels[key] === machine.labels[key];
  const all = (other: Podlet): boolean => wanted.every((term) => term.selects(other.labels));
  const peers = standing.filter(({ pod: other }) => all(other));
  const first = peers.length === 0 && all(pod);
  for (const term of wanted) {
    if (machine.labels[term.key] === undefined) return false;
    if (!first && !peers.some((one) => same(term.key, one.machine))) return false;
  }
  for (const term of terms(pod, "podAntiAffinity"))
    if (standing.some((one) => term.selects(one.pod.labels) && same(term.key, one.machine))) return false;
  return standing.every((one) =>
    terms(one.pod, "podAntiAffinity").every((term) => !term.selects(pod.labels) || !same(term.key, one.machine)),
  );
}

interface Term {
  readonly key: string;
  selects(labels: Readonly<Record<string, string>>): boolean;
}

/** The API server writes the pod's own values of (mis)matchLabelKeys into the selector. */
function terms(pod: Podlet, kind: string): readonly Term[] {
  return arrayAt(pod.spec, ["affinity", kind, REQUIRED]).map((term) => ({
    key: stringAt(term, ["topologyKey"]) ?? "",
    selects(labels) {
      const wanted = Object.entries(objectAt(term, ["labelSelector", "matchLabels"]));
      if (!wanted.every(([key, value]) => labels[key] === value)) return false;
      for (const one of arrayAt(term, ["labelSelector", "matchExpressions"])) if (!holds(one, labels)) return false;
      const own = (list: string): readonly string[] =>
        arrayAt(term, [list]).flatMap((key) => (typeof key === "string" && key in pod.labels ? [key] : []));
      return (
        own("matchLabelKeys").every((key) => labels[key] === pod.labels[key]) &&
        own("mismatchLabelKeys").every((key) => labels[key] !== pod.labels[key])
      );
    },
  }));
}

function holds(expression: Json, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[stringAt(expression, ["key"]) ?? ""];
  if (stringAt(expression, ["operator"]) === "Exists") return value !== undefined;
  throw new Error("an operator that nothing here emits");
}
