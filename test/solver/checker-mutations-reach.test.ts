import { describe } from "vitest";
import { given, hold, main, one, put } from "../support/assignments.ts";
import type { ClusterBuilder } from "../support/cluster.ts";
import { deviceRequest, pool, step } from "../support/demand.ts";
import { DRIVER } from "../support/device-cases.ts";
import { type Case, refuses } from "../support/refusal.ts";

describe("devices that existing and new nodes reach", () => {
  const zone = "topology.kubernetes.io/zone";
  const fabric = (key = "", operator = "", ...values: readonly string[]): ClusterBuilder =>
    one().object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "fabric" },
      spec: {
        driver: DRIVER,
        pool: { name: "wide", generation: 1, resourceSliceCount: 1 },
        ...(key === ""
          ? { allNodes: true }
          : { nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values: [...values] }] }] } }),
        devices: [{ name: "a" }, { name: "b" }],
      },
    });
  const sets = [
    main({
      required: 2,
      pod: { devices: [deviceRequest("gpu", 1)] },
      placement: { unit: "pod" },
      steps: [step({ source: "new" }, { tolerations: [{ operator: "Exists" }] })],
    }),
  ];
  const pools = [pool("p5", { zones: ["a", "b"], node: { labels: { pool: "p5", tier: "gold" } } })];
  const right: Case = {
    cluster: fabric(),
    sets,
    placed: [given("n-1", ["wide/a"]), given("p5/0", ["wide/b"])],
    newNodes: [{ pool: "p5", zone: "b", count: 1 }],
    context: { pools },
  };
  const fresh: Case = {
    ...right,
    cluster: fabric("tier", "In", "gold"),
    placed: [given("p5/0", ["wide/a"], ["wide/b"])],
  };
  const joint: Case = {
    ...fresh,
    sets: [
      main({
        required: 2,
        pod: { devices: [deviceRequest("gpu", 1, { sharedClaim: "default/one" })] },
        placement: { unit: "pod" },
        steps: [step({ source: "new" }, { tolerations: [{ operator: "Exists" }] })],
      }),
    ],
    cluster: fabric(zone, "Exists"),
    placed: [
      put("p5/0", 1, { devices: [[`${DRIVER}/wide/a`]], serves: [["gpus/gpu"]] }),
      put("p5/1", 1, { devices: [[]], serves: [[]] }),
    ],
    newNodes: [
      { pool: "p5", zone: "a", count: 1 },
      { pool: "p5", zone: "b", count: 1 },
    ],
  };
  refuses([
    [
      "the devices of a claim that pods share reach one new node and not the other",
      joint,
      { cluster: fabric(zone, "In", "a") },
      /a pod on p5\/1 does not reach the devices of claim default\/one/,
    ],
    [
      "one is given to an existing node and to a new one",
      right,
      { placed: [given("n-1", ["wide/b"]), given("p5/0", ["wide/b"])] },
      /wide\/b is given twice/,
    ],
    [
      "one in use is given to a new node",
      right,
      { cluster: fabric().claim("held", [`${DRIVER}/wide/b`]) },
      /wide\/b is in use/,
    ],
    [
      "one that is promised to others is given to a new node",
      right,
      { context: { pools, holds: [hold({ devices: [`${DRIVER}/wide/b`] })] } },
      /wide\/b is in use/,
    ],
    ["a new node has another label", fresh, { cluster: fabric("tier", "In", "silver") }, /does not exist/],
    ["a new node has no such label", fresh, { cluster: fabric("rack", "Exists") }, /does not exist/],
    [
      "a new node is in another zone",
      { ...fresh, cluster: fabric(zone, "In", "b") },
      { newNodes: [{ pool: "p5", zone: "a", count: 1 }] },
      /does not exist/,
    ],
    [
      "a new node may have a label that its pool does not declare",
      { ...fresh, cluster: fabric("rack", "NotIn", "r1") },
      { cluster: fabric("kubernetes.io/arch", "NotIn", "arm64") },
      /does not exist/,
    ],
    [
      "a new node gets one label or the other of those that its NodePool leaves open",
      { ...fresh, cluster: fabric("rack", "NotIn", "r1") },
      {
        cluster: fabric("rack", "NotIn", "r1").object({
          apiVersion: "karpenter.sh/v1",
          kind: "NodePool",
          metadata: { name: "np" },
          spec: { template: { spec: { requirements: [{ key: "rack", operator: "In", values: ["r1", "r2"] }] } } },
          status: { conditions: [{ type: "Ready", status: "True" }] },
        }),
        context: {
          pools: [pool("p5", { zones: ["a", "b"], node: { labels: { pool: "p5", "karpenter.sh/nodepool": "np" } } })],
        },
      },
      /does not exist/,
    ],
  ]);
});
