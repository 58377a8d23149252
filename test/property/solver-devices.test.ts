import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, DeviceRequest, PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import type { DeviceFacts, Topology } from "../../src/topology/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

interface DeviceCase {
  readonly kind: string;
  readonly numa: number | undefined;
  readonly used: boolean;
  readonly tainted: boolean;
}

const deviceCase: fc.Arbitrary<DeviceCase> = fc.record({
  kind: fc.constantFrom("a", "a", "b"),
  numa: fc.constantFrom(0, 1, 0, undefined),
  used: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  tainted: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
});

function topologyOf(nodes: readonly (readonly DeviceCase[])[]): Topology {
  const builder = cluster();
  for (const [index, devices] of nodes.entries()) {
    builder.node(`n${index}`, (node) => {
      if (devices.length === 0) return;
      node.dra("h100", devices.length, (device, number) => ({
        name: device["name"] ?? "",
        attributes: {
          kind: { string: devices[number]?.kind ?? "" },
          ...(devices[number]?.numa === undefined ? {} : { numa: { int: devices[number]?.numa ?? 0 } }),
        },
        ...(devices[number]?.tainted === true
          ? { taints: [{ key: "broken", value: "yes", effect: "NoSchedule" }] }
          : {}),
      }));
      node.untainted();
    });
    for (const [number, device] of devices.entries())
      if (device.used) builder.claim(`held-${index}-${number}`, [`gpu.nvidia.com/n${index}/gpu-${number}`]);
  }
  // Slices are known even where no node has any.
  return builder.object({ apiVersion: "v1", kind: "ResourceSliceList", items: [] }).topology();
}

interface RequestCase {
  readonly kind: "a" | "b" | "any";
  readonly count: number | "all";
  readonly tolerates: boolean;
}

const requestCase: fc.Arbitrary<RequestCase> = fc.record({
  kind: fc.constantFrom("a", "b", "any"),
  count: fc.constantFrom<number | "all">(1, 1, 2, 3, "all"),
  tolerates: fc.boolean(),
});

interface SetCase {
  readonly pods: number;
  readonly requests: readonly RequestCase[];
  readonly aligned: boolean;
  readonly claims: boolean;
}

const setCase: fc.Arbitrary<SetCase> = fc.record({
  pods: fc.integer({ min: 1, max: 2 }),
  requests: fc.array(requestCase, { minLength: 1, maxLength: 2 }),
  aligned: fc.boolean(),
  claims: fc.boolean(),
});

const ATTRIBUTE = "gpu.nvidia.com/numa";

function setOf(name: string, one: SetCase): PodSetDemand {
  const devices = one.requests.map(({ kind, count, tolerates }, index) =>
    deviceRequest(`r${index}`, count, {
      claim: one.claims ? `claim-${index}` : "claim",
      selectors: kind === "any" ? [] : [`device.attributes["gpu.nvidia.com"].kind == "${kind}"`],
      tolerations: tolerates ? [{ operator: "Exists" }] : [],
      matchAttributes: one.aligned ? [{ attribute: ATTRIBUTE, requests: [] }] : [],
    }),
  );
  return podSet(name, { required: one.pods, pod: { devices }, placement: { unit: "pod" } });
}

/** Every choice of devices for every pod on every node. */
function exists(topology: Topology, demand: Demand, nominal: boolean): boolean {
  const pods = demand.podSets.flatMap((set) => Array.from({ length: set.required }, () => set.pod.devices));
  const taken = new Set(nominal ? [] : topology.ledger.devices.keys());
  const devicesOf = (node: string): readonly DeviceFacts[] =>
    topology.devicePools.flatMap(({ devices }) =>
      devices.filter(({ reach }) => "node" in reach && reach.node === node),
    );
  const key = (device: DeviceFacts): string => `${device.driver}/${device.pool}/${device.name}`;
  const free = (device: DeviceFacts, request: DeviceRequest): boolean =>
    !taken.has(key(device)) && (nominal || device.taints.length === 0 || request.tolerations.length > 0);
  const matches = (device: DeviceFacts, { selectors }: DeviceRequest): boolean =>
    selectors.every((text) => text.endsWith(`"${String(device.attributes["gpu.nvidia.com"]?.["kind"])}"`));
  const place = (pod: number): boolean => {
    const requests = pods[pod];
    if (requests === undefined) return true;
    return topology.nodes.some(({ name }) => {
      const here = devicesOf(name);
      const chosen: { request: DeviceRequest; device: DeviceFacts }[] = [];
      const serve = (index: number): boolean => {
        const request = requests[index];
        if (request === undefined) return aligned(chosen) && place(pod + 1);
        const all = here.filter((device) => matches(device, request));
        const want = request.count === "all" ? all.length : request.count;
        if (want === 0) return false;
        const take = (from: number, left: number): boolean => {
          if (left === 0) return serve(index + 1);
          for (let at = from; at < all.length; at += 1) {
            const device = all[at];
            if (device === undefined || !free(device, request)) continue;
            taken.add(key(device));
            chosen.push({ request, device });
            if (take(at + 1, left - 1)) return true;
            chosen.pop();
            taken.delete(key(device));
          }
          return false;
        };
        return take(0, want);
      };
      return serve(0);
    });
  };
  return place(0);
}

function aligned(chosen: readonly { request: DeviceRequest; device: DeviceFacts }[]): boolean {
  for (const claim of new Set(chosen.map(({ request }) => request.claim))) {
    const own = chosen.filter(({ request }) => request.claim === claim && request.matchAttributes.length > 0);
    const values = own.map(({ device }) => device.attributes["gpu.nvidia.com"]?.["numa"]);
    if (values.includes(undefined) || new Set(values).size > 1) return false;
  }
  return true;
}

const seen = tally();

describe("devices against brute force", () => {
  const agrees = (topology: Topology, demand: Demand): void => {
    const { verdict, ladder } = solve(topology, demand, contextOf({ skipSuggestions: true }));
    // Upstream gives up on the pod where `All` meets a constraint that it breaks; whether it gets there depends on the order of nodes, which
    // `npm run fidelity` judges exactly.
    if (ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) {
      const devices = demand.podSets.flatMap(({ pod }) => pod.devices);
      expect(devices.some(({ count, matchAttributes }) => count === "all" && matchAttributes.length > 0)).toBe(true);
      expect(verdict).not.toBe("fits");
      return;
    }
    const expected = exists(topology, demand, false) ? "fits" : exists(topology, demand, true) ? "busy" : "never";
    expect(verdict).toBe(expected);
    seen.add(verdict);
  };

  test("claims of one pod set: counts, All, taints and attributes that must agree", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(deviceCase, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        setCase,
        (nodes, one) => agrees(topologyOf(nodes), demandOf(setOf("main", one))),
      ),
      runs(400),
    );
  });

  test("two pod sets compete for the devices of a node", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(deviceCase, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
        setCase,
        setCase,
        (nodes, one, two) => agrees(topologyOf(nodes), demandOf(setOf("head", one), setOf("worker", two))),
      ),
      runs(300),
    );
  });

  test("each verdict was met often enough to mean something", () => {
    expect(seen.least("fits", "busy", "never")).toBeGreaterThan(40);
  });
});
