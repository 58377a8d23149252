import type { Judgement } from "../../../src/admission/index.ts";
import type { ClusterFacts, Rung } from "../../../src/model/index.ts";
import { type Decision, type JsonObject, objectAt, parseRung, rungText, stringAt } from "../../../src/model/index.ts";
import type { Catalogue } from "../../../src/policy/index.ts";
import { expand } from "../../../src/translate/index.ts";
import type { Case } from "./case.ts";
import { podOf } from "./pod.ts";
import { aborts, replay } from "./replay.ts";
import { sitesOf } from "./site.ts";

/**
 * certain: every order of choices binds what the class promises; order-dependent: an assignment exists and some order misses it;
 * busy: none exists now, one does on an empty cluster; never: not even there.
 */
export type Outcome = "certain" | "order-dependent" | "busy" | "never";

export interface Expected {
  readonly outcome: Outcome;
  /** Pods that kube-scheduler binds, of the full count. */
  readonly least: number;
  readonly most: number;
  /** Pods of the full count that could hold by the best choice of devices; undefined where that depends on the order of nodes. */
  readonly holds: number | undefined;
  /** The workload as the engine expands it on this rung, companions first. */
  readonly objects: readonly JsonObject[];
}

/** What the replay says of the workload as it is expanded on one rung. Undefined: too many states. */
export function expect(one: Case, objects: readonly JsonObject[]): Expected | undefined {
  const all = [...one.cluster, ...one.given, ...one.filler, ...objects];
  const find = (kind: string, name: string): JsonObject | undefined =>
    all.find((object) => object["kind"] === kind && stringAt(object, ["metadata", "name"]) === name);
  const workload = objects.at(-1) ?? {};
  const template = workload["kind"] === "Pod" ? workload : objectAt(workload, ["spec", "template"]);
  const pod = podOf(template, find, one.meanings);
  const full = sitesOf([...one.cluster, ...one.filler], false);
  const bound = replay(full, pod, one.count, true);
  const possible = replay(full, pod, one.required, false);
  const empty = replay(sitesOf(one.cluster, true), pod, one.required, false);
  const whole = replay(full, pod, one.count, false);
  if (bound === undefined || possible === undefined || empty === undefined || whole === undefined) return undefined;
  const given = aborts(full, pod);
  const outcome: Outcome = given
    ? aborts(sitesOf(one.cluster, true), pod) || empty.most < one.required
      ? "never"
      : "busy"
    : bound.least >= one.required
      ? "certain"
      : possible.most >= one.required
        ? "order-dependent"
        : empty.most >= one.required
          ? "busy"
          : "never";
  return { outcome, ...bound, holds: whole.least === whole.most ? whole.most : undefined, objects };
}

/** The workload expanded on any rung of its ladder, also where the engine chose none. */
export function expandOn(
  judged: Extract<Judgement, { judged: true }>,
  rung: Rung,
  catalogue: Catalogue,
  facts: ClusterFacts,
): readonly JsonObject[] {
  const { workload, intents, decision = {} } = judged;
  const forced: Decision = Object.fromEntries(
    Object.entries(decision).map(([name, entry]) => {
      const same = entry.rung !== "none" && rungText(entry.rung) === rungText(rung);
      const { steer: _steer, ...rest } = entry;
      return [name, same ? entry : { ...rest, rung: parseRung(rungText(rung)) ?? rung, verdict: "busy" as const }];
    }),
  );
  const { object, companions } = expand({ base: workload, intents, decision: forced, catalogue, facts });
  return [...companions, object];
}
