import type { PolicyFile } from "../../src/policy/index.ts";
import { policyFiles } from "../support/catalogue.ts";

/** A mistake in a policy folder, and what has to be said about it. */
export interface Faulty {
  readonly sentence: string;
  readonly files: readonly PolicyFile[];
  readonly code: string;
  /** File, and the text at which the finding must point (its first occurrence after `after`). */
  readonly file: string;
  readonly at: string;
  readonly after?: string | undefined;
  readonly message: RegExp;
  readonly hint?: RegExp | undefined;
}

export const minimal = (): PolicyFile[] => policyFiles("test/fixtures/policies-min");

/** The minimal catalogue with one passage replaced; the passage must be there. */
export function edited(file: string, from: string, to: string): PolicyFile[] {
  return minimal().map((one) => {
    if (one.path !== file) return one;
    if (!one.text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    return { path: file, text: one.text.replace(from, () => to) };
  });
}

type Rest = Pick<Faulty, "code" | "at" | "message"> & Partial<Pick<Faulty, "hint" | "after">>;

export const change = (sentence: string, file: string, from: string, to: string, rest: Rest): Faulty => ({
  sentence,
  files: edited(file, from, to),
  file,
  ...rest,
});

export const add = (sentence: string, file: string, text: string, rest: Rest): Faulty => ({
  sentence,
  files: [...minimal(), { path: file, text }],
  file,
  ...rest,
});

export const documentOf = (kind: string, name: string, spec: string) =>
  `apiVersion: plimsoll.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}`;
