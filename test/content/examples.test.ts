import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Judgement, judge } from "../../src/admission/index.ts";
import {
  CLASS_ANNOTATION,
  isObject,
  type JsonObject,
  objectAt,
  rungText,
  stringAt,
  valueAt,
} from "../../src/model/index.ts";
import { buildTopology, readInventory } from "../../src/topology/index.ts";
import { undo } from "../../src/translate/index.ts";
import { readWorkload } from "../../src/workloads/index.ts";
import { examples, shippedCatalogue } from "./shipped.ts";

/** What the demo cluster answers to each example: the verdict, the rung of each pod set, and the rules that refuse it. */
const EXPECTED: Readonly<
  Record<string, { verdict: string; rungs: Readonly<Record<string, string>>; refusedBy?: readonly string[] }>
> = {
  "agent-api.yaml": { verdict: "fits", rungs: { pod: "none/on-demand/existing" } },
  "agent-session.yaml": { verdict: "fits", rungs: { pod: "any/on-demand/existing" } },
  "batch-cronjob.yaml": { verdict: "scaleUp", rungs: { pod: "l40s/spot/new" } },
  "batch-scoring.yaml": { verdict: "scaleUp", rungs: { pod: "l40s/spot/new" } },
  "evaluation-custom-kind.yaml": {
    verdict: "scaleUp",
    rungs: { coordinator: "none/on-demand/existing", judges: "l40s/spot/new" },
  },
  "inference-disaggregated.yaml": {
    verdict: "scaleUp",
    rungs: { decode: "h200/reserved/new", prefill: "h100/reserved/existing", epp: "none/on-demand/existing" },
  },
  "inference-multihost.yaml": { verdict: "fits", rungs: { worker: "h100/reserved/existing" } },
  "inference-rayservice.yaml": {
    verdict: "fits",
    rungs: { head: "none/on-demand/existing", a100: "a100-80gb/on-demand/existing" },
  },
  "inference-vllm.yaml": { verdict: "fits", rungs: { pod: "h100/reserved/existing" } },
  "notebook-mig.yaml": { verdict: "fits", rungs: { pod: "h100-mig-1g10gb/reserved/existing" } },
  "refused-inference.yaml": {
    verdict: "fits",
    rungs: { pod: "h100/reserved/existing" },
    refusedBy: ["LT01", "RD01", "RD03"],
  },
  "retrieval-statefulset.yaml": { verdict: "fits", rungs: { pod: "l4/on-demand/existing" } },
  "streaming-flink.yaml": {
    verdict: "scaleUp",
    rungs: { jobManager: "none/on-demand/existing", taskManager: "any/spot/new" },
  },
  "streaming-raycluster.yaml": {
    verdict: "scaleUp",
    rungs: { head: "none/on-demand/existing", transcribers: "any/spot/new" },
  },
  "streaming-spark.yaml": {
    verdict: "scaleUp",
    rungs: { driver: "none/on-demand/existing", executor: "any/spot/new" },
  },
  "training-dra.yaml": { verdict: "fits", rungs: { pod: "h100/reserved/existing" } },
  "training-gang-block.yaml": { verdict: "fits", rungs: { pod: "h100/reserved/existing" } },
  "training-gang-rack.yaml": { verdict: "busy", rungs: { pod: "h100/reserved/existing" } },
  "training-jobset.yaml": {
    verdict: "scaleUp",
    rungs: { launcher: "none/on-demand/existing", workers: "h100/reserved/existing", evaluator: "l40s/spot/new" },
  },
  "training-no-device.yaml": { verdict: "fits", rungs: { pod: "h100/reserved/existing" } },
  "training-single.yaml": { verdict: "fits", rungs: { pod: "a100-80gb/on-demand/existing" } },
  "tuning-pytorchjob.yaml": {
    verdict: "fits",
    rungs: { Master: "a100-80gb/on-demand/existing", Worker: "a100-80gb/on-demand/existing" },
  },
  "tuning-rayjob.yaml": {
    verdict: "fits",
    rungs: {
      head: "none/on-demand/existing",
      tuners: "a100-80gb/on-demand/existing",
      submitter: "none/on-demand/existing",
    },
  },
};

const catalogue = shippedCatalogue();
const cluster = readFileSync(new URL("../fixtures/demo-cluster.yaml", import.meta.url), "utf8");
const files = examples();
// As `plimsoll check` reads them: claim templates that stand beside the workloads are part of the picture.
const inventory = readInventory([
  { file: "demo-cluster.yaml", text: cluster },
  ...files.map(({ file, text }) => ({ file, text })),
]).value;
if (inventory === undefined) throw new Error("the demo cluster cannot be read");
const context = {
  catalogue,
  topology: buildTopology(inventory, catalogue.layout),
  holds: [],
  maxSteps: 200_000,
  nowMs: Date.parse("2026-03-01T12:00:00Z"),
};
type Judged = Extract<Judgement, { judged: true }>;

