/** Small words for messages. */
export { plural } from "../model/index.ts";

/** Up to three, then how many more. */
export function list(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
