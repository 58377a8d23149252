import {
  type Checked,
  canonicalJson,
  digest,
  type JsonObject,
  type SourcePosition,
  type TopologyLayout,
} from "../model/index.ts";
import { builtinKinds, extendKinds } from "../workloads/index.ts";
import { levelFault, readClasses } from "./classes.ts";
import { finding } from "./codes.ts";
import { createReport, type Declared, type DeclaredByKind, type Report, readDeclarations } from "./documents.ts";
import { checkKind, kindEntryOf } from "./kindSpec.ts";
import { checkNetwork } from "./network.ts";
import { checkPlatform, platformOf } from "./platformSpec.ts";
import { rules } from "./rules/index.ts";
import { suggestion } from "./suggest.ts";
import { acceleratorOf, checkAccelerator, checkLayout, checkPool, layoutOf, poolOf } from "./supply.ts";
import type { Catalogue, PolicyFile } from "./types.ts";

/**
 * Reads a policy folder: every fault of every file, with its place. The catalogue is there only where no fault is an error.
 * `options.platform` stands in for the folder's own platform file. Files may come in any order. `options.detected`, a fragment of a Platform's spec,
 * says what the platform file leaves out.
 */
export function loadCatalogue(
  files: readonly PolicyFile[],
  options: { readonly platform?: PolicyFile; readonly detected?: JsonObject } = {},
): Checked<Catalogue> {
  const report = createReport();
  const declared = readDeclarations(files, options.platform, report, options.detected);

  const accelerators = readAll(declared.AcceleratorClass, acceleratorOf, checkAccelerator, report);
  const layouts = readAll(declared.TopologyLayout, layoutOf, checkLayout, report);
  const kinds = readAll(declared.WorkloadKind, kindEntryOf, checkKind, report);
  const platforms = readAll(declared.Platform, platformOf, checkPlatform, report);
  const layout = layoutOfPlatform(declared, layouts, report);
  const levels = [...new Set([...layouts.values()].flatMap((one) => one.levels.map((level) => level.name)))];
  const scope = {
    accelerators: [...declared.AcceleratorClass.keys()],
    levels,
    layout,
    ruleIds: rules.map(({ id }) => id),
  };

  const classes = readClasses(declared.WorkloadClass, scope, report);
  const pools = readAll(declared.CapacityPool, poolOf, undefined, report);
  for (const [name, pool] of pools) {
    const source = declared.CapacityPool.get(name);
    if (source === undefined) continue;
    const { accelerator } = pool;
    if (accelerator !== undefined && !declared.AcceleratorClass.has(accelerator)) {
      const hint = suggestion(accelerator, scope.accelerators, "AcceleratorClasses are");
      report.about(
        source,
        "UnknownAccelerator",
        ["accelerator"],
        `${accelerator} is not a declared AcceleratorClass.`,
        hint,
      );
    }
    for (const [index, level] of pool.together.entries()) {
      for (const fault of levelFault(level, ["together", index], scope))
        report.about(source, fault.code, fault.path, fault.message, fault.hint);
    }
    checkPool(source, pool, accelerator === undefined ? undefined : accelerators.get(accelerator), report);
  }
  for (const [name, { interconnect }] of accelerators) {
    const source = declared.AcceleratorClass.get(name);
    // An accelerator serves every platform, so any layout's level will do.
    if (source === undefined || interconnect === undefined || interconnect.level === "host") continue;
    for (const fault of levelFault(interconnect.level, ["interconnect", "level"], { levels, layout: undefined })) {
      if (!levels.includes(interconnect.level)) report.about(source, fault.code, fault.path, fault.message, fault.hint);
    }
  }

  const [platform] = platforms.values();
  const sources = { classes: declared.WorkloadClass, pools: declared.CapacityPool };
  if (platform !== undefined) checkNetwork(platform, classes, pools, sources, report);
  const diagnostics = report.diagnostics.toSorted(byPlace);
  if (platform === undefined || layout === undefined || diagnostics.some(({ severity }) => severity === "error")) {
    return { value: undefined, diagnostics };
  }
  const texts = [...files, ...(options.platform === undefined ? [] : [options.platform])].map(({ path, text }) => ({
    path,
    text,
  }));
  if (options.detected !== undefined) texts.push({ path: "", text: canonicalJson(options.detected) });
  let positions: Catalogue["positions"] | undefined;
  const value: Catalogue = {
    revision: digest(texts.sort((a, b) => compare(a.path, b.path) || compare(a.text, b.text))),
    classes,
    accelerators,
    pools: [...pools.values()].sort((a, b) => compare(a.name, b.name)),
    layouts,
    kinds: extendKinds(builtinKinds(), [...kinds.values()]),
    platform,
    layout,
    // Told on demand: a place costs a second, slower reading of its file.
    get positions() {
      positions ??= positionsOf(declared);
      return positions;
    },
  };
  return { value, diagnostics };
}

function readAll<T>(
  declared: ReadonlyMap<string, Declared>,
  read: (one: Declared) => T,
  check: ((one: Declared, value: T, report: Report) => void) | undefined,
  report: Report,
): ReadonlyMap<string, T> {
  const result = new Map<string, T>();
  for (const [name, one] of declared) {
    if (!one.sound) continue;
    const value = read(one);
    check?.(one, value, report);
    result.set(name, value);
  }
  return result;
}

/** The platform's layout; reports a missing platform, more than one, and a layout that is not declared. */
function layoutOfPlatform(
  declared: DeclaredByKind,
  layouts: ReadonlyMap<string, TopologyLayout>,
  report: Report,
): TopologyLayout | undefined {
  const [first, ...others] = declared.Platform.values();
  if (first === undefined) {
    const broken = report.diagnostics.some(
      ({ source }) => source !== undefined && /(^|\/)platform\.(ya?ml|json)$/.test(source.file),
    );
    if (!broken) {
      const hint = "Add platform.yaml: kind Platform with spec.kubernetes.version, spec.dialect and spec.layout.";
      report.diagnostics.push(
        finding("NoPlatform", "No document of kind Platform says what this cluster is.", { hint }),
      );
    }
    return undefined;
  }
  for (const other of others) {
    const there = first.source.position(["metadata", "name"]);
    const message = `there is a Platform already, at ${there.file}:${there.line}:${there.column}.`;
    report.about(other, "SeveralPlatforms", [], message, "Keep one, or choose one with --platform.");
  }
  const name = first.spec["layout"];
  if (!first.sound || typeof name !== "string") return undefined;
  if (!declared.TopologyLayout.has(name)) {
    const hint = suggestion(name, [...declared.TopologyLayout.keys()], "Layouts are");
    report.about(first, "UnknownLayout", ["layout"], `spec.layout is ${name}, which no document declares.`, hint);
  }
  return layouts.get(name);
}

function positionsOf(declared: DeclaredByKind): ReadonlyMap<string, SourcePosition> {
  const positions = new Map<string, SourcePosition>();
  for (const byName of Object.values(declared)) {
    for (const { kind, name, source } of byName.values())
      positions.set(`${kind}/${name}`, source.position(["metadata", "name"]));
  }
  return positions;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function byPlace(
  a: { readonly source?: SourcePosition; readonly message: string },
  b: { readonly source?: SourcePosition; readonly message: string },
): number {
  return (
    compare(a.source?.file ?? "", b.source?.file ?? "") ||
    (a.source?.line ?? 0) - (b.source?.line ?? 0) ||
    (a.source?.column ?? 0) - (b.source?.column ?? 0) ||
    compare(a.message, b.message)
  );
}
