import { describe } from "vitest";
import type { Placed, PodSetDemand } from "../../src/model/index.ts";
import { hold, main, put } from "../support/assignments.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { podSet, type SetOptions } from "../support/demand.ts";
import { type Case, refuses } from "../support/refusal.ts";

describe("room", () => {
  const busy = (terminating: boolean, on = "n-2"): ClusterBuilder =>
    cluster()
      .nodes("n", 2, (node) => node.cpu(4))
      .pod("other", (pod) => {
        pod.namespace("x").on(on).cpu(2).priority(-10);
        if (terminating) pod.terminating();
      });
  const right: Case = { cluster: busy(true), sets: [main({ required: 3 })], placed: [put("n-1", 3)] };
  refuses([
    [
      "a pod that ends still stands",
      right,
      { cluster: busy(true, "n-1") },
      /n-1 has 2000 cpu left, and 3000 are placed/,
    ],
    ["a pod of lower priority is not gone yet", right, { cluster: busy(false, "n-1") }, /n-1 has 2000 cpu left/],
    [
      "what is promised to others",
      right,
      { context: { holds: [hold({ pods: 2, requests: { cpu: 1000 } })] } },
      /n-1 has 2000 cpu left, and 3000 are placed there/,
    ],
    [
      "a host port that is promised to others",
      { ...right, sets: [main({ pod: { hostPorts: [80] } })], placed: [put("n-1", 1)] },
      { context: { holds: [hold({ hostPorts: [80] })] } },
      /n-1 has a host port taken twice/,
    ],
    [
      "one at an address where every address is taken",
      { ...right, sets: [main({ pod: { hostPorts: ["10.0.0.1:80/TCP"] } })], placed: [put("n-1", 1)] },
      { context: { holds: [hold({ hostPorts: [80] })] } },
      /n-1 has a host port taken twice/,
    ],
    [
      "two pods with one port at one address",
      {
        ...right,
        sets: [
          main({ pod: { hostPorts: ["10.0.0.1:80/UDP"] } }),
          podSet("side", { pod: { hostPorts: [80, "10.0.0.2:80/UDP"] } }),
        ],
        placed: [put("n-1", 1), { ...put("n-1", 1), podSet: "side" }],
      },
      { sets: [main({ pod: { hostPorts: ["10.0.0.1:80/UDP"] } }), podSet("side", { pod: { hostPorts: ["80/UDP"] } })] },
      /n-1 has a host port taken twice/,
    ],
    [
      "a pod set that nobody has",
      right,
      { placed: [put("n-1", 3), { podSet: "ghost", node: "n-1", pods: 1 }] },
      /the workload has no pod set ghost/,
    ],
  ]);
  const daemon = (nodes: number): ClusterBuilder => cluster().nodes("n", nodes, (node) => node.cpu(4));
  const each: Case = { cluster: daemon(2), sets: [main({ perNode: true })], placed: [put("n-1", 1), put("n-2", 1)] };
  refuses([
    ["one pod per node leaves out none", each, { cluster: daemon(3) }, /main leaves out n-3/],
    ["and puts no two on one", each, { placed: [put("n-1", 2), put("n-2", 1)] }, /places two pods on one node/],
  ]);
});

describe("levels, units and spreading", () => {
  const racks = cluster()
    .nodes("a", 2, (node, index) => node.zone("z1").block("b").rack(`r${index}`).cpu(8))
    .nodes("b", 2, (node, index) => node.zone("z2").block("b").rack(`r${index}`).cpu(8));
  const unit = (name: string, placement: SetOptions["placement"], pods = 2): PodSetDemand =>
    podSet(name, { required: pods, ...(placement === undefined ? {} : { placement }) });
  const of = (podSet: string, node: string, pods: number): Placed => ({ podSet, node, pods });
  const within = { unit: "podSet" as const, level: "rack", within: "zone" };
  const group = { unit: "group" as const, groupSize: 1, level: "rack" };
  const spreading = [main({ required: 2, pod: { spread: [{ key: "row", maxSkew: 1, ignoreTaints: true }] } })];
  const labelled = (also?: string): ClusterBuilder =>
    cluster().nodes("n", 2, (node, index) => {
      node.cpu(8);
      if (index === 1 || also === `n-${index}`) node.label("row", `row-${index}`);
    });
  const spread = (minDomains: number) => [
    main({
      required: 2,
      placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, minDomains, mode: "required" } },
    }),
  ];
  refuses([
    [
      "one wider domain for all units",
      {
        cluster: racks,
        sets: [unit("head", within), unit("main", within)],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "b-2", 2)] },
      /the workload stands in 2 domains of zone/,
    ],
    [
      "one domain for the whole workload",
      {
        cluster: racks,
        sets: [unit("head", { unit: "workload", level: "zone" }), unit("main", { unit: "workload", level: "zone" })],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "b-2", 2)] },
      /the workload stands in 2 domains of zone/,
    ],
    [
      "units apart",
      {
        cluster: racks,
        sets: [unit("head", { level: "rack", separate: true }), unit("main", {})],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "a-1", 1), of("main", "a-2", 1)] },
      /head shares the rack z1\/b\/r1 with main/,
    ],
    [
      "groups apart",
      { cluster: racks, sets: [unit("main", { ...group, separate: true })], placed: [put("a-1", 1), put("a-2", 1)] },
      { placed: [put("a-1", 2)] },
      /two groups of main share a rack/,
    ],
    [
      "leader and workers in step",
      {
        cluster: racks,
        sets: [unit("head", { ...group, joint: "" }), unit("main", { ...group, groupSize: 2, joint: "" }, 4)],
        placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-1", 2), of("main", "b-1", 2)],
      },
      { placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-1", 4)] },
      /groups of (head|main) and (main|head) do not match in rack/,
    ],
    [
      "and only where they make up one group",
      {
        cluster: racks,
        sets: [unit("head", group), unit("main", { ...group, groupSize: 2 }, 4)],
        placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-2", 4)],
      },
      { sets: [unit("head", { ...group, joint: "" }), unit("main", { ...group, groupSize: 2, joint: "" }, 4)] },
      /groups of (head|main) and (main|head) do not match in rack/,
    ],
    [
      "a label that pods spread over",
      { cluster: labelled("n-2"), sets: spreading, placed: [put("n-1", 1), put("n-2", 1)] },
      { cluster: labelled() },
      /main on n-2: it has no label row/,
    ],
    [
      "enough domains",
      { cluster: racks, sets: spread(2), placed: [put("a-1", 1), put("b-1", 1)] },
      {
        sets: [
          main({
            required: 2,
            placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, minDomains: 3, mode: "required" } },
          }),
        ],
        placed: [put("a-1", 2)],
      },
      /main is 2 uneven over topology.kubernetes.io\/zone, and may be 1/,
    ],
  ]);
});
