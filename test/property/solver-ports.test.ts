import fc from "fast-check";
import { expect, test } from "vitest";
import { type HostPort, hostPort, type PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

interface Socket {
  readonly number: number;
  readonly protocol: string;
  readonly hostIP: string;
}

const socket: fc.Arbitrary<Socket> = fc.record({
  number: fc.constantFrom(8080, 8080, 8080, 9090),
  protocol: fc.constantFrom("", "TCP", "UDP"),
  hostIP: fc.constantFrom("", "0.0.0.0", "10.0.0.1", "10.0.0.2", "::1"),
});
const sockets = fc.array(socket, { maxLength: 2 });
const portOf = ({ number, protocol, hostIP }: Socket): HostPort => hostPort(number, protocol, hostIP);

test("host ports clash by protocol, address and number: with pods that run, with each other, and from set to set", () => {
  const seen = tally();
  fc.assert(
    fc.property(
      fc.array(sockets, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), sockets), { minLength: 1, maxLength: 3 }),
      (nodes, sets) => {
        const builder = cluster();
        for (const [index, taken] of nodes.entries()) {
          builder.node(`n-${index}`, (node) => node.cpu(16).memory("64Gi"));
          builder.pod(`busy-${index}`, (pod) => {
            pod.on(`n-${index}`).namespace("other");
            for (const { number, protocol, hostIP } of taken) pod.hostPort(number, { protocol, hostIP });
          });
        }
        const topology = builder.topology();
        const demand = demandOf(
          ...sets.map(
            ([required, ports], index): PodSetDemand =>
              podSet(`set-${index}`, {
                required,
                placement: { unit: "pod" },
                pod: { hostPorts: [...new Set(ports.map(portOf))] },
              }),
          ),
        );
        const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
        const is = (nominal: boolean): boolean =>
          existsAssignment(topology, sitesOf(topology, demand, nominal), demand, steps);
        const expected = is(false) ? "fits" : is(true) ? "busy" : "never";
        const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
        expect(answer.verdict).toBe(expected);
        seen.add(expected);
        const assignment = answer.chosen?.assignment;
        if (assignment !== undefined)
          expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
      },
    ),
    runs(400),
  );
  expect(seen.least("fits", "busy", "never")).toBeGreaterThan(20);
});
