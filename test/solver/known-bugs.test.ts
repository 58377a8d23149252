import { describe, expect, test } from "vitest";
import type { Demand, JsonObject, Platform, PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { KNOWN_BUGS } from "../../src/solver/known-bugs.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet, testPlatform } from "../support/demand.ts";

const claims = (
  pods: number,
  request: Parameters<typeof deviceRequest>[2] = {},
  count: number | "all" = 1,
): PodSetDemand => podSet("main", { required: pods, pod: { devices: [deviceRequest("gpu", count, request)] } });
const dra = (patch?: (device: JsonObject, index: number) => JsonObject): ClusterBuilder =>
  cluster().nodes("d", 2, (node) => node.dra("h100", 2, patch).untainted().rack("d-1").block("b").zone("d-1"));
/** One card in two shared halves, in a pool of this name. */
const card = (driver: string, pool: string, taints: readonly JsonObject[] = []): readonly JsonObject[] => {
  const slice = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `${driver}-${name}` },
    spec: { driver, nodeName: "d-1", pool: { name: pool, generation: 1, resourceSliceCount: 2 }, ...spec },
  });
  const consumesCounters = [{ counterSet: "card", counters: { slices: { value: "1" } } }];
  return [
    slice("counters", { sharedCounters: [{ name: "card", counters: { slices: { value: "2" } } }] }),
    slice("devices", {
      devices: ["x", "y"].map((name) => ({ name, allowMultipleAllocations: true, consumesCounters, taints })),
    }),
  ];
};
const queued: PodSetDemand["placement"] = {
  unit: "podSet",
  groupSize: 1,
  level: "zone",
  mode: "required",
  spread: undefined,
  keptBy: "queue",
};
const kueue = { kueue: { version: { major: 0, minor: 17, patch: 0 } } };

function idsOf(builder: ClusterBuilder, demand: Demand, minor: number, platform: Partial<Platform> = {}, gates = {}) {
  const kubernetes = { version: { major: 1, minor, patch: 2 }, featureGates: gates };
  const answer = solve(
    builder.topology(),
    demand,
    contextOf({ skipSuggestions: true, platform: { ...testPlatform, ...platform, kubernetes } }),
  );
  expect(answer.verdict).toBe("fits");
  return (answer.chosen?.reasons ?? []).flatMap(({ code, data }) =>
    code === "KnownBug" ? [String(data?.["id"])] : [],
  );
}

const listed = (device: JsonObject): JsonObject => ({
  ...device,
  attributes: { ...(device["attributes"] as JsonObject), "example.com/roots": { strings: ["a", "b"] } },
});
const roots = { matchAttributes: [{ attribute: "example.com/roots", requests: [] }] };
const shared = demandOf(claims(2, { sharedClaim: "default/one" }));
const extended = (): ClusterBuilder =>
  dra().deviceClass("gpu.nvidia.com", ['device.driver == "gpu.nvidia.com"'], "nvidia.com/gpu");

