import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

/** Modules that a file loads at once: `import … from`, not `import(…)` and not types. */
function loadedBy(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm);
  return [...found].map((match) => match[1] ?? "");
}

function reachable(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files)
    for (const target of loadedBy(file)) {
      if (target.startsWith(".")) files.add(resolve(dirname(file), target));
      else packages.add(target);
    }
  return { files, packages };
}

const source = (path: string) => resolve(import.meta.dirname, "../../src", path);

test("the Kubernetes client is loaded when a cluster is asked, not when the command starts", () => {
  const start = reachable(source("main.ts"));
  expect([...start.files].every((file) => existsSync(file))).toBe(true);
  expect(start.packages).toContain("commander");
  expect([...start.packages]).not.toContain("@kubernetes/client-node");
  const snapshot = reachable(source("cli/commands/snapshot.ts"));
  expect([...snapshot.files]).toContain(source("kube/credentials.ts"));
  expect([...snapshot.packages]).not.toContain("@kubernetes/client-node");
  // Where it is loaded, this walk sees it.
  expect([...reachable(source("kube/kubeconfig.ts")).packages]).toEqual(["@kubernetes/client-node"]);
});
