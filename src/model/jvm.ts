/**
 * Memory as the JVM engines write it. Flink (MemorySize) and Spark (JavaUtils.byteStringAs) read "2048m" as mebibytes, where
 * Kubernetes would read two bytes, and "2g" as gibibytes.
 */
export type JvmUnit = "b" | "k" | "m" | "g" | "t" | "p";

const BYTES: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40, p: 2 ** 50 };
const WORDS: Readonly<Record<string, JvmUnit>> = {
  bytes: "b",
  kibibytes: "k",
  mebibytes: "m",
  gibibytes: "g",
  tebibytes: "t",
  kb: "k",
  mb: "m",
  gb: "g",
  tb: "t",
  pb: "p",
};

/**
 * Bytes; undefined for text that the engine would refuse (fractions, signs, `2Gi`). A plain number counts in `plainUnit`: bytes for
 * Flink, mebibytes for Spark's memory and memoryOverhead.
 */
export function parseJvmMemory(text: string, plainUnit: JvmUnit = "b"): number | undefined {
  const match = /^\s*(\d{1,18})\s*([a-z]{0,9})\s*$/i.exec(text);
  if (match === null) return undefined;
  const word = (match[2] ?? "").toLowerCase();
  const unit = word === "" ? plainUnit : Object.hasOwn(WORDS, word) ? WORDS[word] : word;
  const size = unit !== undefined && Object.hasOwn(BYTES, unit) ? BYTES[unit] : undefined;
  if (size === undefined) return undefined;
  const bytes = Number(match[1]) * size;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
