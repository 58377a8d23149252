import { describe, expect, test } from "vitest";
import { actualSpec, type JsonObject, podRequests } from "../../src/model/index.ts";

const container = (cpu: string, extra: JsonObject = {}) => ({
  name: "main",
  resources: { requests: { cpu } },
  ...extra,
});
const state = (cpu: string, allocated?: string) => ({
  name: "main",
  resources: { requests: { cpu } },
  ...(allocated === undefined ? {} : { allocatedResources: { cpu: allocated } }),
});
const cpuOf = (spec: JsonObject, status: JsonObject) => podRequests(actualSpec(spec, status))["cpu"];

describe("a resize in place", () => {
  test.each<[string, JsonObject, number]>([
    ["that shrinks holds what is set up until it is done", { containerStatuses: [state("4", "2")] }, 4000],
    ["that grows holds what is asked for", { containerStatuses: [state("1", "1")] }, 2000],
    ["that the kubelet has promised holds that", { containerStatuses: [state("1", "3")] }, 3000],
    ["of another container changes nothing", { containerStatuses: [{ ...state("9"), name: "other" }] }, 2000],
    ["that is not told of changes nothing", { containerStatuses: [{ name: "main" }] }, 2000],
    [
      "that never fits is not asked for",
      { conditions: [{ type: "PodResizePending", reason: "Infeasible" }], containerStatuses: [state("1", "1")] },
      1000,
    ],
    [
      "that waits is",
      { conditions: [{ type: "PodResizePending", reason: "Deferred" }], containerStatuses: [state("1", "1")] },
      2000,
    ],
  ])("%s", (_name, status, cpu) => {
    expect(cpuOf({ containers: [container("2")] }, status)).toBe(cpu);
  });

  test("of a sidecar counts, of an init container that ends does not", () => {
    const init = (extra: JsonObject): JsonObject => ({
      containers: [{ name: "app", resources: { requests: { cpu: "1" } } }],
      initContainers: [container("2", extra)],
    });
    const status = { initContainerStatuses: [state("5")] };
    expect(cpuOf(init({ restartPolicy: "Always" }), status)).toBe(6000);
    expect(cpuOf(init({}), status)).toBe(2000);
  });

  test("that is done leaves the spec itself", () => {
    const spec = { containers: [container("2000m")] };
    expect(actualSpec(spec, { containerStatuses: [state("2", "2")] })).toBe(spec);
  });
});
