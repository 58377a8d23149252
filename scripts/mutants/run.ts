/**
 * Mutation testing of the solver and the topology with Stryker, over all mutants or a sample of them:
 *
 *   npm run mutants [-- --share 0.05] [--seed N] [--files 'src/solver/pack.ts,src/topology/*.ts']
 *
 * A whole run takes days of one core (some 20,000 mutants), so a share is drawn; the same seed draws the same ones.
 * Stryker brings 140 packages, so it is installed in a copy of the tracked files, in the cache, not in this tree.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, homedir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { drawn } from "./sampler.mjs";

const PACKAGES = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/vitest-runner@9.6.1"];
const { values } = parseArgs({
  options: {
    share: { type: "string", default: "0.01" },
    seed: { type: "string", default: "1" },
    files: { type: "string", default: "src/solver/**/*.ts,src/topology/**/*.ts" },
  },
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  process.stderr.write(`--share must be above 0 and at most 1, not ${values.share}\n`);
  process.exit(2);
}

const { PLIMSOLL_CACHE, XDG_CACHE_HOME } = process.env;
const copy = join(PLIMSOLL_CACHE || XDG_CACHE_HOME || join(homedir(), ".cache"), "plimsoll", "mutants");
prepare();
writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(config(), null, 2));
const { status } = spawnSync(process.execPath, ["node_modules/@stryker-mutator/core/bin/stryker.js", "run"], {
  cwd: copy,
  stdio: "inherit",
  env: { ...process.env, MUTANTS_SHARE: values.share, MUTANTS_SEED: values.seed },
});
if (status === 0) tell();
process.exitCode = status ?? 1;

/** The tracked files as they are now, and the packages: kept as long as the lock file is the same. */
function prepare(): void {
  const lock = readFileSync("package-lock.json", "utf8");
  const installed = join(copy, "package-lock.json");
  const same = existsSync(installed) && readFileSync(installed, "utf8") === lock;
  if (same) for (const name of ["src", "test", "policies"]) rmSync(join(copy, name), { recursive: true, force: true });
  else rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  const files = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], { encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(file, join(copy, file));
  }
  if (same) return;
  const npm = (...args: readonly string[]) => execFileSync("npm", args, { cwd: copy, stdio: "inherit" });
  npm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
  npm("install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES);
}

function config(): object {
  return {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutants/sampler.mjs"],
    checkers: ["sample"],
    vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
    mutate: values.files.split(","),
    coverageAnalysis: "perTest",
    // What is computed once, when a module is loaded, would need a process of its own for each mutant.
    ignoreStatic: true,
    inPlace: true,
    concurrency: availableParallelism(),
    timeoutFactor: 2,
    // All tests once, instrumented, perhaps beside other work.
    dryRunTimeoutMinutes: 60,
    reporters: ["json", "progress-append-only"],
  };
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}
interface Mutant {
  readonly status: string;
  readonly replacement: string;
  readonly location: Readonly<Record<"start" | "end", { readonly line: number; readonly column: number }>>;
}

/** The score of the sample, and every mutant of it that no test saw. */
function tell(): void {
  const report: Report = JSON.parse(readFileSync(join(copy, "reports/mutation/mutation.json"), "utf8"));
  const counts = new Map<string, number>();
  for (const [file, { source, mutants }] of Object.entries(report.files))
    for (const mutant of mutants) {
      if (!drawn(share, values.seed, file, mutant) || mutant.status === "Ignored") continue;
      counts.set(mutant.status, (counts.get(mutant.status) ?? 0) + 1);
      if (mutant.status === "CompileError")
        throw new Error(`${file}:${mutant.location.start.line} was drawn and not run`);
      if (["Killed", "RuntimeError"].includes(mutant.status)) continue;
      const { start, end } = mutant.location;
      const lines = source.split("\n").slice(start.line - 1, end.line);
      const was = lines.length > 1 ? `${lines[0]} ...` : (lines[0] ?? "").slice(start.column - 1, end.column - 1);
      const place = `${file}:${start.line}:${start.column}`;
      process.stdout.write(
        `${mutant.status}  ${place}  ${was.trim()}  =>  ${mutant.replacement.replace(/\s+/g, " ")}\n`,
      );
    }
  const of = (...names: readonly string[]) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const seen = of("Killed", "Timeout");
  const all = seen + of("Survived", "NoCoverage");
  const counted = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  process.stdout.write(
    `\n${counted}\nscore ${((100 * seen) / all).toFixed(1)} % of ${all} mutants (share ${share}, seed ${values.seed})\n`,
  );
}
