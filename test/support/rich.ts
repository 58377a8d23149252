import fc from "fast-check";
import type { CapacityPool, Demand, Hold, JsonObject } from "../../src/model/index.ts";
import type { SolveContext } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { testLayout } from "./cluster.ts";
import { contextOf, demandOf, step } from "./demand.ts";
import {
  type ClaimCase,
  claimCase,
  claimsOf,
  type NodeDevices,
  nodeDevices,
  requestsOf,
  slicesOf,
} from "./device-cases.ts";
import {
  type NodeCase,
  nodeCase,
  objectsOf,
  type PoolCase,
  poolCase,
  poolOf,
  type SetCase,
  setCase,
  setOf,
} from "./solver-cases.ts";

/** A small world in which everything that an answer may depend on is there at once. */
export interface RichCase {
  readonly nodes: readonly RichNode[];
  readonly fabric: number;
  readonly pools: readonly (PoolCase & { readonly hours: number | undefined })[];
  readonly head: SetCase;
  readonly worker: SetCase;
  readonly claim: ClaimCase | undefined;
  readonly wantsFabric: boolean;
  readonly runHours: number | undefined;
  readonly quota: { readonly pods: number; readonly used: number } | undefined;
  readonly queue: { readonly nominal: number; readonly used: number; readonly borrowing: number } | undefined;
  readonly held: { readonly node: number; readonly pods: number; readonly fresh: number } | undefined;
}

export type RichNode = NodeCase & { readonly gpus: NodeDevices };

const maybe = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(one, { freq: 2, nil: undefined });
/**
 * Without what makes the scheduler give up on a pod at some node, so that more nodes may be worse: devices that are wanted whole, and a selector that
 * fails on devices of another driver.
 */
function plain(claim: ClaimCase): ClaimCase {
  return {
    ...claim,
    requests: claim.requests.slice(0, 1).map((one) => ({
      ...one,
      count: one.count === "all" ? 1 : one.count,
      otherKind: undefined,
    })),
  };
}

export const richNode: fc.Arbitrary<RichNode> = fc
  .tuple(nodeCase(true), nodeDevices)
  .map(([node, gpus]) => ({ ...node, cpu: node.cpu + 2, gpus: { ...gpus, devices: gpus.devices.slice(0, 3) } }));

function easy(one: SetCase): SetCase {
  return {
    ...one,
    spread: "none",
    devices: 0,
    cpu: 1,
    port: false,
    select: undefined,
  };
}

/** The same with all of that: spreading, several requests, devices that are wanted whole, and selectors for devices of others. */
export const wildCase: fc.Arbitrary<RichCase> = richly(
  (one) => ({ ...one, devices: 0, cpu: 1, select: undefined }),
  (claim) => claim,
).map((one) => {
  const [first] = one.claim?.requests ?? [];
  if (one.claim === undefined || first?.count !== "all") return one;
  // Whoever wants all has enough to lose by that.
  const claim: ClaimCase = { ...one.claim, bond: "none", requests: [{ ...first, tolerates: true, units: undefined }] };
  return {
    ...one,
    claim,
    worker: { ...one.worker, pods: 1, tolerates: true },
    quota: undefined,
    queue: undefined,
    held: undefined,
  };
});

export const richCase: fc.Arbitrary<RichCase> = richly(easy, plain);

function richly(easing: (one: SetCase) => SetCase, claims: (one: ClaimCase) => ClaimCase): fc.Arbitrary<RichCase> {
  return fc.record({
    nodes: fc.array(richNode, { minLength: 1, maxLength: 3 }),
    fabric: fc.integer({ min: 0, max: 3 }),
    pools: fc.array(
      fc
        .tuple(poolCase, maybe(fc.integer({ min: 1, max: 6 })))
        .map(([one, hours]) => ({ ...one, cpu: one.cpu + 1, tainted: false, hours })),
      { minLength: 1, maxLength: 1 },
    ),
    head: setCase(1).map(easing),
    worker: setCase(2).map(easing),
    claim: maybe(claimCase.map(claims)),
    wantsFabric: fc.constantFrom(false, false, true),
    runHours: maybe(fc.integer({ min: 1, max: 6 })),
    quota: maybe(fc.record({ pods: fc.integer({ min: 2, max: 6 }), used: fc.integer({ min: 0, max: 3 }) })),
    queue: maybe(
      fc.record({
        nominal: fc.integer({ min: 1, max: 6 }),
        used: fc.integer({ min: 0, max: 2 }),
        borrowing: fc.integer({ min: 0, max: 2 }),
      }),
    ),
    held: maybe(
      fc.record({
        node: fc.integer({ min: 0, max: 2 }),
        pods: fc.integer({ min: 0, max: 2 }),
        fresh: fc.integer({ min: 0, max: 1 }),
      }),
    ),
  });
}

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const FABRIC = "fabric.example.com";

