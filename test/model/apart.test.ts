import { expect, test } from "vitest";
import { apartTerms, type JsonObject, mayBeAdded } from "../../src/model/index.ts";

const termsOf = (...terms: readonly JsonObject[]) =>
  apartTerms({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [...terms] } } }, "team");
const labelSelector = { matchLabels: { app: "a" } };
const app = { key: "app", absent: false, complement: false, values: ["a"] };

test.each<[string, JsonObject, readonly unknown[]]>([
  ["its own namespace", { topologyKey: "zone", labelSelector }, [{ key: "zone", labels: [app], namespaces: ["team"] }]],
  [
    "others by name",
    { topologyKey: "zone", labelSelector: {}, namespaces: ["b"] },
    [{ key: "zone", labels: [], namespaces: ["b"] }],
  ],
  [
    "all",
    { topologyKey: "zone", labelSelector: {}, namespaceSelector: {} },
    [{ key: "zone", labels: [], namespaces: [], namespaceLabels: [] }],
  ],
  [
    "others by name and by label",
    { topologyKey: "zone", labelSelector: {}, namespaces: ["b"], namespaceSelector: labelSelector },
    [{ key: "zone", labels: [], namespaces: ["b"], namespaceLabels: [app] }],
  ],
  ["none, without a selector of pods", { topologyKey: "zone" }, []],
  ["none, without a label of nodes", { labelSelector: {} }, []],
])("a required anti-affinity against pods of %s", (_name, term, expected) => {
  expect(termsOf(term)).toEqual(expected);
});

test("labels that a controller may add have a prefix, or are of the old ones", () => {
  expect(["batch.kubernetes.io/job-name", "job-name", "app"].map(mayBeAdded)).toEqual([true, true, false]);
});
