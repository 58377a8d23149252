import { arrayAt, type Json, objectAt, stringAt } from "../model/index.ts";
import { fieldPath } from "../workloads/index.ts";
import {
  cannotExpress,
  edits,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  valueKept,
  wantLabels,
} from "./context.ts";
import { hiddenItems } from "./hidden.ts";
import { spreadSelector } from "./selector.ts";

/** Replicas over domains. A constraint of the user's over the same key stands. */
export function spread(context: SetContext): Part {
  const { set, workload, layout, intent } = context;
  const need = intent.contract.topology?.spread;
  if (need === undefined) return NOTHING;
  const required = need.mode === "required";
  const what = `topology.spread over ${need.level}`;
  const key = layout.levels.find((one) => one.name === need.level)?.key;
  if (key === undefined)
    return says(
      cannotExpress(context, what, `layout ${layout.name} has no such level`, "Name a level of the layout.", required),
    );
  const whenUnsatisfiable = required ? "DoNotSchedule" : "ScheduleAnyway";
  const path = fieldPath(set, "topologySpreadConstraints");
  const present = arrayAt(set.pod.spec, ["topologySpreadConstraints"]);
  const index = present.findIndex((one) => stringAt(one, ["topologyKey"]) === key);
  if (index >= 0) {
    const theirs = objectAt(present[index], []);
    const strict = theirs["whenUnsatisfiable"] === "DoNotSchedule" || !required;
    const close = typeof theirs["maxSkew"] === "number" && theirs["maxSkew"] <= need.maxSkew;
    const wide = (typeof theirs["minDomains"] === "number" ? theirs["minDomains"] : 1) >= (need.minDomains ?? 1);
    if (strict && close && wide) return NOTHING;
    const least = (value: Json | undefined): string => (value === undefined ? "" : ` minDomains ${String(value)}`);
    const said = `maxSkew ${JSON.stringify(theirs["maxSkew"] ?? null)} ${JSON.stringify(theirs["whenUnsatisfiable"] ?? null)}${least(theirs["minDomains"])}`;
    const ours = `maxSkew ${need.maxSkew} ${whenUnsatisfiable}${least(need.minDomains)}`;
    return says(valueKept(context, [...(path ?? set.path), index], said, ours));
  }
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for topologySpreadConstraints in this pod set`,
        "Use a kind that has one, or leave topology.spread out for it.",
        required,
      ),
    );
  }
  const self = spreadSelector(context);
  if (self === undefined)
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for labels of its pods`,
        "Use a kind that has one.",
        required,
      ),
    );
  const value = {
    maxSkew: need.maxSkew,
    topologyKey: key,
    whenUnsatisfiable,
    ...(need.minDomains === undefined ? {} : { minDomains: need.minDomains }),
    labelSelector: self.labelSelector,
    ...(self.labelKey === undefined ? {} : { matchLabelKeys: [self.labelKey] }),
  };
  const filler = hiddenItems(context, "topologySpreadConstraints", path);
  return join(
    wantLabels(context, self.labels),
    edits(
      ...filler.map((item: Json) => ({
        slot: "spread" as const,
        key: "",
        value: item,
        text: "topology spread (inherited)",
      })),
      {
        slot: "spread",
        key: "",
        value,
        text: `topology spread over ${key}, skew ${need.maxSkew}${need.minDomains === undefined ? "" : `, ${need.minDomains} domains at least`}, ${whenUnsatisfiable}`,
      },
    ),
  );
}
