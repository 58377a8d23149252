/** Writes what is generated from code: `npm run generate`. With --check it writes nothing and fails where a file differs. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "./generated.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const check = process.argv.includes("--check");
const stale: string[] = [];

for (const { path, text } of generatedFiles()) {
  const file = join(root, path);
  if (readIfThere(file) === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const path of stale) process.stdout.write(`${check ? "differs" : "written"}: ${path}\n`);
if (check && stale.length > 0) {
  process.stderr.write("Run npm run generate and commit the result.\n");
  process.exitCode = 1;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
