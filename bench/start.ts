import { spawnSync } from "node:child_process";
import { row, title } from "./table.ts";

const RUNS = 9;

/** Cold start of the command, against a bare node start in the same run. */
export async function benchStart(): Promise<void> {
  title(`start of the command, median of ${RUNS}`);
  const bare = time(["-e", "0"]);
  row("node -e 0", `${bare.toFixed(0)} ms`);
  const cases: [string, string[]][] = [
    ["plimsoll --help", ["dist/plimsoll.js", "--help"]],
    ["plimsoll lint policies", ["dist/plimsoll.js", "lint", "policies"]],
    [
      "plimsoll check, one manifest, demo cluster",
      [
        "dist/plimsoll.js",
        "check",
        "manifests/examples/training-gang-block.yaml",
        "--cluster",
        "test/fixtures/demo-cluster.yaml",
      ],
    ],
  ];
  for (const [name, args] of cases) {
    const ms = time(args);
    row(name, `${ms.toFixed(0)} ms`, `${(ms / bare).toFixed(1)} x node`);
  }
}

function time(args: readonly string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = process.hrtime.bigint();
    spawnSync(process.execPath, args, { stdio: "ignore" });
    return Number(process.hrtime.bigint() - started) / 1e6;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}
