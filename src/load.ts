import { FileFault, readInputs, readPolicies, type TextFile } from "./files.ts";
import type { Checked } from "./model/index.ts";
import { type Catalogue, loadCatalogue } from "./policy/index.ts";
import { type Inventory, readInventory } from "./topology/index.ts";

/** The catalogue of a policy folder; with `platform`, that file replaces the folder's platform.yaml. Throws FileFault. */
export async function loadPolicies(folder: string, platform?: string): Promise<Checked<Catalogue>> {
  const files = await readPolicies(folder);
  if (files.length === 0)
    throw new FileFault(
      `${folder}: holds no policy file; expected classes/, accelerators/, layouts/ and platform.yaml`,
    );
  if (platform === undefined) return loadCatalogue(files);
  const [replacement] = await readInputs([platform], async () => "");
  return loadCatalogue(files, replacement === undefined ? {} : { platform: replacement });
}

/** The inventory that cluster files describe, `extra` read after them; undefined where none is named. Throws FileFault. */
export async function loadCluster(
  paths: readonly string[],
  standardInput: () => Promise<string>,
  extra: readonly TextFile[] = [],
): Promise<Checked<Inventory> | undefined> {
  if (paths.length === 0) return undefined;
  const files = [...(await readInputs(paths, standardInput)), ...extra];
  return readInventory(files.map(({ path, text }) => ({ file: path, text })));
}