type Case = readonly [
  id: string,
  builder: () => ClusterBuilder,
  demand: Demand,
  at: number,
  platform?: Partial<Platform>,
  gates?: Readonly<Record<string, boolean>>,
];
const GIVEN: readonly Case[] = [
  [
    "kubernetes-kubernetes-140300",
    () => dra(listed),
    demandOf(claims(1, roots)),
    36,
    {},
    { DRAListTypeAttributes: true },
  ],
  [
    "kubernetes-kubernetes-140434",
    () => dra().object(...card("a.example.com", "d-1"), ...card("b.example.com", "d-1")),
    demandOf(claims(1)),
    36,
  ],
  ["kubernetes-kubernetes-139034", () => dra().object(...card("a.example.com", "d-1")), demandOf(claims(1)), 36],
  [
    "kubernetes-kubernetes-138882",
    () => dra().object(...card("a.example.com", "d-1")),
    demandOf(claims(1, {}, "all")),
    36,
  ],
  [
    "kubernetes-kubernetes-140431",
    () => dra().object(...card("a.example.com", "d-1", [{ key: "worn", effect: "NoSchedule" }])),
    demandOf(claims(1)),
    36,
  ],
  [
    "kubernetes-kubernetes-140433",
    () =>
      dra()
        .object(...card("a.example.com", "d-1"))
        .claim("held", ["a.example.com/d-1/x"], "other")
        .claim("elsewhere", ["gpu.nvidia.com/d-1/gpu-0"], "other"),
    demandOf(claims(1)),
    36,
  ],
  ["kubernetes-kubernetes-136269", () => dra(), demandOf(claims(2)), 35],
  ["kubernetes-kubernetes-137617", () => dra(), shared, 35, {}, { GenericWorkload: true }],
  ["kubernetes-kubernetes-140263", () => dra(), shared, 36, {}, { GenericWorkload: true }],
  ["kubernetes-kubernetes-140053", () => dra(), shared, 37, {}, { GenericWorkload: true }],
  [
    "kubernetes-kubernetes-135667",
    extended,
    demandOf(podSet("main", { requests: { "nvidia.com/gpu": 1 } })),
    35,
    {},
    { DRAExtendedResource: true },
  ],
  ["kubernetes-kubernetes-131269", () => dra(), demandOf(claims(1, { adminAccess: true }, 2)), 33],
  [
    "kubernetes-kubernetes-140308",
    () => dra().node("bare", (node) => node.zone("")),
    demandOf(podSet("main", { required: 2, placement: { ...queued, keptBy: "podGroup" } })),
    37,
  ],
  ["kubernetes-sigs-kueue-14232", () => dra(), demandOf(podSet("main", { required: 2, placement: queued })), 37, kueue],
  ["kubernetes-sigs-kueue-15577", () => dra(), demandOf({ ...claims(2), placement: queued }), 37, kueue],
];

const CASES = GIVEN.map(
  ([id, builder, demand, at, platform = {}, gates = {}]) => [id, builder, demand, at, platform, gates] as const,
);

describe("known faults of schedulers", () => {
  test.each(CASES)("%s is told where it bears, and not elsewhere", (id, builder, demand, minor, platform, gates) => {
    expect(idsOf(builder(), demand, minor, platform, gates)).toContain(id);
    const plain = demandOf(podSet("main"));
    expect(idsOf(dra(), plain, minor, {}, gates)).toEqual([]);
  });

  test.each(CASES)("%s is not told of versions without it", (id, builder, demand, _at, platform, gates) => {
    const bug = KNOWN_BUGS.find((one) => one.id === id);
    if (bug?.component === "kueue") {
      const version = { major: 0, minor: (bug.to?.[1] ?? bug.from[1] - 2) + 1, patch: 0 };
      expect(idsOf(builder(), demand, 37, { kueue: { version } })).not.toContain(id);
      expect(idsOf(builder(), demand, 37, { kueue: undefined })).not.toContain(id);
    } else if (bug?.to !== undefined)
      expect(idsOf(builder(), demand, bug.to[1] + 1, platform, gates)).not.toContain(id);
    else expect(idsOf(builder(), demand, (bug?.from[1] ?? 0) - 1, platform, gates)).not.toContain(id);
  });

  test("an empty level label is no matter to a group of pods that shares no level", () => {
    const placement = { ...queued, keptBy: "podGroup", level: undefined } as const;
    const bare = cluster().nodes("d", 2, (node) => node.dra("h100", 2).untainted().zone("z").block("").rack(""));
    expect(idsOf(bare, demandOf(podSet("main", { required: 2, placement })), 37)).toEqual([]);
  });

  test("every entry has a case, and names its thread", () => {
    expect(KNOWN_BUGS.map(({ id }) => id).sort()).toEqual(CASES.map(([id]) => id).sort());
    for (const { id, link } of KNOWN_BUGS) expect(link).toContain(`/${id.split("-").at(-1)}`);
  });

  test("the message says which version, what it does, and where it stands", () => {
    const kubernetes = { version: { major: 1, minor: 35, patch: 2 }, featureGates: {} };
    const context = contextOf({ platform: { ...testPlatform, kubernetes } });
    const told = solve(dra().topology(), demandOf(claims(2)), context).chosen?.reasons.find(
      ({ code }) => code === "KnownBug",
    );
    expect(told?.message).toBe(
      "Kubernetes 1.35.2 has a known fault: pods with claims that are scheduled in quick succession may get one device twice (https://github.com/kubernetes/kubernetes/pull/136269; Kubernetes 1.36 has the fix, and so may later patches)",
    );
  });
});
