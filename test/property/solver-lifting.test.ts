import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RungAnswer, Verdict } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf, podSet, step } from "../support/demand.ts";
import { namedIn } from "../support/named.ts";
import { runs, tally } from "../support/runs.ts";
import { emptied, type NodeCase, nodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

/** What an answer says stands in the way is taken out of the way: then it is gone, and where it was all that stood there, the workload fits. */
interface Asked {
  readonly nodes: readonly NodeCase[];
  readonly one: SetCase;
}

const DEVICE = "example.com/dev";
const FROM_WORST: readonly Verdict[] = ["never", "unknown", "undecided", "busy", "scaleUp", "fits"];
const seen = tally();

function answerOf({ nodes, one }: Asked): RungAnswer {
  const { chosen } = solve(topologyOf(nodes), demandOf(setOf("main", one)), contextOf({ skipSuggestions: true }));
  if (chosen === undefined) throw new Error("there is one rung");
  return chosen;
}

/** What can never be is told of the nodes as they are when nothing runs there. */
const toldOf = ({ nodes, one }: Asked, verdict: Verdict): Asked => ({
  nodes: verdict === "never" ? emptied(nodes) : nodes,
  one,
});

/** The phases through which a node has to come, in their order, and what is said of one that does not come through. */
function phases({ one }: Asked): readonly ((node: NodeCase) => string | undefined)[] {
  const when = (text: string, excludes: (node: NodeCase) => boolean) => (node: NodeCase) =>
    excludes(node) ? text : undefined;
  const kinds = [...(one.terms ? ["y"] : []), ...(one.select === undefined ? [undefined] : [one.select])];
  const selected = ({ label }: NodeCase) => kinds.some((kind) => kind === undefined || kind === label);
  const short = (resource: string, need: number, has: (node: NodeCase) => readonly [number, number]) => [
    when(`no ${resource}`, (node) => need > 0 && has(node)[0] === 0),
    when(`smaller than one pod in ${resource}`, (node) => has(node)[0] < need),
    when(`not enough ${resource} free`, (node) => has(node)[0] - (node.own ? 0 : has(node)[1]) < need),
  ];
  return [
    when("not ready", ({ ready }) => !ready),
    when("cordoned", ({ cordoned }) => cordoned),
    when("taint special=yes:NoSchedule not tolerated", ({ tainted }) => tainted && !one.tolerates),
    one.terms
      ? when("none of the 2 node affinity terms holds", (node) => !selected(node))
      : when(`label kind = ${one.select} does not hold`, (node) => !selected(node)),
    when("no label kind, which spreading needs", ({ label }) => one.spread === "kind" && label === undefined),
    when("host port 8080 taken", ({ port, own }) => one.port && port && !own),
    ...short("cpu", one.cpu, ({ cpu, used }) => [cpu, Math.min(used, cpu)]),
    ...short(DEVICE, one.devices, ({ devices, usedDevices }) => [devices, Math.min(usedDevices, devices)]),
  ];
}

describe("exclusions", () => {
  test("count every node that takes no pod once, under the first phase that stops it, in the order of the phases", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 6 }), setCase(5), (nodes, one) => {
        const { exclusions, verdict } = answerOf({ nodes, one });
        if (verdict === "fits") return;
        const asked = toldOf({ nodes, one }, verdict);
        const list = phases(asked);
        const stopped = asked.nodes.map((node) => list.findIndex((phase) => phase(node) !== undefined));
        const expected = [...list.keys()].flatMap((phase) => {
          const where = [...nodes.keys()].filter((index) => stopped[index] === phase);
          const [first] = where.flatMap((index) => asked.nodes[index] ?? []);
          if (first === undefined) return [];
          const examples = where.slice(0, 3).map((index) => `n${index}`);
          return [{ podSet: "main", constraint: list[phase]?.(first) ?? "", nodes: where.length, examples }];
        });
        expect(exclusions).toEqual(expected);
        // What is left over takes a pod, and nothing else does.
        const topology = topologyOf(asked.nodes);
        const { pod } = setOf("main", one);
        const single = demandOf(podSet("main", { required: 1, pod, placement: { unit: "pod" } }));
        const takes = sitesOf(topology, single, false).filter((site) =>
          existsAssignment(topology, [site], single, [step()]),
        );
        expect(takes.length + exclusions.reduce((sum, { nodes: count }) => sum + count, 0)).toBe(nodes.length);
        for (const { constraint } of exclusions) seen.add(constraint);
      }),
      runs(900),
    );
    const least = seen.least("not ready", "cordoned", "no label kind, which spreading needs", "not enough cpu free");
    expect(least).toBeGreaterThan(10);
    expect(seen.least("host port 8080 taken", "none of the 2 node affinity terms holds")).toBeGreaterThan(3);
  });
});

