import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

function start(args: readonly string[]): Promise<{ status: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, out, err })));
}

describe("npm run demo", () => {
  test("answers every example over TLS, denies one, and exits 0", async () => {
    const { status, out, err } = await start(["scripts/demo.ts"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const parts = out.split(/\n\n(?=\w+ [\w-]+\/)/).slice(1);
    const files = readdirSync("manifests/examples").filter((name) => name.endsWith(".yaml"));
    for (const file of files) {
      const part = parts.find((one) => one.includes(`manifests/examples/${file}`)) ?? "";
      expect(part, file).toMatch(/: (?:fits|scaleUp|busy|never|unknown|undecided) on \S+ \(class \S+\)/);
      expect(part, file).toMatch(/^ {2}(?:admitted$|denied, as kubectl prints it:\n +Error from server: )/m);
      expect(part, file).not.toContain("the patch does not apply");
    }
    expect(parts.filter((part) => part.includes("  denied, "))).toHaveLength(1);
  }, 120_000);
});

describe("the process", () => {
  test("exits with the command's status, its text on the right stream", async () => {
    const { status, out, err } = await start(["src/main.ts", "chekc"]);
    expect(status).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("Did you mean check?");
  });
});
