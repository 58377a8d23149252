import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import type { Scenario } from "./format.ts";
import { sceneObjects } from "./play.ts";
import { policyFilesOf } from "./policies.ts";

/** Writes a scenario as files that the commands read; gives the arguments of the commands that show it. */
export function writeScenario(
  scenario: Scenario,
  folder: string,
): { readonly manifest: string; readonly explain: readonly string[]; readonly topology: readonly string[] } {
  const write = (path: string, text: string) => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  for (const { path, text } of policyFilesOf(scenario)) write(`policies/${path}`, text);
  const { cluster, workload } = sceneObjects(scenario);
  const state = write("cluster.json", JSON.stringify({ apiVersion: "v1", kind: "List", items: cluster }));
  const manifest = write(`${scenario.name}.yaml`, stringify(workload));
  const common = ["--policies", join(folder, "policies"), "--cluster", state];
  return {
    manifest,
    explain: ["explain", manifest, ...common],
    topology: ["topology", "show", "--for", manifest, ...common],
  };
}
