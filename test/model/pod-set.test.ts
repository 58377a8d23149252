import { describe, expect, test } from "vitest";
import { podSetFingerprint, xxh64 } from "../../src/model/index.ts";
import { cluster } from "../support/cluster.ts";

const podsOf = (...names: readonly (readonly [namespace: string, name: string])[]) => {
  const builder = cluster().node("n");
  for (const [namespace, name] of names) builder.pod(name, (pod) => pod.namespace(namespace).on("n"));
  return builder.topology().podsOn[0] ?? [];
};

describe("XXH64", () => {
  test.each([
    ["", 0n, 0xef46db3751d8e999n],
    ["a", 0n, 0xd24ec4f1a98c6e5bn],
    ["abc", 0n, 0x44bc2cf5ad770999n],
    ["Nobody inspects the spammish repetition", 0n, 0xfbcea83c8a378bf1n],
  ])("of %j", (text, seed, expected) => {
    expect(xxh64(new TextEncoder().encode(text), seed)).toBe(expected);
  });
});

describe("the fingerprint of a set of pods", () => {
  const three = [
    ["team-a", "train-0"],
    ["team-b", "train-0"],
    ["kube-system", "a-device-plugin-with-a-long-name-x7k2p"],
  ] as const;

  test("is what the Go package writes, whatever the order", () => {
    expect(podSetFingerprint(podsOf(...three))).toBe("pfp0v001c1e908ace3aac042");
    expect(podSetFingerprint([...podsOf(...three)].reverse())).toBe("pfp0v001c1e908ace3aac042");
    expect(podSetFingerprint([])).toBe("pfp0v001ef46db3751d8e999");
  });

  test("tells sets apart", () => {
    const [first, second, third] = three;
    const sets = [[], [first], [second], [first, second], [first, third], three];
    expect(new Set(sets.map((names) => podSetFingerprint(podsOf(...names)))).size).toBe(sets.length);
  });
});
