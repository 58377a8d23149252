import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Reason, RungAnswer } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { type SupplyCase, supplyCase, supplyWorld } from "../support/brute-supply.ts";
import { runs, tally } from "../support/runs.ts";

/** Whatever an answer says of pools, limits, windows, patience and quotas is lifted by as much as it says: then it stands in the way no longer. */
const HOUR = 3_600_000;
const MUCH = 100;
const seen = tally();

function answerOf(one: SupplyCase): RungAnswer {
  const { topology, demand, context } = supplyWorld(one);
  const { chosen } = solve(topology, demand, context);
  if (chosen === undefined) throw new Error("there is one rung");
  return chosen;
}

const holds = ({ verdict }: RungAnswer): boolean => verdict === "fits" || verdict === "scaleUp";

interface Lift {
  /** The same thing in another answer. */
  readonly same: (other: Reason) => boolean;
  readonly lifted: SupplyCase;
}

function onPool(one: SupplyCase, name: unknown, change: (pool: SupplyCase["pools"][number]) => object): SupplyCase {
  return {
    ...one,
    pools: one.pools.map((pool, index) => (`p${index}` === name ? { ...pool, ...change(pool) } : pool)),
  };
}

/** What takes the reason out of the way; undefined: nothing here does. */
function liftOf(one: SupplyCase, { code, data = {}, message }: Reason): Lift | undefined {
  const { share, limits } = one;
  const same = (...keys: readonly string[]) => ({
    same: (other: Reason) => other.code === code && keys.every((key) => other.data?.[key] === data[key]),
  });
  switch (code) {
    case "TooSlow": {
      const waits = Math.max(one.waits, Number(data["startupMs"]) / HOUR);
      return { ...same("pool"), lifted: { ...one, waits } };
    }
    case "ReservationEnds":
      return {
        ...same("pool"),
        lifted: onPool(one, data["pool"], ({ window }) => ({
          window: window === undefined ? undefined : { ...window, end: undefined },
        })),
      };
    case "QuotaExceeded": {
      if (share === undefined) return undefined;
      const [hard, needed, used] = ["hard", "needed", "used"].map((key) => Number(data[key] ?? 0));
      const more = Number(needed) + Number(used);
      expect(more, message).toBeGreaterThan(Number(hard));
      const to = data["resource"] === "pods" ? { pods: more } : { cpu: more / 1000 };
      // One that is too small in all may still be in use by others.
      const kind = (other: Reason) => (other.data?.["used"] === undefined) === (data["used"] === undefined);
      const found = same("resource");
      return { same: (other) => found.same(other) && kind(other), lifted: { ...one, share: { ...share, ...to } } };
    }
    case "PoolExhausted": {
      const { limit, resource, pool } = data;
      if (message.includes("is not in the cluster"))
        return {
          same: (other) => other.message === message,
          lifted: { ...one, maker: { ...one.maker, missing: false } },
        };
      if (limit === undefined) {
        const grown = onPool(one, pool, ({ maxNodes, window }) => ({
          maxNodes: maxNodes + MUCH,
          window: window === undefined ? undefined : { ...window, nodes: undefined },
        }));
        return { ...same("pool", "limit"), lifted: grown };
      }
      const key = resource === "nodes" ? "nodes" : "cpu";
      const lifted =
        limit === "NodePool np"
          ? { ...one, limits: { ...limits, [key]: undefined } }
          : {
              ...one,
              quotas: one.quotas.map((each, index) =>
                limit === `CapacityQuota q${index}` ? { ...each, [key]: undefined } : each,
              ),
            };
      return { ...same("limit", "resource"), lifted };
    }
    case "PoolDiffers":
      return {
        ...same("pool"),
        lifted: {
          ...onPool(one, data["pool"], ({ tier, zones }) => ({
            tier: tier === undefined ? undefined : (one.maker.tier ?? tier),
            zones: one.maker.zone === undefined ? zones : [one.maker.zone],
          })),
        },
      };
    default:
      return undefined;
  }
}

