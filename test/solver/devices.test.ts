import { describe, expect, test } from "vitest";
import type { DeviceRequest, JsonObject, PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { DRIVER, NUMA } from "../support/device-cases.ts";
import { migRequest, migSlices } from "../support/mig.ts";

function ask(builder: ClusterBuilder, pods: number, devices: readonly DeviceRequest[], requests = {}) {
  const topology = builder.topology();
  const demand = demandOf(podSet("main", { required: pods, requests, pod: { devices } }));
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const assignment = answer.chosen?.assignment;
  if (assignment !== undefined)
    expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
  const reasons = answer.ladder.flatMap((one) => one.reasons);
  return {
    verdict: answer.verdict,
    placed: assignment?.placed ?? [],
    told: (code: string) => reasons.filter((one) => one.code === code).map(({ message }) => message),
  };
}

const slice = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name },
  spec,
});

/** One node with that many H100, each whole or in any of its partitions. */
function mig(cards: number, claims: readonly string[] = []): ClusterBuilder {
  const builder = cluster().node("n-1", (node) => node.cpu(128).memory("512Gi"));
  for (const object of migSlices("n-1", cards)) builder.object(object);
  for (const [index, device] of claims.entries()) builder.claim(`held-${index}`, [`${DRIVER}/n-1/${device}`]);
  return builder;
}

const profile = migRequest;
const whole = deviceRequest("whole", 1, { selectors: [`device.attributes["${DRIVER}"].type == "gpu"`] });

describe("partitions of cards by memory slice", () => {
  test.each<[string, number, readonly DeviceRequest[], number, readonly string[], string]>([
    ["seven of the smallest on one card", 1, [profile("1g.10gb")], 7, [], "fits"],
    ["an eighth has no slice of its own", 1, [profile("1g.10gb")], 8, [], "never"],
    ["three of two slices", 1, [profile("2g.20gb")], 3, [], "fits"],
    ["a half and two quarters", 1, [profile("3g.40gb"), profile("1g.20gb", 2)], 1, [], "fits"],
    ["two halves leave nothing", 1, [profile("3g.40gb", 2), profile("1g.10gb")], 1, [], "never"],
    [
      "a half of four units lies where one of three could not be",
      1,
      [profile("4g.40gb"), profile("3g.40gb")],
      1,
      [],
      "fits",
    ],
    ["a whole card once its parts are free", 1, [whole], 1, ["gpu-0-mig-1g-10gb-3"], "busy"],
    ["a whole card beside one that is cut", 2, [whole], 1, ["gpu-0-mig-1g-10gb-3"], "fits"],
    ["fourteen on two cards", 2, [profile("1g.10gb")], 14, [], "fits"],
    ["fifty-six on eight cards", 8, [profile("1g.10gb")], 56, [], "fits"],
    ["fifty-seven on eight cards", 8, [profile("1g.10gb")], 57, [], "never"],
    ["a slice in the middle costs a half", 1, [profile("3g.40gb")], 2, ["gpu-0-mig-1g-10gb-5"], "busy"],
    ["a slice in the middle leaves the other half", 1, [profile("3g.40gb")], 1, ["gpu-0-mig-1g-10gb-5"], "fits"],
  ])("%s", (_, cards, devices, pods, held, verdict) => {
    expect(ask(mig(cards, held), pods, devices).verdict).toBe(verdict);
  });

  test("parts of one card, by what they say of their parent", () => {
    const constraint = { attribute: `${DRIVER}/parentUUID`, requests: [] };
    const together = (count: number) => profile("2g.20gb", count, { matchAttributes: [constraint] });
    const apart = (count: number) => profile("2g.20gb", count, { distinctAttributes: [constraint] });
    expect(ask(mig(2), 2, [together(3)]).verdict).toBe("fits");
    expect(ask(mig(2), 1, [together(4)]).verdict).toBe("never");
    expect(ask(mig(2), 3, [apart(2)]).verdict).toBe("fits");
    expect(ask(mig(2), 1, [apart(3)]).verdict).toBe("never");
  });
});

