import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../src/cli/index.ts";
import { allScenarios, nowOf, writeScenario } from "../test/support/scenario/index.ts";

/** `npm run scenario -- NAME [topology]`: what a person reads about one scenario. */
const [name = "", view = "explain"] = process.argv.slice(2);
const { scenarios, faults } = allScenarios();
const found = scenarios.find((one) => one.name === name);
if (found === undefined) {
  const known = scenarios.map((one) => `${one.where}  ${one.name}`);
  process.stderr.write(`${[...faults, ...known].join("\n")}\nNo scenario is called ${name || "nothing"}.\n`);
  process.exitCode = 2;
} else {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-scenario-"));
  const { explain, topology } = writeScenario(found, folder);
  const io = {
    out: (text: string) => process.stdout.write(text),
    err: (text: string) => process.stderr.write(text),
    readStandardInput: async () => "",
    colour: process.stdout.isTTY === true,
    now: () => nowOf(found),
  };
  process.exitCode = await run(view === "topology" ? topology : explain, io);
  rmSync(folder, { recursive: true });
}
