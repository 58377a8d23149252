import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RungAnswer } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { claimsOf, DRIVER, type NodeDevices, slicesOf } from "../support/device-cases.ts";
import { runs, tally } from "../support/runs.ts";

/** What is said of devices that are missing: counted by hand, taken out of the way, and asked again. */
interface Asked {
  readonly nodes: readonly NodeDevices[];
  readonly pods: number;
  readonly count: number;
  readonly kind: "a" | "b" | undefined;
  /** The node that the pod names. */
  readonly named: number | undefined;
}

const device = fc.record({
  kind: fc.constantFrom("a" as const, "a" as const, "b" as const),
  used: fc.integer({ min: 0, max: 2 }).map((one) => one === 0),
  tainted: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
});
const node = fc.array(device, { maxLength: 4 }).map(
  (devices): NodeDevices => ({
    partitioned: false,
    taken: 0,
    devices: devices.map((one) => ({ ...one, numa: undefined, card: 0, slices: [1, 0], shared: false })),
  }),
);
const askedCase: fc.Arbitrary<Asked> = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: 4 }),
  pods: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 3 }),
  kind: fc.constantFrom("a", "b", undefined),
  named: fc.option(fc.nat(3), { freq: 5, nil: undefined }),
});

function answerOf({ nodes, pods, count, kind, named }: Asked): RungAnswer {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    builder.node(`n${index}`, (made) => made.cpu(64));
    for (const object of [...slicesOf(`n${index}`, one), ...claimsOf(`n${index}`, one)]) builder.object(object);
  }
  const selectors = [
    `device.driver == "${DRIVER}"`,
    ...(kind === undefined ? [] : [`device.attributes["${DRIVER}"].kind == "${kind}"`]),
  ];
  const set = podSet("main", {
    required: pods,
    pod: {
      devices: [deviceRequest("r", count, { selectors })],
      ...(named === undefined ? {} : { nodeName: `n${named % nodes.length}` }),
    },
  });
  const { chosen } = solve(builder.topology(), demandOf(set), contextOf({ skipSuggestions: true }));
  return chosen ?? expect.fail();
}

type Device = NodeDevices["devices"][number];
const onDevices = ({ nodes, ...rest }: Asked, change: (one: Device) => Partial<Device>): Asked => ({
  ...rest,
  nodes: nodes.map((one) => ({ ...one, devices: one.devices.map((each) => ({ ...each, ...change(each) })) })),
});

