import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, type Demand, type JsonObject, requirement } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, readInventory } from "../../src/topology/index.ts";
import { cluster, testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const GPU = "nvidia.com/gpu";
const NO_PODS: JsonObject = { apiVersion: "v1", kind: "PodList", items: [] };
const object = (kind: string, name: string, spec: JsonObject, extra: JsonObject = {}): JsonObject => ({
  apiVersion: "kueue.x-k8s.io/v1beta2",
  kind,
  metadata: { name },
  spec,
  ...extra,
});

interface Limits {
  readonly nominal: number;
  readonly borrowing?: number | undefined;
  readonly lending?: number | undefined;
}

const group = (flavors: Readonly<Record<string, Limits>>): JsonObject => ({
  coveredResources: [GPU],
  flavors: Object.entries(flavors).map(([name, { nominal, borrowing, lending }]) => ({
    name,
    resources: [
      {
        name: GPU,
        nominalQuota: nominal,
        ...(borrowing === undefined ? {} : { borrowingLimit: borrowing }),
        ...(lending === undefined ? {} : { lendingLimit: lending }),
      },
    ],
  })),
});

const usage = (used: Readonly<Record<string, number>>): JsonObject => ({
  status: {
    flavorsReservation: Object.entries(used).map(([name, total]) => ({
      name,
      resources: [{ name: GPU, total: String(total), borrowed: "0" }],
    })),
  },
});

const clusterQueue = (
  name: string,
  flavors: Readonly<Record<string, Limits>>,
  used: Readonly<Record<string, number>> = {},
  spec: JsonObject = {},
): JsonObject =>
  object("ClusterQueue", name, { namespaceSelector: {}, resourceGroups: [group(flavors)], ...spec }, usage(used));
const cohort = (name: string, spec: JsonObject = {}): JsonObject => object("Cohort", name, spec);
const flavor = (name: string, spec: JsonObject = {}): JsonObject => object("ResourceFlavor", name, spec);
const localQueue = (spec: JsonObject = {}): JsonObject => ({
  ...object("LocalQueue", "train", { clusterQueue: "ml", ...spec }),
  metadata: { name: "train", namespace: "default" },
});

/** Eight nodes of eight devices, the namespace's queue, and what the test adds. */
function ask(objects: readonly JsonObject[], demand: Demand, nodes = cluster()): Answer {
  nodes.namespace("default", { team: "blue" }).nodes("n", 8, (node) => node.gpus("h100", 8).label("pool", "a"));
  const { value, diagnostics } = inventoryFrom([...nodes.objects(), NO_PODS, ...objects]);
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("no inventory");
  return solve(buildTopology(value, testLayout), demand, contextOf({ skipSuggestions: true }));
}

const wants = (pods: number, extra: Partial<Demand> = {}): Demand => ({
  ...demandOf(podSet("main", { required: pods, requests: { cpu: 0, memory: 0, [GPU]: 1 }, steps: [gpuStep(1)] })),
  queue: { name: "train", whole: true },
  ...extra,
});
const said = (answer: Answer): readonly string[] =>
  (answer.chosen?.reasons ?? answer.ladder[0]?.reasons ?? [])
    .filter(({ code }) => code === "QuotaExceeded" || code === "QueueClosed" || code === "DataMissing")
    .map(({ message }) => message);

describe("a queue's quota", () => {
  const ml = (used: number, limits: Limits = { nominal: 16 }, spec: JsonObject = {}) => [
    localQueue(),
    clusterQueue("ml", { h100: limits }, { h100: used }, spec),
    flavor("h100"),
  ];

  test("is used up, or too small, or enough, and the answer says which flavor has how much", () => {
    expect(ask(ml(8), wants(8)).verdict).toBe("fits");
    const full = ask(ml(12), wants(8));
    expect(full.verdict).toBe("busy");
    expect(said(full)).toEqual([
      "queue train: flavor h100 of ClusterQueue ml has 4 nvidia.com/gpu left (12 of nominal 16 used), and 8 pods need 8",
    ]);
    expect(full.ladder[0]?.reasons.find(({ code }) => code === "QuotaExceeded")?.data).toEqual({
      ...{ queue: "train", clusterQueue: "ml", flavor: "h100", resource: GPU },
      ...{ nominal: 16, used: 12, borrowable: 0, needed: 8 },
    });
    const small = ask(ml(0), wants(17));
    expect(small.verdict).toBe("never");
    expect(said(small)).toEqual([
      "queue train: flavor h100 of ClusterQueue ml gives at most 16 nvidia.com/gpu (nominal 16), and 17 pods need 17",
    ]);
  });

  test("grows by what the cohort lends, up to the borrowing limit", () => {
    const org = { cohortName: "org" };
    const with2 = (used: number, limits: Limits, others: number, lend: Limits = { nominal: 16 }) => [
      ...ml(used, limits, org),
      clusterQueue("web", { h100: lend }, { h100: others }, org),
    ];
    expect(ask(with2(0, { nominal: 16 }, 0), wants(32)).verdict).toBe("fits");
    expect(ask(with2(0, { nominal: 16, borrowing: 8 }, 0), wants(25)).verdict).toBe("never");
    const lent = ask(with2(8, { nominal: 16, borrowing: 8 }, 12), wants(13));
    expect(lent.verdict).toBe("busy");
    expect(said(lent)).toEqual([
      "queue train: flavor h100 of ClusterQueue ml has 12 nvidia.com/gpu left (8 of nominal 16 used, 4 to borrow from cohort org), and 13 pods need 13",
    ]);
    expect(ask(with2(0, { nominal: 16 }, 0, { nominal: 16, lending: 4 }), wants(21)).verdict).toBe("never");
    // None lends more than it has.
    expect(ask(with2(0, { nominal: 16 }, 0, { nominal: 4, lending: 9 }), wants(20)).verdict).toBe("fits");
    expect(ask(with2(0, { nominal: 16 }, 0, { nominal: 4, lending: 9 }), wants(21)).verdict).toBe("never");
    // What another queue has borrowed is missing here.
    expect(ask(with2(0, { nominal: 16 }, 24), wants(9)).verdict).toBe("busy");
    const old = ml(0, { nominal: 4 }, { cohort: "org" }).map((one) => ({
      ...one,
      apiVersion: "kueue.x-k8s.io/v1beta1",
    }));
    expect(ask([...old, clusterQueue("web", { h100: { nominal: 4 } }, {}, org)], wants(8)).verdict).toBe("fits");
  });

  test("is told apart by flavor: labels that the pods select, taints that they tolerate, first fit in order", () => {
    const flavors = { spot: { nominal: 4 }, reserved: { nominal: 8 } };
    const objects = (more: JsonObject = {}) => [
      localQueue(),
      clusterQueue("ml", flavors, { spot: 0, reserved: 0 }),
      flavor("spot", { nodeLabels: { tier: "spot" }, ...more }),
      flavor("reserved", { nodeLabels: { tier: "reserved" } }),
    ];
    expect(ask(objects(), wants(8)).verdict).toBe("fits");
    expect(ask(objects(), wants(9)).verdict).toBe("never");
    const selecting = (tier: string, pods: number): Demand => {
      const demand = wants(pods);
      const selection = [
        new Map([
          ["tier", requirement("tier", "In", [tier])],
          ["disk", requirement("disk", "In", ["ssd"])],
        ]),
      ];
      return { ...demand, podSets: demand.podSets.map((set) => ({ ...set, pod: { ...set.pod, selection } })) };
    };
    const nodes = () =>
      cluster().nodes("t", 8, (node) => node.gpus("h100", 8).label("tier", "spot").label("disk", "ssd"));
    expect(ask(objects(), selecting("spot", 4), nodes()).verdict).toBe("fits");
    expect(ask(objects(), selecting("spot", 5), nodes()).verdict).toBe("never");
    expect(said(ask(objects(), selecting("other", 1), nodes()))).toEqual([
      "no flavor of ClusterQueue ml (spot, reserved) has the labels that the workload selects, and only tolerated taints",
    ]);
    const tainted = objects({ nodeTaints: [{ key: "spot", value: "yes", effect: "NoSchedule" }] });
    expect(ask(tainted, selecting("spot", 1), nodes()).verdict).toBe("never");
    const tolerated = objects({
      nodeTaints: [{ key: "spot", value: "yes", effect: "NoSchedule" }],
      tolerations: [{ key: "spot", operator: "Exists" }],
    });
    expect(ask(tolerated, selecting("spot", 1), nodes()).verdict).toBe("fits");
  });

  test("covers every resource that is asked for, and each set beside the others", () => {
    const demand = wants(1);
    const [set] = demand.podSets;
    if (set === undefined) throw new Error("no set");
    const cpu = { ...demand, podSets: [{ ...set, pod: { ...set.pod, requests: { ...set.pod.requests, cpu: 1000 } } }] };
    expect(said(ask(ml(0), cpu))).toEqual(["ClusterQueue ml has no quota for cpu, which the workload asks for"]);
    const two = (each: number): Demand => {
      const sets = ["a", "b"].map((name) =>
        podSet(name, { required: each, requests: { cpu: 0, memory: 0, [GPU]: 1 }, steps: [gpuStep(1)] }),
      );
      return { ...demandOf(...sets), queue: { name: "train", whole: true } };
    };
    expect(ask(ml(0), two(8)).verdict).toBe("fits");
    expect(ask(ml(0), two(9)).verdict).toBe("never");
    expect(ask(ml(1), two(8)).verdict).toBe("busy");
  });

  test("is asked for the whole workload, and pod by pod of those that Kueue lets in one by one", () => {
    const set = podSet("main", {
      required: 1,
      count: 17,
      requests: { cpu: 0, memory: 0, [GPU]: 1 },
      steps: [gpuStep(1)],
    });
    expect(ask(ml(0), { ...demandOf(set), queue: { name: "train", whole: true } }).verdict).toBe("never");
    expect(ask(ml(0), { ...demandOf(set), queue: { name: "train", whole: false } }).verdict).toBe("fits");
    expect(ask(ml(16), { ...demandOf(set), queue: { name: "train", whole: false } }).verdict).toBe("busy");
    const running = cluster().pod("own", (pod) => pod.on("n-1").gpus(1).owner("Job", "train"));
    expect(ask(ml(16), wants(16), running).verdict).toBe("fits");
  });

  test("is closed to other namespaces, and while it is stopped", () => {
    const closed = ask(ml(0, { nominal: 16 }, { namespaceSelector: { matchLabels: { team: "red" } } }), wants(1));
    expect([closed.verdict, ...said(closed)]).toEqual([
      "never",
      "ClusterQueue ml takes no workloads of namespace default (namespaceSelector)",
    ]);
    expect(
      ask(ml(0, { nominal: 16 }, { namespaceSelector: { matchLabels: { team: "blue" } } }), wants(1)).verdict,
    ).toBe("fits");
    const stopped = ask(ml(0, { nominal: 16 }, { stopPolicy: "Hold" }), wants(1));
    expect([stopped.verdict, ...said(stopped)]).toEqual([
      "busy",
      "ClusterQueue ml is stopped (stopPolicy Hold), so it lets nothing in",
    ]);
    const [, ...others] = ml(0);
    expect(ask([localQueue({ stopPolicy: "HoldAndDrain" }), ...others], wants(1)).verdict).toBe("busy");
  });

  test("cannot be told where a queue is missing, and is not judged where none was read", () => {
    const [, ...others] = ml(0);
    const missing = ask([...others, { ...localQueue(), metadata: { name: "other", namespace: "default" } }], wants(1));
    expect([missing.verdict, ...said(missing)]).toEqual([
      "unknown",
      "namespace default has no LocalQueue train, so nothing lets the workload in",
    ]);
    expect(ask([localQueue({ clusterQueue: "gone" })], wants(1)).verdict).toBe("unknown");
    const unread = ask([], wants(1));
    expect([unread.verdict, ...said(unread)]).toEqual([
      "fits",
      "the cluster was given without its LocalQueues and ClusterQueues, so the quota of queue train is not judged",
    ]);
  });
});

test("Kueue's published samples are read as they are", () => {
  const text = readFileSync(new URL("../fixtures/kueue.yaml", import.meta.url), "utf8");
  const { value, diagnostics } = readInventory([{ file: "kueue.yaml", text }]);
  expect(diagnostics).toEqual([]);
  const queues = value?.facts.queues;
  expect(queues?.localQueue("ml", "ml")).toEqual({ clusterQueue: "ml", stop: "None" });
  const found = queues?.clusterQueue("ml");
  expect([found?.cohort, found?.sparesCohort, found?.namespaces?.size]).toEqual(["org", false, 0]);
  expect(found?.groups[0]?.flavors[0]?.quotas[GPU]).toEqual({ nominal: 64, borrowing: 32 });
  expect(found?.groups[0]?.flavors[0]?.quotas["cpu"]).toEqual({ nominal: 2_000_000 });
  expect(queues?.flavor("h100")?.labels).toEqual({ "cloud.google.com/gke-accelerator": "nvidia-h100-mega-80gb" });
});

describe("borrowing, against the rule that no node of the cohort's tree may be overdrawn", () => {
  interface Case {
    readonly limits: Limits;
    readonly used: number;
  }
  const one: fc.Arbitrary<Case> = fc.record({
    limits: fc.record({
      nominal: fc.integer({ min: 0, max: 6 }),
      borrowing: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
      lending: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    }),
    used: fc.integer({ min: 0, max: 5 }),
  });
  interface Place extends Case {
    readonly children: readonly Place[];
  }
  const shared = ({ limits }: Place, total: number) =>
    limits.lending === undefined ? total : Math.min(total, limits.lending);
  const total = (place: Place): number =>
    place.limits.nominal + place.children.reduce((sum, child) => sum + shared(child, total(child)), 0);
  const kept = (place: Place): number => total(place) - shared(place, total(place));
  const held = (place: Place, now: boolean): number =>
    place.children.length === 0
      ? now
        ? place.used
        : 0
      : place.children.reduce((sum, child) => sum + Math.max(0, held(child, now) - kept(child)), 0);
  /** Room for `more` in the first of the path, its parents behind it. */
  const holds = ([place, ...parents]: readonly Place[], more: number, now: boolean): boolean => {
    if (place === undefined) return true;
    const before = held(place, now);
    const after = before + more;
    if (parents.length === 0) return after <= total(place);
    const over = Math.max(0, after - kept(place));
    if (over === 0) return true;
    const { borrowing } = place.limits;
    if (borrowing !== undefined && over > total(place) - kept(place) + borrowing) return false;
    return holds(parents, over - Math.max(0, before - kept(place)), now);
  };
  /** A tree that is overdrawn already, since somebody took quota away, lets nothing in: Kueue then even denies what is kept. */
  const isSound = (path: readonly Place[]): boolean =>
    path.every((place, index) => {
      const { borrowing } = place.limits;
      if (index === path.length - 1) return held(place, true) <= total(place);
      return borrowing === undefined || held(place, true) <= total(place) + borrowing;
    });
  const seen = tally();

  test("fits, busy and never are exactly what that says, in cohorts of cohorts", () => {
    fc.assert(
      fc.property(
        one,
        one,
        one,
        one,
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.record({ required: fc.integer({ min: 1, max: 6 }), minimum: fc.integer({ min: 1, max: 6 }) }),
        (ml, web, far, middle, pods, nested, fewer) => {
          const leaf = (given: Case): Place => ({ ...given, children: [] });
          const own = leaf(ml);
          const inner: Place = { limits: middle.limits, used: 0, children: [own, leaf(web)] };
          const bare = { limits: { nominal: 0 }, used: 0 };
          const outer: Place = nested
            ? { ...bare, children: [inner, leaf(far)] }
            : { ...bare, children: [own, leaf(web), leaf(far)] };
          const path = nested ? [own, inner, outer] : [own, outer];
          fc.pre(isSound(path));
          const queue = (name: string, given: Case, parent: string) =>
            clusterQueue(name, { h100: given.limits }, { h100: given.used }, { cohortName: parent });
          const parent = nested ? "team" : "org";
          const objects = [
            localQueue(),
            flavor("h100"),
            queue("ml", ml, parent),
            queue("web", web, parent),
            queue("far", far, "org"),
            ...(nested
              ? [cohort("team", { parentName: "org", resourceGroups: [group({ h100: middle.limits })] })]
              : []),
          ];
          const expected = holds(path, pods, true) ? "fits" : holds(path, pods, false) ? "busy" : "never";
          seen.add(expected);
          expect(ask(objects, wants(pods)).verdict).toBe(expected);

          // The same with fewer pods, as many as must hold together and as its job-min-parallelism allows.
          const required = Math.min(pods, fewer.required);
          const least = Math.max(required, fewer.minimum);
          const { podSets, ...rest } = wants(pods);
          const partial = podSets.map((set) => ({
            ...set,
            required,
            ...(fewer.minimum < pods ? { queueMinimum: fewer.minimum } : {}),
          }));
          const counts = Array.from({ length: pods }, (_, index) => index + 1).filter(
            (count) => count === pods || (fewer.minimum < pods && count >= least),
          );
          const now = counts.filter((count) => holds(path, count, true)).at(-1);
          const ever = counts.some((count) => holds(path, count, false));
          const answer = ask(objects, { ...rest, podSets: partial });
          const outcome = now !== undefined ? "fits" : ever ? "busy" : "never";
          expect(answer.verdict).toBe(outcome);
          const told = answer.chosen?.reasons.find(({ message }) => message.startsWith("queue train has quota for"));
          expect(told?.data?.["fit"]).toBe(now === pods ? undefined : now);
          if (told !== undefined) seen.add("partial");
        },
      ),
      runs(250),
    );
    expect(seen.least("fits", "busy", "never", "partial")).toBeGreaterThan(20);
  });
});
