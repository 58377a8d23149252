import { mayBeAdded } from "./apart.ts";
import { arrayAt, type Json, type JsonObject, stringAt, valueAt } from "./json.ts";
import { allows, type Requirements } from "./requirement.ts";
import { labelSelector } from "./selector.ts";

type Labels = Readonly<Record<string, string>>;

/** Whose rules these are: the pod as its template has it. */
export interface RuleOwner {
  readonly spec: JsonObject;
  readonly labels: Labels;
  readonly namespace: string;
  /** A label that a controller adds, of one value for all pods of the workload and for no others. */
  readonly sharedLabel?: string | undefined;
}

/** A required rule of a pod about other pods, or a volume, that the solver does not follow. */
export interface Unjudged {
  readonly kind: "affinity" | "volume";
  /** `topologySpreadConstraints over topology.kubernetes.io/zone` */
  readonly text: string;
  /** Followed among pods of its own, and not where others with these labels run already. */
  readonly beside?: { readonly namespace: string; readonly labels: Requirements };
}

const HOSTNAME = "kubernetes.io/hostname";

/** Does the selector of a rule match pods of this template. One by a label that its controller may add counts as matching; none matches nothing. */
export function matchesOwn(selector: Json | undefined, labels: Labels): boolean {
  const requirements = labelSelector(selector);
  if (requirements === undefined) return false;
  return [...requirements.values()].every((one) => {
    const value = Object.hasOwn(labels, one.key) ? labels[one.key] : undefined;
    return allows(one, value) || (value === undefined && mayBeAdded(one.key));
  });
}

/** Does a required anti-affinity keep pods of this template on nodes apart, each from all others. */
export function standsAlone(owner: RuleOwner): boolean {
  const terms = arrayAt(owner.spec, ["affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
  return terms.some(
    (term) => stringAt(term, ["topologyKey"]) === HOSTNAME && isOwn(term, owner) && isWhole(term, owner),
  );
}

/** Have all pods of the template one value of each label by which the term tells pods apart, so far as they have it. */
function isWhole(term: Json, { labels, sharedLabel }: RuleOwner): boolean {
  const keys = (field: string): readonly string[] =>
    arrayAt(term, [field])
      .filter((key) => typeof key === "string")
      .filter((key) => Object.hasOwn(labels, key) || mayBeAdded(key));
  const one = (key: string): boolean => Object.hasOwn(labels, key) || key === sharedLabel;
  return keys("matchLabelKeys").every(one) && keys("mismatchLabelKeys").length === 0;
}

/** What it requires beside resources, labels, taints, and pod affinity and anti-affinity, and the solver does not follow. */
export function unjudgedRules(owner: RuleOwner): readonly Unjudged[] {
  const { spec, labels } = owner;
  const texts: Unjudged[] = [];
  const rule = (text: string): void => void texts.push({ kind: "affinity", text });
  for (const entry of arrayAt(spec, ["topologySpreadConstraints"])) {
    if ((stringAt(entry, ["whenUnsatisfiable"]) || "DoNotSchedule") !== "DoNotSchedule") continue;
    const text = `topologySpreadConstraints over ${stringAt(entry, ["topologyKey"]) ?? ""}`;
    if (matchesOwn(valueAt(entry, ["labelSelector"]), labels)) texts.push(...besideOthers(text, entry, owner));
    else rule(`${text} that count other pods`);
  }
  for (const volume of arrayAt(spec, ["volumes"])) {
    const name = stringAt(volume, ["name"]) ?? "";
    const claim = stringAt(volume, ["persistentVolumeClaim", "claimName"]);
    if (claim !== undefined) texts.push({ kind: "volume", text: `volume ${name} (claim ${claim})` });
    else if (valueAt(volume, ["ephemeral"]) !== undefined) texts.push({ kind: "volume", text: `volume ${name}` });
  }
  return texts;
}

/** Pods of another revision are of other label values, which `matchLabelKeys` tells apart. */
function besideOthers(text: string, rule: Json, { namespace }: RuleOwner): readonly Unjudged[] {
  const labels = labelSelector(valueAt(rule, ["labelSelector"]));
  if (labels === undefined || arrayAt(rule, ["matchLabelKeys"]).length > 0) return [];
  return [{ kind: "affinity", text: `${text} (other pods that match it run already)`, beside: { namespace, labels } }];
}

/** By the selector and the namespaces of a pod affinity term. */
function isOwn(term: Json, { labels, namespace }: RuleOwner): boolean {
  const namespaces = arrayAt(term, ["namespaces"]);
  const elsewhere = valueAt(term, ["namespaceSelector"]) !== undefined && valueAt(term, ["namespaceSelector"]) !== null;
  return (
    !elsewhere &&
    (namespaces.length === 0 || namespaces.includes(namespace)) &&
    matchesOwn(valueAt(term, ["labelSelector"]), labels)
  );
}
