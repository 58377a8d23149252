/** Runs of equal, removed and added lines. */
type Change = readonly ["=" | "-" | "+", string];

const CONTEXT = 3;
/** Edits beyond which a difference is told as a replacement: what a person would not read, and time that grows with the square. */
const MAX_EDITS = 1000;

/** A unified difference of two texts, without file header; empty where they are equal. */
export function unifiedDiff(before: string, after: string): string[] {
  const changes = compare(linesOf(before), linesOf(after));
  const lines: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let at = 0; at < changes.length; ) {
    if (changes[at]?.[0] === "=") {
      at += 1;
      oldLine += 1;
      newLine += 1;
      continue;
    }
    const start = Math.max(0, at - CONTEXT);
    const end = hunkEnd(changes, at);
    const hunk = changes.slice(start, end);
    const lead = at - start;
    const count = (sign: "-" | "+") => hunk.filter(([kind]) => kind !== (sign === "-" ? "+" : "-")).length;
    const [removed, added] = [count("-"), count("+")];
    lines.push(`@@ -${range(oldLine - lead, removed)} +${range(newLine - lead, added)} @@`);
    for (const [kind, text] of hunk) lines.push(`${kind === "=" ? " " : kind}${text}`);
    oldLine += removed - lead;
    newLine += added - lead;
    at = end;
  }
  return lines;
}

/** An empty range is named by the line before it. */
const range = (line: number, count: number) => `${count === 0 ? line - 1 : line},${count}`;

/** After the last change that no more than two contexts of equal lines separate from the one before, and its context. */
function hunkEnd(changes: readonly Change[], from: number): number {
  let last = from;
  for (let at = from; at < changes.length && at - last <= 2 * CONTEXT; at += 1) if (changes[at]?.[0] !== "=") last = at;
  return Math.min(changes.length, last + 1 + CONTEXT);
}

const linesOf = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The shortest edit script (Myers 1986, "An O(ND) difference algorithm"), between what both ends share. */
function compare(before: readonly string[], after: readonly string[]): readonly Change[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const same = (text: string): Change => ["=", text];
  return [
    ...before.slice(0, head).map(same),
    ...script(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

function script(before: readonly string[], after: readonly string[]): readonly Change[] {
  /** Furthest old line reached on each diagonal (old minus new line), before each number of edits. */
  const trace: Reach[] = [];
  let reach: Reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(MAX_EDITS, before.length + after.length); edits += 1) {
    trace.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let old = isAddition(reach, diagonal, edits) ? reachOf(reach, diagonal + 1) : reachOf(reach, diagonal - 1) + 1;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old += 1;
      next.set(diagonal, old);
      if (old >= before.length && old - diagonal >= after.length) return walkBack(trace, before, after);
    }
    reach = next;
  }
  return [...before.map((text): Change => ["-", text]), ...after.map((text): Change => ["+", text])];
}

type Reach = ReadonlyMap<number, number>;

const reachOf = (reach: Reach, diagonal: number) => reach.get(diagonal) ?? -1;

/** Is the diagonal reached by adding a line (from the one above) rather than by removing one: whichever comes further. */
function isAddition(reach: Reach, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && reachOf(reach, diagonal - 1) < reachOf(reach, diagonal + 1);
}

function walkBack(trace: readonly Reach[], before: readonly string[], after: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [old, fresh] = [before.length, after.length];
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const reach: Reach = trace[edits] ?? new Map();
    const diagonal = old - fresh;
    const added = isAddition(reach, diagonal, edits);
    const from = added ? diagonal + 1 : diagonal - 1;
    const fromOld = reachOf(reach, from);
    for (; old > fromOld && fresh > fromOld - from; old -= 1, fresh -= 1) changes.push(["=", before[old - 1] ?? ""]);
    changes.push(added ? ["+", after[fresh - 1] ?? ""] : ["-", before[old - 1] ?? ""]);
    old = fromOld;
    fresh = fromOld - from;
  }
  for (; old > 0; old -= 1) changes.push(["=", before[old - 1] ?? ""]);
  return changes.reverse();
}
