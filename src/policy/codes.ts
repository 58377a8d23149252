import type { Diagnostic, Path, Severity, SourcePosition } from "../model/index.ts";

/** Every code that loading and resolving policy can report: its severity, and what it means in one line. */
export const POLICY_CODES = {
  YamlSyntax: { severity: "error", meaning: "The file is not the YAML that it has to be." },
  DuplicateKey: { severity: "error", meaning: "A field is written twice in one object." },
  TooLarge: { severity: "error", meaning: "A file, or what its aliases expand to, is larger than is read." },
  NotADocument: { severity: "error", meaning: "A document is not an object with apiVersion and kind." },
  UnknownKind: { severity: "error", meaning: "The document is of a kind that policy folders do not hold." },
  UnknownField: { severity: "error", meaning: "A field that the kind does not have." },
  MissingField: { severity: "error", meaning: "A field that must be written is absent." },
  WrongType: { severity: "error", meaning: "A value is of another type than the field takes." },
  UnknownValue: { severity: "error", meaning: "A value is none of those that the field takes." },
  InvalidValue: {
    severity: "error",
    meaning: "A value has the right type, and a form or size that the field does not take.",
  },
  DuplicateName: { severity: "error", meaning: "Two documents of one kind carry the same name." },
  ReservedName: { severity: "error", meaning: "A name that has a meaning of its own." },
  MissingDeclaration: { severity: "error", meaning: "A class leaves out one of the seven declarations." },
  CircularExtends: { severity: "error", meaning: "A class extends itself, directly or through others." },
  UnknownClass: { severity: "error", meaning: "A WorkloadClass that no document declares." },
  UnknownAccelerator: { severity: "error", meaning: "An AcceleratorClass that no document declares." },
  UnknownLevel: {
    severity: "error",
    meaning: "A topology level that no layout has, or that the platform's layout lacks.",
  },
  UnknownLayout: { severity: "error", meaning: "A TopologyLayout that no document declares." },
  UnknownRule: { severity: "error", meaning: "A rule id that the table of rules does not have." },
  Contradiction: { severity: "error", meaning: "Two fields of one document cannot both hold." },
  NeverAtFloor: {
    severity: "warning",
    meaning: "A disruption budget allows nothing while the class runs at its minimum.",
  },
  OverrideUnsuitable: {
    severity: "error",
    meaning: "An override names no field, or a bound that does not suit the field.",
  },
  LayoutIncomplete: {
    severity: "error",
    meaning: "A layout does not end with the host level, or names a level or key twice.",
  },
  PoolUnrecognised: {
    severity: "warning",
    meaning: "No label of a pool's nodes tells the accelerator that it is said to have.",
  },
  NetworkMissing: {
    severity: "warning",
    meaning: "A class or a pool names network devices that the platform does not declare, or not so.",
  },
  NoPlatform: { severity: "error", meaning: "The folder has no Platform document." },
  SeveralPlatforms: { severity: "error", meaning: "The folder has more than one Platform document." },
  KindInvalid: { severity: "error", meaning: "A WorkloadKind has a path or an expression that cannot be used." },
  IntentTooLarge: { severity: "error", meaning: "The plimsoll.dev/intent annotation is larger than is read." },
  IntentSyntax: {
    severity: "error",
    meaning: "The plimsoll.dev/intent annotation is not a YAML object without aliases.",
  },
  OverrideNotAllowed: {
    severity: "error",
    meaning: "An intent sets a field that the class does not let workloads set.",
  },
  OverrideOutOfBound: { severity: "error", meaning: "An intent sets a field outside the bound that the class gives." },
  OverrideWithoutEffect: {
    severity: "info",
    meaning: "An intent for the whole workload sets a field that one pod set's role does not have.",
  },
  SpotOverflow: {
    severity: "info",
    meaning: "spot: overflow means never for this pod set, which is not an overflow set.",
  },
  GroupSizeUnknown: {
    severity: "warning",
    meaning: "Unit group is asked for, and neither the class nor the kind says how large a group is.",
  },
  RungSkipped: { severity: "info", meaning: "A rung of the ladder cannot be taken by this workload." },
} as const satisfies Readonly<Record<string, { readonly severity: Severity; readonly meaning: string }>>;

export type PolicyCode = keyof typeof POLICY_CODES;

interface Parts {
  readonly hint?: string | undefined;
  readonly path?: Path | undefined;
  readonly source?: SourcePosition | undefined;
  readonly podSet?: string | undefined;
}

/** A diagnostic with the severity of its code. */
export function finding(code: PolicyCode, message: string, parts: Parts = {}): Diagnostic {
  const { hint, path, source, podSet } = parts;
  return {
    code,
    severity: POLICY_CODES[code].severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(path === undefined ? {} : { path }),
    ...(source === undefined ? {} : { source }),
    ...(podSet === undefined ? {} : { podSet }),
  };
}
