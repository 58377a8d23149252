/** `the one pod`, `both pods`, `all 3 pods`. */
export function every(count: number, noun: string): string {
  if (count === 1) return `the one ${noun}`;
  return count === 2 ? `both ${plural(2, noun).slice(2)}` : `all ${plural(count, noun)}`;
}

/** What a domain of a level is called among words: `rack`, but `nvlink domain`, since the level bears the name of a cable. */
export function domainNoun(level: string): string {
  return level === "nvlink" || level.endsWith("s") ? `${level} domain` : level;
}

/** `1 node`, `2 nodes`, `2 classes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("x") || noun.endsWith("s") ? "es" : "s"}`;
}
