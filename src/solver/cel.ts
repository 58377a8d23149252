import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { RE2JS } from "re2js";
import { type Checked, type Diagnostic, memo } from "../model/index.ts";
import type { DeviceFacts } from "../topology/index.ts";
import { MAX_COST, selectorCost } from "./cel-cost.ts";
import { children, isDomains, rewriteSelector } from "./cel-rewrite.ts";
import { Quantity, Semver } from "./cel-types.ts";

/** What a selector reads of a device. */
export type SelectorInput = Pick<DeviceFacts, "driver" | "attributes" | "capacity" | "allowMultipleAllocations">;

/** A compiled CEL selector of a device request or class. */
export interface DeviceSelector {
  readonly expression: string;
  /** `attributes/DOMAIN/NAME` and `capacity/DOMAIN/NAME` that it reads; undefined where that cannot be told. */
  readonly reads: readonly string[] | undefined;
  /** A string is the runtime error, which upstream answers by giving up on the pod. */
  matches(device: SelectorInput): boolean | { readonly fault: string };
}

/** resource/v1 CELSelectorExpressionMaxLength. */
const MAX_LENGTH = 10 * 1024;
/** Manifests bring selectors of their own: only the latest are kept. */
const KEPT = 64;
const LIMITS = { maxAstNodes: 2000, maxDepth: 64, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 8 };

/**
 * Compiles a CEL expression of the dialect of resource.k8s.io device selectors: `device.driver`, `device.attributes`,
 * `device.capacity`, quantities and semantic versions. Deviations from upstream are listed in test/conformance/cel-cases.json.
 */
export const compileSelector = memo(KEPT, compiled);

function compiled(expression: string): Checked<DeviceSelector> {
  if (expression.length > MAX_LENGTH)
    return refused(`the selector has ${expression.length} characters; at most ${MAX_LENGTH} are allowed`);
  const environment = selectorEnvironment();
  try {
    const original = environment.parse(expression);
    const cost = selectorCost(original.ast);
    if (cost > MAX_COST)
      return refused(`the selector may take ${cost} steps for one device; at most ${MAX_COST} are allowed`);
    const program = environment.parse(rewriteSelector(expression, original.ast));
    const checked = program.check();
    if (!checked.valid) return refused(firstLine(checked.error?.message ?? "it does not type-check"));
    if (checked.type !== "bool" && checked.type !== "dyn")
      return refused(`the selector must evaluate to bool, not ${checked.type ?? "nothing"}`);
    const matches = (device: SelectorInput): boolean | { readonly fault: string } => {
      try {
        const value: unknown = program({ device: celDevice(device) });
        return typeof value === "boolean" ? value : { fault: "it did not evaluate to true or false" };
      } catch (error) {
        return { fault: firstLine(error instanceof Error ? error.message : String(error)) };
      }
    };
    return { value: { expression, reads: readsOf(original.ast), matches }, diagnostics: [] };
  } catch (error) {
    return refused(firstLine(error instanceof Error ? error.message : String(error)));
  }
}

function refused(text: string): Checked<DeviceSelector> {
  const diagnostic: Diagnostic = {
    code: "SelectorInvalid",
    severity: "error",
    message: `device selector is not valid CEL for a device: ${text}`,
    hint: 'compare with the selectors in the DRA driver\'s documentation; attributes are read as device.attributes["DOMAIN"].NAME',
  };
  return { value: undefined, diagnostics: [diagnostic] };
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}

function celDevice(device: SelectorInput): Record<string, unknown> {
  const attributes: Record<string, Record<string, unknown>> = Object.create(null);
  for (const [domain, values] of Object.entries(device.attributes)) {
    const inner: Record<string, unknown> = Object.create(null);
    for (const [name, value] of Object.entries(values)) inner[name] = celValue(value);
    attributes[domain] = inner;
  }
  const capacity: Record<string, Record<string, unknown>> = Object.create(null);
  for (const [domain, values] of Object.entries(device.capacity)) {
    const inner: Record<string, unknown> = Object.create(null);
    for (const [name, value] of Object.entries(values)) inner[name] = new Quantity(value);
    capacity[domain] = inner;
  }
  // A domain that publishes only attributes has no capacity entry, and the other way round, as upstream.
  return { driver: device.driver, attributes, capacity, allowMultipleAllocations: device.allowMultipleAllocations };
}

function celValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value === "object" && value !== null && "version" in value) {
    const version = Semver.parse(String(value.version));
    if (version === undefined) throw new RangeError(`${String(value.version)} is not a semantic version`);
    return version;
  }
  return value;
}

/**
 * Every `device.attributes["d"].n` by name (an empty name: is the domain there), or undefined where the expression takes a map as a
 * whole. Devices that agree on these, driver and sharing need one evaluation.
 */
function readsOf(ast: ASTNode): readonly string[] | undefined {
  const reads = new Set<string>();
  let all = true;
  const visit = (node: ASTNode): void => {
    if (isDomains(node)) all = false;
    const path = readPath(node) ?? membership(node);
    if (path !== undefined) {
      reads.add(path);
      return;
    }
    for (const child of children(node)) visit(child);
  };
  visit(ast);
  return all ? [...reads].sort() : undefined;
}

function readPath(node: ASTNode): string | undefined {
  const outer = step(node);
  const inner = outer === undefined ? undefined : step(outer.object);
  if (outer === undefined || inner === undefined || !isDomains(inner.object) || inner.object.op !== ".")
    return undefined;
  return `${inner.object.args[1]}/${inner.key}/${outer.key}`;
}

/** `"d" in device.attributes` and `"n" in device.attributes["d"]`. */
function membership(node: ASTNode): string | undefined {
  if (node.op !== "in") return undefined;
  const [key, map] = node.args;
  if (key.op !== "value" || typeof key.args !== "string") return undefined;
  if (isDomains(map) && map.op === ".") return `${map.args[1]}/${key.args}/`;
  const inner = step(map);
  if (inner === undefined || !isDomains(inner.object) || inner.object.op !== ".") return undefined;
  return `${inner.object.args[1]}/${inner.key}/${key.args}`;
}

function step(node: ASTNode): { readonly object: ASTNode; readonly key: string } | undefined {
  if (node.op === "." || node.op === ".?") return { object: node.args[0], key: node.args[1] };
  if ((node.op === "[]" || node.op === "[?]") && node.args[1].op === "value" && typeof node.args[1].args === "string")
    return { object: node.args[0], key: node.args[1].args };
  return undefined;
}

function need<T>(value: T | undefined, text: string, what: string): T {
  if (value === undefined) throw new RangeError(`${JSON.stringify(text)} is not a ${what}`);
  return value;
}

function sign(order: number): bigint {
  return BigInt(Math.sign(order));
}

