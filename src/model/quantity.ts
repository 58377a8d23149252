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
const MAX = (2n ** 63n - 1n) * NANO;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, bigint>> = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
};

/** Undefined for text that the API server would refuse. Fractions below a nano-unit round away from zero; amounts above 2^63-1 are capped. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const source = typeof text === "number" ? numberText(text) : text;
  if (source === undefined || source.length > 100) return undefined;
  const match = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:([eE])([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(source);
  if (match === null) return undefined;
  const [, sign, digits = "", exponentMark, exponentText, suffix = ""] = match;
  const [whole = "", fraction = ""] = digits.split(".");
  const mantissa = BigInt(whole + fraction || "0");
  const binary = BINARY[suffix];
  let exponent = -fraction.length;
  if (exponentMark !== undefined) exponent += Number(exponentText);
  else if (binary === undefined) exponent += DECIMAL[suffix] ?? 0;
  const scaled = scale(mantissa * (binary ?? 1n), exponent + 9);
  const capped = scaled > MAX ? MAX : scaled;
  const format: QuantityFormat =
    exponentMark !== undefined ? "DecimalExponent" : binary !== undefined ? "BinarySI" : "DecimalSI";
  return { nano: sign === "-" ? -capped : capped, format };
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The sum, in the format of the first (of the second where the first is zero). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** The canonical text, as the API server prints it. */
export function formatQuantity(quantity: Quantity): string {
  const negative = quantity.nano < 0n;
  const nano = negative ? -quantity.nano : quantity.nano;
  if (nano === 0n) return "0";
  const sign = negative ? "-" : "";
  // Binary suffixes only for whole amounts of at least 1024; Kubernetes falls back to decimal below.
  if (quantity.format === "BinarySI" && nano % NANO === 0n && nano / NANO >= 1024n) {
    let amount = nano / NANO;
    let index = 0;
    while (index < 6 && amount % 1024n === 0n) {
      amount /= 1024n;
      index += 1;
    }
    return `${sign}${amount}${["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"][index]}`;
  }
  let amount = nano;
  let exponent = -9;
  while (exponent < 18 && amount % 1000n === 0n) {
    amount /= 1000n;
    exponent += 3;
  }
  if (quantity.format === "DecimalExponent") return `${sign}${amount}${exponent === 0 ? "" : `e${exponent}`}`;
  const suffix = Object.entries(DECIMAL).find(([, power]) => power === exponent)?.[0] ?? "";
  return `${sign}${amount}${suffix}`;
}

/** The scheduler's unit: cpu in millicores, everything else in whole units, rounded up. */
export function schedulerUnits(resource: string, quantity: Quantity): number {
  const unit = resource === "cpu" ? NANO / 1000n : NANO;
  const units = quantity.nano / unit;
  return Number(quantity.nano > 0n && quantity.nano % unit !== 0n ? units + 1n : units);
}

/** Undoes `schedulerUnits` for printing: millicores as cpu, bytes in the largest binary suffix that divides them. */
export function unitsText(resource: string, units: number): string {
  if (resource === "cpu") return formatQuantity({ nano: BigInt(Math.round(units)) * 1_000_000n, format: "DecimalSI" });
  const binary = resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
  return formatQuantity({ nano: BigInt(Math.round(units)) * NANO, format: binary ? "BinarySI" : "DecimalSI" });
}

function scale(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return exponent > 60 ? (value === 0n ? 0n : MAX + 1n) : value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return value % divisor === 0n ? value / divisor : value / divisor + 1n;
}

function numberText(value: number): string | undefined {
  return Number.isFinite(value) ? String(value) : undefined;
}
