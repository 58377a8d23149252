// Bundles the command: one small entry chunk, everything heavy (server, client, certificates) in chunks that load on use.
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

// `node scripts/build.mjs FOLDER` builds elsewhere.
const outdir = process.argv[2] ?? new URL("../dist/", import.meta.url).pathname;
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { plimsoll: "src/main.ts" },
  absWorkingDir: new URL("..", import.meta.url).pathname,
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
  banner: {
    js: '#!/usr/bin/env node\nimport { createRequire as plimsollCreateRequire } from "node:module"; const require = plimsollCreateRequire(import.meta.url);',
  },
});
await chmod(join(outdir, "plimsoll.js"), 0o755);
