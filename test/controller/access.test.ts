import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { access } from "../../src/controller/index.ts";
import { arrayAt, type JsonObject, stringAt } from "../../src/model/index.ts";
import { loadedCatalogue } from "../support/catalogue.ts";

const roles = parseAllDocuments(readFileSync(join(import.meta.dirname, "../../manifests/base/rbac.yaml"), "utf8")).map(
  (one) => one.toJS() as JsonObject,
);

/** `own|all GROUP/RESOURCE VERB NAMES`, each permission by itself. */
const granted = new Set(
  roles.flatMap((role) =>
    arrayAt(role, ["rules"]).flatMap((rule) => {
      const names = arrayAt(rule, ["resourceNames"]).join(",");
      const scope = role["kind"] === "Role" ? "own" : "all";
      return arrayAt(rule, ["apiGroups"]).flatMap((group) =>
        arrayAt(rule, ["resources"]).flatMap((resource) =>
          arrayAt(rule, ["verbs"]).map((verb) => `${scope} ${group}/${resource} ${verb} ${names}`),
        ),
      );
    }),
  ),
);
const declared = new Set(
  access(loadedCatalogue().kinds, "plimsoll").flatMap(({ group, resources, verbs, names = [], own }) =>
    resources.flatMap((resource) =>
      verbs.map((verb) => `${own === true ? "own" : "all"} ${group}/${resource} ${verb} ${names.join(",")}`),
    ),
  ),
);

describe("what the manifests grant", () => {
  test("is what the modules say that they use, and nothing more", () => {
    expect([...granted].sort()).toEqual([...declared].sort());
    expect(granted.size).toBeGreaterThan(80);
  });

  test("has no wildcard, no secret, no config map, no pod write, and writes to webhook configurations and leases by name only", () => {
    for (const one of granted) {
      expect(one).not.toMatch(/\*|\/secrets |\/configmaps /);
      expect(one).not.toMatch(/ \/pods (create|update|patch|delete)/);
      if (/admissionregistration/.test(one)) expect(one).toMatch(/ (get|patch) plimsoll$/);
      if (/leases (get|update|patch|delete)/.test(one)) expect(one).toMatch(/^own .* plimsoll$/);
    }
  });

  test("goes to our own service account", () => {
    const bindings = roles.filter((role) => String(role["kind"]).endsWith("Binding"));
    expect(bindings.map((one) => stringAt(one, ["subjects", 0, "name"]))).toEqual(["plimsoll", "plimsoll"]);
  });
});
