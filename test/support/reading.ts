import type { JsonObject } from "../../src/model/index.ts";
import { inventoryFrom } from "../../src/topology/index.ts";

export const node = (extra: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "a" },
  ...extra,
});
export const pod = (extra: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "team-a", ...metadata },
  ...extra,
});
export const inventory = (...objects: readonly JsonObject[]) => {
  const { value, diagnostics } = inventoryFrom(objects);
  if (value === undefined) throw new Error("an inventory is always there");
  return { ...value, diagnostics };
};
