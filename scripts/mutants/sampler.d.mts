/** Whether a mutant is of the sample; `file` is relative to the project, `share` from 0 to 1. */
export function drawn(
  share: number,
  seed: string,
  file: string,
  mutant: {
    readonly location: Readonly<Record<"start" | "end", { readonly line: number; readonly column: number }>>;
    readonly replacement: string;
  },
): boolean;
