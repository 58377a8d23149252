import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { rules } from "../../src/policy/index.ts";
import { folderOf, plimsoll } from "./plimsoll.ts";

const META = "apiVersion: plimsoll.dev/v1alpha1\n";

describe("lint", () => {
  test("finds nothing in the shipped policies, and counts what is there", async () => {
    const { status, out, err } = await plimsoll(["lint", "policies"]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(
      /^policies: \d+ classes, \d+ accelerators, \d+ pools, \d+ layouts; 0 errors, 0 warnings, 0 info\.\n$/,
    );
  });

  test("tells every fault of every file with its place and what was meant", async () => {
    const folder = folderOf({
      "a.yaml": `${META}kind: WorkloadClass\nmetadata: {name: a}\nspec:\n  latncy: none\n`,
      "b.yaml": `${META}kind: AcceleratorClass\nmetadata: {name: b}\nspec:\n  vendor: [\n`,
    });
    const { status, out } = await plimsoll(["lint", folder]);
    expect(status).toBe(2);
    expect(out).toMatch(new RegExp(`^${folder}/a\\.yaml:5:3: error .*latncy.*latency`, "m"));
    expect(out).toMatch(new RegExp(`^${folder}/b\\.yaml:\\d+:\\d+: error YamlSyntax: `, "m"));
    expect(out).toMatch(new RegExp(`^${folder}: the catalogue does not load; \\d+ errors, `, "m"));
    const json = await plimsoll(["lint", folder, "--format", "json"]);
    expect(json.status).toBe(2);
    const { loads, findings } = JSON.parse(json.out);
    expect(loads).toBe(false);
    expect(findings).toHaveLength(out.trimEnd().split("\n").length - 1);
  });

  test("a platform of one's own replaces the folder's, and is named as it was given", async () => {
    const folder = folderOf({
      "platform.yaml": `${META}kind: Platform\nmetadata: {name: p}\nspec:\n  layuot: racks\n`,
    });
    const { status, out } = await plimsoll([
      "lint",
      "test/fixtures/policies-min",
      "--platform",
      `${folder}/platform.yaml`,
    ]);
    expect(status).toBe(2);
    expect(out).toMatch(new RegExp(`^${folder}/platform\\.yaml:5:3: error .*layuot`, "m"));
  });

  test("a folder that is not there, or holds nothing, is named", async () => {
    const folder = folderOf({});
    expect(await plimsoll(["lint", `${folder}/x`])).toMatchObject({
      status: 2,
      err: `${folder}/x: there is no such policy folder\n`,
    });
    expect((await plimsoll(["lint", folder])).err).toContain("holds no policy file");
  });
});

describe("rules", () => {
  test("prints the table, a line each", async () => {
    const { status, out } = await plimsoll(["rules"]);
    expect(status).toBe(0);
    const [head, ...lines] = out.trimEnd().split("\n");
    expect(head).toMatch(/^ID +DECLARATION +SEVERITY +WHAT IT CHECKS$/);
    expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  test("prints the same as json and as the document in docs/", async () => {
    const json = JSON.parse((await plimsoll(["rules", "--format", "json"])).out);
    expect(json.map(({ id }: { id: string }) => id).sort()).toEqual(rules.map(({ id }) => id).sort());
    expect((await plimsoll(["rules", "--format", "markdown"])).out).toBe(readFileSync("docs/rules.md", "utf8"));
  });

  test("of one declaration, or says which there are", async () => {
    const { out } = await plimsoll(["rules", "--declaration", "state", "--format", "json"]);
    expect(new Set(JSON.parse(out).map(({ declaration }: { declaration: string }) => declaration))).toEqual(
      new Set(["state"]),
    );
    const wrong = await plimsoll(["rules", "--declaration", "stat"]);
    expect(wrong).toMatchObject({ status: 2, err: expect.stringMatching(/expected one of .*\bstate\b/) });
  });
});

describe("schema", () => {
  const shipped = readdirSync("policies", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml") && path !== "kustomization.yaml")
    .flatMap((path) =>
      parseAllDocuments(readFileSync(`policies/${path}`, "utf8")).map((document) => ({ path, value: document.toJS() })),
    );

  test("lists the kinds, and each of them is printed", async () => {
    const { status, out } = await plimsoll(["schema"]);
    expect(status).toBe(0);
    const kinds = out.trim().split("\n");
    expect(kinds.sort()).toEqual([...new Set(shipped.map(({ value }) => value.kind))].sort());
  });

  test.each(["WorkloadClass", "AcceleratorClass", "CapacityPool", "TopologyLayout", "Platform", "WorkloadKind"])(
    "%s validates the shipped files, and is strict",
    async (kind) => {
      const { status, out } = await plimsoll(["schema", kind]);
      expect(status).toBe(0);
      // Which effect a field has is an annotation of ours; everything else is the standard's.
      const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }).addKeyword("x-effect");
      const validate = ajv.compile(JSON.parse(out));
      const files = shipped.filter(({ value }) => value.kind === kind);
      expect(files.length).toBeGreaterThan(0);
      for (const { path, value } of files) {
        expect({ path, valid: validate(value), errors: validate.errors }).toEqual({ path, valid: true, errors: null });
        expect(validate({ ...value, spec: { ...value.spec, unknownField: 1 } })).toBe(false);
      }
    },
  );

  test("by any spelling, or says which there are", async () => {
    expect((await plimsoll(["schema", "capacitypool.json"])).out).toContain("CapacityPool");
    expect(await plimsoll(["schema", "Pool"])).toMatchObject({
      status: 2,
      err: expect.stringContaining("expected one of WorkloadClass, "),
    });
  });
});
