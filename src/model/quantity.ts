/**
 * Resource quantities as Kubernetes parses, compares and prints them (k8s.io/apimachinery/pkg/api/resource).
 * Amounts are exact: a count of nano-units.
 */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

const NANO = 1_000_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d{1,9})?$/;
const LONGEST_TEXT = 200;
const LARGEST_EXPONENT = 999;

/**
 * Undefined for text that the API server would refuse. As upstream, blanks around it are ignored, missing digits read as zero (`.`, `Ki`),
 * fractions below a nano-unit round away from zero, and amounts with a binary suffix are capped at 2^63-1. Tighter than upstream in one
 * point: more than 200 characters, or an exponent beyond 999, are refused.
 */
export function parseQuantity(text: string | number): Quantity | undefined {
  const source = typeof text === "number" ? String(text) : text.length <= LONGEST_TEXT ? text.trim() : "";
  const match = source === "" ? null : SYNTAX.exec(source);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  let exponent = -fraction.length;
  let shift = 0;
  let format: QuantityFormat = "DecimalSI";
  if (Object.hasOwn(DECIMAL, suffix)) exponent += DECIMAL[suffix] ?? 0;
  else if (Object.hasOwn(BINARY, suffix)) {
    shift = BINARY[suffix] ?? 0;
    format = "BinarySI";
  } else {
    const written = Number(suffix.slice(1));
    if (Math.abs(written) > LARGEST_EXPONENT) return undefined;
    exponent += written;
    format = "DecimalExponent";
  }
  let nano = scale(BigInt(`0${whole}${fraction}`) << BigInt(shift), exponent + 9);
  if (format === "BinarySI" && nano > MAX_INT64 * NANO) nano = MAX_INT64 * NANO;
  // Upstream turns fractions of one unit to decimal at once, which shows in sums.
  if (format === "BinarySI" && nano > 0n && nano < NANO) format = "DecimalSI";
  return { nano: sign === "-" ? -nano : nano, format };
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The sum, in the format of the first (of the second where the first is zero). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/**
 * The canonical text, as the API server prints it: the largest suffix that leaves a whole number. Binary suffixes only for whole amounts of
 * at least 1024. (From 1000E on upstream drops the suffix and prints another amount; here E is the last one.)
 */
export function formatQuantity(quantity: Quantity): string {
  const negative = quantity.nano < 0n;
  const nano = negative ? -quantity.nano : quantity.nano;
  if (nano === 0n) return "0";
  const sign = negative ? "-" : "";
  if (quantity.format === "BinarySI" && nano % NANO === 0n && nano / NANO >= 1024n) {
    const [amount, steps] = reduce(nano / NANO, 1024n, 6);
    return `${sign}${amount}${["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"][steps]}`;
  }
  if (quantity.format === "DecimalExponent") {
    const [amount, steps] = reduce(nano, 1000n, LONGEST_TEXT + LARGEST_EXPONENT);
    return `${sign}${amount}${steps === 3 ? "" : `e${3 * steps - 9}`}`;
  }
  const [amount, steps] = reduce(nano, 1000n, 9);
  return `${sign}${amount}${["n", "u", "m", "", "k", "M", "G", "T", "P", "E"][steps]}`;
}

/** The scheduler's unit: cpu in millicores, everything else in whole units, rounded up, capped at 2^63-1. */
export function schedulerUnits(resource: string, quantity: Quantity): number {
  const unit = resource === "cpu" ? NANO / 1000n : NANO;
  const floor = quantity.nano / unit;
  const units = quantity.nano > 0n && quantity.nano % unit !== 0n ? floor + 1n : floor;
  return Number(units > MAX_INT64 ? MAX_INT64 : units < -MAX_INT64 ? -MAX_INT64 : units);
}

/** Undoes `schedulerUnits` for printing: millicores as cpu (95.69 rather than 95690m), bytes in the largest binary suffix that divides them. */
export function unitsText(resource: string, units: number): string {
  if (!Number.isFinite(units)) return String(units);
  if (resource === "cpu")
    return Math.abs(units) > 1000
      ? String(Math.round(units) / 1000)
      : formatQuantity({ nano: BigInt(Math.round(units)) * 1_000_000n, format: "DecimalSI" });
  const binary = resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
  return formatQuantity({ nano: BigInt(Math.round(units)) * NANO, format: binary ? "BinarySI" : "DecimalSI" });
}

function reduce(value: bigint, base: bigint, most: number): readonly [bigint, number] {
  let amount = value;
  let steps = 0;
  while (steps < most && amount % base === 0n) {
    amount /= base;
    steps += 1;
  }
  return [amount, steps];
}

function scale(value: bigint, exponent: number): bigint {
  if (value === 0n) return 0n;
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return value % divisor === 0n ? value / divisor : value / divisor + 1n;
}
