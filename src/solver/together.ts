import { once, type Reason } from "../model/index.ts";
import { type Attempt, attemptOn } from "./attempt.ts";
import { createBudget } from "./budget.ts";
import type { Company } from "./company.ts";
import { levelAt, type Stage, withinAt } from "./layers.ts";
import { scarceOf, scarceText } from "./runs-out.ts";
import { type Shape, sharedClaims } from "./shape.ts";
import { domainNoun, joined, plural } from "./text.ts";
import { thingsOf } from "./things.ts";

/** For each of the searches that one sentence takes; one that ends early tells nothing. */
const MOST_STEPS = 4000;

type Search = (shapes: readonly Shape[]) => "fits" | "not" | "open";
type Fits = (shapes: readonly Shape[]) => boolean;

/**
 * Why sets that each fit by themselves do not fit all together: each thing without which they would, and how many pods of the largest set there is
 * room for beside the others. Whatever is told was searched. Several rungs may look at one attempt.
 */
export const togetherMiss = once(({ board: { field, shapes }, stage }: Attempt): Reason => {
  const search: Search = (changed) => {
    const { kind } = attemptOn(field, changed, stage, createBudget(MOST_STEPS)).result;
    return kind === "found" ? "fits" : kind === "none" ? "not" : "open";
  };
  const fits: Fits = (changed) => search(changed) === "fits";
  const base = `${joined(shapes.map(({ name }) => name))} each fit by themselves, but not all together`;
  const nameOf = (level: number): string => domainNoun(field.index.topology.levels[level]?.level.name ?? "domain");
  const rules = rulesBetween(shapes, stage, nameOf, fits);
  const scarce = scarceOf(
    thingsOf(shapes, field.numa !== undefined),
    () => true,
    (without) => fits(shapes.map((shape) => without.reduce((one, thing) => thing.without(one), shape))),
  );
  const largest = partly(shapes, search);
  const once = rules.length === 0 ? "" : ` once ${rules.join(" and ")}`;
  const then = scarce.things.length === 0 ? "" : scarceText(scarce);
  if (largest === undefined) return { code: "NearestMiss", message: `${base}${once}${then === "" ? "" : `: ${then}`}` };
  const { shape, have } = largest;
  const others = joined(shapes.filter((other) => other !== shape).map(({ name }) => name));
  const some = `room for ${have === 0 ? "none" : have} of the ${plural(shape.required, "pod")}`;
  const room = `beside ${others} there is ${shape.required === 1 ? "no room for the one pod" : some} of ${shape.name}`;
  return {
    code: "NearestMiss",
    message: `${base}${once}: ${room}${then === "" ? "" : `, then ${then}`}`,
    data: { podSet: shape.name, have, need: shape.required },
  };
});

/** Levels and domains of their own without which they would fit. */
function rulesBetween(
  shapes: readonly Shape[],
  stage: Stage,
  nameOf: (level: number) => string,
  fits: Fits,
): readonly string[] {
  const rules: string[] = [];
  const apart = shapes.find(({ separate }) => separate);
  if (apart?.level !== undefined && fits(shapes.map((shape) => ({ ...shape, separate: false }))))
    rules.push(`${apart.name} has ${apart.unit === "group" ? "domains" : `one ${nameOf(apart.level)}`} of its own`);
  const shared = shapes.flatMap(
    (shape) => withinAt(shape, stage) ?? (shape.unit === "workload" ? levelAt(shape, stage) : undefined) ?? [],
  );
  const own = shapes.flatMap((shape) => (shape.unit === "podSet" ? (levelAt(shape, stage) ?? []) : []));
  const [level] = shared.length > 0 ? shared : own;
  const free = shapes.map(
    (shape): Shape =>
      shape.unit === "group"
        ? { ...shape, within: undefined }
        : { ...shape, level: undefined, within: undefined, separate: false },
  );
  if (level !== undefined && fits(free))
    rules.push(`${shared.length > 0 ? "all" : "those of each set"} share one ${nameOf(level)}`);
  return [...rules, ...ownRules(shapes, fits)];
}

/** What pods of several sets are to each other by their own affinity and anti-affinity. */
function ownRules(shapes: readonly Shape[], fits: Fits): readonly string[] {
  const rules: string[] = [];
  const changed = (change: Partial<Company>): readonly Shape[] =>
    shapes.map((shape) => ({ ...shape, company: { ...shape.company, ...change } }));
  const near = shapes.find(({ company }) => (company.near?.group?.length ?? 0) > 1)?.company.near;
  if (near !== undefined && fits(changed({ near: undefined })))
    rules.push(`${joined(near.group ?? [])} share one ${joined(near.keys)} (their own pod affinity)`);
  const led = shapes.flatMap(({ name, company }) => {
    const { keys, follows, places } = company.near ?? { keys: [] };
    const others = follows?.filter((one) => one !== name) ?? [];
    const run = places === undefined ? "" : " or with pods that run";
    return others.length === 0 ? [] : [`${name} stands with ${joined(others)}${run} over ${joined(keys)}`];
  });
  if (led.length > 0 && fits(changed({ near: undefined })))
    rules.push(`${joined(led)} (${led.length === 1 ? "its" : "their"} own pod affinity)`);
  const off = shapes.flatMap(({ name, company }) => company.keepsOff.map((one) => ({ name, ...one })))[0];
  if (off !== undefined && fits(changed({ keepsOff: [] })))
    rules.push(`${off.name} keeps off ${off.set} over ${off.key} (its own anti-affinity)`);
  return rules;
}

/** The set with the most pods of those of which fewer fit wherever more do, and how many do beside the others. */
function partly(
  shapes: readonly Shape[],
  search: Search,
): { readonly shape: Shape; readonly have: number } | undefined {
  const plain = shapes.filter(
    (shape) =>
      !shape.set.perNode && shape.unit !== "group" && shape.spreads.length === 0 && sharedClaims(shape).size === 0,
  );
  const shape = plain.reduce<Shape | undefined>(
    (most, one) => (most === undefined || one.required >= most.required ? one : most),
    undefined,
  );
  if (shape === undefined) return undefined;
  const by = (required: number) => search(shapes.map((one) => (one === shape ? { ...one, required } : one)));
  let [have, over] = [0, shape.required];
  while (over - have > 1) {
    const middle = Math.floor((have + over) / 2);
    const found = by(middle);
    if (found === "open") return undefined;
    if (found === "fits") have = middle;
    else over = middle;
  }
  return have > 0 || by(0) === "fits" ? { shape, have } : undefined;
}
