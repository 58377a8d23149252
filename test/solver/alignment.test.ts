import { describe, expect, test } from "vitest";
import { type Aligned, type JsonObject, objectAt, valueAt } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { publishedBy } from "../../src/topology/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { job } from "../support/workloads.ts";

const PCIE = "resource.kubernetes.io/pcieRoot";
const NUMA = "resource.kubernetes.io/numaNode";
const LABELS = [{ key: "karpenter.k8s.aws/instance-gpu-name", values: ["t4", "h100"] }];
const withAttributes = (of: (index: number) => JsonObject) => (device: JsonObject, index: number) => {
  const own = Object.fromEntries(
    Object.entries(objectAt(device, ["attributes"])).filter(([key]) => key !== PCIE && key !== NUMA),
  );
  return { ...device, attributes: { ...own, ...of(index) } };
};

describe("what an attribute tells of the devices of a platform", () => {
  const told = (of: (index: number) => JsonObject, count = 4) =>
    publishedBy(
      cluster()
        .node("n", (node) => node.dra("t4", count, withAttributes(of)))
        .topology(),
      ["gpu.nvidia.com"],
      PCIE,
      LABELS,
    );
  test.each([
    [
      "one virtual root for all devices of a node aligns nothing",
      () => ({ [PCIE]: { string: "pci0000:00" } }),
      "equal",
    ],
    [
      "a root for each two devices tells them apart",
      (index: number) => ({ [PCIE]: { string: `pci${index >> 1}` } }),
      "varies",
    ],
    ["an attribute that no driver publishes is missing", () => ({}), "missing"],
  ])("%s", (_, of, expected) => {
    expect(told(of)).toBe(expected);
  });
  test("a node with one device says nothing about it", () => {
    expect(told(() => ({ [PCIE]: { string: "pci0000:00" } }), 1)).toBe("unknown");
  });
});

describe("aligned devices", () => {
  const parts = catalogue({
    classes: {
      gang: {
        accelerator: { classes: ["h100"], perPod: { min: 1, max: 64, default: 2 }, align: { gpus: { level: "pcie" } } },
      },
    },
    accelerators: {
      h100: {
        device: { driver: "gpu.nvidia.com", deviceClassName: "gpu.nvidia.com" },
        alignment: { pcie: PCIE },
      },
    },
    platform: { companions: { resourceClaimTemplates: true } },
  });
  const expanded = (entry: { alignedAnyhow?: readonly Aligned[] }) => {
    const { companions, diagnostics } = expandAs(job("t").replicas(1).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
      entry,
    });
    const template = companions.find(({ kind }) => kind === "ResourceClaimTemplate");
    return { constraints: valueAt(template, ["spec", "spec", "devices", "constraints"]), diagnostics };
  };

  test("get a constraint where it means something, and a sentence where it would always hold", () => {
    expect(expanded({}).constraints).toEqual([{ requests: ["accelerator"], matchAttribute: PCIE }]);
    const { constraints, diagnostics } = expanded({ alignedAnyhow: ["gpus"] });
    expect(constraints).toBeUndefined();
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "NotGuaranteed",
        message: expect.stringContaining(`all devices of each node carry the same ${PCIE}`),
      }),
    );
  });

  test("on nodes that do not publish the attribute: the reason names it", () => {
    const topology = cluster()
      .node("n", (node) =>
        node.dra(
          "h100",
          8,
          withAttributes(() => ({})),
        ),
      )
      .topology();
    const set = podSet("main", {
      pod: {
        tolerations: [{ operator: "Exists" }],
        devices: [deviceRequest("gpu", 2, { matchAttributes: [{ attribute: NUMA, requests: [] }] })],
      },
    });
    const answer = solve(topology, demandOf(set), contextOf());
    expect(answer.verdict).toBe("never");
    expect(answer.ladder[0]?.reasons.map(({ message }) => message).join()).toContain(
      `the one node: the devices there do not tell ${NUMA}, by which they are to be aligned`,
    );
  });

  test("more than 32 devices of one pod are asked for in several claims, in solve and manifest alike", () => {
    const many = catalogue({
      classes: { gang: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 64, default: 40 } } } },
      accelerators: { h100: { device: { driver: "gpu.nvidia.com", deviceClassName: "gpu.nvidia.com" } } },
      platform: { companions: { resourceClaimTemplates: true } },
    });
    const { object, companions } = expandAs(job("t").replicas(1).className("gang").build(), {
      catalogue: many,
      rung: rung("h100"),
    });
    const counts = companions.map((one) =>
      valueAt(one, ["spec", "spec", "devices", "requests", 0, "exactly", "count"]),
    );
    expect([...counts].sort()).toEqual([32, 8]);
    expect(valueAt(object, ["spec", "template", "spec", "resourceClaims"])).toMatchObject([
      { name: "accelerator-0" },
      { name: "accelerator-1" },
    ]);
  });
});

test("a constraint on two requests is one group, so a node that has enough for one is busy, not short", () => {
  const numa = (value: number) => withAttributes((index) => ({ [NUMA]: { int: index * value } }));
  const told = (value: number) => {
    const topology = cluster()
      .node("n", (node) => node.dra("h100", 2, numa(value)).untainted())
      .claim("held", ["gpu.nvidia.com/n/gpu-0", "gpu.nvidia.com/n/gpu-1"])
      .topology();
    const matchAttributes = [{ attribute: NUMA, requests: [] }];
    const devices = ["one", "two"].map((name) => deviceRequest(name, 1, { matchAttributes }));
    const { verdict, chosen } = solve(topology, demandOf(podSet("main", { pod: { devices } })), contextOf());
    return [verdict, chosen?.exclusions.map(({ constraint }) => constraint)];
  };
  expect(told(0)).toEqual(["busy", ["too few free devices for the pod's claims together"]]);
  expect(told(1)).toEqual([
    "never",
    ["the devices there make no group of 2 gpu.nvidia.com with one resource.kubernetes.io/numaNode"],
  ]);
});
