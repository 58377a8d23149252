import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  schedulerUnits,
  unitsText,
} from "../../src/model/index.ts";
import table from "../fixtures/quantities.json" with { type: "json" };
import { runs } from "../support/runs.ts";

interface Row {
  readonly text: string;
  readonly canonical?: string;
  readonly nano?: string;
  readonly milli?: string;
  readonly units?: string;
}
const rows: readonly Row[] = table.quantities;

function parsed(text: string | number): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} does not parse`);
  return quantity;
}

describe("against the table that apimachinery itself computed", () => {
  test("the same texts parse and the same are refused", () => {
    const differing = rows.filter((row) => (parseQuantity(row.text) === undefined) !== (row.canonical === undefined));
    expect(differing).toEqual([]);
    expect(rows.filter((row) => row.canonical === undefined).length).toBeGreaterThan(30);
  });

  test("the exact amount, the canonical text, and both scheduler units agree", () => {
    const accepted = rows.filter((row) => row.canonical !== undefined);
    expect(accepted.length).toBeGreaterThan(400);
    for (const row of accepted) {
      const quantity = parsed(row.text);
      const seen = {
        text: row.text,
        canonical: formatQuantity(quantity),
        ...(row.nano === undefined ? {} : { nano: String(quantity.nano) }),
        ...(row.milli === undefined ? {} : { milli: schedulerUnits("cpu", quantity) }),
        ...(row.units === undefined ? {} : { units: schedulerUnits("memory", quantity) }),
      };
      expect(seen).toEqual({
        ...row,
        ...(row.milli === undefined ? {} : { milli: Number(row.milli) }),
        ...(row.units === undefined ? {} : { units: Number(row.units) }),
      });
    }
  });

  test("sums take the format that upstream gives them", () => {
    for (const [a = "", b = "", sum] of table.sums) {
      expect([a, b, formatQuantity(addQuantities(parsed(a), parsed(b)))]).toEqual([a, b, sum]);
    }
  });
});

const digits = fc.stringMatching(/^\d{1,18}$/);
const texts = fc
  .record({
    sign: fc.constantFrom("", "-", "+"),
    whole: digits,
    fraction: fc.option(fc.stringMatching(/^\d{0,12}$/), { nil: undefined }),
    suffix: fc.constantFrom(
      "",
      "n",
      "u",
      "m",
      "k",
      "M",
      "G",
      "T",
      "P",
      "E",
      "Ki",
      "Mi",
      "Gi",
      "Ti",
      "Pi",
      "Ei",
      "e3",
      "E-7",
      "e+12",
      "e-1",
      "e40",
    ),
  })
  .map((part) => ({
    ...part,
    text: `${part.sign}${part.whole}${part.fraction === undefined ? "" : `.${part.fraction}`}${part.suffix}`,
  }));

describe("laws", () => {
  test("the canonical text parses to the same amount and is its own canonical text", () => {
    fc.assert(
      fc.property(texts, ({ text }) => {
        const quantity = parsed(text);
        const canonical = formatQuantity(quantity);
        expect(parsed(canonical).nano).toBe(quantity.nano);
        // Without a suffix the text no longer tells that it was in powers of two, as upstream.
        expect(formatQuantity({ ...parsed(canonical), format: quantity.format })).toBe(canonical);
      }),
      runs(2000),
    );
  });

  test("comparison agrees with the exact rational numbers", () => {
    const powers: Record<string, [bigint, bigint]> = {};
    for (const [index, suffix] of ["n", "u", "m", "", "k", "M", "G"].entries())
      powers[suffix] = [10n ** BigInt(index * 3), 10n ** 9n];
    for (const [index, suffix] of ["Ki", "Mi", "Gi"].entries()) powers[suffix] = [2n ** BigInt(10 * (index + 1)), 1n];
    // Up to nine decimals of a base unit, so that nothing is rounded away.
    const exact = fc.record({
      whole: fc.bigInt(0n, 10n ** 6n),
      fraction: fc.bigInt(0n, 999n),
      suffix: fc.constantFrom("u", "m", "", "k", "M", "G", "Ki", "Mi", "Gi"),
    });
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        const rational = (x: typeof a): [bigint, bigint] => {
          const [up, down] = powers[x.suffix] ?? [1n, 1n];
          return [(x.whole * 1000n + x.fraction) * up, 1000n * down];
        };
        const text = (x: typeof a) => `${x.whole}.${String(x.fraction).padStart(3, "0")}${x.suffix}`;
        const [[an, ad], [bn, bd]] = [rational(a), rational(b)];
        const expected = an * bd < bn * ad ? -1 : an * bd > bn * ad ? 1 : 0;
        expect(compareQuantities(parsed(text(a)), parsed(text(b)))).toBe(expected);
      }),
      runs(2000),
    );
  });

  test("any text is either read or refused, never thrown at", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => parseQuantity(text) !== null),
      runs(100),
    );
  });

  test("numbers of JSON read as their text does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(parseQuantity(number)).toEqual(parseQuantity(String(number)));
        expect(parseQuantity(number)).toBeDefined();
      }),
      runs(100),
    );
    expect(parseQuantity(Number.NaN)).toBeUndefined();
    expect(parseQuantity(Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(formatQuantity(parsed(1e21))).toBe("1e21");
    expect(formatQuantity(parsed(1e-7))).toBe("100e-9");
  });
});

describe("printing of scheduler units", () => {
  test.each([
    ["cpu", 1500, "1.5"],
    ["cpu", 96_000, "96"],
    ["memory", 85_899_345_920, "80Gi"],
    ["memory", 1000, "1k"],
    ["hugepages-2Mi", 4_194_304, "4Mi"],
    ["nvidia.com/gpu", 8, "8"],
    ["nvidia.com/gpu", 0, "0"],
  ])("%s of %d prints as %s", (resource, units, text) => {
    expect(unitsText(resource, units)).toBe(text);
  });

  test("amounts without end do not break it", () => {
    expect(unitsText("memory", Number.POSITIVE_INFINITY)).toBe("Infinity");
    expect(schedulerUnits("memory", parsed("1e900"))).toBe(Number(2n ** 63n - 1n));
  });
});
