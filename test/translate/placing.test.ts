import { describe, expect, test } from "vitest";
import { type JsonObject, objectAt, type SetDecision, valueAt } from "../../src/model/index.ts";
import { buildTopology, inventoryFrom, outerKeys } from "../../src/topology/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { cluster, layout } from "../support/cluster.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { type Machine, outcomes, type Podlet } from "../support/placing.ts";
import { job, jobSet, leaderWorkerSet, rayCluster } from "../support/workloads.ts";

const ZONE = "topology.kubernetes.io/zone";
const BLOCK = "topology.k8s.aws/network-node-layer-2";
const RACK = "topology.k8s.aws/network-node-layer-3";

/** Two zones that both call their racks r1 and r2, as two sites do that number them. */
const machines: readonly Machine[] = ["a", "b"].flatMap((zone) =>
  ["r1", "r2"].map((rack) => ({
    name: `${zone}-${rack}`,
    labels: { [ZONE]: zone, [BLOCK]: `block-${zone}`, [RACK]: rack },
    room: 2,
  })),
);
const spans = (keys: readonly string[], placed: readonly (number | undefined)[]): number =>
  new Set(
    placed.flatMap((node) =>
      node === undefined ? [] : [keys.map((key) => machines[node]?.labels[key] ?? "").join("/")],
    ),
  ).size;

const POD = ["spec", "template"] as const;
const gang = (topology: JsonObject) => catalogue({ classes: { gang: { topology } } });
const codes = (expansion: { readonly diagnostics: readonly { code: string; severity: string }[] }) =>
  expansion.diagnostics.map(({ code, severity }) => `${severity} ${code}`);

function podsOf(object: JsonObject, count: number, template: readonly string[] = POD): readonly Podlet[] {
  const labels = objectAt(object, [...template, "metadata", "labels"]) as Record<string, string>;
  const own = { ...labels, "batch.kubernetes.io/controller-uid": "u" };
  return Array.from({ length: count }, () => ({ labels: own, spec: objectAt(object, [...template, "spec"]) }));
}

describe("values of a level that are not unique", () => {
  test("are found with the wider labels that tell them apart, as few as do", () => {
    const topology = cluster()
      .node("n1", (node) => node.zone("a").block("k1").rack("r1"))
      .node("n2", (node) => node.zone("a").block("k2").rack("r1"))
      .node("n3", (node) => node.zone("b").block("k2").rack("r2"))
      .topology();
    expect(topology.levels.map((_, level) => outerKeys(topology, level))).toEqual([[], [ZONE], [BLOCK], []]);
    const deep = cluster()
      .node("n1", (node) => node.zone("a").block("k").rack("r"))
      .node("n2", (node) => node.zone("b").block("k").rack("r"))
      .topology();
    expect(deep.levels.map((_, level) => outerKeys(deep, level))).toEqual([[], [ZONE], [BLOCK, ZONE], []]);
  });

  test("any number of levels keep their places apart", () => {
    const names = ["region", "zone", "hall", "row", "pod", "block", "rack", "tray"];
    const deep = layout("deep", {
      ...Object.fromEntries(names.map((one) => [one, `x/${one}`])),
      host: "kubernetes.io/hostname",
    });
    const builder = cluster();
    for (const region of ["eu", "us"])
      builder.node(`n-${region}`, (node) => {
        for (const one of names) node.label(`x/${one}`, one === "region" ? region : "same");
      });
    const topology = buildTopology(inventoryFrom(builder.objects()).value ?? expect.fail(), deep);
    expect(topology.levels.map(({ domains }) => domains.length)).toEqual(new Array(9).fill(2));
    expect(outerKeys(topology, 7)).toEqual([...names.slice(0, 7)].reverse().map((one) => `x/${one}`));
  });

  const decided = (outer: SetDecision["outer"]) =>
    expandAs(job("train").replicas(3).gpus(8).className("gang").build(), {
      catalogue: gang({ level: "rack" }),
      rung: rung("h100"),
      entry: {
        steer: { key: RACK, values: ["r1"], ...(outer === undefined ? {} : { outer: [["block-b", "b"]] }) },
        ...(outer === undefined ? {} : { outer }),
      },
    });

  test("with one label alone, the scheduler takes two racks for one", () => {
    const { object } = decided(undefined);
    expect(outcomes(machines, podsOf(object, 3)).some((placed) => spans([ZONE, RACK], placed) > 1)).toBe(true);
  });

  test("with the labels around it, every choice of the scheduler keeps the gang in one rack", () => {
    const { object } = decided({ [RACK]: [BLOCK, ZONE] });
    const all = outcomes(machines, podsOf(object, 3));
    expect(all.length).toBeGreaterThan(3);
    for (const placed of all) expect(spans([ZONE, RACK], placed)).toBe(1);
    // No more is asked than that: the gang may start in each of them.
    expect(new Set(all.map(([first]) => first)).size).toBe(4);
    const preference = valueAt(object, [
      ...POD,
      "spec",
      "affinity",
      "nodeAffinity",
      "preferredDuringSchedulingIgnoredDuringExecution",
      0,
      "preference",
    ]);
    expect(preference).toEqual({
      matchExpressions: [
        { key: RACK, operator: "In", values: ["r1"] },
        { key: BLOCK, operator: "In", values: ["block-b"] },
        { key: ZONE, operator: "In", values: ["b"] },
      ],
    });
  });

  test("a pinned domain is named with what is around it; several cannot be", () => {
    const parts = gang({ level: "rack", pin: "domain" });
    const one = expandAs(job("train").replicas(3).gpus(8).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
      entry: { steer: { key: RACK, values: ["r1"], outer: [["b"]] }, outer: { [RACK]: [ZONE] } },
    });
    expect(objectAt(one.object, [...POD, "spec", "nodeSelector"])).toMatchObject({ [RACK]: "r1", [ZONE]: "b" });
    const two = expandAs(job("train").replicas(3).gpus(8).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
      entry: { steer: { key: RACK, values: ["r1", "r1"], outer: [["a"], ["b"]] }, outer: { [RACK]: [ZONE] } },
    });
    expect(objectAt(two.object, [...POD, "spec", "nodeSelector"])[ZONE]).toBeUndefined();
    expect(codes(two)).toContain("warning BackendCannotExpress");
  });

  test("a PodGroup, which compares one label, is left to the gang, and affinity says the rest", () => {
    const parts = catalogue({
      classes: { gang: { topology: { level: "rack" } } },
      platform: {
        kubernetes: {
          version: "1.37.0",
          featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true },
        },
        companions: { podGroups: true },
      },
    });
    const manifest = job("train").replicas(3).gpus(8).className("gang").build();
    const topologyOf = (outer: SetDecision["outer"]) => {
      const { object, companions } = expandAs(manifest, {
        catalogue: parts,
        rung: rung("h100"),
        entry: outer === undefined ? {} : { outer },
      });
      const group = companions.find(({ kind }) => kind === "PodGroup");
      const affinity = valueAt(object, [...POD, "spec", "affinity", "podAffinity"]);
      return [valueAt(group, ["spec", "schedulingConstraints"]) !== undefined, affinity !== undefined];
    };
    expect(topologyOf(undefined)).toEqual([true, false]);
    expect(topologyOf({ [RACK]: [ZONE] })).toEqual([false, true]);
  });
});

