import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/index.ts";
import { inventoryFrom } from "../../src/topology/index.ts";

const GPU = "nvidia.com/gpu";
const SET = "pfp0v001ef46db3751d8e999";
const zone = (name: string, available: Json, type = "Node") => ({
  name,
  type,
  resources: [{ name: GPU, capacity: "4", allocatable: "4", available }],
});
const object = (extra: JsonObject, version = "v1alpha2"): JsonObject => ({
  apiVersion: `topology.node.k8s.io/${version}`,
  kind: "NodeResourceTopology",
  metadata: { name: "a" },
  zones: [zone("node-1", "1"), zone("node-0", "4"), zone("socket-0", "4", "Socket")],
  ...extra,
});
const read = (extra: JsonObject, version?: string) => {
  const { value, diagnostics } = inventoryFrom([object(extra, version)]);
  return { told: value?.facts.numa?.get("a"), known: value?.known, diagnostics };
};
const attributes = (...pairs: readonly (readonly [string, string])[]) => ({
  attributes: pairs.map(([name, value]) => ({ name, value })),
});

describe("NodeResourceTopology objects", () => {
  test("zones of type Node by NUMA id, with what is available of each", () => {
    const { told, known, diagnostics } = read(
      attributes(["topologyManagerPolicy", "single-numa-node"], ["topologyManagerScope", "pod"]),
    );
    expect(diagnostics).toEqual([]);
    expect(known?.has("NodeResourceTopology")).toBe(true);
    expect(told).toMatchObject({ policy: "single-numa-node", scope: "pod", faults: [] });
    expect(told?.zones.map(({ id, resources }) => [id, resources[GPU]])).toEqual([
      [0, { capacity: 4, allocatable: 4, available: 4 }],
      [1, { capacity: 4, allocatable: 4, available: 1 }],
    ]);
  });

  test.each([
    ["SingleNUMANodePodLevel", "single-numa-node", "pod"],
    ["SingleNUMANodeContainerLevel", "single-numa-node", "container"],
    ["Restricted", "restricted", "container"],
    ["BestEffortPodLevel", "best-effort", "pod"],
    ["None", "none", "container"],
  ])("the old topologyPolicies: [%s]", (old, policy, scope) => {
    expect(read({ topologyPolicies: [old] }, "v1alpha1").told).toMatchObject({ policy, scope, faults: [] });
  });

  test("attributes win over topologyPolicies, one by one", () => {
    const told = { topologyPolicies: ["SingleNUMANodePodLevel"], ...attributes(["topologyManagerPolicy", "none"]) };
    expect(read(told).told).toMatchObject({ policy: "none", scope: "pod" });
  });

  test("what is not told is undefined", () => {
    const { told } = read({});
    expect([told?.policy, told?.scope]).toEqual([undefined, undefined]);
  });

  test.each([
    [
      attributes(["topologyManagerPolicy", "strict"]),
      'says topologyManagerPolicy "strict", which is none of none, best-effort, restricted, single-numa-node',
    ],
    [{ zones: [zone("left", "4")] }, 'has a zone named "left", and which NUMA node that is cannot be told'],
    [{ zones: [zone("node-0", "4"), zone("numa-node-0", "4")] }, "has two zones of NUMA node 0"],
    [{ zones: [zone("node-0", "5")] }, "says that 5 of 4 nvidia.com/gpu are available in zone node-0"],
    [{ zones: [] }, "lists no zone of type Node"],
  ] as const)("%j: %s", (extra, fault) => {
    expect(read(extra).told?.faults).toEqual([fault]);
  });

  test.each<[string, JsonObject, unknown]>([
    ["by an attribute", attributes(["nodeTopologyPodsFingerprint", SET]), { fingerprint: SET, ended: true }],
    [
      "without pods that have ended",
      attributes(["nodeTopologyPodsFingerprint", SET], ["nodeTopologyPodsFingerprintMethod", "exclude-terminal"]),
      { fingerprint: SET, ended: false },
    ],
    [
      "by an annotation",
      { metadata: { name: "a", annotations: { "topology.node.k8s.io/fingerprint": SET } } },
      { fingerprint: SET, ended: true },
    ],
    [
      "of pods that are chosen in a way of the exporter's own: not compared",
      attributes(
        ["nodeTopologyPodsFingerprint", SET],
        ["nodeTopologyPodsFingerprintMethod", "with-exclusive-resources"],
      ),
      undefined,
    ],
    [
      "in another version: not compared",
      attributes(["nodeTopologyPodsFingerprint", "pfp0v002ef46db3751d8e999"]),
      undefined,
    ],
    ["cut short: not compared", attributes(["nodeTopologyPodsFingerprint", "pfp0v001ef46"]), undefined],
  ])("for which pods it was written, %s", (_, extra, expected) => {
    expect(read(extra).told?.pods).toEqual(expected);
  });

  test("an amount that is none leaves the object out, and says so", () => {
    const { told, diagnostics } = read({ zones: [zone("node-0", "many")] });
    expect(told).toBeUndefined();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'NodeResourceTopology a ([0]): zones[0].resources[0].available must be a resource quantity, not "many"; it is left out.',
    ]);
  });
});
