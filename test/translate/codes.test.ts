import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TRANSLATE_CODES } from "../../src/translate/index.ts";

test("every code that the folder reports is in its table, and every code of the table is reported", () => {
  const folder = join(import.meta.dirname, "../../src/translate");
  const reported = readdirSync(folder)
    .filter((name) => name !== "codes.ts")
    .flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/\bcode: "(\w+)"/g)].map((match) => match[1]),
    );
  expect([...new Set(reported)].sort()).toEqual(Object.keys(TRANSLATE_CODES).sort());
});
