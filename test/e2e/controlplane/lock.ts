import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 500;

/**
 * Runs `work` while no other process that asked for the same file does. A lock whose owner is gone is taken over; in the rare case that two
 * take it over at once both work, so what `work` leaves must be put in place by one rename.
 */
export async function withLock<T>(file: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  let waited = false;
  while (!(await taken(file))) {
    if (!waited) onWait();
    waited = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") throw fault;
  }
  const owner = Number(await readFile(file, "utf8").catch(() => ""));
  // An empty file is one that its owner is about to fill.
  if (Number.isInteger(owner) && owner > 0 && !alive(owner)) await rm(file, { force: true });
  return false;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "EPERM";
  }
}
