import { describe, expect, test } from "vitest";
import {
  allowsLabels,
  type JsonObject,
  labelSelector,
  NODE_NAME_FIELD,
  podHostPorts,
  podSelection,
  podSpread,
  podTolerations,
} from "../../src/model/index.ts";

const affinity = (...terms: JsonObject[]): JsonObject => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const expression = (key: string, operator: string, ...values: string[]): JsonObject => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values }),
});
const matches = (spec: JsonObject, labels: Record<string, string>) =>
  podSelection(spec).selection.some((requirements) => allowsLabels(requirements, labels));

describe("node selection of a PodSpec", () => {
  test.each<[string, JsonObject, Record<string, string>, boolean]>([
    ["nothing asked: every node", {}, {}, true],
    ["nodeSelector holds", { nodeSelector: { gpu: "h100" } }, { gpu: "h100" }, true],
    ["nodeSelector does not hold", { nodeSelector: { gpu: "h100" } }, {}, false],
    [
      "terms are alternatives",
      affinity(
        { matchExpressions: [expression("gpu", "In", "a")] },
        { matchExpressions: [expression("gpu", "In", "b")] },
      ),
      { gpu: "b" },
      true,
    ],
    [
      "expressions of a term all hold",
      affinity({ matchExpressions: [expression("gpu", "In", "a"), expression("zone", "Exists")] }),
      { gpu: "a" },
      false,
    ],
    [
      "nodeSelector and affinity both hold",
      { nodeSelector: { zone: "x" }, ...affinity({ matchExpressions: [expression("gpu", "In", "a")] }) },
      { gpu: "a" },
      false,
    ],
    [
      "NotIn passes a node without the label",
      affinity({ matchExpressions: [expression("gpu", "NotIn", "a")] }),
      {},
      true,
    ],
    [
      "Gt compares integers",
      affinity({ matchExpressions: [expression("memory", "Gt", "79")] }),
      { memory: "80" },
      true,
    ],
    ["an empty term matches nothing", affinity({}), {}, false],
    ["no terms match nothing", affinity(), {}, false],
    [
      "preferred affinity selects nothing",
      { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } },
      {},
      true,
    ],
    ["null parents read as absent", { nodeSelector: null, affinity: { nodeAffinity: null } }, {}, true],
  ])("%s", (_, spec, labels, expected) => {
    expect(matches(spec, labels)).toBe(expected);
    expect(podSelection(spec).faults).toEqual([]);
  });

  test("matchFields selects by node name", () => {
    const spec = affinity({ matchFields: [expression(NODE_NAME_FIELD, "In", "node-1")] });
    expect(matches(spec, { [NODE_NAME_FIELD]: "node-1" })).toBe(true);
    expect(matches(spec, { [NODE_NAME_FIELD]: "node-2" })).toBe(false);
  });

  test.each<[string, JsonObject]>([
    ["an operator that does not exist", affinity({ matchExpressions: [expression("gpu", "Matches", "a")] })],
    ["In without values", affinity({ matchExpressions: [expression("gpu", "In")] })],
    ["Exists with values", affinity({ matchExpressions: [expression("gpu", "Exists", "a")] })],
    ["Gt of a word", affinity({ matchExpressions: [expression("memory", "Gt", "80Gi")] })],
    ["a field that cannot be selected", affinity({ matchFields: [expression("spec.nodeName", "In", "a")] })],
    ["a selector value that is a number", { nodeSelector: { count: 8 } }],
  ])("a fault is named with its path: %s", (_, spec) => {
    const { faults } = podSelection(spec);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ code: "PodSpecInvalid", severity: "error" });
    expect(faults[0]?.path?.length).toBeGreaterThan(1);
  });

  test("a faulty term matches nothing, the others still do", () => {
    const spec = affinity(
      { matchExpressions: [expression("gpu", "In")] },
      { matchExpressions: [expression("gpu", "In", "b")] },
    );
    expect(podSelection(spec).selection).toHaveLength(1);
    expect(matches(spec, { gpu: "b" })).toBe(true);
  });
});

test("tolerations that the API server would refuse tolerate nothing", () => {
  const tolerations = [
    { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" },
    { key: "team", value: "a" },
    { operator: "Exists" },
    { value: "no key" },
    { key: "x", operator: "Lt", value: "3" },
    { key: "x", operator: "Exists", value: "y" },
    { key: "x", effect: "Never" },
    { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
    null,
    "text",
  ];
  expect(podTolerations({ tolerations })).toEqual([
    { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" },
    { key: "team", operator: "Equal", value: "a" },
    { operator: "Exists" },
    { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
  ]);
});

test("host ports: declared ones, every container port under hostNetwork, sidecars but not init containers", () => {
  const containers = [{ ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 81 }] }];
  const initContainers = [
    { restartPolicy: "Always", ports: [{ containerPort: 1, hostPort: 9000 }] },
    { ports: [{ containerPort: 2, hostPort: 9001 }] },
  ];
  expect(podHostPorts({ containers, initContainers })).toEqual([8080, 9000]);
  expect(podHostPorts({ containers, hostNetwork: true })).toEqual([81, 8080]);
  expect(podHostPorts({ containers: [{ ports: [{ hostPort: -1 }, { hostPort: 70_000 }, null] }] })).toEqual([]);
});

test("only hard spread constraints, with the defaults of the API server", () => {
  const topologySpreadConstraints = [
    { topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" },
    { topologyKey: "zone", maxSkew: 2, whenUnsatisfiable: "ScheduleAnyway" },
    { topologyKey: "host", maxSkew: 1, minDomains: 3, nodeTaintsPolicy: "Honor" },
    { maxSkew: 1 },
    { topologyKey: "zone", maxSkew: 0 },
  ];
  const labelSelector = { matchLabels: { app: "a" } };
  const spec = { topologySpreadConstraints: topologySpreadConstraints.map((one) => ({ ...one, labelSelector })) };
  expect(podSpread({ spec, labels: { app: "a" }, namespace: "default" })).toEqual([
    { key: "zone", maxSkew: 1, ignoreTaints: true },
    { key: "host", maxSkew: 1, ignoreTaints: false, minDomains: 3 },
  ]);
});

describe("label selectors", () => {
  test.each<[string, JsonObject | null | undefined, boolean | undefined]>([
    ["an empty selector matches everything", {}, true],
    ["no selector is none", undefined, undefined],
    ["null is none", null, undefined],
    [
      "labels and expressions all hold",
      { matchLabels: { app: "a" }, matchExpressions: [{ key: "tier", operator: "NotIn", values: ["test"] }] },
      true,
    ],
    ["one that does not", { matchLabels: { app: "b" } }, false],
    ["Gt is no operator here", { matchExpressions: [{ key: "n", operator: "Gt", values: ["1"] }] }, undefined],
    ["a number is no label value", { matchLabels: { app: 1 } }, undefined],
    ["a list is no selector map", { matchLabels: [] }, undefined],
  ])("%s", (_, json, expected) => {
    const requirements = labelSelector(json);
    expect(requirements === undefined ? undefined : allowsLabels(requirements, { app: "a" })).toBe(expected);
  });
});