function judged(object: JsonObject): Judged {
  const judgement = judge(object, context);
  if (!judgement.judged) throw new Error(judgement.why);
  return judgement;
}

/** The workload of an example, among the objects that stand beside it. */
const cases = files.map(({ file, objects }) => ({
  file,
  workloads: objects.filter((object) => readWorkload(object, catalogue.kinds) !== undefined),
}));

describe("the examples", () => {
  test("are all in the table, and each holds one workload of a known kind with a class", () => {
    expect(cases.map(({ file }) => file)).toEqual(Object.keys(EXPECTED).sort());
    for (const { file, workloads } of cases) {
      expect(workloads.length, file).toBe(1);
      expect(objectAt(workloads[0], ["metadata", "annotations"])[CLASS_ANNOTATION], file).toBeDefined();
    }
  });

  test("are listed in the folder's README with their kind", () => {
    const readme = readFileSync(new URL("../../manifests/examples/README.md", import.meta.url), "utf8");
    for (const { file, workloads } of cases)
      expect(readme).toContain(`| ${file} | ${String(workloads[0]?.["kind"])} |`);
  });

  test.each(cases)("$file is answered as its comment says", ({ file, workloads: [object = {}] }) => {
    const { answer, refused, denials } = judged(object);
    const expected = EXPECTED[file];
    const rungs = Object.fromEntries(Object.entries(answer?.rungs ?? {}).map(([set, rung]) => [set, rungText(rung)]));
    expect({ verdict: answer?.verdict, rungs }).toEqual({ verdict: expected?.verdict, rungs: expected?.rungs });
    expect(denials.map(({ code }) => code)).toEqual(expected?.refusedBy ?? []);
    expect(refused).toBe(expected?.refusedBy !== undefined);
  });

  test.each(cases)("$file is expanded, back again, and the same a second time", ({ workloads: [object = {}] }) => {
    const first = judged(object).expansion?.object ?? {};
    expect(first).not.toEqual(object);
    expect(undo(first, catalogue.kinds).base).toEqual(object);
    expect(judged(first).expansion?.object).toEqual(first);
  });

  test("training-gang-rack.yaml is told the numbers of the best rack", () => {
    const [object = {}] = cases.find(({ file }) => file === "training-gang-rack.yaml")?.workloads ?? [];
    const { answer, findings } = judged(object);
    expect(answer?.chosen?.reasons.map(({ message }) => message).join("\n")).toMatch(/14 of the 16 nodes/);
    expect(findings.some(({ message }) => message.includes("14 of the 16 nodes"))).toBe(true);
  });

  test("notebook-mig.yaml leaves out the classes that count under another name, with the reason", () => {
    const [object = {}] = cases.find(({ file }) => file === "notebook-mig.yaml")?.workloads ?? [];
    const skipped = judged(object).demand?.podSets[0]?.ladder.steps.filter((step) => step.skipped !== undefined) ?? [];
    expect(new Set(skipped.map(({ rung }) => rung.accelerator))).toEqual(new Set(["t4", "l4"]));
    for (const { skipped: reason } of skipped) expect(reason?.message).toContain("nvidia.com/mig-1g.10gb");
  });

  test("training-no-device.yaml gets its devices from the class, by claim where a driver serves them", () => {
    const [object = {}] = cases.find(({ file }) => file === "training-no-device.yaml")?.workloads ?? [];
    const { expansion } = judged(object);
    const [companion] = expansion?.companions ?? [];
    expect(companion?.["kind"]).toBe("ResourceClaimTemplate");
    const name = objectAt(companion, ["metadata"])["name"];
    const claim = valueAt(expansion?.object, ["spec", "template", "spec", "resourceClaims", 0]);
    expect(stringAt(claim, ["resourceClaimTemplateName"])).toBe(name);
  });

  test("name no registry host in their images", () => {
    for (const { file, objects } of files) {
      for (const image of imagesIn(objects))
        expect(image.split("/")[0], `${file}: ${image}`).not.toMatch(/[.:]\w+.*$|^localhost$/);
    }
  });
});

function imagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(imagesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === "image" && typeof item === "string" ? (item.includes("/") ? [item] : []) : imagesIn(item),
  );
}
