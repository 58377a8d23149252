import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet, pool, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const ROOT = "resource.kubernetes.io/pcieRoot";
type Roots = readonly (number | undefined)[];

const roots = fc.array(fc.constantFrom(0, 1, 2, undefined), { maxLength: 5 });

function slice(driver: string, values: Roots): JsonObject {
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `n-${driver}` },
    spec: {
      driver,
      nodeName: "n",
      pool: { name: "n", generation: 1, resourceSliceCount: 1 },
      devices: values.map((root, index) => ({
        name: `d${index}`,
        attributes: root === undefined ? {} : { [ROOT]: { string: `root-${root}` } },
      })),
    },
  };
}

/** Pairs of one accelerator with so many cards, all in one claim, or each in a claim of its own. */
function pairs(count: number, cards: number, apart: boolean): readonly DeviceRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const matchAttributes = [{ attribute: ROOT, requests: [`gpu-${index}`, `nic-${index}`] }];
    const claim = apart ? `claim-${index}` : "claim";
    const nic = {
      deviceClassName: "efa.networking.k8s.aws",
      claim,
      matchAttributes,
      selectors: ['device.driver == "dra.net"'],
    };
    return [deviceRequest(`gpu-${index}`, 1, { claim, matchAttributes }), deviceRequest(`nic-${index}`, cards, nic)];
  }).flat();
}

/** The same, asked for near each other first and else anywhere. */
const preferring = (count: number, cards: number): readonly DeviceRequest[] =>
  pairs(count, cards, false).map((one) => ({
    ...one,
    firstAvailable: ["near", "any"].map((name) => ({ ...one, name })),
    matchAttributes: one.matchAttributes.map(({ attribute, requests }) => ({
      attribute,
      requests: requests.map((name) => `${name}/near`),
    })),
  }));