describe("alternatives", () => {
  const either = deviceRequest("gpu", 1, {
    firstAvailable: [
      { ...whole, name: "whole" },
      { ...profile("3g.40gb"), name: "half" },
    ],
  });

  test("the first that serves is taken, and said", () => {
    const { verdict, placed } = ask(mig(1), 1, [either]);
    expect(verdict).toBe("fits");
    expect(placed[0]).toMatchObject({ devices: [[`${DRIVER}/n-1/gpu-0`]], serves: [["gpus/gpu/whole"]] });
  });

  test("what the first lacks is not said to be what is missing", () => {
    expect(ask(mig(1, ["gpu-0-mig-1g-10gb-0", "gpu-0-mig-1g-10gb-5"]), 1, [either]).told("NearestMiss")).toEqual([]);
  });

  test("two pods fit in halves, which the scheduler does not find: the first takes the whole", () => {
    const { verdict, placed, told } = ask(mig(1), 2, [either]);
    expect(verdict).toBe("fits");
    expect(placed[0]?.serves).toEqual([["gpus/gpu/half"], ["gpus/gpu/half"]]);
    expect(told("NotGuaranteed")).toEqual([
      "kube-scheduler gives each pod the first devices that serve it, and in that order they last for 1 of 2 pods",
    ]);
  });
});

describe("a claim that pods share", () => {
  const joint = (pods: number, count: number) =>
    ask(
      cluster()
        .node("n-1", (node) => node.cpu(4).dra("h100", 1).untainted())
        .node("n-2", (node) => node.cpu(8).dra("h100", 2).untainted()),
      pods,
      [deviceRequest("gpu", count, { sharedClaim: "default/one" })],
    );

  test("is allocated once, and all its pods stand on that node", () => {
    const { verdict, placed } = joint(6, 1);
    expect(verdict).toBe("fits");
    expect(placed).toMatchObject([{ node: "n-2", pods: 6, serves: [["gpus/gpu"], [], [], [], [], []] }]);
    expect(joint(3, 2).verdict).toBe("fits");
    expect(joint(9, 1).verdict).toBe("never");
  });

  test("has at most 256 users", () => {
    expect(joint(257, 1).told("LimitExceeded")[0]).toContain("at most 256");
  });
});

describe("what goes wrong", () => {
  const numa = (builder: ClusterBuilder, name: string, values: readonly number[]) =>
    builder.node(name, (node) =>
      node
        .dra("h100", values.length, (device, index) => ({
          ...device,
          attributes: { [NUMA]: { int: values[index] ?? 0 } },
        }))
        .untainted(),
    );
  const all = deviceRequest("gpu", "all", { matchAttributes: [{ attribute: NUMA, requests: ["gpu"] }] });

  test("all devices that a constraint forbids on one node end the pod's attempt, though another node would do", () => {
    const builder = numa(numa(cluster(), "n-1", [0, 0]), "n-2", [0, 1]);
    const { verdict, told } = ask(builder, 1, [all]);
    expect(verdict).toBe("never");
    expect(told("AttemptAborted")).toEqual([
      "kube-scheduler gives up on a pod when it looks at node n-2, whatever other nodes have: request gpus/gpu wants all devices, and they do not meet the claim's constraints",
    ]);
    expect(ask(numa(cluster(), "n-1", [0, 0]), 1, [all]).verdict).toBe("fits");
  });

  test("a device in use before the one that disagrees passes the node over instead", () => {
    const builder = numa(numa(cluster(), "n-1", [0, 0]), "n-2", [0, 1]).claim("held", [`${DRIVER}/n-2/gpu-0`]);
    expect(ask(builder, 1, [all]).verdict).toBe("fits");
    const later = numa(numa(cluster(), "n-1", [0, 0]), "n-2", [0, 1, 0]).claim("held", [`${DRIVER}/n-2/gpu-2`]);
    expect(ask(later, 1, [all]).verdict).toBe("never");
  });

  test("a node that earlier filters exclude is not looked at", () => {
    const builder = numa(cluster(), "n-1", [0, 0]).node("n-2", (node) =>
      node
        .dra("h100", 2, (device, index) => ({ ...device, attributes: { [NUMA]: { int: index } } }))
        .untainted()
        .cordoned(),
    );
    expect(ask(builder, 1, [all]).verdict).toBe("fits");
  });
});

