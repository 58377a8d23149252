import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { capacityFindings } from "../../src/admission/capacity.ts";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";

describe("the checker stands beside the search", () => {
  test("it shares no code with it: only the model, the topology's types and the language of selectors", () => {
    const folder = new URL("../../src/solver/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name === "checker.ts" || name.startsWith("check-"));
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), "utf8");
      for (const [, what = "", from = ""] of text.matchAll(/^import ([^;]*?) from "([^"]+)";/gms)) {
        const typesOnly = what.startsWith("type ");
        const allowed =
          from.endsWith("model/index.ts") || from === "./cel.ts" || files.includes(from.replace("./", "")) || typesOnly;
        expect(allowed, `${name} imports ${from}`).toBe(true);
      }
    }
  });

  test("what it does not accept is undecided, never a fit, and is reported as a fault", () => {
    const topology = cluster()
      .node("n", (node) => node.cpu(1))
      .pod("x", (pod) => pod.namespace("x").on("n").cpu(1))
      .topology();
    // A ledger that has lost a pod misleads the search; the checker counts the pods themselves.
    const ledger = { ...topology.ledger, used: new Float64Array(topology.ledger.used.length) };
    const answer = solve({ ...topology, ledger }, demandOf(podSet("main")), contextOf());
    expect(answer.verdict).toBe("undecided");
    expect(answer.chosen?.assignment).toBeUndefined();
    expect(answer.chosen?.reasons).toEqual([
      {
        code: "CheckFailed",
        message: "the assignment found does not pass its check: n has 0 cpu left, and 1000 are placed there",
        data: { violations: 1 },
      },
    ]);
    expect(capacityFindings(answer, new Map()).map(({ code }) => code)).toEqual(["CapacityUndecided", "InternalFault"]);
  });
});
