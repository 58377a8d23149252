import { readdirSync, readFileSync } from "node:fs";
import { readScenarios, type Scenario } from "./format.ts";

export { differences } from "./compare.ts";
export { readScenarios, type Scenario } from "./format.ts";
export { nowOf, type Played, play } from "./play.ts";
export { writeScenario } from "./write.ts";

const FOLDER = new URL("../../scenarios/", import.meta.url);

/** All scenarios of test/scenarios, and what is wrong with the files: faults in them, and names that two files share. */
export function allScenarios(): { readonly scenarios: readonly Scenario[]; readonly faults: readonly string[] } {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml") && name !== "threads.yaml");
  const scenarios: Scenario[] = [];
  const faults: string[] = [];
  const first = new Map<string, string>();
  for (const file of files.sort()) {
    const read = readScenarios(file, readFileSync(new URL(file, FOLDER), "utf8"));
    faults.push(...read.faults);
    for (const one of read.scenarios) {
      const before = first.get(one.name);
      if (before === undefined) first.set(one.name, one.where);
      else faults.push(`${one.where}: scenario ${one.name} is already at ${before}`);
      scenarios.push(one);
    }
  }
  return { scenarios, faults };
}
