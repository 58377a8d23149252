import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import {
  addClass,
  addNode,
  askedBy,
  mostOn,
  type NodeCase,
  nodeCase,
  type PodCase,
  podCase,
} from "../support/brute-claims.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const seen = tally();
const rackOf = (node: number): string => `r${node % 2}`;

function featuresOf(nodes: readonly NodeCase[], pod: PodCase): readonly string[] {
  const devices = nodes.flatMap((node) => node.devices);
  const requests = pod.claims.flat();
  return [
    ...new Set([
      ...devices.flatMap(({ sick, used, shared, policy }) => [
        `sick: ${sick}`,
        `used ${used}`,
        ...(shared && requests.length > 0 ? [`shared, ${policy}`] : []),
      ]),
      ...nodes.flatMap(({ pool, reach }) => [`pool ${pool}`, `reach by ${reach}`]),
      ...requests.map(({ tolerates }) => `tolerates ${tolerates}`),
      ...(requests.some(({ count }) => count === "all") ? ["all"] : []),
      ...(requests.some(({ second }) => second !== undefined) ? ["alternatives"] : []),
      ...(pod.admin ? ["administrator"] : []),
      ...(pod.extended > 0 ? ["extended", ...(requests.length > 0 ? ["extended beside claims"] : [])] : []),
      ...(pod.claims.length > 1 ? ["two claims"] : []),
    ]),
  ];
}

describe("what drivers say of devices, against brute force", () => {
  test("taints and rules, request policies, pools that do not count, administrators, extended resources: exactly what enumeration says", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase, { minLength: 1, maxLength: 3 }),
        podCase,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (nodes, pod, pods, together) => {
          const builder = cluster();
          addClass(builder);
          for (const [index, one] of nodes.entries())
            addNode(builder, `n${index}`, one, (node) =>
              node.cpu(32).memory("64Gi").zone("z").block("b").rack(rackOf(index)),
            );
          const topology = builder.topology();
          const { devices, requests } = askedBy(pod);
          const placement = together ? { level: "rack" } : {};
          const demand = demandOf(podSet("main", { required: pods, requests, pod: { devices }, placement }));
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          const holds = (nominal: boolean, hopeful: boolean): boolean => {
            const rooms = new Map<string, number>();
            for (const [index, node] of nodes.entries()) {
              const place = together ? rackOf(index) : "";
              rooms.set(place, (rooms.get(place) ?? 0) + mostOn(node, pod, { nominal, hopeful }, pods));
            }
            return Math.max(...rooms.values()) >= pods;
          };
          const wanted = holds(false, false)
            ? "fits"
            : holds(false, true)
              ? "unknown"
              : holds(true, false)
                ? "busy"
                : holds(true, true)
                  ? "unknown"
                  : "never";
          if (answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) {
            // The scheduler gives up on the pod at a node whose pool does not count.
            expect(pod.claims.flat().some(({ count }) => count === "all")).toBe(true);
            expect(nodes.some(({ pool }) => pool === "incomplete" || pool === "published twice")).toBe(true);
            expect(answer.verdict).not.toBe("fits");
            seen.add("aborted");
            return;
          }
          expect(answer.verdict).toBe(wanted);
          for (const feature of ["any", ...featuresOf(nodes, pod)]) seen.add(`${feature}: ${wanted}`);
          if (wanted !== "fits") return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
        },
      ),
      runs(1200),
    );
  });

  test("each feature was met with each verdict", () => {
    const features = [...seen.counts.keys()].flatMap((name) => (name.endsWith(": never") ? [name.slice(0, -7)] : []));
    expect(features.length).toBeGreaterThan(28);
    for (const feature of features)
      expect(
        seen.least(...["fits", "busy", "never"].map((verdict) => `${feature}: ${verdict}`)),
        feature,
      ).toBeGreaterThan(1);
    expect(seen.least("pool incomplete: unknown", "pool published twice: unknown", "aborted")).toBeGreaterThan(3);
  });
});
