import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlledProcess } from "./types.ts";

const SUPERVISOR = join(import.meta.dirname, "supervisor.mjs");
const GRACE_MS = 3_000;
const DIE_MS = 10_000;
// Machines are noisy: this ends what hangs.
const READY_MS = 180_000;
const POLL_MS = 25;
const TAIL_LINES = 15;

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Nothing is inherited but PATH. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The processes of one control plane, kept by a supervisor that ends them when this process ends, however it does. */
export interface Processes {
  /** The data folder, which the supervisor made and removes. */
  readonly dir: string;
  /** Settles when `ready` says so. Throws with the tail of the log where the process ends before, or takes too long. */
  start(name: string, command: Command, ready: () => Promise<boolean>): Promise<ControlledProcess>;
  get(name: string): ControlledProcess | undefined;
  /** Last started, first killed; settles when all are gone and the folder too. */
  end(): Promise<void>;
}

/** What the supervisor tells. */
type Told =
  | { readonly event: "ready"; readonly dir: string }
  | { readonly event: "started"; readonly name: string; readonly pid: number }
  | { readonly event: "failed"; readonly name: string; readonly reason: string }
  | { readonly event: "exit"; readonly name: string; readonly pid: number; readonly code: number | null };

interface State {
  readonly command: Command;
  readonly ready: () => Promise<boolean>;
  pid: number | undefined;
  /** Why it does not run. */
  ended: string | undefined;
}

export async function createProcesses(): Promise<Processes> {
  const path = process.env["PATH"] ?? "";
  // Detached, so that Ctrl-C on a terminal reaches only the parent, which ends things in order.
  const supervisor = fork(SUPERVISOR, [], { detached: true, execArgv: [], env: environment(path), stdio: "ignore" });
  const exited = new Promise<void>((resolve) => supervisor.once("exit", () => resolve()));
  const dir = await firstWord(supervisor, exited);
  const states = new Map<string, State>();
  const handles = new Map<string, ControlledProcess>();
  let ending = false;

  supervisor.on("message", (told: Told) => {
    if (told.event === "ready") return;
    const state = states.get(told.name);
    if (state === undefined) return;
    if (told.event === "started") state.pid = told.pid;
    if (told.event === "failed") state.ended = told.reason;
    if (told.event === "exit" && (state.pid === told.pid || state.pid === undefined)) {
      state.pid = undefined;
      state.ended = `it ended with status ${told.code}`;
    }
  });
  // A supervisor that was killed leaves its children to us.
  supervisor.once("exit", () => {
    if (ending) return;
    for (const state of states.values()) if (state.pid !== undefined) killGroup(state.pid);
    rmSync(dir, { recursive: true, force: true });
  });

  const tell = (message: object) => {
    if (supervisor.connected) supervisor.send(message);
  };
  const logs = (name: string) => {
    const file = join(dir, `${name}.log`);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const launch = async (name: string, state: State) => {
    state.ended = undefined;
    const { file, args, env } = state.command;
    tell({ verb: "start", name, command: { file, args, env: { ...environment(path), ...env } } });
    for (const until = Date.now() + READY_MS; ; await sleep(POLL_MS)) {
      const ended: string | undefined = supervisor.connected ? state.ended : "its supervisor is gone";
      if (ended === undefined && state.pid !== undefined && (await state.ready().catch(() => false))) return;
      if (ended === undefined && Date.now() < until) continue;
      const why = ended ?? `it was not ready within ${READY_MS / 1000} s`;
      throw new Error(`${name} did not start: ${why}\n${tail(logs(name))}`);
    }
  };
  const gone = async (state: State, withinMs: number) => {
    for (const until = Date.now() + withinMs; state.pid !== undefined; await sleep(POLL_MS))
      if (Date.now() > until) return false;
    return true;
  };
  const handle = (name: string, state: State): ControlledProcess => ({
    pause: () => tell({ verb: "signal", name, signal: "SIGSTOP" }),
    resume: () => tell({ verb: "signal", name, signal: "SIGCONT" }),
    async kill() {
      tell({ verb: "signal", name, signal: "SIGKILL" });
      if (!(await gone(state, DIE_MS))) throw new Error(`${name} does not die`);
    },
    async terminate() {
      // A paused process would not hear it.
      tell({ verb: "signal", name, signal: "SIGCONT" });
      tell({ verb: "signal", name, signal: "SIGTERM" });
      if (!(await gone(state, GRACE_MS))) await this.kill();
    },
    async restart() {
      if (state.pid !== undefined) await this.terminate();
      await launch(name, state);
    },
    get running() {
      return state.pid !== undefined;
    },
    get pid() {
      return state.pid;
    },
    logs: () => logs(name),
  });

  return {
    dir,
    async start(name, command, ready) {
      const state: State = { command, ready, pid: undefined, ended: undefined };
      states.set(name, state);
      const own = handle(name, state);
      handles.set(name, own);
      await launch(name, state);
      return own;
    },
    get: (name) => handles.get(name),
    async end() {
      ending = true;
      if (supervisor.connected) supervisor.disconnect();
      await exited;
    },
  };
}

async function firstWord(supervisor: ChildProcess, exited: Promise<void>): Promise<string> {
  const word = new Promise<Told>((resolve) => supervisor.once("message", (told: Told) => resolve(told)));
  const told = await Promise.race([word, exited]);
  if (told?.event !== "ready") throw new Error("the supervisor of the control plane did not start");
  return told.dir;
}

function environment(path: string): Record<string, string> {
  const { TMPDIR } = process.env;
  return { PATH: path, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

function tail(text: string): string {
  return text.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}
