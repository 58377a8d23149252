import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../../src/model/index.ts";
import { generateCluster } from "../../src/topology/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { makeGpuCluster } from "./support/cluster.ts";
import { eventually, quiescent } from "./support/wait.ts";

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const named = (pods: readonly JsonObject[], prefix: string) =>
  pods.filter((pod) => stringAt(pod, ["metadata", "name"])?.startsWith(prefix) === true);
const bound = (pods: readonly JsonObject[]) => pods.filter((pod) => stringAt(pod, ["spec", "nodeName"]) !== undefined);

const FIVE_PODS_OF_EIGHT = `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: eight-gpus}
spec:
  spec:
    devices:
      requests:
        - name: gpu
          exactly: {deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 8}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: five}
spec:
  replicas: 5
  selector: {matchLabels: {app: five}}
  template:
    metadata: {labels: {app: five}}
    spec:
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: eight-gpus}]
      containers:
        - {name: main, image: "pause:3.10", resources: {claims: [{name: gpu}]}}
`;

describe("a control plane", () => {
  let cp: ControlPlane;
  let startedMs = 0;
  beforeAll(async () => {
    const before = Date.now();
    cp = await startControlPlane({ audit: true });
    startedMs = Date.now() - before;
  });
  afterAll(async () => {
    await cp.stop();
    expect(existsSync(cp.dir)).toBe(false);
  });

  test("starts in seconds", () => {
    // Five to ten where the machine is free; other work on it may make that many more.
    expect(startedMs).toBeLessThan(120_000);
  });

  test("binds four of five pods that claim eight GPUs each on four nodes of eight, and marks the fifth unschedulable", async () => {
    await makeGpuCluster(cp, generateCluster({ shape: "p5.48xlarge", nodes: 4, nodesPerRack: 2, mechanism: "dra" }));
    const applied = await cp.kubectl(["apply", "-f", "-"], { stdin: FIVE_PODS_OF_EIGHT });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    const pods = await eventually(async () => {
      const found = named(await quiescent(cp), "five-");
      return found.length === 5 && found;
    });
    expect(bound(pods)).toHaveLength(4);
    expect(new Set(bound(pods).map((pod) => stringAt(pod, ["spec", "nodeName"]))).size).toBe(4);
    const claims = arrayAt(await cp.api.send("GET", "/apis/resource.k8s.io/v1/resourceclaims"), ["items"]);
    const devices = claims.map(
      (claim) => arrayAt(isObject(claim) ? claim : {}, ["status", "allocation", "devices", "results"]).length,
    );
    expect(devices.sort()).toEqual([0, 8, 8, 8, 8]);
    const ready = await cp.kubectl(["get", "deployment", "five", "-o", "jsonpath={.status.readyReplicas}"]);
    expect(ready.stdout).toBe("4");
  });

  test("lets a Job's pods run until they are deleted", async () => {
    const made = await cp.kubectl(["create", "job", "endless", "--image=pause:3.10"]);
    expect(made.code).toBe(0);
    // Only GPU nodes are there, and they are tainted.
    const [pod] = await eventually(async () => {
      const found = named(await quiescent(cp), "endless-");
      return found.length === 1 && found;
    });
    expect(stringAt(pod, ["spec", "nodeName"])).toBeUndefined();
    expect((await cp.kubectl(["delete", "job", "endless", "--wait=true"])).code).toBe(0);
  });

  test("knows users by certificate and service accounts by token, and grants them nothing of itself", async () => {
    const alice = await cp.kubeconfigFor({ user: "alice", groups: ["ml", "ops"] });
    const who = await cp.kubectl(
      ["auth", "whoami", "-o", "jsonpath={.status.userInfo.username} {.status.userInfo.groups}"],
      {
        kubeconfig: alice,
      },
    );
    expect(who.stdout).toBe('alice ["ml","ops","system:authenticated"]');
    const denied = await cp.kubectl(["get", "pods"], { kubeconfig: alice });
    expect(denied.stderr).toContain('User "alice" cannot list resource "pods"');

    await cp.kubectl(["create", "serviceaccount", "robot"]);
    const robot = await cp.kubeconfigFor({ serviceAccount: { namespace: "default", name: "robot" } });
    const robotWho = await cp.kubectl(["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"], {
      kubeconfig: robot,
    });
    expect(robotWho.stdout).toBe("system:serviceaccount:default:robot");
    await cp.kubectl(["create", "clusterrolebinding", "robot", "--clusterrole=view", "--serviceaccount=default:robot"]);
    const list = await eventually(async () => {
      const answer = await cp.kubectl(["get", "pods", "-o", "name"], { kubeconfig: robot });
      return answer.code === 0 && answer;
    });
    expect(list.stdout).toContain("pod/five-");
    const asked = cp.auditLog().filter((event) => stringAt(event, ["user", "username"])?.endsWith(":robot") === true);
    expect(asked.map((event) => stringAt(event, ["verb"]))).toContain("list");
  });

  test("an API server that is killed comes back with what it knew", async () => {
    const server = cp.process("kube-apiserver");
    await server.kill();
    expect(server.running).toBe(false);
    expect((await cp.kubectl(["get", "nodes", "--request-timeout=2s"])).code).not.toBe(0);
    await server.restart();
    const nodes = await cp.kubectl(["get", "nodes", "-o", "name"]);
    expect(nodes.stdout.trim().split("\n")).toHaveLength(4);
  });

  test("a paused etcd answers again when it is resumed", async () => {
    cp.process("etcd").pause();
    const write = cp.kubectl(["create", "namespace", "late"]);
    const first = await Promise.race([write, new Promise((resolve) => setTimeout(resolve, 1_500, "nothing"))]);
    expect(first).toBe("nothing");
    cp.process("etcd").resume();
    expect((await write).code).toBe(0);
  });
});

