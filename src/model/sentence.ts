/** With an end, where it has none. */
export function sentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

/** A sentence after another begins with a capital, but for names (of pod sets, rungs, programs), which are written as they are. */
export function capital(text: string, names: readonly string[] = []): string {
  const [word = ""] = /^[a-z]+(?=[ ,:])/.exec(text) ?? [];
  const isName = word === "kubectl" || word === "plimsoll" || names.includes(word);
  return word === "" || isName ? text : `${word.charAt(0).toUpperCase()}${text.slice(1)}`;
}
