import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ensureBinaries } from "../controlplane/index.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder of this run, in which one file leaves to a later one what it has seen. */
    readonly run: string;
  }
}

/** Before the first test: the programs are there, or it is said what is missing. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBinaries();
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-e2e-"));
  project.provide("run", folder);
  return () => rm(folder, { recursive: true, force: true });
}
