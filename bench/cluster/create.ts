import type { JsonObject } from "../../src/model/index.ts";
import { generateCluster } from "../../src/topology/index.ts";
import { type ControlPlane, startControlPlane } from "../../test/e2e/controlplane/index.ts";
import { makeGpuCluster } from "../../test/e2e/support/cluster.ts";
import { startPlimsoll } from "../../test/e2e/support/plimsoll.ts";
import { row, title } from "../table.ts";

const CREATES = 200;
const WARM = 20;

/** A create through a real API server: as it is, with a policy that checks one annotation, and with our webhooks. */
export async function benchCreate(): Promise<void> {
  const cp = await startControlPlane({ scheduler: false });
  try {
    await makeGpuCluster(
      cp,
      generateCluster({
        shape: "p5.48xlarge",
        zones: 1,
        blocks: 2,
        racks: 2,
        nodesPerRack: 8,
        fill: 0,
        seed: 7,
        capacityType: "reserved",
      }),
    );
    await cp.api.send("POST", "/api/v1/namespaces", { metadata: { name: "bench" } });
    const bare = await creates(cp, "bare", false);
    await policy(cp, "POST");
    const checked = await creates(cp, "checked", true);
    await policy(cp, "DELETE");
    const plimsoll = await startPlimsoll(cp);
    const ours = await creates(cp, "ours", true);
    const passed = await creates(cp, "passed", false);
    await plimsoll.stop();
    title(`create of a suspended Job through the API server, one after another, ${CREATES} each`);
    show("no webhook", bare, bare);
    show("a ValidatingAdmissionPolicy on one annotation", checked, bare);
    show("Plimsoll, a classed Job (two webhooks)", ours, bare);
    show("Plimsoll there, a Job without a class", passed, bare);
  } finally {
    await cp.stop();
  }
}

function show(name: string, times: readonly number[], base: readonly number[]): void {
  const at = (list: readonly number[], share: number) => list[Math.floor(list.length * share)] ?? 0;
  row(
    name,
    `p50 ${at(times, 0.5).toFixed(1)} ms`,
    `p99 ${at(times, 0.99).toFixed(1)} ms`,
    `${(at(times, 0.5) / at(base, 0.5)).toFixed(2)} x bare`,
  );
}

/** Milliseconds, ascending. */
async function creates(cp: ControlPlane, prefix: string, classed: boolean): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = -WARM; index < CREATES; index += 1) {
    const started = performance.now();
    await cp.api.send("POST", "/apis/batch/v1/namespaces/bench/jobs", job(`${prefix}-${index + WARM}`, classed));
    if (index >= 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

async function policy(cp: ControlPlane, method: "POST" | "DELETE"): Promise<void> {
  const group = "/apis/admissionregistration.k8s.io/v1";
  const [policies, bindings] = [`${group}/validatingadmissionpolicies`, `${group}/validatingadmissionpolicybindings`];
  if (method === "DELETE") {
    await cp.api.send("DELETE", `${bindings}/bench`);
    await cp.api.send("DELETE", `${policies}/bench`);
    return;
  }
  await cp.api.send("POST", policies, {
    metadata: { name: "bench" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["batch"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["jobs"] }],
      },
      validations: [
        {
          expression:
            "has(object.metadata.annotations) && 'plimsoll.dev/workload-class' in object.metadata.annotations",
        },
      ],
    },
  });
  await cp.api.send("POST", bindings, {
    metadata: { name: "bench" },
    spec: { policyName: "bench", validationActions: ["Deny"] },
  });
  // The API server takes a moment to compile it: until a Job without the annotation is refused, nothing is measured.
  for (;;) {
    const { status } = await cp.api.ask("POST", "/apis/batch/v1/namespaces/bench/jobs?dryRun=All", job("probe", false));
    if (status >= 400) return;
  }
}

function job(name: string, classed: boolean): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      ...(classed ? { annotations: { "plimsoll.dev/workload-class": "training-single" } } : {}),
    },
    spec: {
      suspend: true,
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [
            {
              name: "main",
              image: "training/trainer:1.0",
              resources: {
                requests: { cpu: "8", memory: "64Gi" },
                limits: { cpu: "8", memory: "64Gi", "nvidia.com/gpu": "1" },
              },
            },
          ],
        },
      },
    },
  };
}
