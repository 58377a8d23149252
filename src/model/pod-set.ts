import { memo, once } from "./memo.ts";
import type { ObjectKey } from "./scheduling.ts";

/** The primes of XXH64. */
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;

// Each step is cut to 64 bits at once: then it is compiled to arithmetic on machine words.
const plus = (a: bigint, b: bigint): bigint => BigInt.asUintN(64, a + b);
const times = (a: bigint, b: bigint): bigint => BigInt.asUintN(64, a * b);
const turned = (a: bigint, bits: bigint): bigint => BigInt.asUintN(64, (a << bits) | (a >> (64n - bits)));
const round = (lane: bigint, input: bigint): bigint => times(turned(plus(lane, times(input, P2)), 31n), P1);
const merged = (hash: bigint, lane: bigint): bigint => plus(times(hash ^ round(0n, lane), P1), P4);

/**
 * XXH64 (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). Of the libraries that compute it the ones in JavaScript have 32 bits only, or must be awaited.
 */
export function xxh64(bytes: Uint8Array, seed: bigint): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let at = 0;
  let hash = plus(seed, P5);
  if (length >= 32) {
    let [a, b, c, d] = [plus(plus(seed, P1), P2), plus(seed, P2), seed, BigInt.asUintN(64, seed - P1)];
    for (; at + 32 <= length; at += 32) {
      a = round(a, view.getBigUint64(at, true));
      b = round(b, view.getBigUint64(at + 8, true));
      c = round(c, view.getBigUint64(at + 16, true));
      d = round(d, view.getBigUint64(at + 24, true));
    }
    hash = plus(plus(turned(a, 1n), turned(b, 7n)), plus(turned(c, 12n), turned(d, 18n)));
    hash = merged(merged(merged(merged(hash, a), b), c), d);
  }
  hash = plus(hash, BigInt(length));
  for (; at + 8 <= length; at += 8)
    hash = plus(times(turned(hash ^ round(0n, view.getBigUint64(at, true)), 27n), P1), P4);
  if (at + 4 <= length) {
    hash = plus(times(turned(hash ^ times(BigInt(view.getUint32(at, true)), P1), 23n), P2), P3);
    at += 4;
  }
  for (; at < length; at += 1) hash = times(turned(hash ^ times(BigInt(bytes[at] ?? 0), P5), 11n), P1);
  hash = times(hash ^ (hash >> 33n), P2);
  hash = times(hash ^ (hash >> 29n), P3);
  return hash ^ (hash >> 32n);
}

/** A pod, whatever else is known of it. */
interface Keyed {
  readonly key: Pick<ObjectKey, "namespace" | "name">;
}

/** Names of pods and namespaces are ASCII (RFC 1123). */
const hashOfText = (text: string, seed: bigint): bigint =>
  xxh64(
    Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
    seed,
  );
const KEPT_NAMESPACES = 1024;
const hashOfNamespace = memo(KEPT_NAMESPACES, (name) => hashOfText(name, 0n));
const hashOf = once(({ key }: Keyed): bigint => hashOfText(key.name, hashOfNamespace(key.namespace)));

/** The form and version in which `podSetFingerprint` writes. */
export const POD_SET_FINGERPRINT = /^pfp0v001[0-9a-f]{16}$/;

/**
 * The fingerprint of a set of pods, by namespace and name, as exporters of NodeResourceTopologies and scheduler-plugins compute it
 * (github.com/k8stopologyawareschedwg/podfingerprint, version v001): the hash of all their hashes in ascending order.
 */
export function podSetFingerprint(pods: readonly Keyed[]): string {
  const hashes = BigUint64Array.from(pods, hashOf).sort();
  const bytes = new DataView(new ArrayBuffer(hashes.length * 8));
  for (const [index, hash] of hashes.entries()) bytes.setBigUint64(index * 8, hash, true);
  return `pfp0v001${xxh64(new Uint8Array(bytes.buffer), 0n).toString(16).padStart(16, "0")}`;
}
