import { expect } from "vitest";
import { type JsonObject, objectAt, type Path, rungText, valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { builtinKinds } from "../../src/workloads/index.ts";
import type { Written } from "../support/apiserver.ts";
import { classFile, gpuNode, namespace, plainNode } from "../support/world.ts";

export const TEMPLATE: Path = ["spec", "template"];

/** Two kinds of node, so that there is a second rung to fall to. */
export const CLUSTER: readonly JsonObject[] = [
  namespace("default"),
  namespace("prod", { "plimsoll.dev/enrolled": "true" }),
  ...["h-1", "h-2", "h-3", "h-4"].map((name) => gpuNode(name)),
  plainNode("c-1"),
  ...["a-1", "a-2"].map((name) => gpuNode(name, { accelerator: "h200" })),
];

export const ONLY_H200: readonly JsonObject[] = CLUSTER.filter(
  (object) => !String(objectAt(object, ["metadata"])["name"]).startsWith("h-"),
);

/** All pods of a set at once, wherever they are. */
export const GANG = classFile("gang", { demand: { shape: "gang" }, overrides: { "accelerator.classes": "subset" } });
export const BATCH = classFile("batch", { overrides: { "accelerator.classes": "subset" } });

export function accepted(written: Written): JsonObject {
  expect(written.message).toBe("");
  expect(written.allowed).toBe(true);
  return written.object;
}

export function refusedBecause(written: Written, words: RegExp): void {
  expect(written.allowed).toBe(false);
  expect(written.message).toMatch(words);
}

/** No call of the mutating webhook changed anything. */
export function unpatched(written: Written): void {
  expect(written.patches.flat()).toEqual([]);
}

/** What the stamp records, as text: `set=rung`. */
export function rungsOf(object: JsonObject): Readonly<Record<string, string>> {
  const { decision } = undo(object, builtinKinds());
  return Object.fromEntries(
    Object.entries(decision ?? {}).map(([name, entry]) => [
      name,
      entry.rung === "none" ? "none" : rungText(entry.rung),
    ]),
  );
}

export const verdictsOf = (object: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(undo(object, builtinKinds()).decision ?? {}).map(([name, { verdict }]) => [name, verdict]),
  );

export const isStamped = (object: JsonObject): boolean => {
  const annotations = objectAt(object, ["metadata", "annotations"]);
  return "plimsoll.dev/decision" in annotations || "plimsoll.dev/applied" in annotations;
};

/** Everything that the pods get, as text. */
export const podsText = (object: JsonObject, path: Path = TEMPLATE): string => JSON.stringify(valueAt(object, path));
export const specText = (object: JsonObject): string => JSON.stringify(object["spec"]);

export function baseOf(object: JsonObject): JsonObject {
  return undo(object, builtinKinds()).base;
}
