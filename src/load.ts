import { join } from "node:path";
import { FileFault, readInputs, readPolicies, type TextFile } from "./files.ts";
import type { Checked, Diagnostic, JsonObject } from "./model/index.ts";
import { type Catalogue, loadCatalogue } from "./policy/index.ts";
import { compileSelector } from "./solver/index.ts";
import { type Inventory, readInventory } from "./topology/index.ts";
import { groupOf, type KindTable } from "./workloads/index.ts";

/** The catalogue of a policy folder; with `platform`, that file replaces the folder's platform.yaml; `detected` lies under it. Throws FileFault. */
export async function loadPolicies(
  folder: string,
  platform?: string,
  detected?: JsonObject,
): Promise<Checked<Catalogue>> {
  const files = await readPolicies(folder);
  if (files.length === 0)
    throw new FileFault(
      `${folder}: holds no policy file; expected classes/, accelerators/, layouts/ and platform.yaml`,
    );
  const [replacement] = platform === undefined ? [] : await readInputs([platform], async () => "");
  const { value, diagnostics } = loadCatalogue(files, {
    ...(replacement === undefined ? {} : { platform: replacement }),
    ...(detected === undefined ? {} : { detected }),
  });
  const all = [...diagnostics, ...(value === undefined ? [] : selectorFaults(value))];
  return { value, diagnostics: all.map((one) => inFolder(one, folder, replacement?.path)) };
}

/** Selectors of devices that cannot be read: no device passes them. */
function selectorFaults({ accelerators, platform, positions }: Catalogue): readonly Diagnostic[] {
  const written = [
    ...[...accelerators.values()].map(
      ({ name, device }) => [`AcceleratorClass/${name}`, device?.selectors ?? []] as const,
    ),
    [`Platform/${platform.name}`, platform.network?.selectors ?? []] as const,
  ];
  return written.flatMap(([document, selectors]) =>
    selectors.flatMap((text) =>
      compileSelector(text).diagnostics.map((fault): Diagnostic => {
        const source = positions.get(document);
        return {
          ...fault,
          severity: "warning",
          message: `${document.replace("/", " ")}: ${fault.message}.`,
          ...(source === undefined ? {} : { source }),
        };
      }),
    ),
  );
}

/** The catalogue names its files from its own folder on; people name them from where they stand. */
function inFolder(one: Diagnostic, folder: string, except: string | undefined): Diagnostic {
  if (one.source === undefined || one.source.file === except) return one;
  return { ...one, source: { ...one.source, file: join(folder, one.source.file) } };
}

/**
 * The inventory that cluster files describe, `extra` read after them; undefined where none is named or, with
 * `emptyFolders`, a folder that is there holds none yet. Pods belong to the workloads
 * that `kinds` knows, so that a kind added by file counts too. Throws FileFault.
 */
export async function loadCluster(
  paths: readonly string[],
  standardInput: () => Promise<string>,
  kinds: KindTable,
  extra: readonly TextFile[] = [],
  options: { readonly emptyFolders?: boolean } = {},
): Promise<Checked<Inventory> | undefined> {
  if (paths.length === 0) return undefined;
  const files = [...(await readInputs(paths, standardInput, options)), ...extra];
  if (files.length === 0) return undefined;
  return readInventory(
    files.map(({ path, text }) => ({ file: path, text })),
    { climbs: (owner) => climbs(kinds, owner) },
  );
}

/** What a template-only kind makes (a CronJob's Job) is a root of its own, so the climb ends below it. */
function climbs(
  kinds: KindTable,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): boolean {
  const entry = kinds.findOwner(groupOf(apiVersion), kind);
  return entry !== undefined && entry.life !== "templateOnly";
}
