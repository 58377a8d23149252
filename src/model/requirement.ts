/**
 * One algebra for nodeSelector, node affinity, label selectors and class selections: a requirement is the set of
 * values that a label may have, with "absent" as one more possible value. Intersection and union stay inside it.
 */
export type Operator = "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";

export interface Requirement {
  readonly key: string;
  /** Is a missing label allowed. */
  readonly absent: boolean;
  /** false: `values` are the allowed ones; true: every value but these is allowed. */
  readonly complement: boolean;
  /** Sorted, without duplicates. */
  readonly values: readonly string[];
  /** Exclusive integer bounds; a value that is not an integer fails them. */
  readonly above?: number;
  readonly below?: number;
}

/** Requirements that must all hold, by key. */
export type Requirements = ReadonlyMap<string, Requirement>;

/** Alternatives (node affinity terms are ORed), each a conjunction. An empty list matches nothing. */
export type NodeSelection = readonly Requirements[];

/** The pseudo label under which a node's name is selected (matchFields). */
export const NODE_NAME_FIELD = "metadata.name";

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

/** A requirement from one expression. Throws on an operand that the API server would refuse; check first. */
export function requirement(key: string, operator: Operator, values: readonly string[] = []): Requirement {
  switch (operator) {
    case "In":
      return { key, absent: false, complement: false, values: sorted(values) };
    case "NotIn":
      return { key, absent: true, complement: true, values: sorted(values) };
    case "Exists":
      return { key, absent: false, complement: true, values: [] };
    case "DoesNotExist":
      return { key, absent: true, complement: false, values: [] };
    case "Gt":
    case "Lt": {
      const bound = integerLabel(values[0]);
      if (bound === undefined || values.length !== 1)
        throw new RangeError(`${operator} takes one integer, not ${values.join(", ")}`);
      return {
        key,
        absent: false,
        complement: true,
        values: [],
        ...(operator === "Gt" ? { above: bound } : { below: bound }),
      };
    }
  }
}

/** Does a node or object with this label value (undefined: no such label) meet the requirement. */
export function allows(requirement: Requirement, value: string | undefined): boolean {
  if (value === undefined) return requirement.absent;
  if (requirement.values.includes(value) === requirement.complement) return false;
  if (requirement.above === undefined && requirement.below === undefined) return true;
  const number = integerLabel(value);
  if (number === undefined) return false;
  return number > (requirement.above ?? -Infinity) && number < (requirement.below ?? Infinity);
}

export function allowsLabels(requirements: Requirements, labels: Readonly<Record<string, string>>): boolean {
  for (const one of requirements.values())
    if (!allows(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined)) return false;
  return true;
}

/** Both hold. The keys must be equal. Equal sets come out in equal form. */
export function intersect(a: Requirement, b: Requirement): Requirement {
  const absent = a.absent && b.absent;
  const limits = bounds(maximum(a.above, b.above), minimum(a.below, b.below));
  if (a.complement && b.complement) {
    return normal({ key: a.key, absent, complement: true, values: sorted([...a.values, ...b.values]), ...limits });
  }
  const [finite, other] = a.complement ? [b, a] : [a, b];
  const values = finite.values.filter((value) => allows(finite, value) && allows(other, value));
  return { key: a.key, absent, complement: false, values };
}

/**
 * Either holds. The keys must be equal. Undefined where the union is no single requirement (two separate ranges, a range and a value outside
 * it). Without Gt and Lt there always is one.
 */
export function union(a: Requirement, b: Requirement): Requirement | undefined {
  const absent = a.absent || b.absent;
  const allowed = (value: string) => allows(a, value) || allows(b, value);
  if (!a.complement && !b.complement) {
    return { key: a.key, absent, complement: false, values: sorted([...a.values, ...b.values]).filter(allowed) };
  }
  const values = sorted([...a.values, ...b.values]).filter((value) => !allowed(value));
  if (a.complement && b.complement) {
    const limits = unionBounds(a, b);
    return limits === undefined ? undefined : normal({ key: a.key, absent, complement: true, values, ...limits });
  }
  const [finite, infinite] = a.complement ? [b, a] : [a, b];
  const whole = { ...infinite, values: [] };
  if (!finite.values.every((value) => !allows(finite, value) || allows(whole, value))) return undefined;
  return normal({ ...infinite, absent, values });
}

