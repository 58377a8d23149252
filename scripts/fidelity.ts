/**
 * Compares what the engine says of random small clusters and workloads with what kube-scheduler does with them on a real control plane, and
 * both with a replay of every choice that the scheduler could make. Exit status 1 where anything disagrees; each such case is written to a file.
 *
 *   npm run fidelity -- --cases 200 --seed 7 [--emulated-version 1.36] [--planes 2] [--out DIR]
 *   npm run fidelity -- --replay FILE        one case from such a file
 *   npm run fidelity -- --offline ...        engine against replay only: thousands of cases without a control plane
 */
import { mkdtempSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { ControlPlane, KubernetesVersion } from "../test/e2e/controlplane/index.ts";
import { startControlPlane } from "../test/e2e/controlplane/index.ts";
import type { Case } from "../test/e2e/fidelity/case.ts";
import { compare } from "../test/e2e/fidelity/compare.ts";
import { type Drawn, draw } from "../test/e2e/fidelity/draw.ts";
import { play, prepare } from "../test/e2e/fidelity/live.ts";
import { createTally } from "../test/e2e/fidelity/tally.ts";

const PROGRESS = 25;
const VERSIONS: readonly KubernetesVersion[] = ["1.34", "1.35", "1.36", "1.37"];
const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "200" },
    seed: { type: "string" },
    "emulated-version": { type: "string" },
    planes: { type: "string", default: "2" },
    out: { type: "string" },
    replay: { type: "string" },
    offline: { type: "boolean", default: false },
  },
});

const whole = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) return wrong(`--${name} must be a whole number, not ${text}`);
  return Number(text);
};
const replayed = values.replay === undefined ? undefined : (JSON.parse(await readFile(values.replay, "utf8")) as Case);
const asked = values["emulated-version"] ?? replayed?.version ?? "1.37";
const version =
  VERSIONS.find((one) => one === asked) ?? wrong(`--emulated-version must be one of ${VERSIONS.join(", ")}`);
const cases = whole("cases", values.cases);
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : whole("seed", values.seed);
const planes = Math.min(Math.max(1, whole("planes", values.planes)), replayed === undefined ? cases : 1);

const tally = createTally();
const say = (text: string) => process.stdout.write(`${text}\n`);
const started = Date.now();
let folder = values.out;
let done = 0;

say(
  replayed === undefined
    ? `${cases} cases of seed ${seed} at Kubernetes ${version}${values.offline ? ", engine against replay only" : ""}`
    : `${replayed.name} of ${values.replay} at Kubernetes ${version}`,
);
const drawn = replayed === undefined ? draw(seed, cases, version) : once(replayed);
if (values.offline) for (const { one, comparison } of drawn) await note(one, comparison.decided, comparison.faults);
else await Promise.all(Array.from({ length: planes }, () => work(drawn)));
for (const line of tally.lines()) say(line);
say(`${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = tally.agrees && done > 0 ? 0 : 1;

/** Takes cases from the common list until there are none left. */
async function work(list: Generator<Drawn>): Promise<void> {
  const plane = await startControlPlane({
    emulatedVersion: version,
    scheduler: { config: { parallelism: 1, podInitialBackoffSeconds: 1, podMaxBackoffSeconds: 1 } },
  });
  try {
    await prepare(plane);
    for (const { one, comparison } of list) await observe(plane, one, comparison.decided);
  } finally {
    await plane.stop();
  }
}

async function observe(plane: ControlPlane, one: Case, offline: Drawn["comparison"]["decided"]): Promise<void> {
  const seen = await play(plane, one);
  const decided = seen?.comparison.decided ?? offline;
  const faults = seen?.faults ?? ["too many states on the live cluster"];
  const same = decided.rung === offline.rung && decided.verdict === offline.verdict;
  const differs = `the live cluster gives ${decided.verdict} on ${decided.rung}, its objects by hand ${offline.verdict} on ${offline.rung}`;
  await note(one, decided, same ? faults : [...faults, differs]);
}

async function note(one: Case, decided: Drawn["comparison"]["decided"], faults: readonly string[]): Promise<void> {
  done += 1;
  if (!values.offline && done % PROGRESS === 0) say(`${done} of ${cases} cases done`);
  tally.add(decided.expected.outcome, faults);
  if (faults.length === 0) return;
  folder ??= mkdtempSync(join(tmpdir(), "plimsoll-fidelity-"));
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${one.name}-${one.version}.json`);
  await writeFile(file, JSON.stringify({ ...one, faults }, undefined, 1));
  say(`${one.name}: ${faults.join("; ")}\n  npm run fidelity -- --replay ${file}`);
}

function* once(given: Case): Generator<Drawn> {
  const one: Case = { ...given, version };
  const comparison = compare(one);
  if (comparison === undefined) return wrong(`${one.name} has too many states to replay`);
  yield { one, comparison };
}

function wrong(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
