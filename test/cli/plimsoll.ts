import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/index.ts";
import { generateCluster } from "../../src/topology/index.ts";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, as `main.ts` would, with `stdin` as standard input. */
export async function plimsoll(args: readonly string[], stdin = "", colour = false): Promise<Ran> {
  let [out, err] = ["", ""];
  const status = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readStandardInput: async () => stdin,
    colour,
  });
  return { status, out, err };
}

export const EXAMPLES = "manifests/examples";
export const DEMO = "test/fixtures/demo-cluster.yaml";

/** Files of their own in a new folder; the folder's path. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-cli-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Four idle nodes of eight H100 each in one rack, and the small catalogue: what most tests need, and quick to load. */
export const SMALL = [
  "--policies",
  "test/fixtures/policies-min",
  "--cluster",
  join(
    folderOf({
      "cluster.json": JSON.stringify({
        apiVersion: "v1",
        kind: "List",
        items: generateCluster({ shape: "p5.48xlarge", racks: 1, nodesPerRack: 4, seed: 1 }),
      }),
    }),
    "cluster.json",
  ),
];

interface JobParts {
  readonly class?: string;
  readonly pods?: number;
  readonly gpus?: number;
  readonly intent?: string;
}

/** A Job that the class `gang` fits on the small cluster, as YAML; its kind stands on line 2, its container's on 19. */
export function gangJob(
  name: string,
  { class: className = "gang", pods = 2, gpus = 8, intent }: JobParts = {},
): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: team-a
  annotations:
    plimsoll.dev/workload-class: ${className}
${intent === undefined ? "" : `    plimsoll.dev/intent: "${intent}"\n`}spec:
  parallelism: ${pods}
  completions: ${pods}
  completionMode: Indexed
  backoffLimit: 0
  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 600
      containers:
        - name: train
          image: pytorch/pytorch:2.9.0
          resources:
            requests: {cpu: "8", memory: 64Gi, nvidia.com/gpu: "${gpus}"}
            limits: {memory: 64Gi, nvidia.com/gpu: "${gpus}"}
`;
}
