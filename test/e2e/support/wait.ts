import { setTimeout as sleep } from "node:timers/promises";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";

const POLL_MS = 100;

/** Tries until `check` returns something other than undefined or false, and returns that. Throws what it threw last, or says that time is up. */
export async function eventually<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  options: { readonly timeoutMs?: number; readonly what?: string } = {},
): Promise<T> {
  const { timeoutMs = 30_000, what = "what was waited for did not happen" } = options;
  const until = Date.now() + timeoutMs;
  for (;;) {
    const begun = Date.now();
    let fault: unknown = new Error(`${what} within ${timeoutMs} ms`);
    try {
      const found = await check();
      if (found !== undefined && found !== false) return found;
    } catch (thrown) {
      fault = thrown;
    }
    if (Date.now() >= until) throw fault;
    // What is waited for needs the machine more than we do.
    await sleep(Math.max(POLL_MS, 2 * (Date.now() - begun)));
  }
}

/** Kinds whose controllers make pods, and by which field of status one says that it has seen the object as it stands. */
const MAKERS = [
  "/apis/apps/v1/deployments",
  "/apis/apps/v1/replicasets",
  "/apis/apps/v1/statefulsets",
  "/apis/apps/v1/daemonsets",
  "/apis/batch/v1/jobs",
];

/**
 * Settles when controllers have seen every workload, every pod is bound, gated or marked unschedulable, none is on its way out, and that stayed
 * so for a while. Returns the pods.
 */
export async function quiescent(
  cp: ControlPlane,
  options: { readonly timeoutMs?: number; readonly calmMs?: number } = {},
): Promise<readonly JsonObject[]> {
  const { timeoutMs = 120_000, calmMs = 1_000 } = options;
  let last = "";
  let since = Date.now();
  return eventually(
    async () => {
      const pods = await itemsOf(cp, "/api/v1/pods");
      const moving = pods.filter((pod) => !settled(pod)).map((pod) => `pod ${stringAt(pod, ["metadata", "name"])}`);
      for (const path of MAKERS)
        for (const maker of await itemsOf(cp, path))
          if (!seen(maker)) moving.push(`${path.split("/").at(-1)} ${stringAt(maker, ["metadata", "name"])}`);
      const now = moving.length > 0 ? "" : pods.map(stateOf).sort().join("\n");
      if (moving.length > 0 || now !== last) since = Date.now();
      last = now;
      if (moving.length > 0) throw new Error(`not settled within ${timeoutMs} ms: ${moving.slice(0, 10).join(", ")}`);
      return Date.now() - since >= calmMs && pods;
    },
    { timeoutMs, what: "the cluster did not come to rest" },
  );
}

/** Is it bound, gated, over, or marked unschedulable. */
function settled(pod: JsonObject): boolean {
  if (stringAt(pod, ["metadata", "deletionTimestamp"]) !== undefined) return false;
  if (stringAt(pod, ["spec", "nodeName"]) !== undefined) return stringAt(pod, ["status", "phase"]) !== "Pending";
  const reason = scheduledReason(pod);
  return reason === "Unschedulable" || reason === "SchedulingGated";
}

function scheduledReason(pod: JsonObject): string | undefined {
  const condition = arrayAt(pod, ["status", "conditions"]).find(
    (one) => isObject(one) && one["type"] === "PodScheduled" && one["status"] === "False",
  );
  return isObject(condition) ? stringAt(condition, ["reason"]) : undefined;
}

function stateOf(pod: JsonObject): string {
  const { uid, node, phase } = {
    uid: stringAt(pod, ["metadata", "uid"]),
    node: stringAt(pod, ["spec", "nodeName"]),
    phase: stringAt(pod, ["status", "phase"]),
  };
  return `${uid} ${node} ${phase} ${scheduledReason(pod)}`;
}

function seen(maker: JsonObject): boolean {
  if (stringAt(maker, ["metadata", "deletionTimestamp"]) !== undefined) return false;
  const observed = valueAt(maker, ["status", "observedGeneration"]);
  if (observed !== undefined) return observed === valueAt(maker, ["metadata", "generation"]);
  // A Job has no observedGeneration: it has begun, or it says that it is suspended.
  return stringAt(maker, ["status", "startTime"]) !== undefined || arrayAt(maker, ["status", "conditions"]).length > 0;
}

export async function itemsOf(cp: ControlPlane, path: string): Promise<readonly JsonObject[]> {
  return arrayAt(await cp.api.send("GET", path), ["items"]).filter(isObject);
}
