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
const CPU = "cpu";
type Policy = KubeletNode["policy"];

interface Machine {
  /** By zone: GPUs and cards, and of them in use. */
  readonly gpus: readonly number[];
  readonly nics: readonly number[];
  readonly busy: readonly number[];
  /** By zone: whole CPUs, of which the first zone keeps some for the system. Empty: the object lists none. */
  readonly cpus: readonly number[];
  readonly reserved: number;
  /** The object was written before the pods came, or for others that held as much. */
  readonly stale: boolean;
  readonly renewed: boolean;
  readonly policy: Policy;
  readonly scope: KubeletNode["scope"];
}

const perZone = (zones: number) => (sizes: readonly number[]) =>
  fc.tuple(...Array.from({ length: zones }, () => fc.constantFrom(...sizes)));

/** Of two zones; with more of them smaller ones, so that everything can still be tried. */
const twoZones = { gpus: [2, 3, 4, 4], nics: [1, 2, 2], used: [0, 1, 1, 2, 3] } as const;
const moreZones = { gpus: [1, 2, 2, 3], nics: [0, 1, 1], used: [0, 0, 1, 2] } as const;

const machineOf = (zones: number, sizes: typeof twoZones | typeof moreZones) =>
  fc
    .record({
      gpus: perZone(zones)(sizes.gpus),
      nics: perZone(zones)(sizes.nics),
      used: perZone(zones)(sizes.used),
      cpus: fc.oneof(
        { weight: 2, arbitrary: fc.constant<readonly number[]>([]) },
        { weight: 1, arbitrary: perZone(zones)([2, 2, 3]) },
      ),
      reserved: fc.constantFrom(0, 0, 1),
      stale: fc.constantFrom(true, true, false),
      renewed: fc.constantFrom(false, false, true),
      policy: fc.constantFrom<Policy>("single-numa-node", "restricted"),
      scope: fc.constantFrom<KubeletNode["scope"]>("container", "pod"),
    })
    .map(({ used, ...one }) => ({ ...one, busy: one.gpus.map((size, zone) => Math.min(size, used[zone] ?? 0)) }));

const machine = fc.oneof(
  { weight: 3, arbitrary: machineOf(2, twoZones) },
  { weight: 1, arbitrary: machineOf(3, moreZones) },
  { weight: 1, arbitrary: machineOf(4, moreZones) },
);

const container = fc
  .record({
    kind: fc.constantFrom<ContainerNeeds["kind"]>("init", "sidecar", "main", "main"),
    gpus: fc.constantFrom(0, 1, 1, 2, 2, 3, 5),
    nics: fc.constantFrom(0, 0, 0, 0, 1),
    cpus: fc.constantFrom(0, 0, 0, 1, 2, 3),
  })
  .map(
    ({ kind, gpus, nics, cpus }, at = 0): ContainerNeeds => ({
      name: `${kind}-${at}`,
      kind,
      requests: {
        ...(gpus > 0 ? { [GPU]: gpus } : {}),
        ...(nics > 0 ? { [NIC]: nics } : {}),
        // What becomes of CPUs when an init container ends is not followed.
        ...(cpus > 0 && kind !== "init" ? { [CPU]: cpus } : {}),
      },
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
    builder.node(name, (node) =>
      node
        .cpu(one.cpus.length === 0 ? 64 : total(one.cpus) - one.reserved)
        .gpus("h100", total(one.gpus))
        .resource(NIC, total(one.nics)),
    );
    const used = total(one.busy);
    if (used > 0) builder.pod(`busy-${at}`, (two) => two.namespace("other").on(name).gpus(used));
    builder.object({
      apiVersion: "topology.node.k8s.io/v1alpha2",
      kind: "NodeResourceTopology",
      metadata: { name },
      attributes: [
        { name: "topologyManagerPolicy", value: one.policy },
        { name: "topologyManagerScope", value: one.scope },
        ...(one.renewed ? [{ name: "nodeTopologyPodsFingerprint", value: "pfp0v0010123456789abcdef" }] : []),
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
          ...one.cpus.slice(zone, zone + 1).map((cpus) => ({
            name: CPU,
            capacity: cpus,
            allocatable: cpus - (zone === 0 ? one.reserved : 0),
            available: cpus - (zone === 0 ? one.reserved : 0),
          })),
        ],
      })),
    });
  }
  return builder.topology();
}

/** Every way in which devices can be in use, as far as the cluster tells. */
function layouts({ gpus, busy, stale, renewed }: Machine): readonly (readonly number[])[] {
  if ((!stale && !renewed) || total(busy) === 0) return [busy];
  return ways(gpus, total(busy));
}

