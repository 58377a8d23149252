/** Codes of the findings that expansion makes. */
export const TRANSLATE_CODES = {
  BackendCannotExpress: "neither kind nor platform has a way to say what the class wants",
  UserValueKept: "the user wrote another value than the class would, and it stands",
  NotGuaranteed: "the platform is steered towards what the class wants, and may miss it",
  GangNotGuaranteed: "nothing on this platform starts all pods of the gang together",
  CompanionNotCreated: "an object that the class wants beside the workload is created by nobody here",
  BudgetNotQuantised: "a disruption budget counts pods where groups matter, or does not follow their count",
  RungNotAllowed: "the decided rung is not one that the class has for this pod set",
  ImmutableTemplate:
    "edits that the class wants, or no longer wants, cannot be made to a template that is fixed by now",
  StampsTooLarge: "decision and records do not fit into the annotations of one object",
} as const;

export type TranslateCode = keyof typeof TRANSLATE_CODES;
