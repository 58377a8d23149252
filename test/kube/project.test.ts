import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { project } from "../../src/kube/project.ts";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import { inventoryFrom } from "../../src/topology/index.ts";
import { runs } from "../support/runs.ts";
import { allScenarios } from "../support/scenario/index.ts";
import { sceneObjects } from "../support/scenario/play.ts";
import { createShadow, event } from "../topology/live-cases.ts";
import { told } from "./cluster.ts";

/** All that is read of the objects; of Lists nothing is left out. */
function readOf(objects: readonly JsonObject[], as: (object: JsonObject) => JsonObject) {
  const kept = objects.map((one) => (String(one["kind"]).endsWith("List") ? one : as(one)));
  const { value, diagnostics } = inventoryFrom(kept);
  if (value === undefined) throw new Error("an inventory is always there");
  const { facts } = value;
  const named = (kind: string) => objects.filter((one) => one["kind"] === kind);
  const nameOf = (one: JsonObject) => stringAt(one, ["metadata", "name"]) ?? "";
  return {
    ...told(value, objects),
    faults: diagnostics.map(({ message }) => message),
    classes: named("DeviceClass").map((one) =>
      facts.deviceClassOf?.(stringAt(one, ["spec", "extendedResourceName"]) ?? nameOf(one)),
    ),
    queues: [
      named("LocalQueue").map((one) =>
        facts.queues?.localQueue(stringAt(one, ["metadata", "namespace"]) ?? "default", nameOf(one)),
      ),
      named("ClusterQueue").map((one) => facts.queues?.clusterQueue(nameOf(one))),
      named("Cohort").map((one) => facts.queues?.cohort(nameOf(one))),
      named("ResourceFlavor").map((one) => facts.queues?.flavor(nameOf(one))),
    ],
  };
}

const whole = (object: JsonObject): JsonObject => object;
const projected = (object: JsonObject): JsonObject =>
  project(object, { apiVersion: String(object["apiVersion"]), kind: String(object["kind"]) });

describe("what is kept of an object is all that is read of it", () => {
  test("in the clusters of all scenarios", () => {
    const { scenarios } = allScenarios();
    expect(scenarios.length).toBeGreaterThan(150);
    for (const scenario of scenarios) {
      const { cluster } = sceneObjects(scenario);
      expect(readOf(cluster, projected), scenario.name).toEqual(readOf(cluster, whole));
    }
  });

  test("in clusters of random objects, malformed ones among them", () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 20, maxLength: 60 }), (events) => {
        const shadow = createShadow();
        for (const one of events) if (one.does !== "layout") shadow.change(one);
        const objects = shadow.objects();
        expect(readOf(objects, projected)).toEqual(readOf(objects, whole));
      }),
      runs(100),
    );
  });

  test("of two classes for one extended resource, which one was made last", () => {
    const one = (name: string, creationTimestamp: string): JsonObject => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "DeviceClass",
      metadata: { name, creationTimestamp },
      spec: { extendedResourceName: "example.com/gpu" },
    });
    const objects = [one("a", "2026-01-01T00:00:00Z"), one("b", "2026-02-01T00:00:00Z")];
    expect(readOf(objects, projected).classes[0]?.name).toBe("b");
  });
});
