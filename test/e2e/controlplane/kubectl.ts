import { spawn } from "node:child_process";
import type { KubectlOptions, Output } from "./types.ts";

const TIMEOUT_MS = 300_000;

/** Runs a program to its end and returns what it said. `home` keeps caches out of the user's own. Throws only where it cannot be run. */
export function runKubectl(
  file: string,
  args: readonly string[],
  options: KubectlOptions & { readonly kubeconfig: string; readonly home: string },
): Promise<Output> {
  const { kubeconfig, home, stdin, env, cwd } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, KUBECONFIG: kubeconfig, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
      ...(cwd === undefined ? {} : { cwd }),
    });
    const texts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on("data", (chunk: Buffer) => texts.stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => texts.stderr.push(chunk));
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        code: code ?? -1,
        stdout: Buffer.concat(texts.stdout).toString("utf8"),
        stderr: `${Buffer.concat(texts.stderr).toString("utf8")}${signal === null ? "" : `\nkubectl was ended by ${signal}`}`,
      }),
    );
    // A command that does not read its input may close it first.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin ?? "");
  });
}