function richObjects(one: RichCase, nameOf: (index: number) => string): readonly JsonObject[] {
  const kueue = (kind: string, name: string, spec: JsonObject, extra: JsonObject = {}): JsonObject => ({
    apiVersion: "kueue.x-k8s.io/v1beta2",
    kind,
    metadata: { name },
    spec,
    ...extra,
  });
  const limits = (nominal: number, borrowing: number): JsonObject => ({
    namespaceSelector: {},
    cohortName: "all",
    resourceGroups: [
      {
        coveredResources: ["cpu", "memory"],
        flavors: [
          {
            name: "any",
            resources: [
              { name: "cpu", nominalQuota: nominal, borrowingLimit: borrowing },
              { name: "memory", nominalQuota: "1Ti" },
            ],
          },
        ],
      },
    ],
  });
  const queue = one.queue ?? { nominal: 100, used: 0, borrowing: 0 };
  const reserved = [{ name: "any", resources: [{ name: "cpu", total: String(queue.used), borrowed: "0" }] }];
  return [
    ...objectsOf(one.nodes, nameOf),
    ...one.nodes.flatMap(({ gpus }, index) => [...slicesOf(nameOf(index), gpus), ...claimsOf(nameOf(index), gpus)]),
    {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "fabric" },
      spec: {
        driver: FABRIC,
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        allNodes: true,
        devices: Array.from({ length: one.fabric }, (_, index) => ({ name: `f${index}` })),
      },
    },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } },
    ...(one.quota === undefined
      ? []
      : [
          {
            apiVersion: "v1",
            kind: "ResourceQuota",
            metadata: { name: "q", namespace: "default" },
            spec: { hard: { pods: String(one.quota.pods) } },
            status: { hard: { pods: String(one.quota.pods) }, used: { pods: String(one.quota.used) } },
          },
        ]),
    kueue("ClusterQueue", "ml", limits(queue.nominal, queue.borrowing), { status: { flavorsReservation: reserved } }),
    kueue("ClusterQueue", "web", limits(1, 0)),
    kueue("ResourceFlavor", "any", {}),
    { ...kueue("LocalQueue", "train", { clusterQueue: "ml" }), metadata: { name: "train", namespace: "default" } },
    ...["Pod", "ResourceClaim", "Cohort"].map((kind) => ({ apiVersion: "v1", kind: `${kind}List`, items: [] })),
  ];
}

export interface Rich {
  readonly topology: Topology;
  readonly demand: Demand;
  readonly context: SolveContext;
}

export function richWorld(one: RichCase, nameOf = (index: number): string => `n${index}`): Rich {
  const { value, diagnostics } = inventoryFrom(richObjects(one, nameOf));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join(" "));
  const rung = step({ source: "new" });
  const head = setOf("head", one.head, rung);
  const worker = setOf("worker", one.worker, rung);
  const fabric = one.wantsFabric
    ? [
        {
          name: "nic",
          claim: "nic",
          deviceClassName: FABRIC,
          selectors: [`device.driver == "${FABRIC}"`],
          count: 1,
          tolerations: [],
          matchAttributes: [],
        },
      ]
    : [];
  const devices = [...(one.claim === undefined ? [] : requestsOf(one.claim)), ...fabric];
  const timed = one.runHours === undefined ? {} : { runMs: one.runHours * HOUR };
  const demand: Demand = {
    ...demandOf({ ...head, ...timed }, { ...worker, ...timed, pod: { ...worker.pod, devices } }),
    ...(one.queue === undefined ? {} : { queue: { name: "train", whole: true } }),
  };
  const pools = one.pools.map(({ hours, ...each }, index): CapacityPool => {
    const pool = poolOf(`p${index}`, each);
    const end = hours === undefined ? undefined : new Date(NOW + hours * HOUR).toISOString();
    return end === undefined ? pool : { ...pool, reservation: { name: "cb", end } };
  });
  const holds = one.held === undefined ? [] : [holdOf(one.held, nameOf)];
  return {
    topology: buildTopology(value, testLayout),
    demand,
    context: contextOf({ pools, holds, nowMs: NOW, skipSuggestions: true }),
  };
}

function holdOf({ node, pods, fresh }: NonNullable<RichCase["held"]>, nameOf: (index: number) => string): Hold {
  return {
    workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "other" },
    tenant: "team-t",
    takenAtMs: NOW,
    placed: [
      {
        podSet: "main",
        node: nameOf(node),
        pods,
        requests: { cpu: 1000, pods: 1 },
        devices: pods > 0 ? [`gpu.nvidia.com/${nameOf(node)}/d0`] : [],
        accelerators: 0,
        charged: {},
      },
    ],
    newNodes: fresh === 0 ? [] : [{ pool: "p0", zone: "a", count: fresh }],
  };
}
