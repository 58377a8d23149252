import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectKey } from "../../src/model/index.ts";
import {
  acceleratorsByTenant,
  buildTopology,
  levelSummary,
  podsOfRoot,
  type Topology,
} from "../../src/topology/index.ts";
import { cluster, layout, testLayout } from "../support/cluster.ts";
import { runs } from "../support/runs.ts";

const label = fc.option(fc.constantFrom("x", "y", "z"), { nil: undefined });
const nodeArbitrary = fc.record({ zone: label, block: label, rack: label, gpus: fc.integer({ min: 0, max: 8 }) });
const podArbitrary = fc.record({
  node: fc.integer({ min: 0, max: 12 }),
  nominated: fc.boolean(),
  gpus: fc.integer({ min: 0, max: 8 }),
  cpu: fc.integer({ min: 0, max: 4000 }),
  job: fc.constantFrom("j1", "j2"),
});
type Nodes = readonly { zone: string | undefined; block: string | undefined; rack: string | undefined; gpus: number }[];
type Pods = readonly { node: number; nominated: boolean; gpus: number; cpu: number; job: string }[];

function build(nodes: Nodes, pods: Pods = []): Topology {
  const built = cluster();
  for (const [index, { zone, block, rack, gpus }] of nodes.entries()) {
    built.node(`n${index}`, (node) => {
      if (zone !== undefined) node.zone(zone);
      if (block !== undefined) node.block(block);
      if (rack !== undefined) node.rack(rack);
      if (gpus > 0) node.gpus("h100", gpus);
    });
  }
  for (const [index, { node, nominated, gpus, cpu, job }] of pods.entries()) {
    built.pod(`p${index}`, (pod) => {
      pod.gpus(gpus).cpu(`${cpu}m`).owner("Job", job);
      if (nominated) pod.nominatedTo(`n${node}`);
      else pod.on(`n${node}`);
    });
  }
  return built.topology();
}

