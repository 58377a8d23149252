import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../src/model/index.ts";
import { DEMO, EXAMPLES, folderOf, gangJob, plimsoll, type Ran, SMALL } from "./plimsoll.ts";

const documents = (text: string): JsonObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as JsonObject)
    .filter((object) => object !== null);
const nameOf = (object: JsonObject) => {
  const { name, generateName } = object["metadata"] as { name?: string; generateName?: string };
  return `${String(object["kind"])} ${name ?? generateName}`;
};

const hasKubectl = (() => {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe("expand on every example", () => {
  let first: Ran;
  let again: Ran;
  let bare: Ran;
  beforeAll(async () => {
    first = await plimsoll(["expand", EXAMPLES, "--cluster", DEMO]);
    again = await plimsoll(["expand", "-", "--cluster", DEMO], first.out);
    bare = await plimsoll(["expand", EXAMPLES, "--cluster", DEMO, "--no-companions"]);
  }, 60_000);

  test("leaves out the refused one, says why on standard error, and fails", () => {
    expect(first.status).toBe(1);
    expect(documents(first.out).map(nameOf)).not.toContain("Deployment demo");
    expect(first.err).toMatch(/refused-inference\.yaml:12:3: error LT01: .*1 replica.*needs 2/);
    expect(first.err).toMatch(/refused-inference\.yaml: Deployment team-a\/demo would be refused, and is left out\n/);
  });

  test("expanding the output again changes nothing", () => {
    expect(again.status).toBe(0);
    expect(again.out).toBe(first.out);
  });

  test("prints what goes with workloads first, each once", () => {
    const all = documents(first.out).map(nameOf);
    const rest = documents(bare.out).map(nameOf);
    expect(new Set(all).size).toBe(all.length);
    expect(all.slice(all.length - rest.length)).toEqual(rest);
    const companions = documents(first.out).slice(0, all.length - rest.length);
    expect(companions.length).toBeGreaterThan(0);
    expect(new Set(companions.map(({ kind }) => kind))).toEqual(
      new Set(["PodDisruptionBudget", "ResourceClaimTemplate"]),
    );
  });

  test("loses nothing that the user wrote", () => {
    const files = parseAllDocuments(documentsOf(EXAMPLES).join("\n---\n")).map(
      (document) => document.toJS() as JsonObject,
    );
    const printed = new Map(documents(first.out).map((object) => [nameOf(object), object]));
    for (const object of files) {
      if (object === null || nameOf(object) === "Deployment demo") continue;
      expect(lost(object, printed.get(nameOf(object)), nameOf(object))).toEqual([]);
    }
  });

  test("needs no YAML that only some readers know", () => {
    expect(first.out).not.toMatch(/^\s*(?:- )?[\w./-]+: [&*!]/m);
    expect(first.out).not.toMatch(/: (?:yes|no|on|off)$/m);
  });

  test.skipIf(!hasKubectl)("kubectl reads the output, as the same objects", () => {
    const printed = execFileSync("kubectl", ["label", "--local", "-f", "-", "a=b", "-o", "json"], {
      input: first.out,
      encoding: "utf8",
    });
    const labelled = printed.split(/\n(?=\{)/).map((text) => JSON.parse(text) as JsonObject);
    const objects = documents(first.out);
    expect(labelled.map(nameOf)).toEqual(objects.map(nameOf));
    for (const [index, object] of objects.entries()) expect(lost(object, labelled[index], nameOf(object))).toEqual([]);
  });
});

/** Paths at which `after` lacks or changes what `before` holds; lists may only grow at their end. */
function lost(before: unknown, after: unknown, path: string): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length < before.length) return [path];
    return before.flatMap((item, index) => lost(item, after[index], `${path}[${index}]`));
  }
  if (typeof before === "object" && before !== null) {
    if (typeof after !== "object" || after === null) return [path];
    return Object.entries(before).flatMap(([key, value]) => lost(value, (after as JsonObject)[key], `${path}.${key}`));
  }
  return before === after ? [] : [`${path}: ${String(before)} became ${String(after)}`];
}

function documentsOf(folder: string): string[] {
  const names = readFileSync(`${folder}/README.md`, "utf8").matchAll(/^\| ([\w-]+\.yaml) \|/gm);
  return [...names].map(([, name]) => readFileSync(`${folder}/${name}`, "utf8"));
}