describe("several control planes", () => {
  test("run at once without knowing each other, and one of them is Kubernetes 1.34", async () => {
    const [now, then] = await Promise.all([
      startControlPlane({ kwok: { jobsCompleteAfterMs: 500 } }),
      startControlPlane({ emulatedVersion: "1.34", scheduler: { config: { parallelism: 1 } } }),
    ]);
    try {
      const version = await then.api.send("GET", "/version");
      expect(valueAt(version, ["emulationMajor"])).toBe("1");
      expect(valueAt(version, ["emulationMinor"])).toBe("34");
      expect(valueAt(await now.api.send("GET", "/version"), ["emulationMinor"])).toBe("37");

      await makeGpuCluster(now, generateCluster({ shape: "m7i.4xlarge", nodes: 2 }));
      expect(JSON.parse((await then.kubectl(["get", "nodes", "-o", "json"])).stdout).items).toEqual([]);
      // Pods of Jobs end where that was asked for.
      expect((await now.kubectl(["create", "job", "short", "--image=pause:3.10"])).code).toBe(0);
      const done = await now.kubectl(["wait", "--for=condition=complete", "job/short", "--timeout=60s"]);
      expect(done).toMatchObject({ code: 0 });
    } finally {
      await Promise.all([now.stop(), then.stop()]);
    }
    expect([existsSync(now.dir), existsSync(then.dir)]).toEqual([false, false]);
  });
});

describe("what goes wrong", () => {
  test("an owner that is killed leaves no process and no folder", async () => {
    const owner = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "support/owner.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { dir, pids } = await new Promise<{ readonly dir: string; readonly pids: readonly number[] }>(
      (resolve, reject) => {
        let text = "";
        owner.stdout.on("data", (chunk: Buffer) => {
          text += chunk.toString("utf8");
          if (text.endsWith("\n")) resolve(JSON.parse(text));
        });
        owner.on("exit", (code) => reject(new Error(`the owner ended with ${code}`)));
      },
    );
    expect(pids).toHaveLength(5);
    expect(pids.every(alive)).toBe(true);
    expect(existsSync(dir)).toBe(true);
    owner.kill("SIGKILL");
    await eventually(() => !pids.some(alive) && !existsSync(dir), { timeoutMs: 10_000, what: "something is left" });
  });

  test("a server that does not start says why, and leaves nothing", async () => {
    const start = startControlPlane({ apiserverArgs: ["--no-such-flag"] });
    await expect(start).rejects.toThrow(
      /kube-apiserver did not start: it ended with status 1[\s\S]*unknown flag: --no-such-flag/,
    );
  });
});
