import {
  digest,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type OverrideBound,
  type Path,
  type TopologyLayout,
  type WorkloadClass,
} from "../model/index.ts";
import type { PolicyCode } from "./codes.ts";
import { contractOf, mergeSpecs } from "./contract.ts";
import { contradictionsIn } from "./contradictions.ts";
import type { Declared, Report } from "./documents.ts";
import { fieldValue, readBound } from "./overrides.ts";
import { plainJson } from "./plain.ts";
import { type ContractSpec, DECLARATIONS, type OverrideSpec, type WorkloadClassSpec } from "./schema/class.ts";
import { suggestion } from "./suggest.ts";

/** What classes may refer to. Names of documents with faults of their own count as known. */
export interface ClassScope {
  readonly accelerators: readonly string[];
  /** Level names of every layout. */
  readonly levels: readonly string[];
  /** The platform's, where it is known. */
  readonly layout: TopologyLayout | undefined;
  readonly ruleIds: readonly string[];
}

/** Every class whose own document and parents are sound, normalised; what is wrong goes to the report. */
export function readClasses(
  declared: ReadonlyMap<string, Declared>,
  scope: ClassScope,
  report: Report,
): ReadonlyMap<string, WorkloadClass> {
  const classes = new Map<string, WorkloadClass>();
  for (const own of declared.values()) {
    const chain = chainOf(own, declared, report);
    if (chain === undefined || chain.some(({ sound }) => !sound)) continue;
    classes.set(own.name, readClass(chain, scope, report));
  }
  return classes;
}

/** The class and its parents, nearest first; undefined where one is missing or the chain closes on itself. */
function chainOf(
  own: Declared,
  declared: ReadonlyMap<string, Declared>,
  report: Report,
): readonly Declared[] | undefined {
  const chain = [own];
  for (let current = own; ; ) {
    const parent = current.spec["extends"];
    if (typeof parent !== "string") return chain;
    const names = chain.map(({ name }) => name);
    if (names.includes(parent)) {
      const circle = [...names.slice(names.indexOf(parent)), parent].join(" -> ");
      // Each member of the circle says so once; who only leads into it does not repeat it.
      if (parent === own.name)
        report.about(
          own,
          "CircularExtends",
          ["extends"],
          `extends closes on itself: ${circle}.`,
          "Break the circle: one of them must stand alone.",
        );
      return undefined;
    }
    const next = declared.get(parent);
    if (next === undefined) {
      if (current === own) {
        const others = [...declared.keys()].filter((name) => name !== own.name);
        report.about(
          own,
          "UnknownClass",
          ["extends"],
          `extends ${parent}, which no document declares.`,
          suggestion(parent, others, "Classes are"),
        );
      }
      return undefined;
    }
    chain.push(next);
    current = next;
  }
}

function readClass(chain: readonly Declared[], scope: ClassScope, report: Report): WorkloadClass {
  const [own] = chain as [Declared];
  const merged = chain
    .toReversed()
    .reduce<JsonObject>((spec, one) => (mergeSpecs(spec, one.spec) ?? {}) as JsonObject, {});
  const { extends: _, description, roles = {}, overrides = {}, ...base } = merged as WorkloadClassSpec;
  const about = (path: Path, code: PolicyCode, message: string, hint?: string) =>
    report.about(placeOf(chain, path), code, path, message, hint);

  checkDeclarations(own, base, report);
  const contract = contractOf(base);
  const contracts: [string, Path, ContractSpec][] = [["", [], base]];
  for (const [role, part] of Object.entries(roles))
    contracts.push([role, ["roles", role], mergeSpecs(base as JsonObject, part as JsonObject) as ContractSpec]);
  const said = new Set<string>();
  for (const [role, prefix, spec] of contracts) {
    for (const { code, message, hint, path } of faultsIn(spec, scope)) {
      const id = `${code} ${message}`;
      // A role inherits the faults of its class; they are said once.
      if (said.has(id)) continue;
      said.add(id);
      const inRole: Path = [...prefix, ...path];
      const where = role !== "" && chain.some(({ source }) => source.has(["spec", ...inRole])) ? inRole : path;
      about(where, code, role === "" ? message : `role ${role}: ${message}`, hint);
    }
  }
  const result = {
    name: own.name,
    description: description ?? "",
    contract,
    roles: Object.fromEntries(contracts.slice(1).map(([role, , spec]) => [role, contractOf(spec)])),
    overrides: readOverrides(overrides, base, scope, about),
  };
  return { ...result, digest: digest(plainJson(result)) };
}

/** The document of the chain that wrote the field, nearest first; the class itself where none did. */
function placeOf(chain: readonly Declared[], path: Path): Declared {
  const [own] = chain as [Declared];
  return chain.find(({ source }) => source.has(["spec", ...path])) ?? own;
}

/** Fields that name a level of the layout. */
const LEVEL_FIELDS: readonly string[] = ["topology.level", "topology.within", "topology.spread.level"];

/** The declarations, and inside them the fields that have no default. */
const REQUIRED: readonly (readonly [readonly string[], string])[] = [
  [["demand", "shape"], "gang, online, session, batch or stream"],
  [["state", "location"], "none, local, volume or external"],
  [["startup", "cost"], "the time from container start to ready, such as 3m"],
  [["accelerator", "classes"], "AcceleratorClasses in order of preference; or write accelerator: none, or any"],
];

