/**
 * The property tests and brute-force comparisons with other cases than `npm test` has, ten times as many: over 400,000 of
 * solver and topology.
 *
 *   npm run test:nightly [-- --times 10] [--seed N]
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const HOURS_MS = 6 * 3600 * 1000;
const { values } = parseArgs({ options: { times: { type: "string", default: "10" }, seed: { type: "string" } } });
for (const [name, text] of Object.entries(values))
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number above 0, not ${text}\n`);
    process.exit(2);
  }
const seed = values.seed ?? String(1 + Math.floor(Math.random() * 1e8));
process.stdout.write(`${values.times} times as many cases, seed ${seed}\n`);
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", `--testTimeout=${HOURS_MS}`],
  { stdio: "inherit", env: { ...process.env, PLIMSOLL_RUNS: values.times, PLIMSOLL_SEED: seed } },
);
if (status !== 0) process.stdout.write(`again: npm run test:nightly -- --times ${values.times} --seed ${seed}\n`);
process.exitCode = status ?? 1;
