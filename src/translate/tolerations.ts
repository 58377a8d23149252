import { arrayAt, type JsonObject, objectAt, type Toleration } from "../model/index.ts";
import { fieldPath } from "../workloads/index.ts";
import { cannotExpress, edits, isRunOnce, NOTHING, type Part, type SetContext, says } from "./context.ts";
import { hiddenItems } from "./hidden.ts";

/** Tolerations of the rung (for kinds that outlive it: of every rung they may run on), unless one of the user's covers them. Never for every key. */
export function tolerations(context: SetContext): Part {
  const { step, peers, set, workload } = context;
  if (step === undefined) return NOTHING;
  const wanted: Toleration[] = [];
  for (const one of [step, ...(isRunOnce(context) ? [] : peers)].flatMap((peer) => peer.tolerations)) {
    if (one.key !== undefined && one.key !== "" && !wanted.some((other) => covers(other, one))) wanted.push(one);
  }
  const effective = arrayAt(set.pod.spec, ["tolerations"]);
  const missing = wanted.filter((one) => !effective.some((theirs) => covers(objectAt(theirs, []) as Toleration, one)));
  if (missing.length === 0) return NOTHING;
  const path = fieldPath(set, "tolerations");
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        `tolerations of ${missing.map((one) => one.key).join(", ")}`,
        `a ${workload.kind.kind} has no place for tolerations in this pod set`,
        "Use a kind that has one, or nodes without these taints.",
      ),
    );
  }
  return edits(
    ...hiddenItems(context, "tolerations", path).map((value) => ({
      slot: "toleration" as const,
      key: "",
      value,
      text: `toleration ${tolerationText(objectAt(value, []) as Toleration)} (inherited)`,
    })),
    ...missing.map((one) => ({
      slot: "toleration" as const,
      key: "",
      value: tolerationJson(one),
      text: `toleration ${tolerationText(one)}`,
    })),
  );
}

function covers(theirs: Toleration, ours: Toleration): boolean {
  const everyKey = theirs.key === undefined || theirs.key === "";
  if (everyKey ? theirs.operator !== "Exists" : theirs.key !== ours.key) return false;
  if (theirs.effect !== undefined && theirs.effect !== ours.effect) return false;
  if (theirs.tolerationSeconds !== undefined && theirs.tolerationSeconds !== ours.tolerationSeconds) return false;
  return theirs.operator === "Exists" || (ours.operator !== "Exists" && (theirs.value ?? "") === (ours.value ?? ""));
}

/** As the API server prints it, which leaves empty values out: else the record would not know it again. */
function tolerationJson({ key, operator, value, effect, tolerationSeconds }: Toleration): JsonObject {
  return {
    ...(key === undefined ? {} : { key }),
    operator: operator ?? "Equal",
    ...(value === undefined || value === "" ? {} : { value }),
    ...(effect === undefined ? {} : { effect }),
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  };
}

const tolerationText = ({ key, operator, value, effect }: Toleration): string =>
  `${key}${operator === "Exists" || value === undefined ? "" : `=${value}`}${effect === undefined ? "" : `:${effect}`}`;