/** What takes an exclusion out of the way. */
const LIFTS: readonly (readonly [RegExp, (asked: Asked) => Asked])[] = [
  [/^not ready$/, onNodes(() => ({ ready: true }))],
  [/^cordoned$/, onNodes(() => ({ cordoned: false }))],
  [/^taint special/, onSet(() => ({ tolerates: true }))],
  [/^label kind = x|^none of the 2/, onSet(() => ({ select: undefined, terms: false }))],
  [/^no label kind, which spreading needs$/, onSet(() => ({ spread: "none" }))],
  [/^host port 8080 taken$/, onNodes(() => ({ port: false }))],
  [/^not enough cpu free$/, onNodes(() => ({ used: 0 }))],
  [/^not enough example.com.dev free$/, onNodes(() => ({ usedDevices: 0 }))],
  [
    /^no example.com.dev$|^smaller than one pod in example.com.dev$/,
    ({ nodes, one }) => onNodes((node) => ({ devices: Math.max(node.devices, one.devices) }))({ nodes, one }),
  ],
];

function onNodes(change: (node: NodeCase) => Partial<NodeCase>): (asked: Asked) => Asked {
  return ({ nodes, one }) => ({ one, nodes: nodes.map((node) => ({ ...node, ...change(node) })) });
}

function onSet(change: (one: SetCase) => Partial<SetCase>): (asked: Asked) => Asked {
  return ({ nodes, one }) => ({ nodes, one: { ...one, ...change(one) } });
}

const worth = (verdict: Verdict): number => FROM_WORST.indexOf(verdict);
const askedCase = fc.record({ nodes: fc.array(nodeCase(true), { minLength: 1, maxLength: 5 }), one: setCase(5) });