describe("expand", () => {
  const expand = (text: string, ...args: readonly string[]) => plimsoll(["expand", "-", ...SMALL, ...args], text);
  const service = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}]}\n";

  test("adds what the class decides", async () => {
    const { status, out } = await expand(gangJob("train"));
    expect(status).toBe(0);
    const [job] = documents(out);
    expect(job).toMatchObject({
      metadata: {
        annotations: { "plimsoll.dev/decision": expect.stringContaining('"rung":"h100/on-demand/existing"') },
      },
      spec: { template: { spec: { nodeSelector: { "karpenter.k8s.aws/instance-gpu-name": "h100" } } } },
    });
  });

  test("passes everything else through, unknown kinds among it, in the order of the input", async () => {
    const unknown = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: t}\nspec: {deep: [{a: 1}]}\n";
    const { status, out, err } = await expand(`${service}---\n${gangJob("train")}---\n${unknown}`);
    expect([status, err.includes("error")]).toEqual([0, false]);
    expect(documents(out).map(nameOf)).toEqual(["Service s", "Job train", "Thing t"]);
    expect(documents(out)[0]).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s" },
      spec: { ports: [{ port: 80 }] },
    });
    expect(documents(out)[2]).toMatchObject({ spec: { deep: [{ a: 1 }] } });
  });

  test("reads scalars as kubectl does, and writes them so that nobody reads them otherwise", async () => {
    const { out } = await expand(
      "apiVersion: v1\nkind: Thing\nmetadata: {name: t}\nspec: {mode: 0644, on: yes, text: 'yes', time: '22:22', octal: '0644'}\n",
    );
    expect(out).toContain("mode: 420\n");
    expect(out).toContain('"true": true\n');
    expect(out).toMatch(/text: "yes"\n/);
    expect(out).toMatch(/octal: "0644"\n/);
    expect((await expand(out)).out).toBe(out);
  });

  test("a document that cannot be read is told, hides no other, and fails", async () => {
    const { status, out, err } = await expand(`a: [\n---\n${service}`);
    expect(status).toBe(1);
    expect(documents(out).map(nameOf)).toEqual(["Service s"]);
    expect(err).toMatch(/^-:\d+:\d+: error UnreadableManifest: /);
  });

  test("--diff shows what changes and nothing else", async () => {
    const { status, out } = await expand(`${service}---\n${gangJob("train")}`, "--diff");
    expect(status).toBe(0);
    expect(out).toMatch(
      /^--- -: batch\/v1 Job team-a\/train\n\+\+\+ -: batch\/v1 Job team-a\/train \(as admitted\)\n@@ /,
    );
    expect(out).toMatch(/^\+ {8}karpenter\.k8s\.aws\/instance-gpu-name: h100$/m);
    expect(out).not.toContain("Service");
    expect(out.split("\n").filter((line) => /^-(?!--)/.test(line))).toEqual([]);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(160);
  });

  test("--diff of what stands already is empty", async () => {
    const { out } = await expand(gangJob("train"));
    expect(await expand(out, "--diff")).toMatchObject({ status: 0, out: "" });
  });

  const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: team-a, annotations: {plimsoll.dev/workload-class: online}}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - name: server
          image: vllm/vllm-openai:v0.11.0
          readinessProbe: {httpGet: {path: /health, port: 8000}}
          resources: {requests: {cpu: "8", memory: 64Gi, nvidia.com/gpu: "1"}, limits: {memory: 64Gi, nvidia.com/gpu: "1"}}
`;

  test("companions come first, a new one is shown whole by --diff, and --no-companions leaves them out", async () => {
    expect(documents((await expand(deployment)).out).map(({ kind }) => kind)).toEqual([
      "PodDisruptionBudget",
      "Deployment",
    ]);
    expect((await expand(deployment, "--diff")).out).toMatch(
      /^--- \/dev\/null\n\+\+\+ policy\/v1 PodDisruptionBudget .* \(new\)\n@@ -0,0 \+1,\d+ @@\n\+apiVersion: policy\/v1\n/,
    );
    const bare = await expand(deployment, "--no-companions");
    expect(documents(bare.out).map(({ kind }) => kind)).toEqual(["Deployment"]);
  });

  test("a companion that the input brings is not printed twice", async () => {
    const { out } = await expand(deployment);
    const again = await expand(out);
    expect(documents(again.out).map(({ kind }) => kind)).toEqual(["PodDisruptionBudget", "Deployment"]);
  });

  test("without a cluster says what is missing, and writes what no rung decides", async () => {
    const { status, out, err } = await plimsoll(
      ["expand", "-", "--policies", "test/fixtures/policies-min"],
      gangJob("train"),
    );
    expect(status).toBe(0);
    expect(err).toMatch(/^no cluster was given \(--cluster FILE\): /m);
    expect(out).not.toContain("nodeSelector");
    expect(out).toContain('"rung":"none"');
  });

  test("writes to --output", async () => {
    const folder = folderOf({});
    const { out } = await expand(gangJob("train"), "--output", `${folder}/out.yaml`);
    expect(out).toBe("");
    expect(documents(readFileSync(`${folder}/out.yaml`, "utf8")).map(nameOf)).toEqual(["Job train"]);
  });
});
