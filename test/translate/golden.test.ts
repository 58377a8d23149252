import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { JsonObject } from "../../src/model/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { type Chosen, expandAs, rung } from "../support/expansion.ts";
import {
  cronJob,
  deployment,
  flinkDeployment,
  job,
  leaderWorkerSet,
  rayCluster,
  sparkApplication,
  statefulSet,
} from "../support/workloads.ts";

/** What people read: companions first, then the workload, then in words what was added and what is to be said. */
const plain = catalogue();
const queued = catalogue({ platform: { kueue: { version: "0.17" } } });
const claims = catalogue({
  platform: {
    kubernetes: { version: "1.37" },
    companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
  },
});
const nics = catalogue({
  classes: { gang: { accelerator: { align: { nics: { level: "pcie", count: 4 } } } } },
  platform: {
    kubernetes: { version: "1.37" },
    companions: { resourceClaimTemplates: true },
    network: {
      driver: "dra.net",
      deviceClassName: "efa.networking.k8s.aws",
      alignment: { pcie: "resource.kubernetes.io/pcieRoot" },
    },
  },
});
const groups = catalogue({
  platform: {
    kubernetes: { version: "1.37", featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true } },
    companions: { podGroups: true },
  },
});
const provisioned = catalogue({
  platform: {
    autoscaler: { kind: "cluster-autoscaler", version: "1.36", provisioningRequests: true },
    companions: { provisioningRequests: true, podTemplates: true },
  },
});
const small = catalogue({ classes: { elastic: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 2 } } } } });

const gang = () => job("train").replicas(16).gpus(8).className("gang");
const steer = { key: "topology.k8s.aws/network-node-layer-3", values: ["rack-7"] };
const cases: Readonly<Record<string, readonly [JsonObject, Chosen]>> = {
  "job-gang-pod-affinity": [gang().build(), { catalogue: plain, rung: rung("h100", "reserved"), entry: { steer } }],
  "job-gang-kueue": [gang().queue("ml").build(), { catalogue: queued, rung: rung("h100") }],
  "job-gang-podgroup": [gang().build(), { catalogue: groups, rung: rung("h100") }],
  "job-gang-claims": [job("train").replicas(16).className("gang").build(), { catalogue: claims, rung: rung("h100") }],
  "job-gang-nics": [job("train").replicas(16).className("gang").build(), { catalogue: nics, rung: rung("h100") }],
  "job-gang-provisioning": [
    gang().build(),
    { catalogue: provisioned, rung: rung("h100", "on-demand", "new"), verdict: "scaleUp" },
  ],
  "job-generate-name": [
    job("x").generateName("train-").replicas(4).gpus(8).className("gang").build(),
    { catalogue: groups, rung: rung("h100"), entry: { id: "4f2a9c1b07" } },
  ],
  "deployment-online": [deployment("llm").replicas(3).gpus(1).className("online").build(), { catalogue: plain }],
  "deployment-own-values": [
    deployment("llm")
      .replicas(3)
      .gpus(1)
      .priority("mine")
      .grace(60)
      .nodeSelector("karpenter.k8s.aws/instance-gpu-name", "l4")
      .className("online")
      .build(),
    { catalogue: plain },
  ],
  "statefulset-no-rung": [
    statefulSet("index").replicas(3).gpus(1).className("online").build(),
    { catalogue: plain, rung: "none", verdict: "unknown" },
  ],
  "raycluster-gang": [
    rayCluster("ray").replicas(4).gpus(8).className("gang").build(),
    { catalogue: plain, rung: rung("a100-80gb") },
  ],
  "leaderworkerset-online": [
    leaderWorkerSet("serve", 4, true).replicas(2).gpus(8).className("online").build(),
    { catalogue: plain },
  ],
  "flink-elastic": [flinkDeployment("stream").replicas(2).className("elastic").build(), { catalogue: small }],
  "spark-elastic": [
    sparkApplication("etl").replicas(4).className("elastic").build(),
    { catalogue: small, rung: rung("h100", "spot") },
  ],
  "cronjob-gang": [
    cronJob("nightly").replicas(2).gpus(8).className("gang").intent("topology: {level: block}").build(),
    { catalogue: plain, rung: rung("h100") },
  ],
};

describe("expansions as they are printed", () => {
  test.each(Object.keys(cases))("%s", async (name) => {
    const [object, chosen] = cases[name] ?? [{}, { catalogue: plain }];
    const { companions, object: result, added, diagnostics } = expandAs(object, chosen);
    const words = [
      ...added.map(({ podSet, text }) => `# + ${podSet}: ${text}`),
      ...diagnostics.map(
        ({ severity, code, podSet, message, hint }) =>
          `# ${severity} ${code} ${podSet ?? ""}: ${message}${hint === undefined ? "" : ` (${hint})`}`,
      ),
    ];
    const documents = [...companions, result].map((one) =>
      stringify(JSON.parse(JSON.stringify(one)), { lineWidth: 0 }),
    );
    await expect(`${words.join("\n")}\n---\n${documents.join("---\n")}`).toMatchFileSnapshot(
      `../golden/expand/${name}.yaml`,
    );
  });
});
