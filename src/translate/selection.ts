import {
  arrayAt,
  isArray,
  type Json,
  type JsonObject,
  objectAt,
  type Requirement,
  requirementText,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { sharedSelection } from "../policy/index.ts";
import { fieldPath } from "../workloads/index.ts";
import {
  affinityPath,
  cannotExpress,
  edits,
  isRunOnce,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  valueKept,
} from "./context.ts";
import type { Edit } from "./edit.ts";
import { termHash } from "./expressions.ts";

const TERMS = [
  "affinity",
  "nodeAffinity",
  "requiredDuringSchedulingIgnoredDuringExecution",
  "nodeSelectorTerms",
] as const;

/**
 * The requirements that the template pins. Run-once kinds pin the rung. The others outlive it: they pin what all rungs
 * of the accelerator share and list every capacity type that the class allows; a key that some of them lack is left
 * out, and capacity types that the class forbids are then excluded. Under a queue the flavor decides the capacity type (docs/adr/0003-kueue.md).
 */
export function pinned(context: SetContext): readonly Requirement[] {
  const { step, peers, platform, workload } = context;
  if (step === undefined) return [];
  const capacityKeys = new Set(Object.values(platform.dialect.capacityTypes).map((type) => type?.requirement?.key));
  const mine =
    workload.queue === undefined ? step.selection : step.selection.filter((one) => !capacityKeys.has(one.key));
  if (isRunOnce(context) && workload.queue === undefined) return mine;
  return workload.queue === undefined ? sharedSelection(step, peers, peers, platform.dialect) : mine;
}

/** nodeSelector where one value is allowed; else one In list, ANDed into every term of the user's. */
export function nodeSelection(context: SetContext, requirements: readonly Requirement[]): Part {
  const parts: Part[] = [];
  const expressions: { readonly requirement: Requirement; readonly expressions: readonly JsonObject[] }[] = [];
  for (const one of requirements) {
    const said = expressionsOf(one);
    if (said === undefined) {
      parts.push(
        says(
          cannotExpress(
            context,
            `node selection ${requirementText(one)}`,
            "Kubernetes has no one expression for it",
            "Give the pools a label that only they carry.",
            false,
          ),
        ),
      );
      continue;
    }
    const single = !one.complement && !one.absent && one.values.length === 1 ? one.values[0] : undefined;
    const theirs = contradiction(context, one);
    if (theirs === "met") continue;
    if (theirs !== undefined) parts.push(says(valueKept(context, theirs.path, theirs.value, requirementText(one))));
    else if (single !== undefined && hasField(context, "nodeSelector")) parts.push(selector(context, one.key, single));
    else expressions.push({ requirement: one, expressions: said });
  }
  parts.push(affinity(context, expressions));
  return join(...parts);
}

function selector(context: SetContext, key: string, value: string): Part {
  const inherited = hiddenKeys(context);
  return edits(...inherited, { slot: "nodeSelector", key, value, text: `node selector ${key}=${value}` });
}

/** Values that the kind takes from elsewhere only while the template has none: an edit there has to repeat them. */
function hiddenKeys(context: SetContext): readonly Edit[] {
  const { set, workload } = context;
  if (set.entry.inherits?.nodeSelector === undefined) return [];
  const own = objectAt(workload.object, fieldPath(set, "nodeSelector") ?? []);
  if (Object.keys(own).length > 0) return [];
  return Object.entries(objectAt(set.pod.spec, ["nodeSelector"])).flatMap(([key, value]) =>
    typeof value === "string"
      ? [{ slot: "nodeSelector" as const, key, value, text: `node selector ${key}=${value} (inherited)` }]
      : [],
  );
}

function affinity(
  context: SetContext,
  wanted: readonly { readonly requirement: Requirement; readonly expressions: readonly JsonObject[] }[],
): Part {
  const all = wanted.flatMap((one) => one.expressions);
  if (all.length === 0) return NOTHING;
  const { set, workload } = context;
  const path = affinityPath(context);
  const words = (expression: JsonObject): string =>
    `node affinity ${stringAt(expression, ["key"])} ${stringAt(expression, ["operator"])}${valuesText(expression)}`;
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        all.map(words).join(" and "),
        `a ${workload.kind.kind} has no place for node affinity in this pod set`,
        "Use a class whose choice is one value, or a kind that has node affinity.",
      ),
    );
  }
  const effective = arrayAt(set.pod.spec, TERMS);
  const own = arrayAt(workload.object, [...path, ...TERMS.slice(1)]);
  if (isArray(valueAt(set.pod.spec, TERMS)) && effective.length === 0) return NOTHING;
  if (effective.length === 0) {
    return edits({ slot: "nodeTerm", key: "", value: { matchExpressions: all }, text: all.map(words).join(", ") });
  }
  const list: Edit[] = [];
  effective.forEach((term, index) => {
    const present = arrayAt(term, ["matchExpressions"]);
    const needed = wanted
      .filter(({ requirement }) => !present.some((expression) => implies(expression, requirement)))
      .flatMap((one) => one.expressions);
    const hash = termHash(term);
    if (index >= own.length) {
      const value = { ...objectAt(term, []), matchExpressions: [...present, ...needed] };
      list.push({ slot: "nodeTerm", key: "", value, text: `${needed.map(words).join(", ")} (in an inherited term)` });
    } else if (hash !== undefined) {
      for (const value of needed)
        list.push({
          slot: "nodeExpression",
          key: hash,
          value,
          text: `${words(value)} (in term ${index + 1} of ${effective.length})`,
        });
    }
  });
  return edits(...list);
}

