import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentFor, post } from "./client.ts";

const run = promisify(execFile);
let folder = "";
let command = "";

// A bundler can break what runs from source, so the built command is started once as a user starts it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plimsoll-built-"));
  await run(process.execPath, ["scripts/build.mjs", join(folder, "dist")]);
  command = join(folder, "dist", "plimsoll.js");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the built command issues certificates", async () => {
  const { stdout } = await run(process.execPath, [command, "certs", "issue", "--dir", join(folder, "issued")]);
  expect(stdout).toContain("localhost, 127.0.0.1, ::1");
  expect(await readFile(join(folder, "issued", "tls.crt"), "utf8")).toContain("BEGIN CERTIFICATE");
});

test("the built command serves with a certificate of its own, and ends on SIGTERM", async () => {
  const certs = join(folder, "certs");
  const child = spawn(
    process.execPath,
    [command, "serve", "--host=127.0.0.1", "--port=0", "--probe-port=0", "--drain=0", `--certs=${certs}`],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      const entry = JSON.parse(line) as { msg: string; url?: string };
      if (entry.msg === "serving" && entry.url !== undefined) resolve(entry.url);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it served`)));
  });
  const agent = agentFor(await readFile(join(certs, "ca.crt"), "utf8"));
  const review = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u",
      kind: { group: "", version: "v1", kind: "Pod" },
      resource: { group: "", version: "v1", resource: "pods" },
      operation: "CREATE",
      namespace: "a",
      object: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers: [] } },
    },
  };
  const reply = await post(`${url}/mutate`, JSON.stringify(review), { agent });
  expect(JSON.parse(reply.text)).toEqual({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "u", allowed: true },
  });
  agent.destroy();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("the built command answers a review on standard input", async () => {
  const child = run(process.execPath, [command, "admit"]);
  child.child.stdin?.end(
    JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { uid: "x", operation: "DELETE", object: null, oldObject: null },
    }),
  );
  const { stdout } = await child;
  expect(JSON.parse(stdout).response.uid).toBe("x");
});