/** Can no value, nor absence, meet it. */
export function isEmpty(requirement: Requirement): boolean {
  if (requirement.absent) return false;
  if (!requirement.complement) return !requirement.values.some((value) => allows(requirement, value));
  const { above, below } = requirement;
  if (above === undefined || below === undefined) return false;
  // Every integer between the bounds can be written in several ways ("7", "07"), and each must be ruled out by name.
  for (let number = above + 1; number < below; number += 1) {
    for (const spelling of spellings(number)) if (!requirement.values.includes(spelling)) return false;
  }
  return true;
}

/** Adds a requirement to a conjunction. */
export function addTo(requirements: Requirements, added: Requirement): Requirements {
  const result = new Map(requirements);
  const present = result.get(added.key);
  result.set(added.key, present === undefined ? added : intersect(present, added));
  return result;
}

export function conjunction(list: Iterable<Requirement>): Requirements {
  let result: Requirements = new Map();
  for (const one of list) result = addTo(result, one);
  return result;
}

/** The form used in messages, close to what kubectl prints. */
export function requirementText(requirement: Requirement): string {
  const { key, absent, complement, values, above, below } = requirement;
  const list = values.length === 1 ? values[0] : `(${values.join(", ")})`;
  const excluded = values.length === 0 ? "" : `${values.length === 1 ? "!=" : "not in"} ${list}`;
  if (!isUnbounded(requirement)) {
    const parts = [above === undefined ? "" : `> ${above}`, below === undefined ? "" : `< ${below}`, excluded];
    const range = parts.filter(Boolean).map((part) => `${key} ${part}`);
    return `${range.join(" and ")}${absent ? " or absent" : ""}`;
  }
  if (complement) {
    if (values.length === 0) return absent ? `any ${key}` : `${key} present`;
    return `${key} ${excluded}${absent ? "" : ", present"}`;
  }
  if (values.length === 0) return absent ? `no ${key}` : `${key} in ()`;
  return `${key} ${values.length === 1 ? "=" : "in"} ${list}${absent ? " or absent" : ""}`;
}

/** One range that covers both; undefined where it would cover more. Bounds also exclude what is no integer, so two open ends cannot meet. */
function unionBounds(a: Requirement, b: Requirement): Bounds | undefined {
  if (isUnbounded(a) || isUnbounded(b)) return {};
  const [low, high] = (a.above ?? -Infinity) <= (b.above ?? -Infinity) ? [a, b] : [b, a];
  if ((high.above ?? -Infinity) >= (low.below ?? Infinity)) return undefined;
  const above = low.above;
  const below = (low.below ?? Infinity) > (high.below ?? Infinity) ? low.below : high.below;
  return above === undefined && below === undefined ? undefined : bounds(above, below);
}

interface Bounds {
  readonly above?: number;
  readonly below?: number;
}

function bounds(above: number | undefined, below: number | undefined): Bounds {
  return { ...(above === undefined ? {} : { above }), ...(below === undefined ? {} : { below }) };
}

function isUnbounded(requirement: Requirement): boolean {
  return requirement.above === undefined && requirement.below === undefined;
}

/** Leaves out exclusions that the bounds imply; a range without integers becomes the empty list. */
function normal(requirement: Requirement): Requirement {
  const { key, absent, above, below } = requirement;
  if (above !== undefined && below !== undefined && above + 1 >= below)
    return { key, absent, complement: false, values: [] };
  if (isUnbounded(requirement)) return requirement;
  const within = { ...requirement, values: [] };
  return { ...requirement, values: requirement.values.filter((value) => allows(within, value)) };
}

const MOST_DIGITS = 15;

function* spellings(number: number): Generator<string> {
  const [sign, plain] = [number < 0 ? "-" : "", String(Math.abs(number))];
  for (let length = plain.length; length <= MOST_DIGITS; length += 1) {
    yield sign + plain.padStart(length, "0");
    if (number === 0) yield `-${plain.padStart(length, "0")}`;
  }
}

/** Labels hold up to 63 characters; longer numbers than 15 digits are not compared. */
function integerLabel(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}
const maximum = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
const minimum = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
