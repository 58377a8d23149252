import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../src");

/** What each folder may import, besides itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  model: [],
  workloads: ["model"],
  policy: ["model", "workloads"],
  topology: ["model"],
  solver: ["model", "topology"],
  translate: ["model", "workloads", "policy", "solver"],
  admission: ["model", "workloads", "policy", "topology", "solver", "translate"],
  kube: ["model", "workloads", "policy", "topology", "solver", "translate", "admission"],
  certs: ["model"],
  controller: ["model", "workloads", "policy", "topology", "solver", "translate", "admission", "kube"],
  server: [
    "model",
    "workloads",
    "policy",
    "topology",
    "solver",
    "translate",
    "admission",
    "kube",
    "certs",
    "controller",
  ],
  cli: ["model", "workloads", "policy", "topology", "solver", "translate", "admission", "kube", "certs", "server"],
};
/** Modules at the top of src that the folders with IO share; config.ts alone reads the environment. */
const shared = ["files.ts", "load.ts", "config.ts"];
const pure = ["model", "workloads", "policy", "topology", "solver", "translate", "admission"];
const pureLibraries = new Set([
  "yaml",
  "js-yaml",
  "ajv",
  "@marcbachmann/cel-js",
  "re2js",
  "@noble/hashes",
  "json-schema-to-ts",
]);

interface Import {
  readonly file: string;
  readonly target: string;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const specifiers = [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g)].map(
    (match) => match[1] ?? "",
  );
  return specifiers.map((target) => ({ file, target }));
}

const packageName = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
const folderOf = (file: string) => relative(root, file).split(sep)[0] ?? "";

describe("the arrows between folders", () => {
  const imports = filesOf(root).flatMap(importsOf);

  test("there is something to check", () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  test("a folder imports only from those to its left, and only their index", () => {
    const wrong = imports.flatMap(({ file, target }) => {
      if (!target.startsWith(".")) return [];
      const from = folderOf(file);
      const resolved = resolve(dirname(file), target);
      const to = folderOf(resolved);
      if (from === to || !(from in arrows)) return [];
      if (shared.includes(to)) return pure.includes(from) ? [`${relative(root, file)} imports ${target}`] : [];
      const allowed = arrows[from]?.includes(to) === true;
      const index = resolved === join(root, to, "index.ts");
      return allowed && index ? [] : [`${relative(root, file)} imports ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  test("pure folders use pure libraries only", () => {
    const wrong = imports.flatMap(({ file, target }) =>
      !target.startsWith(".") && pure.includes(folderOf(file)) && !pureLibraries.has(packageName(target))
        ? [`${relative(root, file)} imports ${target}`]
        : [],
    );
    expect(wrong).toEqual([]);
  });

  test("pure folders read no clock, no randomness and no environment", () => {
    const wrong = pure
      .flatMap((folder) => filesOf(join(root, folder)))
      .filter((file) =>
        /Date\.now\(|new Date\(\)|Math\.random|(?<![.\w])process\.|performance\.now|console\./.test(
          readFileSync(file, "utf8"),
        ),
      )
      .map((file) => relative(root, file));
    expect(wrong).toEqual([]);
  });

  test("the environment is read in one place", () => {
    const readers = filesOf(root).filter((file) => /process\.env/.test(readFileSync(file, "utf8")));
    expect(readers.map((file) => relative(root, file))).toEqual(["config.ts"]);
  });

  test("no file is longer than 500 lines", () => {
    const long = filesOf(root).filter((file) => readFileSync(file, "utf8").split("\n").length > 501);
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });
});