describe("several requests", () => {
  const index = (ask: string) => `device.attributes["${DRIVER}"].index ${ask}`;
  const numbered = (values: readonly number[]): ClusterBuilder =>
    cluster().node("n-1", (node) =>
      node
        .dra("h100", values.length, (device, at) => ({
          ...device,
          attributes: { index: { int: at }, [NUMA]: { int: values[at] ?? 0 } },
        }))
        .untainted(),
    );

  test("for all devices of two kinds are told apart", () => {
    const both = [
      deviceRequest("low", "all", { selectors: [index("< 1")] }),
      deviceRequest("high", "all", { selectors: [index(">= 1")] }),
    ];
    const { verdict, placed } = ask(numbered([0, 0, 0]), 1, both);
    expect(verdict).toBe("fits");
    expect(placed[0]?.serves).toEqual([["gpus/low", "gpus/high", "gpus/high"]]);
  });

  test("of pods of two sets on one node are each bound by their own constraint", () => {
    const pair = (values: readonly number[]) => {
      const near = [deviceRequest("gpu", 2, { matchAttributes: [{ attribute: NUMA, requests: [] }] })];
      const sets = ["head", "worker"].map((name) => podSet(name, { pod: { devices: near } }));
      const topology = numbered(values).topology();
      const answer = solve(topology, demandOf(...sets), contextOf({ skipSuggestions: true }));
      return answer.verdict;
    };
    expect(pair([0, 1, 0, 1])).toBe("fits");
    expect(pair([0, 0, 0, 1])).toBe("never");
  });
});

describe("extended resources that claims serve", () => {
  const served = (counted: number): ClusterBuilder =>
    cluster()
      .deviceClass(DRIVER, [`device.driver == "${DRIVER}"`], "nvidia.com/gpu")
      .node("n-1", (node) => node.dra("h100", 4).untainted())
      .node("n-2", (node) => node.resource("nvidia.com/gpu", counted));

  test("on nodes that count none, and by the device plugin elsewhere", () => {
    expect(ask(served(0), 1, [], { "nvidia.com/gpu": 4 })).toMatchObject({
      verdict: "fits",
      placed: [{ node: "n-1", serves: [[0, 1, 2, 3].map(() => "the extended resources/nvidia.com/gpu")] }],
    });
    expect(ask(served(0), 2, [], { "nvidia.com/gpu": 4 }).verdict).toBe("never");
    expect(ask(served(4), 2, [], { "nvidia.com/gpu": 4 }).verdict).toBe("fits");
    expect(ask(served(4), 3, [], { "nvidia.com/gpu": 4 }).verdict).toBe("never");
  });
});

