import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer, ReasonCode } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { contextOf, demandOf, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import {
  emptied,
  type NodeCase,
  nodeCase,
  poolCase,
  poolOf,
  setCase,
  setOf,
  topologyOf,
} from "../support/solver-cases.ts";

/** What by itself tells why a rung fails. */
const TELLING: Readonly<Record<"busy" | "never" | "unknown", readonly ReasonCode[]>> = {
  busy: ["NearestMiss", "Excluded", "QuotaExceeded", "LimitExceeded", "TooSlow", "PoolExhausted", "AttemptAborted"],
  never: [
    "NearestMiss",
    "Excluded",
    "QuotaExceeded",
    "LimitExceeded",
    "NoPool",
    "PoolExhausted",
    "AttemptAborted",
    "RungSkipped",
  ],
  unknown: ["LabelMissing", "DataMissing", "SupplyIncomplete", "SelectorFault", "AttemptAborted"],
};
const seen = tally();

function explained(answer: Answer): void {
  for (const { verdict, reasons } of answer.ladder) {
    if (verdict !== "busy" && verdict !== "never" && verdict !== "unknown") continue;
    seen.add(verdict);
    expect(reasons.map(({ code }) => code).filter((code) => TELLING[verdict].includes(code))).not.toEqual([]);
  }
}

describe("reasons", () => {
  test("no rung fails without a reason that tells why", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 4 }),
        fc.array(poolCase, { maxLength: 1 }),
        setCase(4),
        setCase(3),
        fc.boolean(),
        (nodes, pools, one, two, several) => {
          const rung = step({ source: pools.length > 0 ? "new" : "existing" });
          const sets = several ? [setOf("head", one, rung), setOf("worker", two, rung)] : [setOf("main", one, rung)];
          const list = pools.map((each, index) => poolOf(`p${index}`, each));
          explained(solve(topologyOf(nodes), demandOf(...sets), contextOf({ pools: list, skipSuggestions: true })));
        },
      ),
      runs(300),
    );
    expect(seen.least("busy", "never")).toBeGreaterThan(10);
  });

  test("the nearest miss is exact: so many pods fit and not one more; a pod that asks for what the best node has fits there", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 5 }), setCase(5), (nodes, one) => {
        const set = setOf("main", one);
        const ask = (pods: number, requests = set.pod.requests, on: readonly NodeCase[] = nodes) =>
          solve(
            topologyOf(on),
            demandOf({ ...set, required: pods, count: pods, peak: pods, pod: { ...set.pod, requests } }),
            contextOf({ skipSuggestions: true }),
          );
        const answer = ask(set.required);
        const miss = answer.chosen?.reasons.find(
          ({ code, data }) => code === "NearestMiss" && data?.["have"] !== undefined,
        );
        const [have, need] = [Number(miss?.data?.["have"]), Number(miss?.data?.["need"])];
        // Spread rules and groups are not easier for fewer pods in every case, so one pod less may miss as well.
        if (miss === undefined || one.spread !== "none" || one.unit === "group") return;
        // What can never be is told of the nodes as they are when nothing runs there.
        const on = answer.verdict === "never" ? emptied(nodes) : nodes;
        const even = miss.message.startsWith("even with every node empty and ready, ");
        if (even) {
          expect(answer.verdict).toBe("never");
          const again = ask(set.required, set.pod.requests, on).chosen?.reasons.map(({ message }) => message);
          expect(again).toContain(miss.message.replace(/^even.*?, /, ""));
          seen.add("emptied");
        }
        const resource = miss.data?.["resource"];
        if (resource === undefined) {
          expect(need).toBe(set.required);
          if (have > 0) expect(ask(have, set.pod.requests, on).verdict, miss.message).toBe("fits");
          expect(ask(have + 1, set.pod.requests, on).verdict, miss.message).not.toBe("fits");
          seen.add("pods");
        } else if (miss.data?.["lacks"] === 1) {
          expect(ask(1, { ...set.pod.requests, [resource]: have }, on).verdict, miss.message).toBe("fits");
          seen.add("resource");
        }
      }),
      runs(600),
    );
    expect(seen.least("pods", "resource", "emptied")).toBeGreaterThan(10);
  });
});
