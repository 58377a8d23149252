import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { collectionOf, nameOf } from "./places.ts";
import { eventually } from "./wait.ts";

const CONCURRENCY = 32;
const REGISTERED = "Registered";
/** What the node lifecycle controller puts on a node and takes away; a cordon is the test's own. */
const LIFECYCLE_TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** What it makes, in that order. */
const KINDS: readonly string[] = ["Namespace", "DeviceClass", "Node", "ResourceSlice"];

/**
 * Makes the namespaces, device classes, nodes and resource slices of `generateCluster`, and waits until kwok has made every node ready and the
 * node lifecycle controller has taken its taints away. Throws for pods and claims: what is busy in a real control plane is bound by its scheduler,
 * so generate with fill 0 and apply workloads.
 */
export async function makeGpuCluster(
  cp: ControlPlane,
  items: readonly JsonObject[],
  options: { readonly timeoutMs?: number } = {},
): Promise<void> {
  const other = items.find((item) => !KINDS.includes(stringAt(item, ["kind"]) ?? ""));
  if (other !== undefined) throw new Error(`makeGpuCluster does not make a ${stringAt(other, ["kind"])}`);
  for (const kind of KINDS)
    await inParallel(
      items.filter((item) => item["kind"] === kind),
      async (item) => {
        const { status, text } = await cp.api.ask(
          "POST",
          collectionOf(kind),
          kind === "Node" ? asRegistered(item) : item,
        );
        // Clusters that are put together share their namespaces and device classes.
        const shared = status === 409 && (kind === "Namespace" || kind === "DeviceClass");
        if (status !== 201 && !shared) throw new Error(`${kind} ${nameOf(item)}: ${status} ${text}`);
      },
    );
  const names = items.filter((item) => item["kind"] === "Node").map(nameOf);
  await nodesReady(cp, names, options.timeoutMs ?? 30_000 + 100 * names.length);
}

/** Settles when kwok has made all of these nodes ready and they bear no taint of the node lifecycle. */
export async function nodesReady(cp: ControlPlane, names: readonly string[], timeoutMs: number): Promise<void> {
  const wanted = new Set(names);
  await eventually(
    async () => {
      const nodes = arrayAt(await cp.api.send("GET", "/api/v1/nodes?resourceVersion=0"), ["items"]).filter(isObject);
      const ready = nodes.filter((node) => wanted.has(nameOf(node)) && isReady(node)).length;
      if (ready < wanted.size) throw new Error(`${ready} of ${wanted.size} nodes are ready after ${timeoutMs} ms`);
      return true;
    },
    { timeoutMs },
  );
}

/**
 * Ready from the start, in words that are not kwok's: a node that is not would be tainted, patched and freed again by its controllers, and whoever
 * waits for kwok can still tell that it has taken the node over.
 */
function asRegistered(node: JsonObject): JsonObject {
  const conditions = [{ type: "Ready", status: "True", reason: REGISTERED, message: "made by a test" }];
  return { ...node, status: { ...objectAt(node, ["status"]), conditions } };
}

function isReady(node: JsonObject): boolean {
  const conditions = arrayAt(node, ["status", "conditions"]).filter(isObject);
  const taints = arrayAt(node, ["spec", "taints"]).filter(isObject);
  return (
    conditions.some((one) => one["type"] === "Ready" && one["status"] === "True" && one["reason"] !== REGISTERED) &&
    !taints.some((one) => LIFECYCLE_TAINTS.includes(stringAt(one, ["key"]) ?? ""))
  );
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: Math.min(CONCURRENCY, items.length) }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