describe("lifting", () => {
  test("an exclusion that is lifted is gone, and what was its nodes' is theirs or a later phase's; where it was all, the workload fits or what it lacks has another name", () => {
    fc.assert(
      fc.property(askedCase, (asked) => {
        const before = answerOf(asked);
        for (const { constraint } of before.exclusions) {
          const [, lift] = LIFTS.find(([text]) => text.test(constraint)) ?? [];
          if (lift === undefined) throw new Error(`nobody knows how to lift ${constraint}`);
          const after = answerOf(lift(asked));
          expect(after.exclusions.map((one) => one.constraint)).not.toContain(constraint);
          // A rule of spreading counts nodes that it did not count before.
          if (asked.one.spread === "none") expect(worth(after.verdict)).toBeGreaterThanOrEqual(worth(before.verdict));
          const only = before.reasons.every(({ code }) => code === "Excluded" || code === "Holder");
          if (before.exclusions.length > 1 || !only) continue;
          seen.add(`only one, then ${after.verdict === "fits" ? "it fits" : "another"}`);
          if (after.verdict === "fits") continue;
          const told = new Set(before.reasons.map(({ message }) => message));
          expect(
            after.reasons.filter(({ message }) => !told.has(message)),
            constraint,
          ).not.toEqual([]);
        }
      }),
      runs(300),
    );
  });

  test("what is not told does not bind: without it alone the workload fits no more than with it", () => {
    fc.assert(
      fc.property(askedCase, (asked) => {
        const before = answerOf(asked);
        if (before.verdict !== "busy" && before.verdict !== "never") return;
        const text = before.reasons.map(({ message }) => message).join("; ");
        const { nodes: standing } = toldOf(asked, before.verdict);
        const lifts: readonly (readonly [string, Partial<SetCase>])[] = [
          ["taint", { tolerates: true }],
          ["kind = x|node affinity", { select: undefined, terms: false }],
          ["spread", { spread: "none" }],
          ["host port|nodes needed", { port: false }],
          ["dev|nodes needed", { devices: 0 }],
          ["cpu|nodes needed", { cpu: 0 }],
          ["of their own", { separate: false }],
          ["(?<!/)zone|rack", { within: undefined }],
          ["(?<!/)zone|rack|share|host,", { level: undefined }],
        ];
        for (const [name, change] of lifts) {
          if (new RegExp(name).test(text)) continue;
          const one = { ...asked.one, ...change };
          expect(answerOf({ nodes: standing, one }).verdict, `${name}: ${text}`).not.toBe("fits");
          // A node that is not ready counts for no spreading while it is not.
          if (before.verdict === "never" && asked.one.spread !== "none") continue;
          expect(answerOf({ nodes: asked.nodes, one }).verdict, `${name}: ${text}`).not.toBe("fits");
        }
      }),
      runs(160),
    );
  });

  test("what a message of room says runs out does: without it all pods have room, and without less than is told together they have none", () => {
    const without: Readonly<Record<string, Partial<SetCase>>> = {
      cpu: { cpu: 0 },
      [DEVICE]: { devices: 0 },
      "host port 8080": { port: false },
    };
    fc.assert(
      fc.property(askedCase, (asked) => {
        const { reasons, verdict } = answerOf(asked);
        const { nodes, one } = toldOf(asked, verdict);
        const miss = reasons.find(({ code }) => code === "NearestMiss")?.message;
        if (miss === undefined) return;
        const { single, together, elsewhere, rules } = namedIn(miss);
        const lifted = (names: readonly string[]): Verdict => {
          const changes = names.map((name) => without[name] ?? expect.fail(`${name}: ${miss}`));
          const changed: SetCase = Object.assign({}, one, ...changes);
          const { unit, level, within } = setOf("main", one).placement;
          const group = unit === "group" && level !== undefined;
          const wider = within === undefined ? undefined : one.within;
          const plain: Partial<SetCase> = { spread: "none", ...(group ? { unit: "podSet", level: wider } : {}) };
          return answerOf({ nodes, one: rules === "" ? changed : { ...changed, ...plain, separate: false } }).verdict;
        };
        if (rules !== "") seen.add("out ruled");
        for (const name of [...single, ...elsewhere]) {
          expect(lifted([name]), `${name}: ${miss}`).toBe("fits");
          seen.add(`out ${name}`);
        }
        if (together.length === 0) return;
        expect(lifted(together), miss).toBe("fits");
        // In another domain than the one that is told of, less may do.
        if (!miss.includes("the cluster has")) return;
        for (const name of together) {
          const rest = together.filter((other) => other !== name);
          expect(lifted(rest), `${rest}: ${miss}`).not.toBe("fits");
        }
        seen.add("out together");
      }),
      runs(600),
    );
    expect(seen.least("out cpu", `out ${DEVICE}`, "out host port 8080", "out together", "out ruled")).toBeGreaterThan(
      3,
    );
  });

  test("the room that the nearest miss lacks, added where it says, is enough", () => {
    fc.assert(
      fc.property(askedCase, (asked) => {
        const { reasons, verdict } = answerOf(asked);
        const { nodes, one } = toldOf(asked, verdict);
        const miss = reasons.find(({ code, data }) => code === "NearestMiss" && data?.["have"] !== undefined);
        if (miss === undefined) return;
        const { level, domain, resource, node: best, lacks } = miss.data ?? {};
        const [have, need] = [Number(miss.data?.["have"]), Number(miss.data?.["need"])];
        const text = miss.message;
        if (resource !== undefined) {
          if (lacks !== 1 || one.port) return;
          const more = need - have;
          const grown = nodes.map((node, index) => {
            if (`n${index}` !== best) return node;
            const { cpu, devices } = node;
            const same = { ...node, used: Math.min(node.used, cpu), usedDevices: Math.min(node.usedDevices, devices) };
            return resource === "cpu" ? { ...same, cpu: cpu + more / 1000 } : { ...same, devices: devices + more };
          });
          const single: SetCase = { ...one, pods: 1, unit: "pod", spread: "none" };
          expect(answerOf({ nodes: grown, one: single }).verdict, text).toBe("fits");
          seen.add("grown");
          return;
        }
        if (text.includes(" once ")) {
          const { unit, level: narrow, within } = setOf("main", one).placement;
          const wider =
            within !== undefined && narrow !== within
              ? ({ unit: "podSet", level: one.within } as const)
              : { level: undefined };
          const free: SetCase = {
            ...one,
            ...(text.includes("spread") ? { spread: "none" } : {}),
            ...(text.includes("share one") ? { ...wider, separate: false } : {}),
          };
          expect(text.includes("share one")).toBe(unit === "group" && narrow !== undefined);
          const total = answerOf({ nodes, one: free });
          if (total.verdict !== "fits") {
            const again = total.reasons.find(
              ({ code, data }) => code === "NearestMiss" && data?.["have"] !== undefined,
            );
            expect(again?.message, text).not.toBe(text);
            expect(Number(again?.data?.["have"]), `${text} / ${again?.message}`).toBeGreaterThanOrEqual(have);
            expect(again?.message).not.toContain(" once ");
          }
          seen.add(`rules ${total.verdict}`);
          return;
        }
        if (level === "host") return;
        const fresh: NodeCase = {
          ...{
            cpu: one.cpu,
            devices: one.devices,
            zone: "a",
            rack: "r1",
            tainted: false,
            cordoned: false,
            ready: true,
          },
          ...{ label: one.select ?? "x", used: 0, usedDevices: 0, port: false, own: false },
        };
        const path = String(domain).split("/");
        const where = nodes.find((node) =>
          level === "zone"
            ? node.zone === path.at(-1)
            : node.rack === path.at(-1) && (path.length === 1 || node.zone === path[0]),
        );
        const place = level === undefined ? {} : { zone: where?.zone, rack: where?.rack };
        const added = Array.from({ length: need - have }, () => ({ ...fresh, ...place }));
        const after = answerOf({ nodes: [...nodes, ...added], one });
        if (after.verdict !== "fits") {
          expect(one.spread !== "none" || one.unit === "group", text).toBe(true);
          expect(after.reasons.map(({ message }) => message).join("; "), text).toContain(" once ");
        }
        expect(answerOf({ nodes: [...nodes, ...added.slice(1)], one }).verdict, text).not.toBe("fits");
        seen.add(level === undefined ? "room" : "domain");
      }),
      runs(500),
    );
    expect(seen.least("room", "domain", "grown", "rules fits", "only one, then another")).toBeGreaterThan(10);
  });
});
