import type { ClusterFacts, Decision, JsonObject, Rung, SetDecision, Verdict } from "../../src/model/index.ts";
import { type Catalogue, resolveIntents } from "../../src/policy/index.ts";
import { emptyFacts } from "../../src/topology/index.ts";
import { type ExpandInput, type Expansion, expand, undo } from "../../src/translate/index.ts";
import { readWorkload, type Workload } from "../../src/workloads/index.ts";

export interface Chosen {
  readonly catalogue: Catalogue;
  /** One rung for all sets, or by set; default: h100 on demand, existing nodes. */
  readonly rung?: Rung | "none" | Readonly<Record<string, Rung | "none">>;
  readonly verdict?: Verdict;
  readonly entry?: Partial<SetDecision>;
  readonly facts?: ClusterFacts;
  readonly old?: JsonObject;
  readonly standing?: readonly string[];
}

export const rung = (
  accelerator: string,
  capacityType: Rung["capacityType"] = "on-demand",
  source: Rung["source"] = "existing",
): Rung => ({ accelerator, capacityType, source });

/** Undoes what the object carries, classes it, and expands the decision that the test makes for it. */
export function expandAs(object: JsonObject, chosen: Chosen): Expansion {
  return expand(inputFor(object, chosen));
}

export function inputFor(object: JsonObject, chosen: Chosen): ExpandInput {
  const { catalogue, facts = emptyFacts() } = chosen;
  const undone = undo(object, catalogue.kinds);
  const base = read(undone.base, catalogue);
  const was = chosen.old === undefined ? undefined : undo(chosen.old, catalogue.kinds);
  const { intents } = resolveIntents(base, catalogue, { creating: chosen.old === undefined });
  const standing = chosen.standing ?? [];
  const decision: Record<string, SetDecision> = {};
  for (const { podSet, className, classDigest, intentDigest, contract } of intents.values()) {
    const before = was?.decision?.[podSet];
    if (standing.includes(podSet) && before !== undefined) {
      decision[podSet] = before;
      continue;
    }
    const own =
      chosen.rung !== undefined && chosen.rung !== "none" && !("accelerator" in chosen.rung)
        ? chosen.rung[podSet]
        : (chosen.rung as Rung | "none" | undefined);
    const first = rung(
      contract.accelerator.kind === "classes" ? (contract.accelerator.classes[0] ?? "none") : contract.accelerator.kind,
      contract.capacity.types.includes("on-demand") ? "on-demand" : contract.capacity.types[0],
    );
    decision[podSet] = {
      className,
      classDigest,
      intentDigest,
      demandDigest: "d",
      rung: own ?? first,
      verdict: chosen.verdict ?? "fits",
      ...chosen.entry,
    };
  }
  return {
    base,
    intents,
    decision: decision as Decision,
    catalogue,
    facts,
    undone,
    ...(was === undefined ? {} : { old: { workload: read(was.base, catalogue), undone: was } }),
    standing,
  };
}

function read(object: JsonObject, catalogue: Catalogue): Workload {
  const workload = readWorkload(object, catalogue.kinds);
  if (workload === undefined) throw new Error(`no kind ${String(object["kind"])}`);
  return workload;
}
