import { describe, expect, test } from "vitest";
import { type JsonObject, matchesOwn, standsAlone, unjudgedRules } from "../../src/model/index.ts";

const labels = { app: "a", tier: "web" };
const HOST = "kubernetes.io/hostname";
const ZONE = "topology.kubernetes.io/zone";
const own = { matchLabels: { app: "a" } };
const owner = (spec: JsonObject) => ({ spec, labels, namespace: "team" });
const anti = (...terms: readonly JsonObject[]) =>
  owner({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [...terms] } } });
const near = (...terms: readonly JsonObject[]) =>
  owner({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [...terms] } } });

test.each<[string, JsonObject | null | undefined, boolean]>([
  ["labels that the template has", own, true],
  ["everything", {}, true],
  ["nothing, where there is no selector", undefined, false],
  ["nothing, where it is null", null, false],
  ["another value", { matchLabels: { app: "b" } }, false],
  ["a label that the template lacks", { matchLabels: { role: "db" } }, false],
  ["a label that a controller adds", { matchLabels: { "batch.kubernetes.io/job-name": "w", app: "a" } }, true],
  ["one that it adds by its old name", { matchLabels: { "job-name": "w" } }, true],
  ["all but some", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["b"] }] }, true],
  ["those without a label that it has", { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
])("a selector of its own pods: %s", (_name, selector, expected) => {
  expect(matchesOwn(selector, labels)).toBe(expected);
});

describe("rules about other pods", () => {
  test("over the host, against its own kind: one pod a node", () => {
    expect(standsAlone(anti({ topologyKey: HOST, labelSelector: own }))).toBe(true);
    expect(standsAlone(anti({ topologyKey: HOST, labelSelector: own, namespaces: ["team"] }))).toBe(true);
    expect(standsAlone(anti({ topologyKey: ZONE, labelSelector: own }))).toBe(false);
    expect(standsAlone(anti({ topologyKey: HOST, labelSelector: { matchLabels: { app: "b" } } }))).toBe(false);
    expect(standsAlone(anti({ topologyKey: HOST, labelSelector: own, namespaces: ["other"] }))).toBe(false);
  });

  test("those that are not followed are named, and the class's own level is followed", () => {
    const told = (...args: Parameters<typeof unjudgedRules>) => unjudgedRules(...args).map(({ text }) => text);
    expect(told(anti({ topologyKey: HOST, labelSelector: own, matchLabelKeys: ["pod-template-hash"] }), [])).toEqual(
      [],
    );
    expect(unjudgedRules(anti({ topologyKey: HOST, labelSelector: own }), [])[0]?.beside?.namespace).toBe("team");
    expect(told(anti({ topologyKey: ZONE, labelSelector: own }), [ZONE])).toEqual([`podAntiAffinity over ${ZONE}`]);
    expect(told(near({ topologyKey: ZONE, labelSelector: own }), [ZONE])).toEqual([]);
    expect(told(near({ topologyKey: ZONE, labelSelector: own }), [])).toEqual([`podAffinity over ${ZONE}`]);
    expect(told(near({ topologyKey: ZONE, labelSelector: {}, namespaceSelector: {} }), [ZONE])).toHaveLength(1);
    const volumes = [
      { name: "scratch", emptyDir: {} },
      { name: "data", persistentVolumeClaim: { claimName: "c" } },
      { name: "own", ephemeral: { volumeClaimTemplate: {} } },
    ];
    expect(told(owner({ volumes }), [])).toEqual(["volume data (claim c)", "volume own"]);
  });
});
