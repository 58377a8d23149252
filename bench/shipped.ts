import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** What `scripts/build.mjs` puts before a bundle. */
const BANNER =
  'import { createRequire as plimsollCreateRequire } from "node:module"; const require = plimsollCreateRequire(import.meta.url);';

/**
 * Runs a benchmark bundled as the command is. Run from its sources, every function that a call makes would also be given its name at
 * run time, which is most of what a call of a millisecond would then cost.
 */
export async function asShipped(entry: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-bench-"));
  try {
    const outfile = join(folder, "bench.mjs");
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      minifySyntax: true,
      logLevel: "warning",
      banner: { js: BANNER },
    });
    const { status } = spawnSync(process.execPath, [outfile], { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
