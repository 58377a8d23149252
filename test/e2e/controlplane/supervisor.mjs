/**
 * Keeps the processes of one control plane, in a process of its own: it outlives whoever started it just long enough to leave nothing
 * behind. When the channel to its parent closes, for whatever reason, it kills every process group that it started, last one first,
 * and removes the data folder. The parent asks for starts and signals by message; exits are told as they happen.
 */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dir = mkdtempSync(join(tmpdir(), "plimsoll-cp-"));
/** In order of their start. */
const running = new Map();
let ending = false;

const tell = (message) => process.connected && process.send(message, undefined, undefined, () => {});

process.on("message", ({ verb, name, command, signal }) => {
  if (verb === "start") start(name, command);
  else if (verb === "signal") kill(running.get(name), signal);
});
process.on("disconnect", end);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, end);
process.on("uncaughtException", end);
tell({ event: "ready", dir });

function start(name, { file, args, env }) {
  if (ending) return;
  const log = openSync(join(dir, `${name}.log`), "a");
  const child = spawn(file, args, { cwd: dir, env, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  child.on("error", (fault) => tell({ event: "failed", name, reason: fault.message }));
  if (child.pid === undefined) return;
  const gone = new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      if (running.get(name)?.pid === child.pid) running.delete(name);
      tell({ event: "exit", name, pid: child.pid, code, signal });
      resolve();
    });
  });
  running.set(name, { pid: child.pid, gone });
  tell({ event: "started", name, pid: child.pid });
}

function kill(child, signal) {
  if (child === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

async function end() {
  if (ending) return;
  ending = true;
  // Clients before servers, so that none spends its last moment on errors about the others.
  for (const child of [...running.values()].reverse()) {
    kill(child, "SIGKILL");
    await child.gone;
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit();
}