describe("devices that several nodes reach", () => {
  const nics = (count: number, resourceSliceCount = 1): ClusterBuilder =>
    cluster()
      .node("n-1", (node) => node.rack("r-1"))
      .node("n-2", (node) => node.rack("r-1"))
      .node("n-3", (node) => node.rack("r-2"))
      .object(
        slice("fabric", {
          driver: "fabric.example.com",
          pool: { name: "rack-1", generation: 1, resourceSliceCount },
          perDeviceNodeSelection: true,
          devices: Array.from({ length: count }, (_, index) => ({
            name: `nic-${index}`,
            ...(index === 0 ? { nodeName: "n-3" } : { nodeSelector: { nodeSelectorTerms: [RACK] } }),
          })),
        }),
      );
  const RACK: JsonObject = {
    matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: ["n-1", "n-2"] }],
  };
  const nic = (count: number, extra: Partial<DeviceRequest> = {}) =>
    deviceRequest("nic", count, { selectors: ['device.driver == "fabric.example.com"'], ...extra });

  test("are given to one pod only, wherever it stands", () => {
    expect(ask(nics(3), 3, [nic(1)]).verdict).toBe("fits");
    expect(ask(nics(3), 1, [nic(2)]).verdict).toBe("fits");
    expect(ask(nics(3), 1, [nic(3)]).verdict).toBe("never");
  });

  test("serve a claim that pods on several nodes use where all of its devices reach these, whatever sets there are beside", () => {
    const joint = deviceRequest("nic", 1, {
      selectors: ['device.driver == "fabric.example.com"'],
      sharedClaim: "default/one",
    });
    const world = (...devices: readonly JsonObject[]) =>
      cluster()
        .nodes("n", 2, (node) => node.cpu(4))
        .object(
          slice("fabric", {
            driver: "fabric.example.com",
            pool: { name: "rack-1", generation: 1, resourceSliceCount: 1 },
            perDeviceNodeSelection: true,
            devices,
          }),
        );
    const main = (extra: Partial<DeviceRequest> = {}) =>
      podSet("main", { required: 2, requests: { cpu: 2000 }, pod: { devices: [{ ...joint, ...extra }] } });
    const head = podSet("head", { required: 2, requests: { cpu: 2000 }, pod: { hostPorts: [80] } });
    const sets = (two: ReturnType<typeof world>, ...some: readonly PodSetDemand[]) =>
      solve(two.topology(), demandOf(...some), contextOf({ skipSuggestions: true }));
    const wide = world({ name: "nic-0", allNodes: true });
    expect(sets(wide, main()).verdict).toBe("fits");
    const both = sets(wide, main(), head);
    expect(both.verdict).toBe("fits");
    expect(
      both.chosen?.assignment?.placed.map(({ podSet: name, node, pods }) => `${name} ${node} ${pods}`).sort(),
    ).toEqual(["head n-1 1", "head n-2 1", "main n-1 1", "main n-2 1"]);
    const near = world({ name: "nic-0", nodeName: "n-1" }, { name: "nic-1", nodeName: "n-2" });
    expect(sets(near, main(), head).verdict).toBe("never");
    // Which devices all of them are depends on the node of the first pod.
    const answer = sets(wide, main({ count: "all" }), head);
    expect(answer.verdict).toBe("unknown");
    expect(answer.ladder[0]?.reasons.map(({ message }) => message)).toContain(
      "devices of pool fabric.example.com/rack-1 are reached from several nodes, and which of them may share a claim is not judged yet",
    );
  });

  test("devices that an incomplete pool does not list may be enough for all of them", () => {
    expect(ask(nics(3, 2), 4, [nic(1)]).verdict).toBe("unknown");
  });

  test("constraints of a pod on one node bind it beside the pods of another", () => {
    const racks = ["a", "a", "b", "c", "c"];
    const builder = cluster()
      .nodes("n", 2, (node) => node.cpu(4))
      .object(
        slice("fabric", {
          driver: "fabric.example.com",
          pool: { name: "all", generation: 1, resourceSliceCount: 1 },
          allNodes: true,
          devices: racks.map((rack, index) => ({ name: `nic-${index}`, attributes: { rack: { string: rack } } })),
        }),
      );
    const near = nic(2, { matchAttributes: [{ attribute: "fabric.example.com/rack", requests: [] }] });
    const { verdict, placed } = ask(builder, 2, [near], { cpu: 3000 });
    expect(verdict).toBe("fits");
    expect(placed.flatMap(({ devices = [] }) => devices.map((pod) => pod.map((key) => key.slice(-1)).join()))).toEqual([
      "0,1",
      "3,4",
    ]);
  });

  test("what suffices for each node but not for all together never fits, and says what they share", () => {
    const { verdict, told } = ask(nics(3), 4, [nic(1)]);
    expect(verdict).toBe("never");
    expect(told("NearestMiss")).toEqual([
      "nodes share the 3 devices of pool fabric.example.com/rack-1, 3 of them free: enough for some pods, and not for all at once, wherever they stand",
    ]);
  });
});

describe("devices that several claims share", () => {
  test("a claim may have several shares of one, and each counts once", () => {
    const share = { request: "r", driver: DRIVER, pool: "p", device: "d", consumedCapacity: { units: "1" } };
    const builder = cluster()
      .node("n-1")
      .object(
        slice("s", {
          driver: DRIVER,
          nodeName: "n-1",
          pool: { name: "p", generation: 1, resourceSliceCount: 1 },
          devices: [{ name: "d", allowMultipleAllocations: true, capacity: { units: { value: "4" } } }],
        }),
        {
          apiVersion: "resource.k8s.io/v1",
          kind: "ResourceClaim",
          metadata: { name: "theirs", namespace: "other" },
          spec: {},
          status: { allocation: { devices: { results: [share, { ...share, shareID: "v" }] } } },
        },
      );
    const units = (amount: string) => [deviceRequest("gpu", 1, { capacity: { units: amount } })];
    expect(ask(builder, 1, units("2")).verdict).toBe("fits");
    expect(ask(builder, 1, units("3")).verdict).toBe("busy");
  });
});

describe("requests of administrators", () => {
  const admin = (count: number | "all") => deviceRequest("gpu", count, { adminAccess: true });
  const used = cluster()
    .node("n-1", (node) => node.dra("h100", 2).untainted())
    .claim("held", [`${DRIVER}/n-1/gpu-0`, `${DRIVER}/n-1/gpu-1`]);

  test("take devices in use, and from nobody", () => {
    expect(ask(used, 3, [admin(2)]).verdict).toBe("fits");
    expect(ask(used, 1, [admin("all")]).verdict).toBe("fits");
    expect(ask(used, 1, [admin(3)]).verdict).toBe("never");
    expect(ask(used, 1, [admin(1), deviceRequest("own", 1)]).verdict).toBe("unknown");
  });
});
