import { ensureBinaries } from "../controlplane/index.ts";

/** Before the first test: the programs are there, or it is said what is missing. */
export async function setup(): Promise<void> {
  await ensureBinaries();
}