describe("units that share a wider domain, or none", () => {
  const unique: readonly Machine[] = ["k1", "k2"].flatMap((block) =>
    [1, 2].map((rack) => ({
      name: `${block}-${rack}`,
      labels: { [ZONE]: "a", [BLOCK]: block, [RACK]: `${block}-r${rack}` },
      room: 3,
    })),
  );
  const of = (node: number | undefined, key: string): string => unique[node ?? -1]?.labels[key] ?? "pending";

  function groups(object: JsonObject, label: string, path: readonly string[], counts: readonly number[], extra = {}) {
    return counts.flatMap((count, group) => {
      const labels = objectAt(object, [...path, "metadata", "labels"]) as Record<string, string>;
      const own = { ...labels, ...extra, [label]: `g${group}` };
      return Array.from({ length: count }, () => ({ labels: own, spec: objectAt(object, [...path, "spec"]) }));
    });
  }

  const slices = (topology: JsonObject, entry: Partial<SetDecision> = {}) =>
    expandAs(jobSet("js").replicas(2).gpus(8).className("gang").build(), {
      catalogue: gang({ unit: "group", level: "rack", within: "block", ...topology }),
      rung: rung("h100"),
      entry,
    });

  test("groups of a JobSet, each in one rack, all in the block that they are pinned to, whatever the scheduler chooses", () => {
    const { object, diagnostics } = slices({ pin: "domain" }, { steer: { key: BLOCK, values: ["k2"] } });
    expect(codes({ diagnostics })).not.toContain("error BackendCannotExpress");
    const template = ["spec", "replicatedJobs", 0, "template", "spec", "template"] as unknown as readonly string[];
    const pods = groups(object, "jobset.sigs.k8s.io/job-key", template, [2, 2], {
      "jobset.sigs.k8s.io/jobset-uid": "u",
    });
    const all = outcomes(unique, pods);
    for (const [a, b, c, d] of all) {
      expect(of(a, RACK)).toBe(of(b, RACK));
      expect([of(c, RACK), "pending"]).toContain(of(d, RACK));
      expect([a, b, c].map((node) => of(node, BLOCK))).toEqual(["k2", "k2", "k2"]);
    }
    expect(all.some(([a, , c]) => of(a, RACK) !== of(c, RACK))).toBe(true);
  });

  test("without a pin the scheduler cannot hold them in one block: only pods that match all terms count for it, so it is refused", () => {
    const both = ["job-key", "jobset-uid"].map((label, index) => ({
      labelSelector: {},
      matchLabelKeys: [`jobset.sigs.k8s.io/${label}`],
      topologyKey: index === 0 ? RACK : BLOCK,
    }));
    const spec = {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: both } },
    } as unknown as JsonObject;
    const pods = ["g0", "g0", "g1", "g1"].map((group) => ({
      labels: { "jobset.sigs.k8s.io/job-key": group, "jobset.sigs.k8s.io/jobset-uid": "u" },
      spec,
    }));
    expect(outcomes(unique, pods).some(([a, , c]) => of(a, BLOCK) !== of(c, BLOCK))).toBe(true);
    expect(codes(slices({}))).toContain("error BackendCannotExpress");
    expect(codes(slices({ mode: "preferred" }))).not.toContain("error BackendCannotExpress");
  });

  test("is what Kueue takes as slices", () => {
    const { object } = expandAs(
      job("t").replicas(8).gpus(8).className("gang").label("kueue.x-k8s.io/queue-name", "q").build(),
      {
        catalogue: catalogue({
          classes: { gang: { topology: { unit: "group", groupSize: 4, level: "rack", within: "block" } } },
          platform: { kueue: { version: "0.17.0" } },
        }),
        rung: rung("h100"),
      },
    );
    expect(objectAt(object, [...POD, "metadata", "annotations"])).toMatchObject({
      "kueue.x-k8s.io/podset-required-topology": BLOCK,
      "kueue.x-k8s.io/podset-slice-required-topology": RACK,
      "kueue.x-k8s.io/podset-slice-size": "4",
    });
  });

  test("required pod affinity of the manifest to other pods leaves no room for ours", () => {
    const manifest = job("train").replicas(3).gpus(8).className("gang").build();
    const others = [{ labelSelector: { matchLabels: { app: "cache" } }, topologyKey: ZONE }];
    const spec = { ...objectAt(manifest, [...POD, "spec"]) };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: others } };
    const written = {
      ...manifest,
      spec: {
        ...objectAt(manifest, ["spec"]),
        template: { ...objectAt(manifest, [...POD]), spec: { ...spec, affinity } },
      },
    } as unknown as JsonObject;
    const expansion = expandAs(written, { catalogue: gang({ level: "rack" }), rung: rung("h100") });
    expect(codes(expansion)).toContain("error BackendCannotExpress");
  });

  test("separate groups of a LeaderWorkerSet never meet in a rack", () => {
    const parts = gang({ unit: "group", level: "rack", domains: "separate" });
    const manifest = leaderWorkerSet("l", 2).replicas(2).gpus(8).className("gang").build();
    const { object } = expandAs(manifest, { catalogue: parts, rung: rung("h100") });
    const template = ["spec", "leaderWorkerTemplate", "workerTemplate"];
    const pods = groups(object, "leaderworkerset.sigs.k8s.io/group-key", template, [1, 1, 1]);
    const all = outcomes(unique, pods);
    for (const placed of all) expect(new Set(placed.map((node) => of(node, RACK))).size).toBe(3);
    expect(all.length).toBe(4 * 3 * 2);
  });

  test("separate pod sets of a RayCluster keep away from each other's racks", () => {
    const parts = gang({ unit: "podSet", level: "rack", domains: "separate" });
    const { object } = expandAs(rayCluster("r").replicas(2).gpus(8).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
    });
    const pods = [
      ["spec", "headGroupSpec", "template"],
      ["spec", "workerGroupSpecs", 0, "template"],
      ["spec", "workerGroupSpecs", 0, "template"],
    ].map((path) => {
      const labels = objectAt(object, [...path, "metadata", "labels"]) as Record<string, string>;
      return { labels: { ...labels, "ray.io/cluster": "r" }, spec: objectAt(object, [...path, "spec"]) };
    });
    for (const [head, first, second] of outcomes(unique, pods)) {
      expect(of(head, RACK)).not.toBe(of(first, RACK));
      expect(of(first, RACK)).toBe(of(second, RACK));
    }
  });

  test("what no label can say is refused: groups of a Job, and racks whose names are not unique", () => {
    const parts = gang({ unit: "podSet", level: "rack", domains: "separate" });
    const ray = expandAs(rayCluster("r").replicas(2).gpus(8).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
      entry: { outer: { [RACK]: [ZONE] } },
    });
    expect(codes(ray)).toContain("error BackendCannotExpress");
  });
});
