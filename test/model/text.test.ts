import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  atLeast,
  canonicalJson,
  digest,
  durationText,
  type Json,
  type JsonObject,
  jsonEqual,
  parseDuration,
  parseJvmMemory,
  parseRung,
  parseVersion,
  rungText,
  stringMapAt,
  toPointer,
  toText,
  valueAt,
  versionText,
} from "../../src/model/index.ts";
import { runs } from "../support/runs.ts";

describe("durations", () => {
  test.each([
    ["1h30m", 5_400_000],
    ["500ms", 500],
    ["12h", 43_200_000],
    ["1.5h", 5_400_000],
    [".5s", 500],
    ["250us", 0.25],
    ["0", 0],
    ["+2m", 120_000],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(["", "5", "1d", "-1h", "1 h", "h", ".h", "1h 30m", "1e3s", "99999999999h", "1h".repeat(40)])(
    "%s is no duration",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test("the printed form parses to the same milliseconds", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 - 1 }), (ms) => parseDuration(durationText(ms)) === ms),
      runs(100),
    );
    expect(durationText(43_200_000)).toBe("12h");
    expect(durationText(0)).toBe("0s");
    expect(durationText(Number.POSITIVE_INFINITY)).toBe("forever");
  });
});

describe("memory in the JVM dialect", () => {
  test.each([
    ["2048m", undefined, 2 ** 31],
    ["2g", undefined, 2 ** 31],
    ["512K", undefined, 2 ** 19],
    ["1t", undefined, 2 ** 40],
    ["1 gb", undefined, 2 ** 30],
    ["3 mebibytes", undefined, 3 * 2 ** 20],
    ["1024", undefined, 1024],
    ["1024", "m" as const, 2 ** 30],
  ])("%s with plain unit %s is %d bytes", (text, unit, bytes) => {
    expect(parseJvmMemory(text, unit)).toBe(bytes);
  });

  test.each(["2Gi", "1.5g", "-1g", "", "g", "1 constructor", "9999999999999p"])("%s is none", (text) => {
    expect(parseJvmMemory(text)).toBeUndefined();
  });
});

describe("versions", () => {
  test.each([
    ["v1.37.2", "1.37.2"],
    ["1.37", "1.37.0"],
    ["1.36+", "1.36.0"],
    ["v1.37.2-gke.100", "1.37.2"],
    ["1.37.0+rke2r1", "1.37.0"],
  ])("%s reads as %s", (text, printed) => {
    const version = parseVersion(text);
    expect(version === undefined ? undefined : versionText(version)).toBe(printed);
  });
  test.each(["", "1", "1.x", "v1.37.2.4x", "latest"])("%s is no version", (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
  test("at least compares major, then minor", () => {
    const version = { major: 1, minor: 36, patch: 9 };
    expect([atLeast(version, 1, 36), atLeast(version, 1, 37), atLeast(version, 0, 99), atLeast(version, 2, 0)]).toEqual(
      [true, false, true, false],
    );
  });
});

describe("rungs", () => {
  test("the text of a rung parses to it", () => {
    const rung = fc.record({
      accelerator: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,20}$/),
      capacityType: fc.constantFrom("reserved" as const, "on-demand" as const, "spot" as const),
      source: fc.constantFrom("existing" as const, "new" as const),
    });
    fc.assert(
      fc.property(rung, (one) => {
        expect(parseRung(rungText(one))).toEqual(one);
      }),
      runs(100),
    );
  });
  test.each(["h100/spot", "h100/spot/old", "H100/spot/new", "/spot/new", "h100/spot/new/x", ""])(
    "%s is no rung",
    (text) => {
      expect(parseRung(text)).toBeUndefined();
    },
  );
});

const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe("JSON", () => {
  test("equality agrees with canonical text, and with digests", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(jsonEqual(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(jsonEqual(a, JSON.parse(canonicalJson(a)) as Json)).toBe(true);
        expect(digest(a) === digest(b)).toBe(jsonEqual(a, b));
      }),
      runs(100),
    );
  });

  test("the order of keys and keys without value make no difference, the order of lists does", () => {
    expect(jsonEqual({ a: 1, b: [1, 2], c: undefined }, { b: [1, 2], a: 1 })).toBe(true);
    expect(canonicalJson({ a: 1, b: [1, 2], c: undefined })).toBe('{"a":1,"b":[1,2]}');
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
    expect(jsonEqual({ a: null }, {})).toBe(false);
    expect(jsonEqual([], {})).toBe(false);
  });

  test("a hundred thousand levels do not overflow the stack", () => {
    const nested = (): Json => {
      let value: Json = 1;
      for (let level = 0; level < 100_000; level += 1) value = level % 2 === 0 ? [value] : { a: value };
      return value;
    };
    expect(jsonEqual(nested(), nested())).toBe(true);
    expect(canonicalJson(nested()).length).toBe(50_000 * "[]".length + 50_000 * '{"a":}'.length + 1);
  });

  test("keys of the object prototype are only values where the document has them", () => {
    const document = JSON.parse('{"labels":{"__proto__":"x","toString":"y"}}') as JsonObject;
    expect(valueAt(document, ["constructor"])).toBeUndefined();
    expect(valueAt({}, ["__proto__", "polluted"])).toBeUndefined();
    expect(Object.entries(stringMapAt(document, ["labels"]))).toEqual([
      ["__proto__", "x"],
      ["toString", "y"],
    ]);
    expect(jsonEqual(document, { labels: {} })).toBe(false);
  });

  test("a digest is hexadecimal of the length asked for, and stable", () => {
    expect(digest({ b: 1, a: "x" })).toBe(digest({ a: "x", b: 1 }));
    expect(digest(null, 8)).toMatch(/^[0-9a-f]{8}$/);
    expect(digest({ a: 1 })).toBe("015abd7f5cc5");
  });

  test("paths print as pointers and as text", () => {
    const path = ["metadata", "annotations", "a/b~c", 0];
    expect(toPointer(path)).toBe("/metadata/annotations/a~1b~0c/0");
    expect(toText(path)).toBe('metadata.annotations["a/b~c"][0]');
    expect([toPointer([]), toText([])]).toEqual(["", "(document)"]);
  });
});
