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

/** Both hold. The keys must be equal. */
export function intersect(a: Requirement, b: Requirement): Requirement {
  const above = maximum(a.above, b.above);
  const below = minimum(a.below, b.below);
  const bounds = { ...(above === undefined ? {} : { above }), ...(below === undefined ? {} : { below }) };
  const absent = a.absent && b.absent;
  const base = { key: a.key, absent, ...bounds };
  if (a.complement && b.complement) return { ...base, complement: true, values: sorted([...a.values, ...b.values]) };
  const [finite, other] = a.complement ? [b, a] : [a, b];
  const present = { ...base, absent: false, complement: true, values: [] as string[] };
  const values = finite.values.filter(
    (value) => other.values.includes(value) !== other.complement && allows(present, value),
  );
  return { key: a.key, absent, complement: false, values };
}

/** Can no value, nor absence, meet it. */
export function isEmpty(requirement: Requirement): boolean {
  if (requirement.absent) return false;
  if (!requirement.complement) return !requirement.values.some((value) => allows(requirement, value));
  const { above, below } = requirement;
  if (above === undefined || below === undefined) return false;
  for (let number = above + 1; number < below; number += 1) {
    if (!requirement.values.includes(String(number))) return false;
    if (number - above > requirement.values.length + 1) return false;
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
  if (above !== undefined || below !== undefined) {
    return [above === undefined ? "" : `${key} > ${above}`, below === undefined ? "" : `${key} < ${below}`]
      .filter(Boolean)
      .join(" and ");
  }
  if (!complement && values.length === 0) return absent ? `no ${key}` : `${key} in ()`;
  if (complement && values.length === 0) return absent ? `any ${key}` : `${key} present`;
  const list = values.length === 1 ? values[0] : `(${values.join(", ")})`;
  if (complement) return `${key} ${values.length === 1 ? "!=" : "not in"} ${list}${absent ? "" : ", present"}`;
  return `${key} ${values.length === 1 ? "=" : "in"} ${list}${absent ? " or absent" : ""}`;
}

function integerLabel(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}
const maximum = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);
const minimum = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
