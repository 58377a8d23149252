import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContainerNeeds } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet } from "../support/demand.ts";
import { admit, type KubeletNode, type KubeletPod } from "../support/kubelet.ts";
import { runs, tally } from "../support/runs.ts";

const GPU = "nvidia.com/gpu";
const NIC = "example.com/nic";
const ZONES = 2;
type Policy = KubeletNode["policy"];

interface Machine {
  /** By zone: GPUs and cards, and of them in use. */
  readonly gpus: readonly number[];
  readonly nics: readonly number[];
  readonly busy: readonly number[];
  /** The object was written before the pods came. */
  readonly stale: boolean;
  readonly policy: Policy;
  readonly scope: KubeletNode["scope"];
}

const perZone = (...sizes: readonly [number, ...number[]]) =>
  fc.tuple(...Array.from({ length: ZONES }, () => fc.constantFrom(...sizes)));

const machine = fc
  .record({
    gpus: perZone(2, 3, 4, 4),
    nics: perZone(1, 2, 2),
    used: perZone(0, 1, 1, 2, 3),
    stale: fc.constantFrom(true, true, false),
    policy: fc.constantFrom<Policy>("single-numa-node", "restricted"),
    scope: fc.constantFrom<KubeletNode["scope"]>("container", "pod"),
  })
  .map(({ used, ...one }) => ({ ...one, busy: one.gpus.map((size, zone) => Math.min(size, used[zone] ?? 0)) }));

const container = fc
  .record({
    kind: fc.constantFrom<ContainerNeeds["kind"]>("init", "sidecar", "main", "main"),
    gpus: fc.constantFrom(0, 1, 1, 2, 2, 3, 5),
    nics: fc.constantFrom(0, 0, 0, 0, 1),
  })
  .map(
    ({ kind, gpus, nics }, at = 0): ContainerNeeds => ({
      name: `${kind}-${at}`,
      kind,
      requests: { ...(gpus > 0 ? { [GPU]: gpus } : {}), ...(nics > 0 ? { [NIC]: nics } : {}) },
    }),
  );

/** Init containers and sidecars come first. */
const pod: fc.Arbitrary<KubeletPod> = fc
  .oneof(fc.tuple(container), fc.tuple(container, container), fc.tuple(container, container, container))
  .map((list) => [
    ...list.filter(({ kind }) => kind !== "main"),
    ...list.filter(({ kind }) => kind === "main"),
    ...(list.some(({ kind }) => kind === "main")
      ? []
      : [{ name: "last", kind: "main" as const, requests: { [GPU]: 1 } }]),
  ]);

const total = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0);

function held(containers: KubeletPod, resource: string): number {
  let [running, peak] = [0, 0];
  for (const { kind, requests } of containers) {
    peak = Math.max(peak, running + (requests[resource] ?? 0));
    if (kind !== "init") running += requests[resource] ?? 0;
  }
  return Math.max(peak, running);
}

function topologyOf(machines: readonly Machine[]) {
  const builder = cluster();
  for (const [at, one] of machines.entries()) {
    const name = `n${at}`;
    builder.node(name, (node) => node.cpu(64).gpus("h100", total(one.gpus)).resource(NIC, total(one.nics)));
    const used = total(one.busy);
    if (used > 0) builder.pod(`busy-${at}`, (two) => two.namespace("other").on(name).gpus(used));
    builder.object({
      apiVersion: "topology.node.k8s.io/v1alpha2",
      kind: "NodeResourceTopology",
      metadata: { name },
      attributes: [
        { name: "topologyManagerPolicy", value: one.policy },
        { name: "topologyManagerScope", value: one.scope },
      ],
      zones: one.gpus.map((size, zone) => ({
        name: `node-${zone}`,
        type: "Node",
        resources: [
          { name: GPU, capacity: size, allocatable: size, available: size - (one.stale ? 0 : (one.busy[zone] ?? 0)) },
          ...[one.nics[zone] ?? 0].map((cards) => ({
            name: NIC,
            capacity: cards,
            allocatable: cards,
            available: cards,
          })),
        ],
      })),
    });
  }
  return builder.topology();
}

/** Every way in which devices can be in use, as far as the cluster tells. */
function layouts({ gpus, busy, stale }: Machine): readonly (readonly number[])[] {
  if (!stale || total(busy) === 0) return [busy];
  const found: number[][] = [];
  for (let first = 0; first <= (gpus[0] ?? 0); first += 1) {
    const second = total(busy) - first;
    if (second >= 0 && second <= (gpus[1] ?? 0)) found.push([first, second]);
  }
  return found;
}

function nodeOf(one: Machine, busy: readonly number[]): KubeletNode {
  const devices = (resource: string, sizes: readonly number[], taken: readonly number[]) =>
    sizes.flatMap((size, zone) =>
      Array.from({ length: size }, (_, at) => ({ resource, zone, taken: at < (taken[zone] ?? 0) })),
    );
  return { ...one, zones: ZONES, devices: [...devices(GPU, one.gpus, busy), ...devices(NIC, one.nics, [])] };
}

/** How many pods of a kind come in whatever happens, and how many in some case. */
function admitted(states: readonly KubeletNode[], one: KubeletPod, most: number): { least: number; most: number } {
  let now = states;
  let least = most;
  for (let pods = 0; pods < most; pods += 1) {
    const outcomes = now.map((state) => admit(state, one));
    if (outcomes.some(({ refused }) => refused)) least = Math.min(least, pods);
    now = outcomes.flatMap((outcome) => outcome.states);
    if (now.length === 0) return { least, most: pods };
  }
  return { least, most };
}