function checkDeclarations(own: Declared, spec: ContractSpec, report: Report): void {
  for (const name of DECLARATIONS) {
    if (spec[name] !== undefined) continue;
    const parent = own.spec["extends"];
    const where = typeof parent === "string" ? ` (nor does ${parent}, which it extends)` : "";
    report.about(
      own,
      "MissingDeclaration",
      [name],
      `spec.${name} is not declared${where}.`,
      `A class declares ${DECLARATIONS.join(", ")}.`,
    );
  }
  for (const [path, meaning] of REQUIRED) {
    const [declaration = "", field = ""] = path;
    const part = (spec as JsonObject)[declaration];
    if (isObject(part) && part[field] === undefined)
      report.about(own, "MissingField", path, `spec.${path.join(".")} is missing.`, `Write ${meaning}.`);
  }
}

/** Parts that may be left out, and what they need where they are not: in all that was merged, so that a class, a role or an intent may change one field. */
const PARTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["latency"], ["objective"]],
  [
    ["latency", "objective"],
    ["metric", "percentile", "target"],
  ],
  [["accelerator", "align", "gpus"], ["level"]],
  [["accelerator", "align", "nics"], ["level"]],
  [["topology", "spread"], ["level"]],
];

function missingIn(spec: ContractSpec): readonly ClassFault[] {
  return PARTS.flatMap(([path, needs]) => {
    const part = path.reduce<Json | undefined>(
      (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
      spec as Json,
    );
    if (!isObject(part)) return [];
    return needs
      .filter((name) => part[name] === undefined)
      .map((name) => ({
        code: "MissingField" as const,
        message: `spec.${path.join(".")}.${name} is missing.`,
        hint: `Write it, or leave ${path.join(".")} out.`,
        path: [...path, name],
      }));
  });
}

interface ClassFault {
  readonly code: PolicyCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly path: Path;
}

function faultsIn(spec: ContractSpec, scope: ClassScope): readonly ClassFault[] {
  const faults: ClassFault[] = [...missingIn(spec), ...contradictionsIn(contractOf(spec), spec, scope.layout)];
  const { accelerator, topology, admission } = spec;
  if (typeof accelerator === "object") {
    for (const [index, name] of (accelerator.classes ?? []).entries())
      faults.push(...acceleratorFault(name, ["accelerator", "classes", index], scope));
  }
  if (topology?.level !== undefined) faults.push(...levelFault(topology.level, ["topology", "level"], scope));
  if (topology?.within !== undefined) faults.push(...levelFault(topology.within, ["topology", "within"], scope));
  if (topology?.spread?.level !== undefined)
    faults.push(...levelFault(topology.spread.level, ["topology", "spread", "level"], scope));
  for (const id of Object.keys(admission?.rules ?? {})) {
    if (scope.ruleIds.includes(id)) continue;
    const hint = suggestion(id, scope.ruleIds, "Rules are") ?? "plimsoll rules lists them.";
    faults.push({
      code: "UnknownRule",
      message: `admission.rules names ${id}, which is not a rule.`,
      hint,
      path: ["admission", "rules", id],
    });
  }
  return faults;
}

function acceleratorFault(name: string, path: Path, { accelerators }: ClassScope): readonly ClassFault[] {
  if (accelerators.includes(name)) return [];
  return [
    {
      code: "UnknownAccelerator",
      message: `${name} is not a declared AcceleratorClass.`,
      hint: suggestion(name, accelerators, "AcceleratorClasses are"),
      path,
    },
  ];
}

/** A level that no layout has, or that the platform's layout lacks. */
export function levelFault(
  name: string,
  path: Path,
  { levels, layout }: Pick<ClassScope, "levels" | "layout">,
): readonly ClassFault[] {
  const own = layout?.levels.map((level) => level.name) ?? [];
  if (own.includes(name)) return [];
  if (!levels.includes(name)) {
    const known = layout === undefined ? levels : own;
    return [
      {
        code: "UnknownLevel",
        message: `${name} is not a level of any layout.`,
        hint: suggestion(name, known, "Levels are"),
        path,
      },
    ];
  }
  if (layout === undefined) return [];
  return [
    {
      code: "UnknownLevel",
      message: `${name} is not a level of layout ${layout.name}, which the platform uses.`,
      hint: `Its levels are ${own.join(", ")}.`,
      path,
    },
  ];
}

type About = (path: Path, code: PolicyCode, message: string, hint?: string) => void;

function readOverrides(
  overrides: NonNullable<WorkloadClassSpec["overrides"]>,
  base: ContractSpec,
  scope: ClassScope,
  about: About,
): Readonly<Record<string, OverrideBound>> {
  const bounds: Record<string, OverrideBound> = {};
  for (const [field, spec] of Object.entries(overrides)) {
    const path: Path = ["overrides", field];
    const read = readBound(field, spec as OverrideSpec);
    if ("fault" in read) {
      about(path, "OverrideUnsuitable", read.fault, read.hint);
      continue;
    }
    bounds[field] = read.bound;
    const own = fieldValue(contractOf(base), field.split("."));
    if (field.startsWith("accelerator.") && typeof base.accelerator === "string") {
      about(
        path,
        "OverrideUnsuitable",
        `overrides names ${field}, but spec.accelerator is ${base.accelerator}.`,
        "List classes there, or take it off the list.",
      );
    } else if (read.bound.kind === "subset" && (!isArray(own) || own.length === 0)) {
      about(
        path,
        "OverrideUnsuitable",
        `overrides.${field} is subset, but the class has no such list of its own.`,
        `Write spec.${field}, or say any.`,
      );
    }
    if (read.bound.kind === "oneOf" && LEVEL_FIELDS.includes(field)) {
      for (const level of read.bound.values)
        for (const { code, message, hint } of levelFault(level, path, scope)) about(path, code, message, hint);
    }
  }
  return bounds;
}