function selectorEnvironment(): Environment {
  const patterns = new Map<string, RE2JS>();
  const compiled = (pattern: string): RE2JS => {
    const known = patterns.get(pattern);
    if (known !== undefined) return known;
    const fresh = RE2JS.compile(pattern);
    if (patterns.size < 32) patterns.set(pattern, fresh);
    return fresh;
  };
  const found = (text: string, pattern: string): boolean => compiled(pattern).matcher(text).find();
  /** A negative limit is none. */
  const all = (text: string, pattern: string, limit = -1): readonly string[] => {
    const matcher = compiled(pattern).matcher(text);
    const list: string[] = [];
    while ((limit < 0 || list.length < limit) && matcher.find()) list.push(matcher.group() ?? "");
    return list;
  };
  return new Environment({
    enableOptionalTypes: true,
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  })
    .registerType("Quantity", Quantity)
    .registerType("Semver", Semver)
    .registerVariable({
      name: "device",
      schema: {
        driver: "string",
        attributes: "map<string, map<string, dyn>>",
        capacity: "map<string, map<string, Quantity>>",
        allowMultipleAllocations: "bool",
      },
    })
    .registerFunction("quantity(string): Quantity", (text: string) => need(Quantity.parse(text), text, "quantity"))
    .registerFunction("isQuantity(string): bool", (text: string) => Quantity.parse(text) !== undefined)
    .registerFunction("Quantity.compareTo(Quantity): int", (a: Quantity, b: Quantity) => sign(a.compare(b)))
    .registerFunction("Quantity.isGreaterThan(Quantity): bool", (a: Quantity, b: Quantity) => a.compare(b) > 0)
    .registerFunction("Quantity.isLessThan(Quantity): bool", (a: Quantity, b: Quantity) => a.compare(b) < 0)
    .registerFunction("Quantity.sign(): int", (a: Quantity) =>
      sign(Number(a.amount.nano > 0n) - Number(a.amount.nano < 0n)),
    )
    .registerFunction("Quantity.isInteger(): bool", (a: Quantity) => a.amount.nano % 1_000_000_000n === 0n)
    .registerFunction("Quantity.asInteger(): int", (a: Quantity) => {
      if (a.amount.nano % 1_000_000_000n !== 0n) throw new RangeError(`${a.text} is not a whole number`);
      return a.amount.nano / 1_000_000_000n;
    })
    .registerFunction("Quantity.asApproximateFloat(): double", (a: Quantity) => Number(a.amount.nano) / 1e9)
    .registerFunction("Quantity.add(Quantity): Quantity", (a: Quantity, b: Quantity) => plus(a, b.amount.nano))
    .registerFunction("Quantity.add(int): Quantity", (a: Quantity, b: bigint) => plus(a, b * 1_000_000_000n))
    .registerFunction("Quantity.sub(Quantity): Quantity", (a: Quantity, b: Quantity) => plus(a, -b.amount.nano))
    .registerFunction("Quantity.sub(int): Quantity", (a: Quantity, b: bigint) => plus(a, -b * 1_000_000_000n))
    .registerFunction("semver(string): Semver", (text: string) => need(Semver.parse(text), text, "semantic version"))
    .registerFunction("semver(string, bool): Semver", (text: string, normalize: boolean) =>
      need(Semver.parse(text, normalize), text, "semantic version"),
    )
    .registerFunction("isSemver(string): bool", (text: string) => Semver.parse(text) !== undefined)
    .registerFunction(
      "isSemver(string, bool): bool",
      (text: string, normalize: boolean) => Semver.parse(text, normalize) !== undefined,
    )
    .registerFunction("Semver.compareTo(Semver): int", (a: Semver, b: Semver) => sign(a.compare(b)))
    .registerFunction("Semver.isGreaterThan(Semver): bool", (a: Semver, b: Semver) => a.compare(b) > 0)
    .registerFunction("Semver.isLessThan(Semver): bool", (a: Semver, b: Semver) => a.compare(b) < 0)
    .registerFunction("Semver.major(): int", (a: Semver) => a.numbers[0])
    .registerFunction("Semver.minor(): int", (a: Semver) => a.numbers[1])
    .registerFunction("Semver.patch(): int", (a: Semver) => a.numbers[2])
    .registerOperator("Quantity == Quantity", (a: Quantity, b: Quantity) => a.compare(b) === 0)
    .registerOperator("Semver == Semver", (a: Semver, b: Semver) => a.compare(b) === 0)
    .registerFunction("string.find(string): string", (text: string, pattern: string) => {
      const matcher = compiled(pattern).matcher(text);
      return matcher.find() ? (matcher.group() ?? "") : "";
    })
    .registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) => all(text, pattern))
    .registerFunction("string.findAll(string, int): list<string>", (text: string, pattern: string, limit: bigint) =>
      all(text, pattern, Number(limit)),
    )
    .registerFunction("string.re2test(string): bool", found)
    .registerFunction("re2test(string, string): bool", found)
    .registerFunction("dyn.includes(dyn): bool", (value: unknown, sought: unknown) =>
      Array.isArray(value) ? value.some((one) => same(one, sought)) : same(value, sought),
    );
}

function plus(a: Quantity, nano: bigint): Quantity {
  return new Quantity({ nano: a.amount.nano + nano, format: a.amount.format });
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Semver && b instanceof Semver) return a.compare(b) === 0;
  return a === b;
}