/** Every way to take so many out of these. */
function ways([size, ...others]: readonly number[], taken: number): readonly (readonly number[])[] {
  if (size === undefined) return taken === 0 ? [[]] : [];
  return Array.from({ length: Math.min(size, taken) + 1 }, (_, here) => here).flatMap((here) =>
    ways(others, taken - here).map((rest) => [here, ...rest]),
  );
}

function nodeOf(one: Machine, busy: readonly number[]): KubeletNode {
  const devices = (resource: string, sizes: readonly number[], taken: readonly number[]) =>
    sizes.flatMap((size, zone) =>
      Array.from({ length: size }, (_, at) => ({ resource, zone, taken: at < (taken[zone] ?? 0) })),
    );
  const list = [
    ...devices(GPU, one.gpus, busy),
    ...devices(NIC, one.nics, []),
    ...devices(CPU, one.cpus, [one.reserved]),
  ];
  return { ...one, zones: one.gpus.length, devices: list };
}

/** Where the object lists CPUs the kubelet may have a static manager that hands them out, or none; otherwise it has none. */
const managers = ({ cpus }: Machine): readonly boolean[] => (cpus.length === 0 ? [false] : [true, false]);

const asSeen = (containers: KubeletPod, managed: boolean): KubeletPod =>
  containers.map((one) => ({
    ...one,
    requests: Object.fromEntries(Object.entries(one.requests).filter(([name]) => managed || name !== CPU)),
  }));

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
    [held(containers, CPU), one.cpus.length === 0 ? 64 : total(one.cpus) - one.reserved],
  ].map(([each = 0, free = 0]) => (each === 0 ? 9 : Math.floor(free / each)));
  const rooms = managers(one).map((managed) => admitted(states, asSeen(containers, managed), Math.min(9, ...counts)));
  return { least: Math.min(...rooms.map((room) => room.least)), most: Math.max(...rooms.map((room) => room.most)) };
}

/** CPUs in the scheduler's units. */
const inUnits = (requests: ContainerNeeds["requests"]): ContainerNeeds["requests"] =>
  Object.fromEntries(Object.entries(requests).map(([name, amount]) => [name, name === CPU ? amount * 1000 : amount]));

const setOf = (name: string, required: number, containers: KubeletPod) =>
  podSet(name, {
    required,
    requests: inUnits({
      [CPU]: 0,
      ...Object.fromEntries(
        [GPU, NIC, CPU].flatMap((one) => (held(containers, one) > 0 ? [[one, held(containers, one)]] : [])),
      ),
    }),
    pod: { containers: containers.map((one) => ({ ...one, requests: inUnits(one.requests) })) },
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
          for (const { gpus, policy, scope } of machines) {
            seen.add(`${expected} ${policy}/${scope}`);
            seen.add(`${gpus.length} zones`);
          }
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
          for (const { cpus } of machines) if (cpus.length > 0 && held(containers, CPU) > 0) seen.add("CPUs");
          seen.add(faults.length === 0 ? "accepted" : faults.some((one) => one.includes("NUMA")) ? "refused" : "full");
        },
      ),
      runs(150),
    );
    expect(seen.least("fits", "unknown", "busy", "never")).toBeGreaterThan(3);
    expect(seen.least("accepted", "refused")).toBeGreaterThan(20);
    expect(seen.least("CPUs")).toBeGreaterThan(20);
    expect(seen.least("2 zones", "3 zones", "4 zones")).toBeGreaterThan(20);
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
          const cpus = one.cpus.length === 0 ? 64 : total(one.cpus) - one.reserved;
          const enough = [GPU, NIC, CPU].every((resource) => {
            const free =
              resource === CPU ? cpus : resource === GPU ? total(one.gpus) - total(one.busy) : total(one.nics);
            return pods * held(first, resource) + held(second, resource) <= free;
          });
          const orders = Array.from({ length: pods + 1 }, (_, at) =>
            Array.from({ length: pods + 1 }, (_unused, turn) => (turn === at ? second : first)),
          );
          const ends = managers(one).flatMap((managed) =>
            orders.map((order) => {
              let [states, refused] = [starts, false];
              for (const next of order) {
                const outcomes = states.map((state) => admit(state, asSeen(next, managed)));
                if (outcomes.some((outcome) => outcome.refused)) refused = true;
                states = outcomes.flatMap((outcome) => [...outcome.states]);
              }
              return { certain: !refused, possible: states.length > 0 };
            }),
          );
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
