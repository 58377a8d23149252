import type { Counts } from "./distribute.ts";
import { groupBounds, isFree, type Layer } from "./layers.ts";

/** Do these counts obey the layers. For distributions found by enumeration. */
export function obeys(layers: readonly Layer[], counts: Counts, total: number): boolean {
  return layers.every((layer) => {
    const pods = new Map<number, number>();
    for (const { row, pods: more } of counts) {
      const domain = layer.domains.of[row] ?? -1;
      if (domain === -1) return false;
      pods.set(domain, (pods.get(domain) ?? 0) + more);
    }
    return layer.rule.kind === "group"
      ? inWholeGroups(pods, layer.rule.size, total) && isBounded(layer, pods, layer.rule)
      : isEven(layer, pods, layer.rule);
  });
}

function isBounded(
  { counts }: Layer,
  pods: ReadonlyMap<number, number>,
  rule: Extract<Layer["rule"], { kind: "group" }>,
): boolean {
  return counts.every((_, domain) => {
    const [least, most] = groupBounds(rule, domain);
    const count = pods.get(domain) ?? 0;
    return count >= least * rule.size && Math.ceil(count / rule.size) <= most;
  });
}

function inWholeGroups(pods: ReadonlyMap<number, number>, size: number, total: number): boolean {
  const rest = total % size;
  const broken = [...pods.values()].filter((count) => count % size !== 0);
  return broken.length === 0 ? rest === 0 : broken.length === 1 && (broken[0] ?? 0) % size === rest;
}

function isEven(
  layer: Layer,
  pods: ReadonlyMap<number, number>,
  rule: Extract<Layer["rule"], { kind: "spread" }>,
): boolean {
  let [least, most, domains] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let domain = 0; domain < layer.counts.length; domain += 1) {
    if (isFree(rule, domain)) continue;
    const count = pods.get(domain) ?? 0;
    if (layer.counts[domain] === 0 && count > 0) return false;
    if (layer.counts[domain] === 0 || (layer.counts[domain] === 1 && count === 0)) continue;
    domains += 1;
    least = Math.min(least, count);
    most = Math.max(most, count);
  }
  return most - (domains < rule.minDomains ? 0 : least) <= rule.maxSkew;
}
