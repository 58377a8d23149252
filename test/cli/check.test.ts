import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { DEMO, EXAMPLES, folderOf, gangJob, plimsoll, type Ran, SMALL } from "./plimsoll.ts";

const check = (text: string, ...args: readonly string[]) => plimsoll(["check", "-", ...SMALL, ...args], text);

interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const LINE = /^(.+?):(\d+):(\d+): (error|warning|info) (\w+): .+/;

describe("check on the examples and the demo cluster", () => {
  let text: Ran;
  let json: { refused: boolean; findings: Finding[]; workloads: Record<string, unknown>[]; skipped: unknown[] };
  beforeAll(async () => {
    text = await plimsoll(["check", EXAMPLES, "--cluster", DEMO]);
    json = JSON.parse((await plimsoll(["check", EXAMPLES, "--cluster", DEMO, "--format", "json"])).out);
  }, 60_000);

  test("reads as agreed", async () => {
    await expect(text.out).toMatchFileSnapshot("../golden/check/examples.txt");
  });

  test("a wait while something fits now stops no pipeline: kubectl's user is warned of it, and here it is information", async () => {
    const told = text.out.split("\n").filter((line) => line.includes(" FallbackFits: "));
    expect(told.length).toBeGreaterThan(3);
    expect(told.every((line) => line.includes(" info FallbackFits: "))).toBe(true);
  });

  test("refuses the one that is refused on purpose, and no other", () => {
    expect(text.status).toBe(1);
    expect(text.err).toBe("");
    expect(json.workloads.filter(({ refused }) => refused === true).map(({ file }) => file)).toEqual([
      `${EXAMPLES}/refused-inference.yaml`,
    ]);
  });

  test("prints one line a finding with file, line and column, and a summary last", () => {
    const lines = text.out.trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(/^\d+ workloads: 3 errors, \d+ warnings, \d+ info; something would be refused\.$/);
    expect(Number.parseInt(lines.at(-1) ?? "", 10)).toBe(
      readdirSync(EXAMPLES).filter((file) => file.endsWith(".yaml")).length,
    );
    for (const line of lines.slice(0, -1)) expect(line).toMatch(LINE);
  });

  test("prints the same findings as json", () => {
    const lines = text.out.trimEnd().split("\n").slice(0, -1);
    expect(json.findings.map(({ file, line, column, severity, code }) => [file, line, column, severity, code])).toEqual(
      lines.map((line) => {
        const [, file, row, column, severity, code] = LINE.exec(line) ?? [];
        return [file, Number(row), Number(column), severity, code];
      }),
    );
    for (const [index, { message }] of json.findings.entries())
      expect(lines[index]).toContain(message.replaceAll("\n", " "));
  });

  test("says the verdict of every workload once", () => {
    const verdicts = json.findings.filter(({ code }) => code === "Verdict" || code.startsWith("Capacity"));
    expect(verdicts.map(({ file }) => file)).toEqual(json.workloads.map(({ file }) => file));
    expect(json.workloads.every(({ verdict }) => typeof verdict === "string")).toBe(true);
  });

  test("places each finding on a line that is about it", () => {
    const lines = readFileSync(`${EXAMPLES}/refused-inference.yaml`, "utf8").split("\n");
    const at = (code: string) => {
      const found = json.findings.find((one) => one.code === code && one.file.endsWith("refused-inference.yaml"));
      return lines[(found?.line ?? 0) - 1]?.slice((found?.column ?? 0) - 1);
    };
    expect(at("LT01")).toBe("replicas: 1");
    expect(at("RD01")).toBe("name: server");
    expect(at("RD03")).toBe("livenessProbe:");
  });

  test("every message is a sentence of one line that ends, with a hint where it is an error", () => {
    for (const { message, hint, severity } of json.findings) {
      expect(message).not.toMatch(/\n|undefined|NaN|\[object|\.\.$| {2}/);
      if (severity === "error") expect(hint).toBeTruthy();
    }
  });
});

describe("check", () => {
  test("tells the verdict of a job that fits, and ends with the summary", async () => {
    const { status, out } = await check(gangJob("train"));
    expect(status).toBe(0);
    expect(out).toContain("-:1:1: info Verdict: Job team-a/train fits on h100/on-demand/existing.\n");
    expect(out).toMatch(/\n1 workload: 0 errors, \d+ warnings, 1 info; nothing would be refused\.\n$/);
  });

  test("tells what is too large with the numbers, and what would work", async () => {
    const { status, out } = await check(gangJob("train", { pods: 99 }));
    expect(status).toBe(1);
    expect(out).toMatch(
      /^-:1:1: error CapacityNever: Job team-a\/train cannot run here .* has 4 of the 99 nodes needed\..* Fits with 4 instead of 99 pods/m,
    );
  });

  test("names the class that was meant, at the annotation", async () => {
    const { status, out } = await check(gangJob("train", { class: "gnag" }));
    expect(status).toBe(1);
    expect(out).toContain("-:7:5: error UnknownClass: There is no workload class gnag. Did you mean gang?");
  });

  test("names the bound that an intent leaves", async () => {
    const { status, out } = await check(gangJob("train", { intent: "topology: {level: zone}" }));
    expect(status).toBe(1);
    expect(out).toMatch(/^-:8:5: error OverrideOutOfBound: .*zone.*rack or block/m);
  });

  test("keeps the order of the documents, broken ones among them", async () => {
    const { out } = await check(`${gangJob("a")}---\nx: [\n---\n${gangJob("b", { class: "nope" })}`);
    const places = out
      .split("\n")
      .flatMap((line) => /^-:(\d+):/.exec(line)?.[1] ?? [])
      .map(Number);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(out).toMatch(/error UnreadableManifest: .*Nothing in it was checked\./);
    expect(out).toMatch(/^2 workloads: /m);
  });

  test("reads folders, several documents, a List, JSON and an AdmissionReview alike", async () => {
    const { stringify, parse } = await import("yaml");
    const object = (name: string) => parse(gangJob(name));
    const folder = folderOf({
      "several.yaml": `${gangJob("a")}---\n${gangJob("b")}`,
      "list.yml": stringify({ apiVersion: "v1", kind: "List", items: [object("c"), object("d")] }),
      "list.json": JSON.stringify({ apiVersion: "batch/v1", kind: "JobList", items: [object("e")] }, null, 2),
      "review.json": JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        request: { uid: "1", operation: "CREATE", object: object("f") },
      }),
      "notes.txt": "not a manifest",
    });
    const { status, out } = await plimsoll(["check", folder, ...SMALL, "--format", "json"]);
    expect(status).toBe(0);
    const { workloads } = JSON.parse(out);
    expect(workloads.map(({ name }: { name: string }) => name).sort()).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(workloads.find(({ name }: { name: string }) => name === "e").line).toBe(5);
  });

  test("ignores what is no workload, and workloads without a class", async () => {
    const { status, out } = await check(
      "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n---\napiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t, annotations: {plimsoll.dev/workload-class: gang}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c}]}\n",
    );
    expect(status).toBe(0);
    expect(out).toBe("0 workloads: 0 errors, 0 warnings, 0 info; nothing would be refused.\n");
  });

  test("takes companions that stand beside a workload for part of the cluster", async () => {
    const claims = (template: string) =>
      `${template}apiVersion: v1
kind: Pod
metadata: {name: p, namespace: team-a, annotations: {plimsoll.dev/workload-class: elastic}}
spec:
  containers: [{name: c, resources: {claims: [{name: gpu}], requests: {cpu: "1"}}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
`;
    const template = `apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one, namespace: team-a}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
---
`;
    expect((await check(claims(""))).out).toContain("claim template one of namespace team-a was not read");
    expect((await check(claims(template))).out).not.toContain("claim template one");
  });

  test("without a cluster lists the solver's checks as skipped, and refuses and warns for nothing else", async () => {
    const { status, out } = await plimsoll(
      ["check", "-", "--policies", "test/fixtures/policies-min", "--fail-on", "warning"],
      gangJob("train"),
    );
    expect(out).toBe(
      "skipped capacity and topology: no cluster was given (--cluster FILE)\n1 workload: 0 errors, 0 warnings, 0 info; nothing would be refused.\n",
    );
    expect(status).toBe(0);
  });

  test("without a cluster the rules still hold", async () => {
    const { status, out } = await plimsoll(
      ["check", "-", "--policies", "test/fixtures/policies-min"],
      gangJob("train", { gpus: 9 }),
    );
    expect(status).toBe(1);
    expect(out).toMatch(/^-:\d+:\d+: error AC01: .*9 nvidia\.com\/gpu.*1 to 8/m);
  });

  test("a workload that comes twice in one file is judged twice", async () => {
    expect((await check(`${gangJob("a")}---\n${gangJob("a")}`)).out).toMatch(/^2 workloads: /m);
  });

  test("a file that is named twice is read once", async () => {
    const folder = folderOf({ "a.yaml": gangJob("a") });
    const { out } = await plimsoll(["check", `${folder}/a.yaml`, `${folder}/a.yaml`, ...SMALL]);
    expect(out).toMatch(/^1 workload: /m);
  });

  test("writes to --output, without colour, and nothing to standard output", async () => {
    const folder = folderOf({});
    const { status, out } = await plimsoll(["check", "-", ...SMALL, "-o", `${folder}/out.txt`], gangJob("a"), true);
    expect([status, out]).toEqual([0, ""]);
    const written = readFileSync(`${folder}/out.txt`, "utf8");
    expect(written).toMatch(/nothing would be refused\.\n$/);
    expect(written).not.toContain("\u001b");
  });

  test("is coloured only where the terminal is", async () => {
    expect((await plimsoll(["check", "-", ...SMALL], gangJob("a"), true)).out).toContain("\u001b[");
    expect((await check(gangJob("a"))).out).not.toContain("\u001b[");
  });

  test("a step budget that runs out is a warning that says so", async () => {
    const { out } = await check(gangJob("a", { pods: 5 }), "--max-steps", "1");
    expect(out).toMatch(/warning CapacityUndecided: /);
  });

  test("several cluster files count together", async () => {
    const [nodes = ""] = SMALL.slice(3);
    const folder = folderOf({
      "quota.yaml":
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q, namespace: team-a}\nspec: {hard: {requests.nvidia.com/gpu: 8}}\nstatus: {hard: {requests.nvidia.com/gpu: 8}, used: {requests.nvidia.com/gpu: 0}}\n",
    });
    const args = ["check", "-", "--policies", "test/fixtures/policies-min"];
    const one = await plimsoll([...args, "--cluster", nodes], gangJob("a"));
    const both = await plimsoll([...args, "--cluster", nodes, "--cluster", `${folder}/quota.yaml`], gangJob("a"));
    expect(one.out).toContain(" fits on ");
    expect(both.out).toMatch(/quota/i);
  });
});
