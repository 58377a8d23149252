import { type FSWatcher, watch } from "node:fs";
import { foldersOf, signatureOf } from "../files.ts";

const SETTLE_MS = 200;
const POLL_MS = 2_000;

export interface Watcher {
  stop(): void;
}

/**
 * Calls `reload` after any change below the paths, once things have settled. Events give speed; a poll of names, sizes,
 * times and link targets catches what events miss (ConfigMap volumes swap a symlink, network mounts send nothing).
 * Reloads never overlap.
 */
export async function watchPaths(paths: readonly string[], reload: () => Promise<void>): Promise<Watcher> {
  let watchers: FSWatcher[] = [];
  let settle: NodeJS.Timeout | undefined;
  let seen = await signatureOf(paths).catch(() => "");
  let running = false;
  let stopped = false;

  const look = async () => {
    if (running || stopped) return;
    running = true;
    try {
      const signature = await signatureOf(paths).catch(() => "unreadable");
      if (signature === seen) return;
      seen = signature;
      await reload();
      await watchFolders();
    } finally {
      running = false;
    }
  };
  const soon = () => {
    clearTimeout(settle);
    settle = setTimeout(() => void look(), SETTLE_MS);
  };
  const watchFolders = async () => {
    const folders = new Set<string>();
    for (const path of paths) for (const folder of await foldersOf(path).catch(() => [])) folders.add(folder);
    for (const one of watchers) one.close();
    watchers = [];
    for (const folder of folders) {
      try {
        const watcher = watch(folder, { persistent: false }, soon);
        watcher.on("error", () => watcher.close());
        watchers.push(watcher);
      } catch {
        // Gone between listing and watching: the poll sees what comes of it.
      }
    }
  };

  await watchFolders();
  const poll = setInterval(() => void look(), POLL_MS);
  poll.unref();
  return {
    stop() {
      stopped = true;
      clearInterval(poll);
      clearTimeout(settle);
      for (const one of watchers) one.close();
    },
  };
}
