import { type Quantity as Amount, compareQuantities, formatQuantity, parseQuantity } from "../model/index.ts";

/** Opaque CEL types of Kubernetes: resource quantities and semantic versions. */
export class Quantity {
  readonly amount: Amount;
  constructor(amount: Amount) {
    this.amount = amount;
  }
  static parse(text: string): Quantity | undefined {
    const amount = parseQuantity(text);
    return amount === undefined ? undefined : new Quantity(amount);
  }
  compare(other: Quantity): number {
    return compareQuantities(this.amount, other.amount);
  }
  get text(): string {
    return formatQuantity(this.amount);
  }
}

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

export class Semver {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  /** `normalize` accepts what Kubernetes' lenient form does: a leading v, missing minor and patch, leading zeros. */
  static parse(text: string, normalize = false): Semver | undefined {
    if (text.length > 256) return undefined;
    const match = VERSION.exec(normalize ? normalized(text) : text);
    if (match === null) return undefined;
    const [, major = "0", minor = "0", patch = "0", prerelease] = match;
    return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], prerelease?.split(".") ?? []);
  }

  /** Precedence by semver.org 2.0.0; build metadata does not count. */
  compare(other: Semver): number {
    for (const index of [0, 1, 2] as const) {
      const [a, b] = [this.numbers[index], other.numbers[index]];
      if (a !== b) return a < b ? -1 : 1;
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0)
      return Math.sign(other.prerelease.length - this.prerelease.length);
    for (let index = 0; index < Math.max(this.prerelease.length, other.prerelease.length); index += 1) {
      const order = compareIdentifiers(this.prerelease[index], other.prerelease[index]);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  const [numericA, numericB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numericA && numericB) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (numericA !== numericB) return numericA ? -1 : 1;
  return a < b ? -1 : 1;
}

function normalized(text: string): string {
  const [, core = "", rest = ""] = /^v?([0-9.]*)(.*)$/.exec(text) ?? [];
  const parts = core.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  return `${parts.join(".")}${rest}`;
}
