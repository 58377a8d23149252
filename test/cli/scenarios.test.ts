import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allScenarios, writeScenario } from "../support/scenario/index.ts";
import { folderOf, plimsoll } from "./plimsoll.ts";

const golden = allScenarios().scenarios.filter((one) => one.golden === true);

/** What a person reads about scenarios that are marked `golden: true`. Written anew by `npx vitest run --project tls test/cli/scenarios.test.ts -u`. */
describe("explain on scenarios", () => {
  test("there are enough of them", () => {
    expect(golden.length).toBeGreaterThanOrEqual(11);
  });

  test.each(golden.map((one) => [one.name, one] as const))("%s reads as agreed", async (name, scenario) => {
    const folder = folderOf({});
    const { explain, manifest } = writeScenario(scenario, folder);
    // From standard input: a path of this machine would decide where lines break.
    const { out, err } = await plimsoll(
      explain.map((one) => (one === manifest ? "-" : one)),
      readFileSync(manifest, "utf8"),
    );
    expect(err).toBe("");
    await expect(out).toMatchFileSnapshot(`../golden/scenarios/${name}.txt`);
  });
});
