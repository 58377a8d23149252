import { describe, expect, test } from "vitest";
import { type JsonObject, matchesOwn, ownTerms, standsAlone, unjudgedRules } from "../../src/model/index.ts";

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

  test("one pod a node only where all pods of the template are apart, not those of a group each", () => {
    const keyed = (field: string, key: string) => anti({ topologyKey: HOST, labelSelector: own, [field]: [key] });
    const hash = "pod-template-hash";
    expect(standsAlone(keyed("matchLabelKeys", "tier"))).toBe(true);
    expect(standsAlone(keyed("matchLabelKeys", "rank"))).toBe(true);
    expect(standsAlone({ ...keyed("matchLabelKeys", hash), sharedLabel: hash })).toBe(true);
    expect(standsAlone(keyed("matchLabelKeys", "example.com/group"))).toBe(false);
    expect(standsAlone(keyed("mismatchLabelKeys", "tier"))).toBe(false);
  });

  test("its own terms, with the labels that tell pods apart merged where the template has them", () => {
    const [zoned, none] = ownTerms(
      near({ topologyKey: ZONE, labelSelector: own, matchLabelKeys: ["tier", "rank"] }, { topologyKey: HOST }),
    );
    expect(zoned).toMatchObject({ kind: "near", key: ZONE, namespaces: ["team"] });
    expect(zoned?.labels.map(({ key, values }) => [key, values])).toEqual([
      ["app", ["a"]],
      ["tier", ["web"]],
    ]);
    expect(zoned?.made).toBeUndefined();
    // Without a selector no pod is near enough, and none is kept off.
    expect(none).toMatchObject({ key: HOST, namespaces: [] });
    expect(ownTerms(anti({ topologyKey: HOST }))).toEqual([]);
    const hash = "pod-template-hash";
    const made = anti({
      topologyKey: ZONE,
      labelSelector: {},
      matchLabelKeys: [hash],
      mismatchLabelKeys: ["example.com/unit", "tier"],
    });
    const [term] = ownTerms({ ...made, sharedLabel: hash });
    expect(term?.made).toEqual([
      { key: hash, same: true, shared: true },
      { key: "example.com/unit", same: false, shared: false },
    ]);
    expect(term?.labels).toMatchObject([{ key: "tier", complement: true, values: ["web"] }]);
  });

  test("those that are not followed are named", () => {
    const told = (...args: Parameters<typeof unjudgedRules>) => unjudgedRules(...args).map(({ text }) => text);
    expect(told(anti({ topologyKey: ZONE, labelSelector: own }))).toEqual([]);
    expect(told(near({ topologyKey: ZONE, labelSelector: own }))).toEqual([]);
    const spread = { topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", labelSelector: own };
    expect(unjudgedRules(owner({ topologySpreadConstraints: [spread] }))[0]?.beside?.namespace).toBe("team");
    expect(told(owner({ topologySpreadConstraints: [{ ...spread, labelSelector: {} }] }))).toHaveLength(1);
    const volumes = [
      { name: "scratch", emptyDir: {} },
      { name: "data", persistentVolumeClaim: { claimName: "c" } },
      { name: "own", ephemeral: { volumeClaimTemplate: {} } },
    ];
    expect(told(owner({ volumes }))).toEqual(["volume data (claim c)", "volume own"]);
  });
});