describe("laws of the tree", () => {
  test("hosts that say one name and no rack are two hosts", () => {
    const topology = cluster()
      .node("a", (node) => node.label("kubernetes.io/hostname", "same"))
      .node("b", (node) => node.label("kubernetes.io/hostname", "same"))
      .topology();
    const host = topology.levels.at(-1);
    expect(host?.domains.map(({ nodes }) => nodes)).toEqual([[0], [1]]);
  });

  test("outermost domains come by name, whichever node comes first", () => {
    const topology = build(["z", "x", "y"].map((zone) => ({ zone, block: undefined, rack: undefined, gpus: 0 })));
    expect(topology.levels[0]?.domains.map(({ path }) => path)).toEqual([["x"], ["y"], ["z"]]);
  });

  test("the domains of a level part the nodes that stand in it; a parent holds all that its children hold", () => {
    fc.assert(
      fc.property(fc.array(nodeArbitrary, { maxLength: 12 }), (nodes) => {
        const topology = build(nodes);
        for (const [depth, level] of topology.levels.entries()) {
          const members = level.domains.flatMap((domain) => domain.nodes);
          expect(new Set(members).size).toBe(members.length);
          expect([...members].sort((a, b) => a - b)).toEqual(
            [...level.domainOf.keys()].filter((node) => level.domainOf[node] !== -1),
          );
          for (const [index, domain] of level.domains.entries()) {
            expect(domain).toMatchObject({ index, level: depth });
            expect([...domain.nodes]).toEqual([...domain.nodes].sort((a, b) => a - b));
            for (const node of domain.nodes) expect(level.domainOf[node]).toBe(index);
            const outer = topology.levels[depth - 1]?.domains[domain.parent];
            if (domain.parent === -1) continue;
            expect(domain.path.slice(0, -1)).toEqual(outer?.path);
            for (const node of domain.nodes) expect(outer?.nodes).toContain(node);
          }
        }
        const host = topology.levels.at(-1);
        expect(host?.domains.length).toBe(nodes.length);
        expect(host?.unlabelled).toEqual([]);
      }),
      runs(60),
    );
  });

  test("a node stands in a level exactly where it has that label and every outer one", () => {
    fc.assert(
      fc.property(fc.array(nodeArbitrary, { maxLength: 12 }), (nodes) => {
        const topology = build(nodes);
        for (const [id, facts] of topology.nodes.entries()) {
          const node = nodes[Number(facts.name.slice(1))];
          const values = [node?.zone, node?.block, node?.rack];
          const depth = values.indexOf(undefined) === -1 ? 3 : values.indexOf(undefined);
          expect(topology.levels.slice(0, 3).map((level) => level.domainOf[id] !== -1)).toEqual(
            [0, 1, 2].map((level) => level < depth),
          );
          expect(topology.levels.slice(0, 3).map((level) => level.unlabelled.includes(id))).toEqual(
            values.map((value) => value === undefined),
          );
        }
      }),
      runs(60),
    );
  });

  test("the ledger is the sum of the pods on nodes", () => {
    const key = (name: string): ObjectKey => ({ apiVersion: "batch/v1", kind: "Job", namespace: "default", name });
    fc.assert(
      fc.property(
        fc.array(nodeArbitrary, { minLength: 1, maxLength: 8 }),
        fc.array(podArbitrary, { maxLength: 12 }),
        (nodes, pods) => {
          const topology = build(nodes, pods);
          const width = topology.resources.length;
          const amounts = (used: Float64Array, name: string, node: number) =>
            used[(topology.nodeIndex.get(`n${node}`) ?? 0) * width + (topology.resourceIndex.get(name) ?? 0)];
          for (const [node] of nodes.entries()) {
            const here = pods.filter((pod) => pod.node === node);
            const sum = (list: Pods, of: (pod: Pods[number]) => number) =>
              list.reduce((total, pod) => total + of(pod), 0);
            expect(amounts(topology.ledger.used, "pods", node)).toBe(here.length);
            expect(amounts(topology.ledger.used, "cpu", node)).toBe(sum(here, (pod) => pod.cpu));
            if (topology.resourceIndex.has("nvidia.com/gpu"))
              expect(amounts(topology.ledger.used, "nvidia.com/gpu", node)).toBe(sum(here, (pod) => pod.gpus));
          }
          const placed = pods.filter((pod) => pod.node < nodes.length);
          expect(podsOfRoot(topology, key("j2")).length).toBe(pods.filter((pod) => pod.job === "j2").length);
          expect(acceleratorsByTenant(topology).get("default") ?? 0).toBe(
            placed.reduce((total, pod) => total + pod.gpus, 0),
          );
          expect(acceleratorsByTenant(topology, key("j1")).get("default") ?? 0).toBe(
            placed.filter((pod) => pod.job === "j2").reduce((total, pod) => total + pod.gpus, 0),
          );
        },
      ),
      runs(60),
    );
  });

  test("the order of the input does not matter", () => {
    const built = cluster()
      .node("a", (node) => node.zone("z").gpus("h100", 8))
      .node("b", (node) => node.zone("y").dra("h100", 2))
      .pod("p", (pod) => pod.on("a").gpus(1));
    const forward = buildTopology(built.inventory(), testLayout);
    const backward = cluster()
      .object(...[...built.objects()].reverse())
      .topology();
    expect(backward.nodes).toEqual(forward.nodes);
    expect(backward.ledger).toEqual(forward.ledger);
    expect(backward.levels).toEqual(forward.levels);
    expect(backward.generation).toBe(forward.generation);
  });
});