describe("lifting what bounds growth", () => {
  test("each bound that is told, lifted as far as it says, is gone; all of them, and the workload fits or something else is told", () => {
    fc.assert(
      fc.property(supplyCase, (one) => {
        const before = answerOf(one);
        if (holds(before)) return;
        let all = one;
        for (const reason of before.reasons) {
          const lift = liftOf(one, reason);
          if (lift === undefined) continue;
          seen.add(`${reason.code}${reason.data?.["limit"] === undefined ? "" : " by a limit"}`);
          const after = answerOf(lift.lifted);
          expect(after.reasons.filter(lift.same), reason.message).toEqual([]);
          all = liftOf(all, reason)?.lifted ?? all;
        }
        if (all === one) return;
        const after = answerOf(all);
        const told = new Set(before.reasons.map(({ message }) => message));
        expect(after.reasons).not.toEqual([]);
        // Of these nothing is lifted here.
        if (before.reasons.some(({ code }) => code === "NearestMiss" || code === "Excluded" || code === "NoPool"))
          return;
        seen.add("all lifted");
        const other = after.reasons.filter(({ message }) => !told.has(message));
        if (!holds(after)) expect(other, before.reasons.map(({ message }) => message).join("; ")).not.toEqual([]);
        // Nothing else was said to be in the way.
        const apart = before.reasons.some(({ message }) => message.startsWith("apart from that"));
        const slow = before.reasons.every(({ code }) => code !== "QuotaExceeded") && before.verdict === "busy";
        const worst = before.reasons.some(({ data, code }) => code === "QuotaExceeded" && data?.["used"] === undefined);
        if ((apart && !worst) || (slow && before.reasons.some(({ code }) => code === "TooSlow"))) {
          expect(holds(after), before.reasons.map(({ message }) => message).join("; ")).toBe(true);
          seen.add(apart ? "quota alone" : "patience alone");
        }
      }),
      runs(400),
    );
    expect(
      seen.least("QuotaExceeded", "PoolExhausted", "PoolExhausted by a limit", "ReservationEnds", "all lifted"),
    ).toBeGreaterThan(20);
    expect(seen.least("quota alone", "TooSlow")).toBeGreaterThan(3);
  });

  test("a bound that is not told does not bind: without it alone the workload fits no more than with it", () => {
    fc.assert(
      fc.property(supplyCase, (one) => {
        const before = answerOf(one);
        if (holds(before)) return;
        const text = before.reasons.map(({ message }) => message).join("; ");
        const { share, limits } = one;
        const lifts: readonly (readonly [string, SupplyCase])[] = [
          ["class waits", { ...one, waits: MUCH }],
          ["reservation cr ", { ...one, runs: undefined }],
          ["requests.cpu", share === undefined ? one : { ...one, share: { ...share, cpu: undefined } }],
          ["[0-9] pods", share === undefined ? one : { ...one, share: { ...share, pods: undefined } }],
          ["NodePool np", { ...one, maker: { zone: undefined, tier: undefined, missing: false } }],
          ["tier", { ...one, asks: undefined }],
          ["NodePool np", { ...one, limits: { ...limits, cpu: undefined, nodes: undefined } }],
          ...one.quotas.map(
            (_, index) =>
              [`CapacityQuota q${index}`, { ...one, quotas: one.quotas.filter((__, each) => each !== index) }] as const,
          ),
          ...one.pools.map((_, index) => {
            const grown = onPool(one, `p${index}`, ({ maxNodes }) => ({ maxNodes: maxNodes + MUCH }));
            return [`pool p${index}`, grown] as const;
          }),
          ["spread", one.rule === "spread" ? { ...one, rule: "none" } : one],
          ["zone", one.rule === "zone" ? { ...one, rule: "none" } : one],
        ];
        for (const [name, lifted] of lifts) {
          // Under a rule of zones one that nothing bounds is not enough, and what bounds the others is not told.
          if (one.rule !== "none" && name.startsWith("CapacityQuota")) continue;
          if (lifted === one || new RegExp(name).test(text)) continue;
          expect(holds(answerOf(lifted)), `${name}: ${text}`).toBe(false);
        }
      }),
      runs(200),
    );
  });
});
