import fc from "fast-check";
import { expect, test } from "vitest";
import { holdFor } from "../../src/admission/hold.ts";
import type { Answer, Assignment, Demand, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { builtinKinds, readWorkload } from "../../src/workloads/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import {
  type ClaimCase,
  claimCase,
  claimsOf,
  type NodeDevices,
  nodeDevices,
  requestsOf,
  slicesOf,
} from "../support/device-cases.ts";
import { runs, tally } from "../support/runs.ts";
import { job } from "../support/workloads.ts";

const PORT = 8080;

interface WorkCase {
  readonly pods: number;
  readonly cpu: number;
  readonly port: boolean;
  readonly admin: boolean;
  readonly claim: ClaimCase | undefined;
}

const workCase: fc.Arbitrary<WorkCase> = fc.record({
  pods: fc.integer({ min: 1, max: 2 }),
  cpu: fc.integer({ min: 1, max: 2 }),
  port: fc.boolean(),
  admin: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  claim: fc.option(claimCase, { freq: 6, nil: undefined }),
});

function asked({ claim, admin }: WorkCase, name: string): readonly DeviceRequest[] {
  const seeing = (one: DeviceRequest): DeviceRequest => ({
    ...one,
    ...(admin ? { adminAccess: true } : {}),
    ...(one.firstAvailable === undefined ? {} : { firstAvailable: one.firstAvailable.map(seeing) }),
  });
  return claim === undefined ? [] : requestsOf(claim, name).map(seeing);
}

function demandFor(one: WorkCase, name: string): Demand {
  const pod = { devices: asked(one, name), hostPorts: one.port ? [PORT] : [] };
  const demand = demandOf(podSet("main", { required: one.pods, requests: { cpu: one.cpu * 1000 }, pod }));
  return { ...demand, workload: { ...demand.workload, name } };
}

/** Units of a shared device that what stands under this label takes of it. */
function unitsOf({ claim }: WorkCase, label: string | undefined, at: number): string {
  const inOrder = (claim?.requests ?? []).flatMap((one) => Array.from({ length: one.count === 2 ? 2 : 1 }, () => one));
  const [, request, way] = (label ?? "").split("/");
  const one = label === undefined ? (inOrder[at] ?? inOrder.at(-1)) : claim?.requests[Number((request ?? "").slice(1))];
  return String((way === "y" ? undefined : one?.units) ?? 1);
}

/** `assignment` of `work` stands as bound pods and allocated claims. */
function topologyOf(nodes: readonly NodeDevices[], work?: WorkCase, assignment?: Assignment): Topology {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    builder.node(`n${index}`, (node) => node.cpu(3).memory("64Gi"));
    for (const object of [...slicesOf(`n${index}`, one), ...claimsOf(`n${index}`, one)]) builder.object(object);
  }
  for (const kind of ["Pod", "ResourceClaim", "ResourceSlice"])
    builder.object({ apiVersion: "v1", kind: `${kind}List`, items: [] });
  const results: JsonObject[][] = [];
  for (const { node, pods, devices, serves } of assignment?.placed ?? [])
    for (let number = 0; number < pods; number += 1) {
      builder.pod(`first-${node}-${number}`, (pod) => {
        pod
          .on(node)
          .cpu(work?.cpu ?? 0)
          .memory("1Gi")
          .owner("Job", "first");
        if (work?.port === true) pod.hostPort(PORT);
      });
      const own = (devices?.[number] ?? []).map((key, at): JsonObject => {
        const [driver = "", pool = "", device = ""] = key.split("/");
        const shared = nodes[Number(pool.slice(1))]?.devices[Number(device.slice(1))]?.shared === true;
        const units = shared && work !== undefined ? unitsOf(work, serves?.[number]?.[at], at) : "0";
        return {
          request: "r",
          driver,
          pool,
          device,
          ...(work?.admin === true ? { adminAccess: true } : {}),
          ...(shared ? { shareID: `${number}`, consumedCapacity: { units } } : {}),
        };
      });
      if (own.length > 0) results.push(own);
    }
  for (const [index, own] of results.entries())
    builder.object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: { name: `first-${index}`, namespace: "default" },
      spec: {},
      status: { allocation: { devices: { results: own } } },
    });
  return builder.topology();
}

test("a promise takes what its pods and claims take once they are there: cores, ports, devices, shares of devices, counters", () => {
  const seen = tally();
  const workload = readWorkload(job("first").build(), builtinKinds());
  if (workload === undefined) throw new Error("a Job is a workload");
  const told = ({ verdict, chosen, ladder }: Answer) => ({
    verdict,
    assignment: chosen?.assignment,
    holds: ladder.map(({ holds }) => holds),
  });
  fc.assert(
    fc.property(
      fc.array(nodeDevices, { minLength: 1, maxLength: 2 }),
      workCase,
      workCase,
      fc.boolean(),
      (nodes, first, other, alike) => {
        const second = alike ? { ...other, claim: first.claim } : other;
        const empty = topologyOf(nodes);
        const given = demandFor(first, "first");
        const answer = solve(empty, given, contextOf({ skipSuggestions: true }));
        const assignment = answer.chosen?.assignment;
        if (answer.verdict !== "fits" || assignment === undefined) return;
        const hold = holdFor({
          workload,
          key: given.workload,
          demand: given,
          intents: new Map(),
          answer,
          nowMs: 0,
          owner: undefined,
        });
        const next = demandFor(second, "second");
        const promised = solve(
          empty,
          next,
          contextOf({ holds: hold === undefined ? [] : [hold], skipSuggestions: true }),
        );
        const bound = solve(topologyOf(nodes, first, assignment), next, contextOf({ skipSuggestions: true }));
        expect(told(promised)).toEqual(told(bound));
        const alone = solve(empty, next, contextOf({ skipSuggestions: true }));
        if (alone.verdict !== bound.verdict) {
          seen.add("told apart");
          if (first.port && second.port) seen.add("port");
          if (second.claim !== undefined && first.claim !== undefined) seen.add("devices");
        }
        const devices = assignment.placed.flatMap((one) => (one.devices ?? []).flat());
        if (devices.length === 0) return;
        if (first.admin) seen.add(`admin ${bound.verdict}`);
        const shared = devices.filter((key) => {
          const [, pool = "", device = ""] = key.split("/");
          return nodes[Number(pool.slice(1))]?.devices[Number(device.slice(1))]?.shared === true;
        });
        if (shared.length > 0 && second.claim !== undefined) seen.add(`shared ${bound.verdict}`);
        if (nodes.some(({ partitioned }) => partitioned) && second.claim !== undefined)
          seen.add(`partitioned ${bound.verdict}`);
      },
    ),
    runs(300),
  );
  expect(
    seen.least("told apart", "port", "devices", "admin fits", "shared fits", "shared busy", "partitioned busy"),
  ).toBeGreaterThan(2);
});
