import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Reason, RungAnswer } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { isSound, type LimitsCase, limitsCase, limitsWorld, type Tier } from "../support/brute-limits.ts";
import { runs, tally } from "../support/runs.ts";

/** Whatever an answer says of queues, limits for tenants and nodes is lifted by as much as it says: then it stands in the way no longer. */
const MUCH = 100;
const seen = tally();

function answerOf(one: LimitsCase): RungAnswer {
  const { topology, demand, context } = limitsWorld(one);
  const { chosen } = solve(topology, demand, context);
  if (chosen === undefined) throw new Error("there is one rung");
  return chosen;
}

const textOf = ({ reasons }: RungAnswer): string => reasons.map(({ message }) => message).join("; ");
const isTier = (name: unknown): name is Tier => name === "a" || name === "b";

/** Nodes of both tiers with room for everything. */
function roomy(one: LimitsCase): LimitsCase {
  const more = (["a", "b"] as const).map((tier) => ({ gpus: MUCH, used: 0, tier }));
  return { ...one, nodes: [...one.nodes, ...more] };
}

interface Lift {
  readonly same: (other: Reason) => boolean;
  readonly lifted: LimitsCase;
}

/** What takes the reason out of the way; undefined: nothing here does. */
function liftOf(one: LimitsCase, { code, data = {}, message }: Reason): Lift | undefined {
  const same =
    (...keys: readonly string[]) =>
    (other: Reason) =>
      other.code === code && keys.every((key) => other.data?.[key] === data[key]);
  const number = (key: string): number => Number(data[key] ?? 0);
  switch (code) {
    case "LimitExceeded": {
      const limit = number("held") + number("needed");
      expect(limit, message).toBeGreaterThan(number("limit"));
      const kind = (other: Reason) => (other.data?.["held"] === undefined) === (data["held"] === undefined);
      // What one set needs by itself is less than what all of them need.
      return { same: (other) => same("needed")(other) && kind(other), lifted: { ...one, limit } };
    }
    case "QuotaExceeded": {
      const { queue } = one;
      const { flavor } = data;
      if (queue === undefined) return undefined;
      if (flavor === undefined)
        return { same: (other) => other.message === message, lifted: { ...one, queue: { ...queue, labelled: false } } };
      const have = Math.max(0, number("nominal") - number("used")) + number("borrowable");
      const more = number("needed") - have;
      expect(more, message).toBeGreaterThan(0);
      // What no use of others explains stands apart; a set before this one may now take what this one was to get.
      const found = same("flavor", "resource", "used", "needed");
      if (!isTier(flavor)) return { same: found, lifted: { ...one, queue: { ...queue, pods: number("needed") } } };
      const own = queue[flavor];
      return {
        same: found,
        lifted: { ...one, queue: { ...queue, [flavor]: { ...own, nominal: own.nominal + more } } },
      };
    }
    case "NearestMiss":
    case "Excluded":
      return { same: (other) => other.code === "NearestMiss", lifted: roomy(one) };
    default:
      return undefined;
  }
}

describe("lifting what limits count", () => {
  test("each bound that is told, lifted as far as it says, is gone; all of them, and the workload fits or something else is told", () => {
    fc.assert(
      fc.property(limitsCase.filter(isSound), (one) => {
        const before = answerOf(one);
        if (before.verdict === "fits") return;
        let all = one;
        for (const reason of before.reasons) {
          const lift = liftOf(one, reason);
          if (lift === undefined) continue;
          seen.add(`${reason.code} of ${one.sets.length}`);
          const after = answerOf(lift.lifted);
          expect(after.reasons.filter(lift.same), reason.message).toEqual([]);
          all = liftOf(all, reason)?.lifted ?? all;
        }
        expect(all, textOf(before)).not.toBe(one);
        const after = answerOf(all);
        if (after.verdict === "fits") return;
        const told = new Set(before.reasons.map(({ message }) => message));
        expect(
          after.reasons.filter(({ message }) => !told.has(message)),
          textOf(before),
        ).not.toEqual([]);
      }),
      runs(500),
    );
    for (const code of ["LimitExceeded", "QuotaExceeded", "NearestMiss"])
      expect(seen.least(`${code} of 1`, `${code} of 2`), code).toBeGreaterThan(15);
  });

  test("a bound that is not told does not bind: without it alone the workload fits no more than with it", () => {
    fc.assert(
      fc.property(limitsCase.filter(isSound), (one) => {
        const before = answerOf(one);
        if (before.verdict === "fits") return;
        const text = textOf(before);
        const { queue } = one;
        const lifts: readonly (readonly [string, LimitsCase])[] = [
          ["tenant team-t", { ...one, limit: undefined }],
          ["ClusterQueue ml", { ...one, queue: undefined }],
          [" pods", queue === undefined ? one : { ...one, queue: { ...queue, pods: undefined } }],
          ["node|cluster has room|together", roomy(one)],
          ["tier", { ...one, sets: one.sets.map((set) => ({ ...set, tier: undefined })) }],
        ];
        for (const [name, lifted] of lifts) {
          if (lifted === one || new RegExp(name).test(text)) continue;
          if (name === "tier" && /flavor|node|cluster has room|runs out/.test(text)) continue;
          expect(answerOf(lifted).verdict, `${name}: ${text}`).not.toBe("fits");
        }
      }),
      runs(300),
    );
  });
});
