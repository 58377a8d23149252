import { describe } from "vitest";
import { type JsonObject, podCharges } from "../../src/model/index.ts";
import { dra, given, hold, main, put } from "../support/assignments.ts";
import type { ClusterBuilder } from "../support/cluster.ts";
import { deviceRequest, step } from "../support/demand.ts";
import { DRIVER } from "../support/device-cases.ts";
import { type Case, refuses } from "../support/refusal.ts";

describe("ResourceQuota", () => {
  const hard = (amounts: JsonObject, used: JsonObject = {}, spec: JsonObject = {}): ClusterBuilder =>
    dra()
      .namespace("default")
      .deviceClass(DRIVER, [`device.driver == "${DRIVER}"`], "nvidia.com/gpu")
      .object({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q", namespace: "default" },
        spec: { hard: amounts, ...spec },
        status: { hard: amounts, used },
      });
  const CLASS = `${DRIVER}.deviceclass.resource.k8s.io/devices`;
  const spec = {
    containers: [{ name: "c", resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2" } } }],
  };
  const charged = (pod: JsonObject) => podCharges(pod, { defaults: [], priorityClass: undefined });
  const sets = (extra: Parameters<typeof deviceRequest>[2] = {}, priorityClass?: string) => [
    main({
      required: 2,
      pod: { devices: [deviceRequest("gpu", 2, extra)], charges: podCharges(spec, { defaults: [], priorityClass }) },
    }),
  ];
  const right: Case = {
    cluster: hard({
      pods: "4",
      "count/pods": "4",
      cpu: "2",
      "limits.cpu": "4",
      [CLASS]: "4",
      "requests.nvidia.com/gpu": "4",
      "count/resourceclaims.resource.k8s.io": "2",
    }),
    sets: sets(),
    placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"], ["n-1/gpu-2", "n-1/gpu-3"])],
  };
  const alls = [main({ pod: { devices: [deviceRequest("gpu", "all")], charges: charged(spec) } })];
  const whole = given(
    "n-1",
    [0, 1, 2, 3].map((index) => `n-1/gpu-${index}`),
  );
  const either = { firstAvailable: [deviceRequest("pair", 2), deviceRequest("three", 3)] };
  refuses([
    [
      "pods",
      right,
      { cluster: hard({ pods: "4" }, { pods: "3" }) },
      /quota q allows 4 pods: 3 are used, and 2 are placed/,
    ],
    [
      "pods as objects",
      right,
      { cluster: hard({ "count/pods": "4" }, { "count/pods": "3" }) },
      /quota q allows 4 count\/pods: 3 are used, and 2 are placed/,
    ],
    [
      "cpu",
      right,
      { cluster: hard({ "requests.cpu": "2" }, { "requests.cpu": "1" }) },
      /q allows 2000 requests.cpu: 1000 are used/,
    ],
    [
      "limits",
      right,
      { cluster: hard({ "limits.cpu": "3" }) },
      /q allows 3000 limits.cpu: 0 are used, and 4000 are placed/,
    ],
    [
      "what a container leaves open",
      right,
      { cluster: hard({ "limits.memory": "64Gi" }) },
      /q counts limits.memory, which main leaves open/,
    ],
    [
      "cpu that a container leaves open, which is the same as what it requests",
      { ...right, sets: [main({ required: 2, pod: { charges: charged(spec) } })], placed: [put("n-1", 2)] },
      {
        cluster: hard({ cpu: "64" }),
        sets: [main({ required: 2, pod: { charges: charged({ containers: [{ name: "c" }] }) } })],
      },
      /q counts cpu, which main leaves open/,
    ],
    ["devices of a class", right, { cluster: hard({ [CLASS]: "3" }) }, /q allows 3 gpu.nvidia.com.deviceclass/],
    [
      "all devices of a node as 32",
      { cluster: hard({ [CLASS]: "32" }), sets: alls, placed: [whole] },
      { cluster: hard({ [CLASS]: "31" }) },
      /q allows 31 .*: 0 are used, and 32 are placed/,
    ],
    [
      "claims",
      right,
      { cluster: hard({ "count/resourceclaims.resource.k8s.io": "1" }) },
      /q allows 1 count\/resourceclaims/,
    ],
    [
      "devices under the extended resource that the class serves",
      right,
      { cluster: hard({ "requests.nvidia.com/gpu": "3" }) },
      /q allows 3 requests.nvidia.com\/gpu: 0 are used, and 4/,
    ],
    [
      "the worst of the alternatives",
      {
        ...right,
        sets: sets({ firstAvailable: [deviceRequest("pair", 2), deviceRequest("one", 1)] }),
        placed: [put("n-1", 2, { ...right.placed[0], serves: [0, 1].map(() => ["gpus/gpu/pair", "gpus/gpu/pair"]) })],
      },
      { sets: sets(either) },
      /allows 4 .*: 0 are used, and 6 are placed/,
    ],
    [
      "what is promised in the namespace",
      right,
      { context: { holds: [hold({ node: "n-2", pods: 1, charged: { [DRIVER]: 1 } })] } },
      /allows 4 .*: 1 are used, and 4 are placed/,
    ],
    [
      "only pods of its scope",
      {
        ...right,
        cluster: hard(
          { pods: "1" },
          {},
          { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] } },
        ),
      },
      { sets: sets({}, "high") },
      /q allows 1 pods: 0 are used, and 2 are placed/,
    ],
    [
      "what the pods of its rung ask for, and not those of another",
      {
        cluster: hard({ cpu: "4" }),
        sets: [
          main({
            required: 2,
            steps: [
              step({ accelerator: "a100" }),
              step({ accelerator: "h100", capacityType: "spot" }),
              step({ accelerator: "h100", source: "new" }),
              step({ accelerator: "h100" }, { addedRequests: { cpu: 1000 } }),
            ],
          }),
        ],
        step: 0,
        placed: [put("n-1", 2)],
      },
      { step: 3, cluster: hard({ cpu: "3" }) },
      /q allows 3000 cpu: 0 are used, and 4000 are placed/,
    ],
  ]);
});
