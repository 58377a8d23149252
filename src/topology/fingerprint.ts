import type { Ledger, Level, NodeFacts } from "./types.ts";

/**
 * A name for a state of the cluster: it changes with any node, label, taint, cordon, amount, domain or use. Two FNV-1a hashes of 32 bits
 * (Fowler, Noll, Vo) with different seeds; good for caches and logs, not for security.
 */
export function fingerprint(
  nodes: readonly NodeFacts[],
  levels: readonly Level[],
  allocatable: Float64Array,
  ledger: Ledger,
): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  const mix = (value: number) => {
    low = Math.imul(low ^ value, 0x01000193);
    high = Math.imul(high ^ (value + 0x9e37), 0x01000193);
  };
  const text = (value: string) => {
    for (let index = 0; index < value.length; index += 1) mix(value.charCodeAt(index));
    mix(0xffff);
  };
  for (const node of nodes) {
    text(node.name);
    for (const key of Object.keys(node.labels)) {
      text(key);
      text(node.labels[key] ?? "");
    }
    for (const taint of node.taints) text(`${taint.key}=${taint.value}:${taint.effect}`);
    mix((node.cordoned ? 2 : 0) + (node.ready ? 1 : 0));
  }
  for (const level of levels) for (const domain of level.domainOf) mix(domain);
  for (const amounts of [allocatable, ledger.used]) {
    const words = new Uint32Array(amounts.buffer, amounts.byteOffset, amounts.length * 2);
    for (const word of words) mix(word);
  }
  // The order in which claims were allocated is no part of the state, so each device is mixed by itself.
  const [before, beforeHigh] = [low, high];
  let [sum, sumHigh] = [0, 0];
  for (const [device, claim] of ledger.devices) {
    [low, high] = [before, beforeHigh];
    text(device);
    text(claim);
    sum = (sum + low) | 0;
    sumHigh = (sumHigh + high) | 0;
  }
  [low, high] = [before, beforeHigh];
  mix(sum);
  mix(sumHigh);
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
