import { type Assignment, domainNoun, every, plural } from "../model/index.ts";

/** Small words for messages. */
export { domainNoun, every, plural };

/** Up to three, then how many more. */
export function list(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** `3 pods on 2 nodes` */
export function sizeText(assignment: Assignment | undefined): string {
  const placed = assignment?.placed ?? [];
  const pods = placed.reduce((sum, one) => sum + one.pods, 0);
  return `${plural(pods, "pod")} on ${plural(new Set(placed.map(({ node }) => node)).size, "node")}`;
}
