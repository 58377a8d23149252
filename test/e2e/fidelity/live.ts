import { setTimeout as sleep } from "node:timers/promises";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { collectionOf } from "../support/places.ts";
import { type Case, FILLER_NAMESPACE, NAMESPACE } from "./case.ts";
import { type Comparison, compare, surroundings } from "./compare.ts";
import { createAll, listOf, removeAll, replaceStatus } from "./objects.ts";
import { isQuiet } from "./quiet.ts";

/** What a control plane did with a case, beside what engine and replay say of it. */
export interface Observed {
  readonly comparison: Comparison;
  readonly bound: number;
  readonly faults: readonly string[];
}

const POLL_MS = 40;
const PATIENCE_MS = 60_000;

/** Namespaces, priority and device classes: once for a control plane. */
export async function prepare({ api }: ControlPlane): Promise<void> {
  await createAll(
    api,
    surroundings().filter(({ kind }) => !String(kind).endsWith("List")),
  );
  for (const namespace of [NAMESPACE, FILLER_NAMESPACE])
    await until(`the service account of ${namespace}`, async () => {
      const { status } = await api.ask("GET", `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
      return status === 200;
    });
}

/**
 * Plays one case: nodes and what is busy on them first, then the engine's verdict on what the API server lists, then claim templates and
 * the expanded workload; and counts the pods that are bound when nothing moves any more. Leaves nothing behind.
 */
export async function play(plane: ControlPlane, one: Case): Promise<Observed | undefined> {
  const { api } = plane;
  const before = [...one.cluster, ...one.filler, ...one.given];
  let applied: readonly JsonObject[] = [];
  try {
    await createAll(api, [...one.cluster, ...one.given]);
    await until("nodes that are ready", async () => (await listOf(api, "Node")).every((node) => isSettled(node, one)));
    await createAll(api, one.filler);
    await holdDevices(plane, one);
    const objects = await inventory(plane);
    const comparison = compare(one, objects);
    if (comparison === undefined) return undefined;
    await schedulerSees(plane, one);
    applied = comparison.decided.expected.objects;
    for (const object of applied) await createAll(api, [object]);
    const bound = await settle(plane, one);
    return { comparison, bound, faults: [...comparison.faults, ...faultsOf(one, comparison, bound)] };
  } finally {
    await clean(plane, [...applied].reverse(), before);
  }
}

function faultsOf(one: Case, { decided }: Comparison, bound: number): readonly string[] {
  const { outcome, least, most } = decided.expected;
  const said = `${decided.rung} (verdict ${decided.verdict}, replay ${outcome})`;
  const faults: string[] = [];
  if (outcome === "certain" && bound < one.required)
    faults.push(`${said}: kube-scheduler binds ${bound} pods, fewer than the ${one.required} that are asked for`);
  if ((outcome === "busy" || outcome === "never") && bound >= one.required)
    faults.push(`${said}: kube-scheduler binds ${bound} pods, all of the ${one.required} that are asked for`);
  if (bound < least || bound > most)
    faults.push(`${said}: kube-scheduler binds ${bound} pods, the replay ${least} to ${most}`);
  return faults;
}

/** Ready, without the taint of a node that is new, and with that of a cordoned one. */
function isSettled(node: JsonObject, one: Case): boolean {
  const name = stringAt(node, ["metadata", "name"]);
  const wanted = one.cluster.find(
    (object) => object["kind"] === "Node" && stringAt(object, ["metadata", "name"]) === name,
  );
  if (wanted === undefined) return false;
  const ready = arrayAt(node, ["status", "conditions"]).some(
    (condition) => stringAt(condition, ["type"]) === "Ready" && stringAt(condition, ["reason"]) === "Simulated",
  );
  const keys = (object: JsonObject) =>
    arrayAt(object, ["spec", "taints"]).map((taint) => stringAt(taint, ["key"]) ?? "");
  const cordoned = valueAt(wanted, ["spec", "unschedulable"]) === true;
  const expected = [...keys(wanted), ...(cordoned ? ["node.kubernetes.io/unschedulable"] : [])];
  return ready && expected.sort().join() === keys(node).sort().join();
}

/** Allocations of claims that nobody schedules are written by hand, for the pod that uses them. */
async function holdDevices({ api }: ControlPlane, one: Case): Promise<void> {
  for (const claim of one.filler.filter(({ kind }) => kind === "ResourceClaim")) {
    const name = stringAt(claim, ["metadata", "name"]) ?? "";
    const pod = await api.send("GET", `${collectionOf("Pod", FILLER_NAMESPACE)}/${name}`);
    const reservedFor = [{ resource: "pods", name, uid: stringAt(pod, ["metadata", "uid"]) ?? "" }];
    await replaceStatus(api, claim, { ...objectAt(claim, ["status"]), reservedFor });
  }
}

const LISTED = ["Node", "Pod", "Namespace", "PriorityClass", "ResourceSlice", "DeviceClass", "ResourceClaim"];

async function inventory({ api }: ControlPlane): Promise<readonly JsonObject[]> {
  const lists = await Promise.all([...LISTED, "ResourceClaimTemplate"].map((kind) => listOf(api, kind)));
  const empty = LISTED.map((kind): JsonObject => ({ apiVersion: "v1", kind: `${kind}List`, items: [] }));
  return [...lists.flat(), ...empty];
}

/** A pod that fits nowhere comes back with the number of nodes that the scheduler knows; what was bound before it, it has seen as well. */
async function schedulerSees(plane: ControlPlane, one: Case): Promise<void> {
  const { api } = plane;
  const nodes = one.cluster.filter(({ kind }) => kind === "Node").length;
  for (let attempt = 0; ; attempt += 1) {
    const name = `probe-${one.name}-${attempt}`;
    const probe: JsonObject = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: FILLER_NAMESPACE },
      spec: {
        nodeSelector: { "example.com/nowhere": "true" },
        terminationGracePeriodSeconds: 0,
        containers: [{ name: "main", image: "pause:3.10" }],
      },
    };
    await createAll(api, [probe]);
    let told = "";
    await until("the scheduler's word on a pod that fits nowhere", async () => {
      const pod = await api.send("GET", `${collectionOf("Pod", FILLER_NAMESPACE)}/${name}`);
      told = unscheduled(pod, "Unschedulable") ?? "";
      return told !== "";
    });
    await removeAll(api, [probe]);
    if (told.startsWith(`0/${nodes} nodes`)) return;
    if (attempt > 100) throw new Error(`the scheduler sees other nodes than ${nodes}: ${told}`);
    await sleep(POLL_MS);
  }
}

/** Why the scheduler has not bound it, if it has said so: no node does, or its attempt was aborted. */
function unscheduled(pod: JsonObject, reason: "Unschedulable" | "SchedulerError"): string | undefined {
  const condition = arrayAt(pod, ["status", "conditions"]).find(
    (one) => stringAt(one, ["type"]) === "PodScheduled" && stringAt(one, ["reason"]) === reason,
  );
  return condition === undefined ? undefined : stringAt(condition, ["message"]);
}

/** Bound pods of the workload, once each is bound or marked and the scheduler has nothing more to try. */
async function settle(plane: ControlPlane, one: Case): Promise<number> {
  let bound = 0;
  let before = "";
  let seen = "";
  const all = `every pod of ${one.name} bound or marked unschedulable`;
  const isSettledDown = async () => {
    const pods = (await listOf(plane.api, "Pod", NAMESPACE)).filter(isAlive);
    seen = pods.map((pod) => `${stringAt(pod, ["metadata", "name"])}: ${JSON.stringify(pod["status"])}`).join("\n");
    bound = pods.filter((pod) => stringAt(pod, ["spec", "nodeName"]) !== undefined).length;
    if (pods.length !== one.count) return false;
    if (bound === one.count) return true;
    const open = pods.filter((pod) => stringAt(pod, ["spec", "nodeName"]) === undefined);
    const aborted = open.filter((pod) => unscheduled(pod, "SchedulerError") !== undefined);
    const told = open.filter((pod) => unscheduled(pod, "Unschedulable") !== undefined).length + aborted.length;
    if (told < open.length) return false;
    const now = pods
      .map((pod) => `${stringAt(pod, ["metadata", "name"])}:${stringAt(pod, ["spec", "nodeName"])}`)
      .join();
    const unchanged = now === before;
    before = now;
    return (await isQuiet(plane, open.length, aborted.length > 0)) && unchanged;
  };
  await until(all, isSettledDown, () => seen);
  return bound;
}

const isAlive = (pod: JsonObject): boolean => valueAt(pod, ["metadata", "deletionTimestamp"]) === undefined;

/** Owners before what they make, and everything on the nodes before the nodes. */
async function clean(
  { api }: ControlPlane,
  applied: readonly JsonObject[],
  before: readonly JsonObject[],
): Promise<void> {
  await removeAll(api, applied);
  const pods = ["Pod", "ReplicaSet", "ResourceClaim"];
  await until("nothing left of a case", async () => {
    let left = 0;
    for (const kind of ["ReplicaSet", "Pod", "ResourceClaim"]) {
      const found = await listOf(api, kind, NAMESPACE);
      left += found.length;
      if (pods.includes(kind)) await removeAll(api, found.filter(isAlive));
    }
    return left === 0;
  });
  await removeAll(
    api,
    before.filter(({ kind }) => kind === "Pod"),
  );
  await removeAll(
    api,
    before.filter(({ kind }) => kind !== "Pod"),
  );
  await until("the filler gone", async () => {
    const left = [...(await listOf(api, "Pod", FILLER_NAMESPACE)), ...(await listOf(api, "ResourceClaim"))];
    return left.length === 0 && (await listOf(api, "Node")).length === 0;
  });
}

async function until(what: string, holds: () => Promise<boolean>, seen: () => string = () => ""): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s in vain for ${what} ${seen()}`);
    await sleep(POLL_MS);
  }
}
