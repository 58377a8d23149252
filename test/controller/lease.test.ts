import { describe, expect, test } from "vitest";
import { elect, type LeaseOptions } from "../../src/controller/lease.ts";
import { KubeFault } from "../../src/kube/index.ts";
import { integerAt, stringAt } from "../../src/model/index.ts";
import { type ManualClock, manualClock } from "../support/clock.ts";
import { type FakeKube, fakeKube } from "../support/kube.ts";

const PATH = "/apis/coordination.k8s.io/v1/namespaces/plimsoll-system/leases/plimsoll";

/** What every candidate did, with the time on the one true clock. */
interface Work {
  readonly who: string;
  readonly what: "began" | "ended";
  readonly atMs: number;
}

function candidate(
  who: string,
  world: { readonly kube: FakeKube; readonly clock: ManualClock; readonly work: Work[] },
  more: Partial<LeaseOptions> = {},
) {
  const { kube, clock, work } = world;
  const lead = async (until: AbortSignal) => {
    work.push({ who, what: "began", atMs: clock.nowMs() });
    await new Promise<void>((resolve) => until.addEventListener("abort", () => resolve(), { once: true }));
    work.push({ who, what: "ended", atMs: clock.nowMs() });
  };
  return elect({
    kube,
    clock,
    random: () => 0.5,
    tell: { log: () => {} },
    namespace: "plimsoll-system",
    name: "plimsoll",
    identity: who,
    lead,
    ...more,
  });
}

const worldOf = () => ({ kube: fakeKube(), clock: manualClock(), work: [] as Work[] });
const holder = (kube: FakeKube) => stringAt(kube.find(PATH), ["spec", "holderIdentity"]);

describe("the lease", () => {
  test("is made by the first candidate, renewed, and given back at the end", async () => {
    const world = worldOf();
    const one = candidate("one", world);
    await world.clock.advance(0);
    expect(one.isLeader()).toBe(true);
    const first = stringAt(world.kube.find(PATH), ["spec", "renewTime"]);
    await world.clock.advance(5_000);
    expect(stringAt(world.kube.find(PATH), ["spec", "renewTime"])).not.toBe(first);
    expect(stringAt(world.kube.find(PATH), ["spec", "acquireTime"])).toBe(first);
    await one.stop();
    expect(holder(world.kube)).toBe("");
    expect(world.work.map(({ what }) => what)).toEqual(["began", "ended"]);
  });

  test("of two candidates exactly one leads, and the other follows at once when it is given back", async () => {
    const world = worldOf();
    const both = [candidate("one", world), candidate("two", world)];
    await world.clock.advance(60_000);
    expect(both.filter((each) => each.isLeader()).length).toBe(1);
    expect(both.map((each) => each.holder())).toEqual(["one", "one"]);
    await both[0]?.stop();
    await world.clock.advance(2_500);
    expect(both[1]?.isLeader()).toBe(true);
    expect(integerAt(world.kube.find(PATH), ["spec", "leaseTransitions"])).toBe(1);
    await both[1]?.stop();
  });

  test.each([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ])("is not taken from a holder that renews by one whose clock is %s", async (_, skewMs) => {
    const world = worldOf();
    const one = candidate("one", world);
    const two = candidate("two", { ...world, clock: manualClock(world.clock, skewMs) });
    await world.clock.advance(120_000);
    expect([one.isLeader(), two.isLeader()]).toEqual([true, false]);
    await two.stop();
    await one.stop();
  });

  test.each([
    ["as written by a clock years ahead", "2099-01-01T00:00:00.000000Z"],
    ["as written by a clock years behind", "1999-01-01T00:00:00.000000Z"],
  ])(
    "of a holder that is gone is taken when it was seen unchanged for its whole duration, %s",
    async (_, renewTime) => {
      const world = worldOf();
      const spec = { holderIdentity: "gone", leaseDurationSeconds: 15, renewTime, leaseTransitions: 4 };
      world.kube.put(PATH, { metadata: { name: "plimsoll" }, spec });
      const one = candidate("one", world);
      await world.clock.advance(14_000);
      expect(one.isLeader()).toBe(false);
      await world.clock.advance(4_000);
      expect(one.isLeader()).toBe(true);
      expect(integerAt(world.kube.find(PATH), ["spec", "leaseTransitions"])).toBe(5);
      await one.stop();
    },
  );

  test("that cannot be renewed is lost before another may begin", async () => {
    const world = worldOf();
    let isCut = false;
    const cut: FakeKube = {
      ...world.kube,
      read: async (path) => {
        if (isCut) throw new KubeFault("no route to the API server");
        return world.kube.read(path);
      },
    };
    const one = candidate("one", { ...world, kube: cut });
    await world.clock.advance(3_000);
    const two = candidate("two", world);
    await world.clock.advance(3_000);
    isCut = true;
    await world.clock.advance(60_000);
    const [began, ended, next] = world.work;
    expect([began?.who, ended?.who, next?.who]).toEqual(["one", "one", "two"]);
    expect(next?.what).toBe("began");
    expect((next?.atMs ?? 0) - (ended?.atMs ?? 0)).toBeGreaterThanOrEqual(4_000);
    expect([one.isLeader(), two.isLeader()]).toEqual([false, true]);
    await two.stop();
    await one.stop();
  });

  test("is lost in time also when the renewal hangs", async () => {
    const world = worldOf();
    let hangs = false;
    const hung: FakeKube = {
      ...world.kube,
      replace: (path, object) => (hangs ? new Promise(() => {}) : world.kube.replace(path, object)),
    };
    const one = candidate("one", { ...world, kube: hung });
    await world.clock.advance(3_000);
    hangs = true;
    await world.clock.advance(8_500);
    expect(one.isLeader()).toBe(true);
    await world.clock.advance(1_000);
    expect(one.isLeader()).toBe(false);
    expect(world.work.at(-1)?.what).toBe("ended");
    const stopped = one.stop();
    await world.clock.advance(3_000);
    await stopped;
  });

  test("of two that take it in the same moment one fails by the version of the object", async () => {
    const world = worldOf();
    world.kube.put(PATH, { metadata: { name: "plimsoll" }, spec: { holderIdentity: "" } });
    let waiting: (() => void)[] = [];
    const together: FakeKube = {
      ...world.kube,
      replace: async (path, object) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting) go();
        });
        return world.kube.replace(path, object);
      },
    };
    const both = [candidate("one", { ...world, kube: together }), candidate("two", { ...world, kube: together })];
    await world.clock.advance(0);
    expect(both.filter((each) => each.isLeader()).length).toBe(1);
    waiting = [];
    expect(world.work.length).toBe(1);
  });

  test("does not go to a process that was away longer than the deadline, though its record still stands", async () => {
    const world = worldOf();
    let delayMs = 0;
    const slow: FakeKube = {
      ...world.kube,
      replace: async (path, object) => {
        const stored = await world.kube.replace(path, object);
        if (delayMs > 0) await new Promise<void>((resolve) => world.clock.after(delayMs, resolve));
        return stored;
      },
    };
    const one = candidate("one", { ...world, kube: slow });
    await world.clock.advance(3_000);
    delayMs = 12_000;
    await world.clock.advance(11_500);
    expect(one.isLeader()).toBe(false);
    delayMs = 0;
    await world.clock.advance(10_000);
    expect(one.isLeader()).toBe(true);
    expect(world.work.map(({ what }) => what)).toEqual(["began", "ended", "began"]);
    await one.stop();
  });
});
