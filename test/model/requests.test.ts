import { describe, expect, test } from "vitest";
import { type JsonObject, podRequests } from "../../src/model/index.ts";
import table from "../fixtures/pod-requests.json" with { type: "json" };

const container = (requests: JsonObject, limits: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  name: "c",
  resources: { requests, limits },
  ...more,
});

describe("what a pod requests", () => {
  test.each(table.pods.map((pod, index) => [index, pod] as const))(
    "pod %d agrees with component-helpers",
    (_, { spec, requests }) => {
      expect({ ...podRequests(spec as JsonObject) }).toEqual({ ...requests, pods: 1 });
    },
  );

  test("sums are rounded once, not per container", () => {
    const spec = { containers: [container({ memory: "1500m" }), container({ memory: "1500m" })] };
    expect(podRequests(spec)["memory"]).toBe(3);
  });

  test("a sidecar counts beside the containers, an init container against them", () => {
    const spec = {
      containers: [container({ cpu: "1" })],
      initContainers: [container({ cpu: "500m" }, {}, { restartPolicy: "Always" }), container({ cpu: "4" })],
    };
    expect(podRequests(spec)["cpu"]).toBe(4500);
  });

  test("amounts that do not parse, are negative or of another type count as nothing", () => {
    const spec = {
      containers: [container({ cpu: "lots", memory: "-1Gi", "nvidia.com/gpu": { a: 1 } }), null, 7],
    } as unknown as JsonObject;
    expect({ ...podRequests(spec) }).toEqual({ pods: 1 });
  });

  test("names of the object prototype are plain resource names", () => {
    const spec = JSON.parse(
      '{"containers":[{"resources":{"requests":{"__proto__":"1","constructor":"2"}}}]}',
    ) as JsonObject;
    expect(Object.entries(podRequests(spec)).sort()).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
      ["pods", 1],
    ]);
  });
});

describe("defaults of a LimitRange", () => {
  const defaults = [{ defaults: { cpu: "2", memory: "4Gi" }, defaultRequests: { cpu: "500m" } }];

  test.each([
    [
      "an empty container takes the default request, and the default limit where there is none",
      {},
      {},
      { cpu: 500, memory: 4 * 2 ** 30 },
    ],
    ["a limit of its own is its request, before any default", {}, { cpu: "1" }, { cpu: 1000, memory: 4 * 2 ** 30 }],
    ["a request of its own stands", { cpu: "100m", memory: "1Gi" }, {}, { cpu: 100, memory: 2 ** 30 }],
  ])("%s", (_, requests, limits, expected) => {
    const units = podRequests({ containers: [container(requests, limits)] }, { defaults });
    expect({ ...units }).toEqual({ ...expected, pods: 1 });
  });

  test("each container takes them, init containers too", () => {
    const spec = { containers: [container({}), container({})], initContainers: [container({ cpu: "8" })] };
    expect(podRequests(spec, { defaults })["cpu"]).toBe(8000);
    expect(podRequests({ ...spec, initContainers: [] }, { defaults })["cpu"]).toBe(1000);
  });

  test("of several LimitRanges the first that says something wins", () => {
    const two = [{ defaults: {}, defaultRequests: { cpu: "1" } }, ...defaults];
    expect(podRequests({ containers: [container({})] }, { defaults: two })).toMatchObject({
      cpu: 1000,
      memory: 4 * 2 ** 30,
    });
  });

  test("they do not pass for pod-level requests", () => {
    const spec = { containers: [container({})], resources: { requests: { cpu: "3" } } };
    expect(podRequests(spec, { defaults })).toMatchObject({ cpu: 3000, memory: 4 * 2 ** 30 });
  });
});

test("overhead of the RuntimeClass replaces what the spec says, which the API server would refuse if it differed", () => {
  const spec = { containers: [container({ cpu: "1" })], overhead: { cpu: "1" } };
  expect(podRequests(spec)["cpu"]).toBe(2000);
  expect(podRequests(spec, { overhead: { cpu: 250, memory: 1024 } })).toMatchObject({ cpu: 1250, memory: 1024 });
});
