import { createHash } from "node:crypto";
import { relative } from "node:path";

/**
 * Whether a mutant is of the sample: by a hash of what it is, so that the same seed draws the same mutants on any machine.
 * `file` is relative to the project; `share` is from 0 to 1; lines and columns count from 1, as in Stryker's report.
 */
export function drawn(share, seed, file, { location: { start, end }, replacement }) {
  const what = [seed, file, start.line, start.column, end.line, end.column, replacement].join("\n");
  return createHash("sha256").update(what).digest().readUInt32BE(0) / 2 ** 32 < share;
}

/** Checkers get places that count from 0. */
function reported({ location: { start, end }, replacement }) {
  const from1 = ({ line, column }) => ({ line: line + 1, column: column + 1 });
  return { location: { start: from1(start), end: from1(end) }, replacement };
}

/** A checker of Stryker's that lets through the sample only: what it refuses is never run. */
class Sampler {
  async init() {}

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants) {
    const { MUTANTS_SHARE, MUTANTS_SEED } = process.env;
    const result = (mutant) =>
      drawn(Number(MUTANTS_SHARE), MUTANTS_SEED, relative(process.cwd(), mutant.fileName), reported(mutant))
        ? { status: "passed" }
        : { status: "compileError", reason: "not drawn" };
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, result(mutant)]));
  }
}

export const strykerPlugins = [{ kind: "Checker", name: "sample", injectableClass: Sampler }];
