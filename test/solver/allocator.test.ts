import { describe, expect, test } from "vitest";
import type { Option, PodDevices } from "../../src/solver/ask.ts";
import { createBudget } from "../../src/solver/budget.ts";
import { type Capacity, consumed } from "../../src/solver/consume.ts";
import { allocator } from "../../src/solver/first-fit.ts";
import { mostDevices, packDevices } from "../../src/solver/pack.ts";
import { type Draft, finish, type Group } from "../../src/solver/stock.ts";
import { deviceRequest } from "../support/demand.ts";

/** Stocks and asks by hand, for the edges that random clusters seldom meet. */
const group = (devices: readonly string[], extra: Partial<Group> = {}): Group => ({
  serves: [true, true],
  faulty: [],
  values: [undefined],
  devices,
  counters: [],
  shares: undefined,
  ...extra,
});
const stock = (groups: readonly Group[], extra: Partial<Draft> = {}) =>
  finish({
    groups,
    attributes: ["numa"],
    counters: [],
    capacities: [],
    alls: new Map(),
    broken: undefined,
    extra: "",
    ...extra,
  });
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `x/p/d${index}`);
const option = (number: number, count: number | "all"): Option => ({
  number,
  label: `c/r${number}`,
  request: deviceRequest(`r${number}`, count),
});
const ask = (counts: readonly (number | "all")[], extra: Partial<PodDevices> = {}): PodDevices => ({
  claims: [{ name: "c", shared: false }],
  slots: counts.map((count, number) => ({ claim: 0, options: [option(number, count)] })),
  bonds: [],
  admin: false,
  ...extra,
});
const steps = () => createBudget(10_000);
const rank = (device: string): number => Number(device.slice("x/p/d".length));
const turns = (of: ReturnType<typeof stock>, ...asks: readonly PodDevices[]) => {
  const next = allocator(of, rank, steps());
  return asks.map((one) => next(one).kind);
};
const UNIT = 1_000_000_000n;

describe("a claim has at most 32 devices", () => {
  test("by one request or by several", () => {
    const many = stock([group(names(40))]);
    expect(packDevices(many, [ask([32])], steps())?.[0]?.length).toBe(32);
    expect(packDevices(many, [ask([16, 17])], steps())).toBeUndefined();
    expect(turns(many, ask([16, 16]))).toEqual(["served"]);
    expect(turns(many, ask([16, 17]))).toEqual(["abort"]);
  });
});

describe("devices that draw on counters", () => {
  test("equal ones of one card are counted one after the other", () => {
    const card = stock([group(names(3), { counters: [{ at: 0, amount: 1n }] })], { counters: [2n] });
    expect(mostDevices(card, 0, steps())).toBe(2);
  });

  test("where all are wanted, one without its counters passes the node over before a constraint ends the attempt", () => {
    const alls = new Map([[0, { groups: [0, 1], blocked: false }]]);
    const bonds = [{ attribute: "numa", distinct: false, options: new Set([0]) }];
    const unlike = (counter: bigint) =>
      stock(
        [group(["x/p/d0"], { values: ["0"] }), group(["x/p/d1"], { values: ["1"], counters: [{ at: 0, amount: 1n }] })],
        { alls, counters: [counter] },
      );
    expect(turns(unlike(0n), ask(["all"], { bonds }))).toEqual(["none"]);
    expect(turns(unlike(1n), ask(["all"], { bonds }))).toEqual(["abort"]);
  });
});

describe("the scheduler's allocator", () => {
  test("gives one request a shared device once, and two requests of one pod twice", () => {
    const uses = [[UNIT], [UNIT]];
    const shared = stock([group(["x/p/d0"], { shares: { at: 0, uses, charged: false } })], { capacities: [4n * UNIT] });
    expect(turns(shared, ask([2]))).toEqual(["none"]);
    expect(turns(shared, ask([1, 1]))).toEqual(["served"]);
  });

  test("goes on to the next device of its order, though it is of another kind", () => {
    const both = stock([
      group(["x/p/d0", "x/p/d2", "x/p/d3", "x/p/d5"], { serves: [true, false] }),
      group(["x/p/d1", "x/p/d4"]),
    ]);
    const three = ask([1, 1, 1]);
    const slots = three.slots.map((slot, at) => ({ ...slot, options: [option(at === 2 ? 1 : 0, 1)] }));
    expect(turns(both, { ...three, slots }, { ...three, slots })).toEqual(["served", "none"]);
  });

  test("takes nothing from anybody for administrators", () => {
    const one = stock([group(["x/p/d0"])]);
    expect(turns(one, ask([1], { admin: true }), ask([1], { admin: true }), ask([1]))).toEqual([
      "served",
      "served",
      "served",
    ]);
    expect(turns(one, ask([1]), ask([1]))).toEqual(["served", "none"]);
  });

  test("does not pass over a device of all that is in use", () => {
    const alls = new Map([[0, { groups: [0, -1], blocked: true }]]);
    expect(turns(stock([group(["x/p/d0"])], { alls }), ask(["all"]))).toEqual(["none"]);
  });
});

describe("what a request takes of a capacity", () => {
  const capacity = (nano: bigint, policy?: Capacity["policy"]): Capacity => ({
    name: "units",
    nano: nano * UNIT,
    ...(policy === undefined ? {} : { policy }),
  });
  const range = { min: 2n * UNIT, step: 2n * UNIT, max: 6n * UNIT };
  const takes = (of: Capacity, asked?: string) => {
    const result = consumed([of], asked === undefined ? undefined : { units: asked });
    return result.kind === "uses" ? Number((result.amounts[0] ?? 0n) / UNIT) : result.kind;
  };
  test.each([
    ["less than the least is the least", { range }, "1", 2],
    ["the least itself", { range }, "2", 2],
    ["between two steps is the higher", { range }, "3", 4],
    ["a step is itself", { range }, "4", 4],
    ["the most is still had", { range }, "6", 6],
    ["more is not", { range }, "7", "unfit"],
    ["the next of the values", { values: [2n * UNIT, 4n * UNIT] }, "3", 4],
    ["a value is itself", { values: [2n * UNIT, 4n * UNIT] }, "2", 2],
    ["beyond all values", { values: [2n * UNIT] }, "3", "unfit"],
    ["nothing asked is the default", { default: 1n * UNIT, range }, undefined, 1],
  ] as const)("%s", (_, policy, asked, amount) => {
    expect(takes(capacity(8n, policy), asked)).toBe(amount);
  });

  test("without a policy what is asked, all of it where nothing is, and never more than there is", () => {
    expect(takes(capacity(8n), "8")).toBe(8);
    expect(takes(capacity(8n), "9")).toBe("unfit");
    expect(takes(capacity(8n))).toBe(8);
  });
});
