import { describe, expect, test } from "vitest";
import { arrayAt, type Json, type JsonObject, objectAt, valueAt } from "../../src/model/index.ts";
import { patchBetween, undo } from "../../src/translate/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { codes, gangJob, POD, REQUIRED, service, small, TYPE_KEY } from "../support/expanding.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { jobSet, pod, rayJob, statefulSet } from "../support/workloads.ts";

describe("what stands", () => {
  test("mode audit edits nothing and is stamped", () => {
    const manifest = gangJob().build();
    const { object } = expandAs(manifest, { catalogue: small, rung: rung("h100"), entry: { audit: true } });
    expect(object["spec"]).toEqual(manifest["spec"]);
    expect(undo(object, small.kinds).decision?.["pod"]?.audit).toBe(true);
  });
  test("a rung that was not found leaves the edits that no rung decides", () => {
    const { object } = expandAs(service().build(), { catalogue: small, rung: "none" });
    expect(valueAt(object, [...POD, "priorityClassName"])).toBe("serving");
    expect(valueAt(object, [...POD, "nodeSelector"])).toBeUndefined();
    expect(valueAt(object, [...POD, "tolerations"])).toBeUndefined();
  });
  test("a rung that today's class does not have is an error with the reason", () => {
    expect(codes(expandAs(gangJob().build(), { catalogue: small, rung: rung("h100", "spot") }))).toContain(
      "error RungNotAllowed",
    );
  });
  test("a standing set gets the old edits back word for word, whatever the class says now", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const other = catalogue({
      classes: { gang: { topology: { level: "block" }, tenancy: { priorityClassName: "other" } } },
    });
    const plain = gangJob().build();
    expect(expandAs(plain, { catalogue: other, old, standing: ["pod"] }).object).toEqual(old);
    expect(patchBetween(old, expandAs(old, { catalogue: other, old, standing: ["pod"] }).object)).toEqual([]);
  });
  test("a standing set keeps the order of its lists when one of our elements was taken out", () => {
    const manifest = service().toleration({ key: "own", operator: "Exists" }).build();
    const old = expandAs(manifest, { catalogue: small }).object;
    const list = arrayAt(old, [...POD, "tolerations"]);
    const cut = JSON.parse(JSON.stringify(old)) as { spec: { template: { spec: { tolerations: Json[] } } } };
    cut.spec.template.spec.tolerations = list.slice(0, 1) as Json[];
    expect(expandAs(cut as unknown as JsonObject, { catalogue: small, old, standing: ["pod"] }).object).toEqual(old);
  });
  test("an immutable template keeps what stands there, and says what could not be made", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const { object, diagnostics } = expandAs(old, { catalogue: small, rung: rung("a100-80gb"), old });
    expect(valueAt(object, [...POD])).toEqual(valueAt(old, [...POD]));
    expect(codes({ diagnostics })).toContain("warning ImmutableTemplate");
  });
  test("of a stopped Job node selection follows the new rung, and pod affinity stays as it stands", () => {
    const old = expandAs(gangJob().suspended().build(), { catalogue: small, rung: rung("h100") }).object;
    const wider = catalogue({ classes: { gang: { topology: { level: "block" } } } });
    const { object, diagnostics } = expandAs(old, { catalogue: wider, rung: rung("h100", "reserved"), old });
    expect(valueAt(object, [...POD, "nodeSelector", TYPE_KEY])).toBe("reserved");
    expect(valueAt(object, [...POD, "affinity"])).toEqual(valueAt(old, [...POD, "affinity"]));
    expect(codes({ diagnostics })).toContain("warning ImmutableTemplate");
  });
  test("a gated pod that has a selection keeps it, since it may only be narrowed", () => {
    const manifest = pod("p").gpus(8).gate("example.com/wait").className("elastic").build();
    const parts = catalogue({ classes: { elastic: { accelerator: { classes: ["h100", "a100-80gb"] } } } });
    const old = expandAs(manifest, { catalogue: parts, rung: rung("h100") }).object;
    const { object } = expandAs(old, { catalogue: parts, rung: rung("a100-80gb"), old });
    expect(valueAt(object, ["spec", "nodeSelector"])).toEqual(valueAt(old, ["spec", "nodeSelector"]));
    const bare = expandAs(manifest, { catalogue: parts, rung: rung("h100"), old: manifest }).object;
    expect(valueAt(bare, ["spec", "nodeSelector"])).toEqual(valueAt(old, ["spec", "nodeSelector"]));
  });
  test("a class that is removed from a running Job drops only the stamps", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const annotations = { ...objectAt(old, ["metadata", "annotations"]), "plimsoll.dev/workload-class": undefined };
    const unclassed = JSON.parse(
      JSON.stringify({ ...old, metadata: { ...objectAt(old, ["metadata"]), annotations } }),
    ) as JsonObject;
    const { object } = expandAs(unclassed, { catalogue: small, old });
    expect(object["spec"]).toEqual(old["spec"]);
    expect(valueAt(object, ["metadata", "annotations"])).toEqual({});
  });
  test("a class that is removed from a Deployment takes its edits with it", () => {
    const manifest = service().build();
    const old = expandAs(manifest, { catalogue: small }).object;
    const annotations = { ...objectAt(old, ["metadata", "annotations"]), "plimsoll.dev/workload-class": undefined };
    const unclassed = JSON.parse(
      JSON.stringify({ ...old, metadata: { ...objectAt(old, ["metadata"]), annotations } }),
    ) as JsonObject;
    expect(expandAs(unclassed, { catalogue: small, old }).object["spec"]).toEqual(manifest["spec"]);
  });
  test("edits that stay keep their place when the user puts something behind them", () => {
    const old = expandAs(service().build(), { catalogue: small }).object;
    const more = JSON.parse(JSON.stringify(old)) as {
      spec: { template: { spec: { tolerations: Json[]; containers: { image: string }[] } } };
    };
    more.spec.template.spec.tolerations.push({ key: "theirs", operator: "Exists" });
    const result = expandAs(more as unknown as JsonObject, { catalogue: small, old }).object;
    expect(result["spec"]).toEqual(more.spec);
  });
});

