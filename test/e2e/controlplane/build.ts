import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.ts";
import { type Component, cacheFolder, componentNames, linkerFlags, readComponent } from "./modules.ts";

const GO_NEEDED = { major: 1, minor: 26 };
const HEARTBEAT_MS = 30_000;

/** Path of each program, by its name. */
export type Programs = ReadonlyMap<string, string>;

/**
 * The programs of the named components (all, where none is named), built from their Go modules at most once for each version and
 * platform. Progress goes to standard error. Throws with what is needed where Go is missing, and with the compiler's words where it fails.
 */
export async function ensureBinaries(names: readonly string[] = componentNames()): Promise<Programs> {
  const programs = new Map<string, string>();
  for (const component of names.map(readComponent)) {
    const folder = cacheFolder(component);
    if (!existsSync(folder))
      await withLock(
        `${folder}.lock`,
        () => say(`waiting for another process that builds ${component.name}`),
        () => build(component, folder),
      );
    for (const program of component.programs) programs.set(program, join(folder, program));
  }
  return programs;
}

/** The folder appears with all its programs or not at all. */
async function build(component: Component, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await requireGo(component);
  const { name, module, version, packages, programs } = component;
  say(`building ${programs.join(", ")} of ${module} ${version}: once, some minutes and gigabytes of Go's build cache`);
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const heartbeat = setInterval(() => say(`${name}: still compiling after ${seconds()}`), HEARTBEAT_MS);
  const parts = await mkdtemp(`${folder}.partial-`);
  try {
    const output = packages.length === 1 ? join(parts, name) : `${parts}/`;
    const args = ["build", "-trimpath", "-ldflags", linkerFlags(component), "-o", output, ...packages];
    const { code, text } = await go(args, component.folder);
    if (code !== 0) throw new Error(`go build of ${module} ${version} failed (${code}):\n${text.trim()}`);
    const missing = programs.filter((program) => !existsSync(join(parts, program)));
    if (missing.length > 0) throw new Error(`go build of ${module} ${version} made no ${missing.join(", ")}`);
    await mkdir(dirname(folder), { recursive: true });
    await rename(parts, folder).catch((fault) => {
      if (!existsSync(folder)) throw fault;
    });
    say(`${name}: built in ${seconds()}, kept in ${folder}`);
  } finally {
    clearInterval(heartbeat);
    await rm(parts, { recursive: true, force: true });
  }
}

async function requireGo(component: Component): Promise<void> {
  const { code, text } = await go(["env", "GOVERSION"], component.folder).catch(() => ({ code: -1, text: "" }));
  const [, major = "0", minor = "0"] = /^go(\d+)\.(\d+)/.exec(text) ?? [];
  const enough =
    Number(major) > GO_NEEDED.major || (Number(major) === GO_NEEDED.major && Number(minor) >= GO_NEEDED.minor);
  if (code === 0 && enough) return;
  const found = code === -1 ? "there is no go command on the PATH" : `this is ${text.trim().split("\n")[0]}`;
  throw new Error(
    `The end-to-end tests run real Kubernetes programs, built once from source: that needs Go ${GO_NEEDED.major}.${GO_NEEDED.minor} or later (${found}), ` +
      `about 10 GB of disk and 5 to 10 minutes. Missing: ${component.programs.join(", ")} (${component.module} ${component.version}). npm test needs none of this.`,
  );
}

function go(args: readonly string[], cwd: string): Promise<{ readonly code: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("go", args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly", GOWORK: "off" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -2, text: Buffer.concat(chunks).toString("utf8") }));
  });
}

function say(text: string): void {
  process.stderr.write(`[control plane] ${text}\n`);
}
