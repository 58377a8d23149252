/** `1 node`, `2 nodes`, `2 classes`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("x") || noun.endsWith("s") ? "es" : "s"}`;
}
