import { describe, expect, test } from "vitest";
import { valueAt } from "../../src/model/index.ts";
import { job } from "../support/manifests.ts";
import { catalogueOf, classFile, gpuNode, poolFile, serverOf } from "../support/world.ts";

const gang = classFile("batch", {
  demand: { shape: "gang" },
  accelerator: { classes: ["h100", "h200"], perPod: { min: 1, max: 8, default: 1 } },
  capacity: { types: ["on-demand"], maxProvisioning: "30m" },
});
const pools = [poolFile("grows", { accelerator: "h100", capacityType: "on-demand", maxNodes: 2 })];
const manifest = (annotations: Readonly<Record<string, string>> = {}) => {
  const object = job({ class: "batch", count: 1, gpus: 8 });
  const own = valueAt(object, ["metadata", "annotations"]) as Record<string, string>;
  return { ...object, metadata: { ...(object["metadata"] as object), annotations: { ...own, ...annotations } } };
};

/** What the first choice gives up, told by the webhook that answers last, although it is asked about the recorded rung only. */
describe("a choice that waits while something fits now", () => {
  const server = () => serverOf(catalogueOf({ classes: [gang], pools }), [gpuNode("b", { accelerator: "h200" })]);

  test("is admitted with a warning of one line: what waits how long, and what fits now", () => {
    const { allowed, warnings } = server().create(manifest());
    expect(allowed).toBe(true);
    expect(warnings.filter((one) => one.startsWith("FallbackFits"))).toEqual([
      "FallbackFits: h200/on-demand/existing fits now; h100/on-demand/new waits about 5m for 1 new node",
    ]);
  });

  test("is another choice, and silent, for whoever does as the answer says", () => {
    const { allowed, warnings, object } = server().create(manifest({ "plimsoll.dev/renew": "h100/on-demand/new" }));
    expect(allowed).toBe(true);
    expect(warnings.join()).not.toContain("FallbackFits");
    expect(JSON.stringify(valueAt(object, ["spec", "template", "spec"]))).toContain("h200");
  });

  test("is told once: an edit that leaves the rung alone does not bring it up again", () => {
    const api = server();
    api.create(manifest());
    const { allowed, warnings } = api.change(manifest(), (live) => ({
      ...live,
      spec: { ...(live["spec"] as object), backoffLimit: 3 },
    }));
    expect(allowed).toBe(true);
    expect(warnings.join()).not.toContain("FallbackFits");
  });
});
