import type { NodeFacts } from "../topology/index.ts";

const UNTIL_STARTED: ReadonlySet<string> = new Set([
  "karpenter.sh/unregistered",
  "node.cloudprovider.kubernetes.io/uninitialized",
]);
const STARTUP_PREFIXES = [
  "startup-taint.cluster-autoscaler.kubernetes.io/",
  "ignore-taint.cluster-autoscaler.kubernetes.io/",
];

/**
 * Is the node on its way: registered, and marked by who made it as not started yet. One that is merely not ready may as well be broken, and
 * is not waited for.
 */
export function isStarting({ labels, taints }: NodeFacts): boolean {
  const registered = Object.hasOwn(labels, "karpenter.sh/registered");
  if (registered && labels["karpenter.sh/initialized"] !== "true") return true;
  return taints.some(({ key }) => UNTIL_STARTED.has(key) || STARTUP_PREFIXES.some((prefix) => key.startsWith(prefix)));
}