describe("devices that are missing", () => {
  test("exclude exactly the nodes that have too few, by what is free or by what there is", () => {
    const met = tally();
    fc.assert(
      fc.property(askedCase, (asked) => {
        const { exclusions, verdict } = answerOf(asked);
        if (verdict === "fits") return;
        const empty = verdict === "never";
        const counts = { named: 0, none: 0, few: 0 };
        for (const [index, { devices }] of asked.nodes.entries()) {
          const serving = devices.filter(({ kind }) => asked.kind === undefined || kind === asked.kind);
          const free = empty ? serving : serving.filter(({ used, tainted }) => !used && !tainted);
          if (asked.named !== undefined && asked.named % asked.nodes.length !== index) counts.named += 1;
          else if (serving.length === 0) counts.none += 1;
          else if (free.length < asked.count) counts.few += 1;
        }
        const told = { named: 0, none: 0, few: 0 };
        for (const { constraint, nodes } of exclusions) {
          const which = constraint.startsWith("the pod names")
            ? "named"
            : constraint.startsWith("no device of class")
              ? "none"
              : "few";
          if (which === "few") expect(constraint).toMatch(/^too few( free)? devices for request r$/);
          told[which] += nodes;
          met.add(`${which} ${verdict}`);
        }
        expect(told).toEqual(counts);
      }),
      runs(400),
    );
    expect(met.least("few busy", "few never", "none busy", "none never", "named busy", "named never")).toBeGreaterThan(
      4,
    );
  });

  test("run out where some of the pods have room, and so many have as nodes have devices for", () => {
    const met = tally();
    fc.assert(
      fc.property(askedCase, (asked) => {
        const { reasons, verdict } = answerOf(asked);
        const miss = reasons.find(({ message }) => message.includes("has room for"));
        if (miss === undefined) return;
        const counts = asked.nodes.map(({ devices }, index) => {
          if (asked.named !== undefined && asked.named % asked.nodes.length !== index) return 0;
          const serving = devices.filter(({ kind }) => asked.kind === undefined || kind === asked.kind);
          const free = serving.filter(({ used, tainted }) => verdict === "never" || !(used || tainted));
          return Math.floor(free.length / asked.count);
        });
        const room = counts.reduce((sum, one) => sum + one, 0);
        expect(miss.message.replace("even with every node empty and ready, ", "")).toBe(
          `the cluster has room for ${room} of the ${asked.pods} pods, then devices of class gpu.nvidia.com run out`,
        );
        met.add(verdict);
      }),
      runs(400),
    );
    expect(met.least("busy", "never")).toBeGreaterThan(4);
  });

  test("are with the holders and taints that are told: without those the workload fits", () => {
    const met = tally();
    fc.assert(
      fc.property(askedCase, (asked) => {
        const before = answerOf(asked);
        if (before.verdict !== "busy") return;
        const holders = before.reasons.filter(({ code }) => code === "Holder");
        const eligible = asked.nodes.filter(({ devices }, index) => {
          const serving = devices.filter(({ kind }) => asked.kind === undefined || kind === asked.kind);
          return (
            serving.length >= asked.count && (asked.named === undefined || asked.named % asked.nodes.length === index)
          );
        });
        const standing = eligible.flatMap(({ devices }) =>
          devices.filter(({ kind }) => asked.kind === undefined || kind === asked.kind),
        );
        const held = standing.filter(({ used }) => used).length;
        const sick = standing.filter(({ tainted }) => tainted).length;
        const sum = (key: "amount" | "devices", of: string): number =>
          holders.reduce((total, { data }) => total + (data?.[of] === undefined ? 0 : Number(data[key])), 0);
        expect([sum("amount", "tenant"), sum("devices", "taint")]).toEqual([held, sick]);
        const healed = onDevices(asked, () => ({ tainted: false }));
        expect(answerOf(onDevices(healed, () => ({ used: false }))).verdict).toBe("fits");
        if (held === 0) expect(answerOf(healed).verdict).toBe("fits");
        if (sick === 0) expect(answerOf(onDevices(asked, () => ({ used: false }))).verdict).toBe("fits");
        met.add(held === 0 ? "sick" : sick === 0 ? "held" : "both");
      }),
      runs(900),
    );
    expect(met.least("sick", "held", "both")).toBeGreaterThan(5);
  });

  test("are no longer what is named once there are enough of them, nor is a node's name once none is asked for", () => {
    const met = tally();
    fc.assert(
      fc.property(askedCase, (asked) => {
        const before = answerOf(asked);
        if (before.verdict !== "never") return;
        const more = {
          kind: asked.kind ?? "a",
          used: false,
          tainted: false,
          numa: undefined,
          card: 0,
          shared: false,
        } as const;
        const added = Array.from({ length: asked.count * asked.pods }, (): Device => ({ ...more, slices: [1, 0] }));
        const lifted = { ...asked, nodes: asked.nodes.map((one) => ({ ...one, devices: [...one.devices, ...added] })) };
        expect(answerOf(lifted).verdict).toBe("fits");
        if (asked.named === undefined) return;
        const anywhere = answerOf({ ...asked, named: undefined });
        expect(anywhere.exclusions.map(({ constraint }) => constraint).join()).not.toContain("the pod names");
        met.add("anywhere");
      }),
      runs(200),
    );
    expect(met.least("anywhere")).toBeGreaterThan(5);
  });
});