describe("the tree by example", () => {
  test("equal rack names in two zones are two racks", () => {
    const topology = cluster()
      .node("a", (node) => node.zone("z1").block("b").rack("r"))
      .node("b", (node) => node.zone("z2").block("b").rack("r"))
      .topology();
    expect(topology.levels[2]?.domains.map((domain) => domain.path)).toEqual([
      ["z1", "b", "r"],
      ["z2", "b", "r"],
    ]);
  });

  test("an empty label value names no place", () => {
    const topology = cluster()
      .node("a", (node) => node.zone("").block("b"))
      .topology();
    expect(topology.levels[0]?.unlabelled).toEqual([0]);
    expect(topology.levels[1]?.domains).toEqual([]);
  });

  test("a host without its label is called by the node's name", () => {
    const topology = buildTopology(
      cluster()
        .node("a", (node) => node.label("kubernetes.io/hostname", "").zone("z"))
        .inventory(),
      layout("two", { zone: "topology.kubernetes.io/zone", host: "kubernetes.io/hostname" }),
    );
    expect(topology.levels[1]?.domains[0]?.path).toEqual(["z", "a"]);
  });

  test("common columns come first, the others by name, also those that only a pod asks for", () => {
    const topology = cluster()
      .node("a", (node) => node.resource("vendor.example/b", 1))
      .pod("p", (pod) => pod.on("a").resource("vendor.example/a", 1))
      .topology();
    expect(topology.resources).toEqual([
      "cpu",
      "memory",
      "ephemeral-storage",
      "pods",
      "vendor.example/a",
      "vendor.example/b",
    ]);
  });

  test("pods on nodes that are not part of the input are kept apart", () => {
    const topology = cluster()
      .node("a")
      .pod("p", (pod) => pod.on("gone").cpu(1))
      .topology();
    expect(topology.podsOn).toEqual([[]]);
    expect(topology.pods).toHaveLength(1);
  });

  test("the generation changes with what is used, and only then", () => {
    const base = () => cluster().node("a", (node) => node.gpus("h100", 8));
    const idle = base().topology().generation;
    expect(base().topology().generation).toBe(idle);
    const changes = [
      base().pod("p", (pod) => pod.on("a").gpus(1)),
      base().claim("c", ["gpu.nvidia.com/a/gpu-0"]),
      cluster().node("a", (node) => node.gpus("h100", 8).cordoned()),
      cluster().node("a", (node) => node.gpus("h100", 8).label("x", "y")),
      cluster().node("a", (node) => node.gpus("h100", 7)),
    ];
    const all = [idle, ...changes.map((one) => one.topology().generation)];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("free and total by domain", () => {
  const built = cluster()
    .node("a", (node) => node.gpus("h100", 8).zone("z").block("b").rack("r1"))
    .node("b", (node) => node.gpus("h100", 8).zone("z").block("b").rack("r1"))
    .node("c", (node) => node.gpus("h100", 8).zone("z").block("b").rack("r2").cordoned())
    .node("d", (node) => node.dra("h100", 8).zone("z").block("b").rack("r2"))
    .node("e")
    .pod("p", (pod) => pod.on("b").gpus(3))
    .claim("c", ["gpu.nvidia.com/d/gpu-0"]);

  test("device plugin and DRA count together; what is cordoned is not free", () => {
    const [zone, , rack, host] = levelSummary(built.topology(), "nvidia.com/gpu");
    expect(zone).toMatchObject({ level: "zone", unlabelled: 1 });
    expect(zone?.domains).toEqual([
      { path: ["z"], parent: -1, nodes: 4, offering: 4, freeNodes: 1, devices: 32, freeDevices: 8 + 5 + 7 },
    ]);
    expect(
      rack?.domains.map((one) => [one.path.at(-1), one.freeNodes, one.offering, one.freeDevices, one.devices]),
    ).toEqual([
      ["r1", 1, 2, 13, 16],
      ["r2", 0, 2, 7, 16],
    ]);
    expect(host?.domains).toHaveLength(5);
  });

  test("the driver's name counts its devices alone", () => {
    const [zone] = levelSummary(built.topology(), "gpu.nvidia.com");
    expect(zone?.domains[0]).toMatchObject({ offering: 1, devices: 8, freeDevices: 7 });
  });

  test("a resource that nobody offers is zero everywhere", () => {
    const [zone] = levelSummary(built.topology(), "amd.com/gpu");
    expect(zone?.domains[0]).toMatchObject({ nodes: 4, offering: 0, devices: 0 });
  });
});
