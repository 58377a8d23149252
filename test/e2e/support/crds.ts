import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { eventually } from "./wait.ts";

const INSTALLED = { timeoutMs: 180_000 };
const MODULES = resolve("test/e2e/controlplane/modules/crds");

/** As their projects publish them: file by the name of the CRD, in the module that modules/crds/go.mod pins. */
const FILES = {
  "jobsets.jobset.x-k8s.io": ["sigs.k8s.io/jobset", "config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml"],
  "leaderworkersets.leaderworkerset.x-k8s.io": [
    "sigs.k8s.io/lws",
    "config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml",
  ],
  "rayclusters.ray.io": ["github.com/ray-project/kuberay/ray-operator", "config/crd/bases/ray.io_rayclusters.yaml"],
  "rayjobs.ray.io": ["github.com/ray-project/kuberay/ray-operator", "config/crd/bases/ray.io_rayjobs.yaml"],
  "rayservices.ray.io": ["github.com/ray-project/kuberay/ray-operator", "config/crd/bases/ray.io_rayservices.yaml"],
  "pytorchjobs.kubeflow.org": [
    "github.com/kubeflow/training-operator",
    "manifests/base/crds/kubeflow.org_pytorchjobs.yaml",
  ],
  "provisioningrequests.autoscaling.x-k8s.io": [
    "k8s.io/autoscaler/cluster-autoscaler/apis",
    "config/crd/autoscaling.x-k8s.io_provisioningrequests.yaml",
  ],
} as const;

export type Crd = keyof typeof FILES;
export const CRDS = Object.keys(FILES) as readonly Crd[];

/** Installs them, and settles when they are served. Go keeps what it downloads, and compares it with go.sum. */
export async function installCrds(cp: ControlPlane, names: readonly Crd[] = CRDS): Promise<void> {
  const folders = await moduleFolders();
  for (const name of names) {
    const [module, file] = FILES[name];
    const path = join(folders.get(module) ?? "", file);
    // Some are too large for the annotation that a client-side apply writes.
    const { code, stderr } = await cp.kubectl(["apply", "--server-side", "-f", path]);
    if (code !== 0) throw new Error(`${name}: ${stderr}`);
  }
  await eventually(async () => {
    const { code, stderr } = await cp.kubectl([
      "wait",
      "--for=condition=Established",
      "--timeout=30s",
      ...names.map((name) => `crd/${name}`),
    ]);
    if (code !== 0) throw new Error(stderr);
    return true;
  }, INSTALLED);
}

async function moduleFolders(): Promise<ReadonlyMap<string, string>> {
  const env = { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly", GOWORK: "off" };
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json"], { cwd: MODULES, env });
  const modules = JSON.parse(`[${stdout.replaceAll(/^}\n\{/gm, "},{")}]`) as readonly {
    readonly Path: string;
    readonly Dir: string;
  }[];
  return new Map(modules.map(({ Path, Dir }) => [Path, Dir]));
}

/** A CustomResourceDefinition that takes any spec and any status. */
export function anyKind(
  group: string,
  version: string,
  kind: string,
  { plural = `${kind.toLowerCase()}s`, clusterScoped = false } = {},
): JsonObject {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      // The API server asks for a reference to the approval of a group of k8s.io.
      annotations: { "api-approved.kubernetes.io": "unapproved, a test" },
    },
    spec: {
      group,
      scope: clusterScoped ? "Cluster" : "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
        },
      ],
    },
  };
}