const valuesText = (expression: JsonObject): string => {
  const values = arrayAt(expression, ["values"]);
  return values.length === 0 ? "" : ` [${values.join(", ")}]`;
};

const hasField = (context: SetContext, field: "nodeSelector"): boolean => fieldPath(context.set, field) !== undefined;

/** What the user's own selection says about the key: `met` where it is within the requirement, else where it says otherwise. */
function contradiction(
  context: SetContext,
  wanted: Requirement,
): "met" | { readonly path: readonly (string | number)[]; readonly value: Json } | undefined {
  const { set } = context;
  const spec = set.pod.spec;
  const selected = stringAt(spec, ["nodeSelector", wanted.key]);
  const at = (field: "nodeSelector" | "affinity") => fieldPath(set, field) ?? set.path;
  if (selected !== undefined)
    return allowed(wanted, selected) ? "met" : { path: [...at("nodeSelector"), wanted.key], value: selected };
  const terms = arrayAt(spec, TERMS);
  if (terms.length === 0) return undefined;
  const said = terms.map((term) =>
    arrayAt(term, ["matchExpressions"]).find(
      (one) => stringAt(one, ["key"]) === wanted.key && stringAt(one, ["operator"]) === "In",
    ),
  );
  if (said.every((one) => one !== undefined && implies(one, wanted))) return "met";
  const foreign = said.findIndex(
    (one) =>
      one !== undefined &&
      arrayAt(one, ["values"]).length > 0 &&
      arrayAt(one, ["values"]).every((value) => !allowed(wanted, value)),
  );
  const every = said.every(
    (one) => one !== undefined && arrayAt(one, ["values"]).every((value) => !allowed(wanted, value)),
  );
  return every && foreign >= 0
    ? { path: [...at("affinity"), ...TERMS.slice(1), foreign], value: arrayAt(said[foreign], ["values"]) }
    : undefined;
}

function implies(expression: Json, wanted: Requirement): boolean {
  if (stringAt(expression, ["key"]) !== wanted.key || stringAt(expression, ["operator"]) !== "In") return false;
  const values = arrayAt(expression, ["values"]);
  return values.length > 0 && values.every((value) => allowed(wanted, value));
}

function allowed(wanted: Requirement, value: Json): boolean {
  return (
    typeof value === "string" &&
    wanted.values.includes(value) !== wanted.complement &&
    wanted.above === undefined &&
    wanted.below === undefined
  );
}

/** Node affinity expressions that say the requirement; undefined where there are none (`a or absent`). */
export function expressionsOf(requirement: Requirement): readonly JsonObject[] | undefined {
  const { key, absent, complement, values, above, below } = requirement;
  if (!complement) {
    if (!absent) return [{ key, operator: "In", values }];
    return values.length === 0 ? [{ key, operator: "DoesNotExist" }] : undefined;
  }
  const list: JsonObject[] = [];
  if (above !== undefined) list.push({ key, operator: "Gt", values: [String(above)] });
  if (below !== undefined) list.push({ key, operator: "Lt", values: [String(below)] });
  if (!absent && list.length === 0) list.push({ key, operator: "Exists" });
  if (values.length > 0) list.push({ key, operator: "NotIn", values });
  return list;
}
