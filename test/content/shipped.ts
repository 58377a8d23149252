import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { readPolicies } from "../../src/files.ts";
import { isObject, type JsonObject } from "../../src/model/index.ts";
import { type Catalogue, loadCatalogue, type PolicyFile } from "../../src/policy/index.ts";

/** The shipped policy files, read as the command and the server read them. */
export const policyFiles: readonly PolicyFile[] = await readPolicies(
  fileURLToPath(new URL("../../policies", import.meta.url)),
);

/** The shipped catalogue; throws with its diagnostics where it does not load. */
export function shippedCatalogue(): Catalogue {
  const { value, diagnostics } = loadCatalogue(policyFiles);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

export interface Example {
  readonly file: string;
  /** Every object of the file, in order. */
  readonly objects: readonly JsonObject[];
  readonly text: string;
}

export function examples(): readonly Example[] {
  const root = new URL("../../manifests/examples/", import.meta.url);
  return readdirSync(root)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, root), "utf8");
      return { file, text, objects: objectsIn(text) };
    });
}

export function objectsIn(text: string): readonly JsonObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as unknown)
    .filter(isObject);
}
