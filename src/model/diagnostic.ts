import type { Path } from "./json.ts";

export type Severity = "error" | "warning" | "info";

/** Where in which file: 1-based line and column. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One finding about something that a person wrote. `code` is stable and stands in the table of codes. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  /** One sentence: what was seen and what was expected, with values. */
  readonly message: string;
  /** The same for a place that takes 120 characters with the code, where the message is too long for it. */
  readonly short?: string;
  /** What to do. */
  readonly hint?: string;
  readonly path?: Path;
  readonly source?: SourcePosition;
  /** The pod set that the finding is about. */
  readonly podSet?: string;
}

/** A value or the reasons why there is none; both where a value could be read in part. */
export interface Checked<T> {
  readonly value: T | undefined;
  readonly diagnostics: readonly Diagnostic[];
}
