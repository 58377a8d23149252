import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseQuantity } from "../../src/model/index.ts";
import { compileSelector, type SelectorInput } from "../../src/solver/index.ts";

type Outcome = "match" | "noMatch" | "runtimeError" | "compileError";
type Value = string | number | boolean | { readonly semver: string } | readonly (string | number | boolean)[];
interface Case {
  readonly name: string;
  readonly expression: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly want: Outcome;
}

const DOMAIN = "dra.example.com";
const file = JSON.parse(readFileSync(new URL("../conformance/cel-cases.json", import.meta.url), "utf8")) as {
  readonly cases: readonly Case[];
  readonly gaps: readonly { readonly name: string; readonly got: Outcome; readonly reason: string }[];
};

function outcome(expression: string, device: SelectorInput): Outcome {
  const { value } = compileSelector(expression);
  if (value === undefined) return "compileError";
  const result = value.matches(device);
  return typeof result === "object" ? "runtimeError" : result ? "match" : "noMatch";
}

function deviceOf({ attributes, capacity }: Pick<Case, "attributes" | "capacity">): SelectorInput {
  const values = Object.entries(attributes).map(([key, value]) => {
    const version = typeof value === "object" && "semver" in value ? { version: value.semver } : value;
    return [key, version] as const;
  });
  const amounts = Object.entries(capacity).map(
    ([key, text]) => [key, parseQuantity(text) ?? { nano: 0n, format: "DecimalSI" as const }] as const,
  );
  return {
    driver: DOMAIN,
    attributes: values.length === 0 ? {} : { [DOMAIN]: Object.fromEntries(values) },
    capacity: amounts.length === 0 ? {} : { [DOMAIN]: Object.fromEntries(amounts) },
    allowMultipleAllocations: false,
  };
}

describe("CEL selectors of devices, against the cases of upstream's dialect", () => {
  const gaps = new Map(file.gaps.map((gap) => [gap.name, gap]));

  test.each(file.cases)("$name: $expression", (one) => {
    const gap = gaps.get(one.name);
    expect(outcome(one.expression, deviceOf(one))).toBe(gap?.got ?? one.want);
  });

  test("a gap is a case whose outcome differs, with a reason", () => {
    for (const { name, got, reason } of file.gaps) {
      const found = file.cases.find((one) => one.name === name);
      expect(found, name).toBeDefined();
      expect(found?.want, `${name} is no gap any more`).not.toBe(got);
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});

describe("what a selector may cost", () => {
  const device = deviceOf({ attributes: { name: "a".repeat(64) }, capacity: {} });

  test("an expression above 10 KiB is refused", () => {
    const { value, diagnostics } = compileSelector(`device.driver == "${"x".repeat(11_000)}"`);
    expect(value).toBeUndefined();
    expect(diagnostics[0]?.message).toContain("at most 10240 are allowed");
  });

  test("nested comprehensions beyond a million steps are refused before they run", () => {
    const list = `[${Array.from({ length: 200 }, (_, index) => index).join(",")}]`;
    expect(outcome(`${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`, device)).toBe("compileError");
  });

  test("text doubled again and again by bindings is refused before it grows", () => {
    let expression = "true";
    for (let depth = 24; depth > 0; depth -= 1)
      expression = `cel.bind(v${depth}, v${depth - 1} + v${depth - 1}, ${expression})`;
    expect(outcome(`cel.bind(v0, "xxxxxxxx", ${expression})`, device)).toBe("compileError");
  });

  test("a pattern that backtracks elsewhere is linear here", () => {
    const expression = `device.attributes["${DOMAIN}"].name.matches("^(a+)+$")`;
    expect(outcome(expression, device)).toBe("match");
    expect(outcome(expression, deviceOf({ attributes: { name: `${"a".repeat(63)}!` }, capacity: {} }))).toBe("noMatch");
  });

  test("a selector says what it reads, so that like devices are evaluated once", () => {
    const read = (expression: string) => compileSelector(expression).value?.reads;
    expect(read('device.attributes["a.b"].model == "x" && device.capacity["a.b"].memory.sign() > 0')).toEqual([
      "attributes/a.b/model",
      "capacity/a.b/memory",
    ]);
    expect(read('"a.b" in device.attributes')).toEqual(["attributes/a.b/"]);
    expect(read('device.attributes.exists(d, d == "a.b")')).toBeUndefined();
  });
});

test.each([
  ["1.0.0-rc.1", "==", "1.0.0-rc.1"],
  ["1.0.0-rc.1", "<", "1.0.0-rc.2"],
  ["1.0.0-rc.2", "<", "1.0.0-rc.10"],
  ["1.0.0-rc", "<", "1.0.0-rc.1"],
  ["1.0.0-rc.1", "<", "1.0.0"],
  ["1.0.0-2", "<", "1.0.0-1a"],
  ["1.0.0-1a", "<", "1.0.0-1b"],
] as const)("the version %s is %s %s, by what comes before a release", (one, operator, other) => {
  const version = `device.attributes["${DOMAIN}"].version`;
  const device = deviceOf({ attributes: { version: { semver: one } }, capacity: {} });
  const compared = {
    "==": `${version}.compareTo(semver("${other}")) == 0`,
    "<": `${version}.isLessThan(semver("${other}"))`,
  };
  expect(outcome(compared[operator], device)).toBe("match");
  const turned = deviceOf({ attributes: { version: { semver: other } }, capacity: {} });
  expect(outcome(`${version}.isLessThan(semver("${one}"))`, turned)).toBe("noMatch");
});

test("whole numbers are integers of CEL, which divide with a rest", () => {
  const device = deviceOf({ attributes: { slot: 6 }, capacity: {} });
  expect(outcome(`device.attributes["${DOMAIN}"].slot % 4 == 2`, device)).toBe("match");
});
