/** A small source of numbers that repeats for the same seed: mulberry32 (Tommy Ettinger, public domain). Not for secrets. */
export interface Random {
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** `length` digits of Kubernetes' own alphabet for generated names. */
  suffix(length: number): string;
}

const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick: (list) => list[below(list.length)] ?? list[0],
    chance: (probability) => next() < probability,
    suffix: (length) => Array.from({ length }, () => ALPHABET[below(ALPHABET.length)]).join(""),
  };
}
