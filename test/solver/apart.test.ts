import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom } from "../../src/topology/index.ts";
import { cluster, testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, podSet, step } from "../support/demand.ts";

const HOST = "kubernetes.io/hostname";
const demand = demandOf(podSet("main", { pod: { labels: { app: "w" } } }));

/** One node, and a pod of another namespace there with this term. */
function topologyWith(term: JsonObject, namespaceLabels?: Readonly<Record<string, string>>) {
  const labelSelector = { matchLabels: { app: "w" } };
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector, ...term }],
    },
  };
  const objects = cluster()
    .node("n", (node) => node.cpu(4))
    .pod("lonely", (pod) => pod.namespace("team-b").on("n"))
    .objects()
    .map((one) => (one["kind"] === "Pod" ? { ...one, spec: { ...(one["spec"] as JsonObject), affinity } } : one));
  const namespace = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default", labels: namespaceLabels ?? {} },
  };
  const inventory = inventoryFrom([...objects, ...(namespaceLabels === undefined ? [] : [namespace])]);
  return buildTopology(inventory.value ?? expect.fail(), testLayout);
}

const assignment = { placed: [{ podSet: "main", node: "n", pods: 1 }], newNodes: [] };
const gold = { namespaceSelector: { matchLabels: { tier: "gold" } } };

describe("pods of others with a required anti-affinity", () => {
  test.each<[string, JsonObject, Readonly<Record<string, string>> | undefined, "busy" | "fits" | "not known"]>([
    ["of their own namespace only", {}, undefined, "fits"],
    ["against this namespace by name", { namespaces: ["default"] }, undefined, "busy"],
    ["against every namespace", { namespaceSelector: {} }, undefined, "busy"],
    [
      "against namespaces of a name",
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } },
      undefined,
      "busy",
    ],
    [
      "against namespaces of another name",
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "x", tier: "gold" } } },
      undefined,
      "fits",
    ],
    ["against namespaces by a label that this one has", gold, { tier: "gold" }, "busy"],
    ["against namespaces by a label that this one lacks", gold, {}, "fits"],
    ["against namespaces by labels that were not read", gold, undefined, "not known"],
    [
      "against pods with a label that a controller may add",
      { namespaceSelector: {}, labelSelector: { matchExpressions: [{ key: "job-name", operator: "Exists" }] } },
      undefined,
      "not known",
    ],
    [
      "against pods without such a label",
      { namespaceSelector: {}, labelSelector: { matchExpressions: [{ key: "job-name", operator: "DoesNotExist" }] } },
      undefined,
      "not known",
    ],
    [
      "against pods of another's label",
      { namespaceSelector: {}, labelSelector: { matchLabels: { "job-name": "x" } } },
      undefined,
      "fits",
    ],
    [
      "against all pods but another's",
      {
        namespaceSelector: {},
        labelSelector: { matchExpressions: [{ key: "job-name", operator: "NotIn", values: ["x"] }] },
      },
      undefined,
      "busy",
    ],
    ["over a label that their node lacks", { namespaceSelector: {}, topologyKey: "row" }, undefined, "fits"],
  ])("%s", (_name, term, labels, expected) => {
    const topology = topologyWith(term, labels);
    const answer = solve(topology, demand, contextOf());
    expect(answer.verdict).toBe(expected === "busy" ? "busy" : "fits");
    const told = answer.ladder.flatMap(({ reasons }) => reasons.map(({ code }) => code));
    expect(told.includes("NotJudged")).toBe(expected === "not known");
    const faults = checkAssignment(topology, demand, { main: step().rung }, assignment, contextOf());
    expect(faults).toEqual(expected === "busy" ? ["main on n: lonely keeps it off"] : []);
  });
});