function roomOn(one: Machine, states: readonly KubeletNode[], containers: KubeletPod, used: number) {
  const counts = [
    [held(containers, GPU), total(one.gpus) - used],
    [held(containers, NIC), total(one.nics)],
  ].map(([each = 0, free = 0]) => (each === 0 ? 9 : Math.floor(free / each)));
  return admitted(states, containers, Math.min(9, ...counts));
}

const setOf = (name: string, required: number, containers: KubeletPod) =>
  podSet(name, {
    required,
    requests: Object.fromEntries(
      [GPU, NIC].flatMap((one) => (held(containers, one) > 0 ? [[one, held(containers, one)]] : [])),
    ),
    pod: { containers },
    steps: [gpuStep(held(containers, GPU))],
    placement: { unit: "pod" },
  });
const context = contextOf({ skipSuggestions: true });
const asks = (containers: KubeletPod): boolean => held(containers, GPU) + held(containers, NIC) > 0;

describe("what a kubelet admits by NUMA node", () => {
  test("is what the kubelet's own algorithm admits, device by device, whatever is not known", () => {
    const seen = tally();
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(machine), fc.tuple(machine, machine)),
        pod.filter(asks),
        fc.constantFrom(1, 1, 2, 3),
        (machines, containers, pods) => {
          const topology = topologyOf(machines);
          const demand = demandOf(setOf("main", pods, containers));
          const answer = solve(topology, demand, context);
          const rooms = machines.map((one) =>
            roomOn(
              one,
              layouts(one).map((busy) => nodeOf(one, busy)),
              containers,
              total(one.busy),
            ),
          );
          const empty = machines.map((one) => roomOn(one, [nodeOf(one, [])], containers, 0));
          const sum = (list: readonly { least: number; most: number }[], which: "least" | "most") =>
            total(list.map((room) => room[which]));
          const expected =
            sum(rooms, "least") >= pods
              ? "fits"
              : sum(rooms, "most") >= pods
                ? "unknown"
                : sum(empty, "least") >= pods
                  ? "busy"
                  : sum(empty, "most") >= pods
                    ? "unknown"
                    : "never";
          for (const { policy, scope } of machines) seen.add(`${expected} ${policy}/${scope}`);
          seen.add(expected);
          expect(answer.verdict).toBe(expected);
          const rungs = { main: demand.podSets[0]?.ladder.steps[0]?.rung ?? expect.fail() };
          if (expected === "fits") {
            const assignment = answer.chosen?.assignment ?? expect.fail();
            expect(checkAssignment(topology, demand, rungs, assignment, context)).toEqual([]);
          }
          // All on one node: the checker finds a fault wherever the kubelet may.
          const forged = { placed: [{ podSet: "main", node: "n0", pods }], newNodes: [] };
          const faults = checkAssignment(topology, demand, rungs, forged, context);
          expect(faults.length === 0).toBe((rooms[0]?.least ?? 0) >= pods);
          seen.add(faults.length === 0 ? "accepted" : faults.some((one) => one.includes("NUMA")) ? "refused" : "full");
        },
      ),
      runs(150),
    );
    expect(seen.least("fits", "unknown", "busy", "never")).toBeGreaterThan(3);
    expect(seen.least("accepted", "refused")).toBeGreaterThan(20);
  });

  test("two kinds of pods on one node: in every order, or it does not fit", () => {
    const seen = tally();
    fc.assert(
      fc.property(
        machine,
        pod.filter(asks),
        pod.filter(asks),
        fc.integer({ min: 1, max: 2 }),
        (one, first, second, pods) => {
          const topology = topologyOf([one]);
          const demand = demandOf(setOf("first", pods, first), setOf("second", 1, second));
          const { verdict, chosen, rungs } = solve(topology, demand, context);
          const starts = layouts(one).map((busy) => nodeOf(one, busy));
          const enough = [GPU, NIC].every((resource) => {
            const free = resource === GPU ? total(one.gpus) - total(one.busy) : total(one.nics);
            return pods * held(first, resource) + held(second, resource) <= free;
          });
          const orders = Array.from({ length: pods + 1 }, (_, at) =>
            Array.from({ length: pods + 1 }, (_unused, turn) => (turn === at ? second : first)),
          );
          const ends = orders.map((order) => {
            let [states, refused] = [starts, false];
            for (const next of order) {
              const outcomes = states.map((state) => admit(state, next));
              if (outcomes.some((outcome) => outcome.refused)) refused = true;
              states = outcomes.flatMap((outcome) => [...outcome.states]);
            }
            return { certain: !refused, possible: states.length > 0 };
          });
          const certain = enough && ends.every((end) => end.certain);
          const possible = enough && ends.some((end) => end.possible);
          seen.add(certain ? "certain" : possible ? "possible" : "refused");
          expect(verdict === "fits").toBe(certain);
          if (possible && !certain) expect(verdict).toBe("unknown");
          if (!certain) return;
          const assignment = chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, rungs, assignment, context)).toEqual([]);
        },
      ),
      runs(150),
    );
    expect(seen.least("certain", "possible", "refused")).toBeGreaterThan(3);
  });
});