describe("pods whose template is the operator's own", () => {
  test("get nothing, since a template in part would replace it, and that is said", () => {
    const manifest = rayJob("r").replicas(2).gpus(8).className("gang").build();
    const parts = catalogue({ classes: { gang: { roles: { submitter: { accelerator: "none" } } } } });
    const { object, diagnostics } = expandAs(manifest, { catalogue: parts });
    expect(valueAt(object, ["spec", "submitterPodTemplate"])).toBeUndefined();
    const said = diagnostics.filter(({ podSet }) => podSet === "submitter");
    expect(said.map(({ severity, code, hint }) => [severity, code, hint])).toEqual([
      ["warning", "BackendCannotExpress", "Write spec.submitterPodTemplate in the manifest."],
    ]);
  });
});

describe("a maker of workloads", () => {
  test("is not expanded: class and intent go to where the made object takes its annotations from", async () => {
    const { cronJob } = await import("../support/workloads.ts");
    const manifest = cronJob("nightly").gpus(8).className("gang").intent("topology: {level: block}").build();
    const { object } = expandAs(manifest, { catalogue: small, rung: rung("h100") });
    expect(valueAt(object, ["spec", "jobTemplate", "metadata", "annotations"])).toEqual({
      "plimsoll.dev/workload-class": "gang",
      "plimsoll.dev/intent": "topology: {level: block}",
    });
    expect(valueAt(object, ["spec", "jobTemplate", "spec"])).toEqual(
      valueAt(manifest, ["spec", "jobTemplate", "spec"]),
    );
    expect(undo(object, small.kinds).base).toEqual(manifest);
  });
});

describe("jobs of several templates", () => {
  test("keep what each pod set got apart", () => {
    const { object } = expandAs(jobSet("j").replicas(4).gpus(8).className("gang").build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    const template = ["spec", "replicatedJobs", 0, "template", "spec", "template"] as const;
    expect(valueAt(object, [...template, "spec", "affinity", "podAffinity", REQUIRED, 0, "matchLabelKeys"])).toEqual([
      "jobset.sigs.k8s.io/jobset-uid",
    ]);
  });
  test("a StatefulSet spreads by its selector", () => {
    const { object } = expandAs(statefulSet("s").replicas(3).gpus(1).className("online").build(), { catalogue: small });
    expect(valueAt(object, [...POD, "topologySpreadConstraints", 0, "labelSelector"])).toEqual({
      matchLabels: { app: "s" },
    });
  });
});