describe("accelerators with their network cards", () => {
  test("fit as often as the roots have room for pairs, counted by hand", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        roots,
        roots,
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(1, 1, 2),
        fc.integer({ min: 1, max: 2 }),
        fc.boolean(),
        (gpus, nics, count, cards, pods, apart) => {
          const topology = cluster()
            .node("n", (node) => node.untainted())
            .object(slice("gpu.nvidia.com", gpus))
            .object(slice("dra.net", nics))
            .topology();
          const devices = pairs(count, cards, apart);
          const answer = solve(topology, demandOf(podSet("main", { required: pods, pod: { devices } })), contextOf());
          const of = (list: Roots, root: number) => list.filter((one) => one === root).length;
          const room = [0, 1, 2].reduce(
            (sum, root) => sum + Math.min(of(gpus, root), Math.floor(of(nics, root) / cards)),
            0,
          );
          expect(answer.verdict).toBe(room >= count * pods ? "fits" : "never");
          verdicts.add(answer.verdict);
        },
      ),
      runs(300),
    );
    expect(verdicts.least("fits", "never")).toBeGreaterThan(30);
  });

  test("fit wherever there are enough of both where that is only preferred, and are near where the first accelerators have cards beside them", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        roots,
        roots,
        fc.integer({ min: 1, max: 2 }),
        fc.constantFrom(1, 1, 2),
        fc.integer({ min: 1, max: 2 }),
        (gpus, nics, count, cards, pods) => {
          const topology = cluster()
            .node("n", (node) => node.untainted())
            .object(slice("gpu.nvidia.com", gpus))
            .object(slice("dra.net", nics))
            .topology();
          const demand = demandOf(podSet("main", { required: pods, pod: { devices: preferring(count, cards) } }));
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          const enough = gpus.length >= count * pods && nics.length >= count * cards * pods;
          expect(answer.verdict).toBe(enough ? "fits" : "never");
          verdicts.add(answer.verdict);
          if (!enough) return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
          const labels = assignment.placed.flatMap(({ serves = [] }) => serves.flat());
          const near = [0, 1, 2].every(
            (root) => nics.filter((one) => one === root).length >= cards * gpus.filter((one) => one === root).length,
          );
          if (!near || gpus.includes(undefined)) return;
          expect(labels.every((label) => label.endsWith("/near"))).toBe(true);
          verdicts.add("near");
        },
      ),
      runs(300),
    );
    expect(verdicts.least("fits", "never", "near")).toBeGreaterThan(5);
  });

  test("that are said to be near are refused where they are not", () => {
    const topology = cluster()
      .node("n", (node) => node.untainted())
      .object(slice("gpu.nvidia.com", [0]))
      .object(slice("dra.net", [1]))
      .topology();
    const demand = demandOf(podSet("main", { required: 1, pod: { devices: preferring(1, 1) } }));
    const { chosen, rungs } = solve(topology, demand, contextOf());
    const assignment = chosen?.assignment ?? expect.fail();
    const labelled = (...serves: readonly string[]) => ({
      ...assignment,
      placed: assignment.placed.map((one) => ({ ...one, serves: [serves] })),
    });
    const faults = (...serves: readonly string[]) =>
      checkAssignment(topology, demand, rungs, labelled(...serves), contextOf()).join();
    expect(faults("claim/gpu-0/near", "claim/nic-0/any")).toBe("");
    expect(faults("claim/gpu-0/near", "claim/nic-0/near")).toMatch(/do not agree on/);
  });

  test("that are only preferred and one card short are told so within a small budget", () => {
    const sixteen = Array.from({ length: 16 }, (_, index) => index);
    const topology = cluster()
      .node("n", (node) => node.untainted())
      .object(slice("gpu.nvidia.com", sixteen))
      .object(slice("dra.net", sixteen.slice(1)))
      .topology();
    const demand = demandOf(podSet("main", { required: 1, pod: { devices: preferring(16, 1) } }));
    expect(solve(topology, demand, contextOf({ maxSteps: 2000 })).verdict).toBe("never");
  });

  test("fit on new nodes as often as their pool declares room for, and are unknown only where what it leaves out could make room", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        roots.filter((list) => list.length > 0),
        roots.filter((list) => list.length > 0),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(1, 1, 2),
        fc.integer({ min: 1, max: 3 }),
        (gpus, nics, count, cards, pods) => {
          const published = (driver: string, list: Roots) => ({
            ...{ driver, attributes: {}, capacity: {} },
            groups: list.map((root) => ({
              count: 1,
              attributes: root === undefined ? {} : { [ROOT]: `root-${root}` },
            })),
          });
          const growing = pool("p", {
            maxNodes: 2,
            acceleratorsPerNode: gpus.length,
            node: {
              taints: [],
              mechanism: "dra",
              device: published("gpu.nvidia.com", gpus),
              network: { ...published("dra.net", nics), count: nics.length },
            },
          });
          const devices = pairs(count, cards, false);
          const demand = demandOf(
            podSet("main", {
              required: pods,
              pod: { devices },
              placement: { unit: "pod" },
              steps: [step({ accelerator: "h100", source: "new" })],
            }),
          );
          const context = contextOf({ pools: [growing], skipSuggestions: true });
          const topology = cluster()
            .node("n", (node) => node.untainted())
            .topology();
          const answer = solve(topology, demand, context);
          const of = (list: Roots, root: number) => list.filter((one) => one === root).length;
          const silent = (list: Roots) => list.every((one) => one === undefined);
          const most = (takes: (root: number) => number) => [0, 1, 2].reduce((sum, root) => sum + takes(root), 0);
          const groups = Math.floor(nics.length / cards);
          const told = gpus.filter((one) => one !== undefined).length;
          const byRoot = most((root) => Math.floor(of(nics, root) / cards));
          const room = most((root) => Math.min(of(gpus, root), Math.floor(of(nics, root) / cards)));
          const hoped = silent(gpus)
            ? Math.min(gpus.length, silent(nics) ? groups : byRoot)
            : silent(nics)
              ? Math.min(told, groups)
              : room;
          const enough = (each: number) => 2 * Math.floor(each / count) >= pods;
          const expected = enough(room) ? "scaleUp" : enough(hoped) ? "unknown" : "never";
          expect(answer.verdict).toBe(expected);
          verdicts.add(expected);
          if (expected !== "scaleUp") return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, context)).toEqual([]);
        },
      ),
      runs(300),
    );
    expect(verdicts.least("scaleUp", "never", "unknown")).toBeGreaterThan(5);
  });

  test("that are one short are told from as many roots as a node may have, within a small budget", () => {
    const sixteen = Array.from({ length: 16 }, (_, index) => index);
    const topology = cluster()
      .node("n", (node) => node.untainted())
      .object(slice("gpu.nvidia.com", sixteen))
      .object(slice("dra.net", sixteen.slice(1)))
      .topology();
    const demand = demandOf(podSet("main", { required: 1, pod: { devices: pairs(16, 1, false) } }));
    const answer = solve(topology, demand, contextOf({ maxSteps: 2000 }));
    expect(answer.verdict).toBe("never");
    expect(answer.ladder[0]?.reasons.map(({ message }) => message).join()).toContain(
      `the devices there make 15 groups of 1 gpu.nvidia.com and 1 efa.networking.k8s.aws with one ${ROOT}, and a pod needs 16`,
    );
  });
});
