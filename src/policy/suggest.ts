const MAX_LENGTH = 64;
const MAX_CANDIDATES = 2000;

/**
 * Names that a misspelt one may have meant, nearest first, at most three: those within a third of its length in edits
 * (Levenshtein), and those that differ in case and separators only. Work is bounded by both limits above.
 */
export function nearNames(name: string, candidates: Iterable<string>): readonly string[] {
  if (name === "" || name.length > MAX_LENGTH) return [];
  const allowed = Math.max(1, Math.floor(name.length / 3));
  const plain = plainName(name);
  const found: { candidate: string; distance: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    seen += 1;
    if (seen > MAX_CANDIDATES) break;
    if (candidate === name || candidate.length > MAX_LENGTH || Math.abs(candidate.length - name.length) > allowed + 2)
      continue;
    const distance = plainName(candidate) === plain ? 0 : editDistance(name, candidate);
    if (distance <= allowed) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, 3).map(({ candidate }) => candidate);
}

/** `Did you mean h100?`, or the whole list where nothing is near and the list is short; undefined where neither helps. */
export function suggestion(name: string, candidates: readonly string[], listed: string): string | undefined {
  const near = nearNames(name, candidates);
  if (near.length > 0) return `Did you mean ${orList(near)}?`;
  if (candidates.length === 0) return undefined;
  return candidates.length <= 20 ? `${listed}: ${[...candidates].sort().join(", ")}.` : undefined;
}

/** `a`, `a or b`, `a, b or c`. */
export function orList(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_. ]/g, "");
}

/** Levenshtein with adjacent transposition counted as one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
