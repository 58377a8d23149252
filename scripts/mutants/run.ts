/**
 * Mutation testing of the solver and the topology with Stryker, over all mutants or a sample of them:
 *
 *   npm run mutants [-- --share 0.05] [--seed N] [--files 'src/solver/pack.ts,src/topology/*.ts'] [--runs 1] [--concurrency 2]
 *
 * A whole run takes days of one core (some 26,000 mutants), so a share is drawn; the same seed draws the same ones.
 * What survives has been through every test that comes to it, so property tests draw a tenth of their cases unless
 * --runs says otherwise: a mutant that only the other nine tenths see counts as survived.
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
    runs: { type: "string", default: "0.1" },
    concurrency: { type: "string", default: String(availableParallelism()) },
  },
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  process.stderr.write(`--share must be above 0 and at most 1, not ${values.share}\n`);
  process.exit(2);
}

const COMMON = {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutants/sampler.mjs"],
  checkers: ["sample"],
  inPlace: true,
};
const LISTING = {
  vitest: { configFile: "scripts/mutants/listing.config.ts", related: false },
  coverageAnalysis: "off",
  reporters: ["json"],
};
const RUNNING = {
  vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  // What is computed once, when a module is loaded, would need a process of its own for each mutant.
  ignoreStatic: true,
  concurrency: Number(values.concurrency),
  // A mutant that goes round for ever is told by how often it is come to; the clock is for what hangs elsewhere, and
  // generous, since a machine that is busy with other work must not make survivors look detected.
  timeoutFactor: 4,
  timeoutMS: 60_000,
  // All tests once, perhaps beside other work.
  dryRunTimeoutMinutes: 60,
  reporters: ["json", "progress-append-only"],
};

const { PLIMSOLL_CACHE, XDG_CACHE_HOME } = process.env;
const copy = join(PLIMSOLL_CACHE || XDG_CACHE_HOME || join(homedir(), ".cache"), "plimsoll", "mutants");
prepare();
// Code with all its mutants in it takes many times as long, so they are listed first and only those that were drawn are made.
if (!stryker({ ...LISTING, mutate: values.files.split(",") }, "0")) process.exit(1);
const places = drawnOnes().map(([file, { location }]) => {
  const { start, end } = location;
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
});
process.stdout.write(`${places.length} mutants are drawn\n`);
if (places.length > 0) {
  if (!stryker({ ...RUNNING, mutate: [...new Set(places)] }, values.share)) process.exit(1);
  tell();
}

/** Runs it on the copy; what a share of 0 draws is nothing. */
function stryker(options: object, share: string): boolean {
  writeFileSync(join(copy, "stryker.config.json"), JSON.stringify({ ...COMMON, ...options }));
  const { status } = spawnSync(process.execPath, ["node_modules/@stryker-mutator/core/bin/stryker.js", "run"], {
    cwd: copy,
    stdio: "inherit",
    env: { ...process.env, MUTANTS_SHARE: share, MUTANTS_SEED: values.seed, PLIMSOLL_RUNS: values.runs },
  });
  return status === 0;
}

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

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}
interface Mutant {
  readonly status: string;
  readonly statusReason?: string;
  readonly replacement: string;
  readonly location: Readonly<Record<"start" | "end", { readonly line: number; readonly column: number }>>;
}

/** The mutants of the sample in the last report, with their files. */
function drawnOnes(): readonly (readonly [string, Mutant, string])[] {
  const report: Report = JSON.parse(readFileSync(join(copy, "reports/mutation/mutation.json"), "utf8"));
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.filter((one) => drawn(share, values.seed, file, one)).map((one) => [file, one, source] as const),
  );
}

/** The score of the sample, and every mutant of it that no test saw. */
function tell(): void {
  const counts = new Map<string, number>();
  for (const [file, { status, statusReason, location, replacement }, source] of drawnOnes()) {
    const { start, end } = location;
    const place = `${file}:${start.line}:${start.column}`;
    if (status === "CompileError") throw new Error(`${place} was drawn and not run`);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (["Killed", "RuntimeError", "Ignored"].includes(status)) continue;
    const lines = source.split("\n").slice(start.line - 1, end.line);
    const was = lines.length > 1 ? `${lines[0]} ...` : (lines[0] ?? "").slice(start.column - 1, end.column - 1);
    const how = status === "Timeout" ? `Timeout (${statusReason ?? "by the clock"})` : status;
    process.stdout.write(`${how}  ${place}  ${was.trim()}  =>  ${replacement.replace(/\s+/g, " ")}\n`);
  }
  const of = (...names: readonly string[]) => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const seen = of("Killed", "Timeout");
  const all = seen + of("Survived", "NoCoverage");
  const counted = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  const score = ((100 * seen) / all).toFixed(1);
  process.stdout.write(`\n${counted}\nscore ${score} % of ${all} mutants (share ${share}, seed ${values.seed})\n`);
}
