import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";

/** What may stand at a place of a scenario file. `a` of several: the one whose shape (scalar, list, map) it has. */
export type Grammar =
  | "text"
  | "amount"
  | "number"
  | "flag"
  | "anything"
  | { readonly fields: Readonly<Record<string, Grammar>>; readonly needs?: readonly string[] }
  | { readonly list: Grammar }
  | { readonly named: Grammar }
  | { readonly a: readonly Grammar[] };

export type Report = (node: unknown, message: string) => void;

/** Every place where the tree is not as the grammar says, told with the node that is wrong. */
export function checkTree(node: unknown, grammar: Grammar, path: string, report: Report, resolve: Resolve): void {
  if (grammar === "anything") return;
  const found = isAlias(node) ? resolve(node) : node;
  if (typeof grammar === "string") checkScalar(found, grammar, path, report);
  else if ("a" in grammar) {
    const fitting = grammar.a.find((one) => takes(one, found)) ?? grammar.a[0];
    if (fitting !== undefined) checkTree(found, fitting, path, report, resolve);
  } else if ("list" in grammar) {
    if (!isSeq(found)) report(node, `${path} must be a list`);
    else
      for (const [index, item] of found.items.entries())
        checkTree(item, grammar.list, `${path}[${index}]`, report, resolve);
  } else if (!isMap(found)) report(node, `${path} must be a map`);
  else if ("named" in grammar) {
    for (const { key, value } of found.items)
      checkTree(value, grammar.named, `${path}.${keyText(key)}`, report, resolve);
  } else checkFields(found.items as readonly Pair[], grammar, { node, path }, report, resolve);
}

type Resolve = (alias: Node) => unknown;

function checkFields(
  pairs: readonly Pair[],
  { fields, needs = [] }: Extract<Grammar, { readonly fields: unknown }>,
  { node, path }: { readonly node: unknown; readonly path: string },
  report: Report,
  resolve: Resolve,
): void {
  const seen = new Set(pairs.map(({ key }) => keyText(key)));
  for (const { key, value } of pairs) {
    const name = keyText(key);
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (rule !== undefined) checkTree(value, rule, `${path}.${name}`, report, resolve);
    else report(key, `unknown key ${name} in ${path}; it takes ${Object.keys(fields).join(", ")}`);
  }
  for (const name of needs) if (!seen.has(name)) report(node, `${path} needs the key ${name}`);
}

function checkScalar(node: unknown, kind: "text" | "amount" | "number" | "flag", path: string, report: Report): void {
  const value = isScalar(node) ? node.value : undefined;
  const types = { text: ["string", "number"], amount: ["string", "number"], number: ["number"], flag: ["boolean"] };
  const words = { text: "text", amount: "an amount or null", number: "a number", flag: "true or false" }[kind];
  const fits = types[kind].includes(typeof value) || (kind === "amount" && value === null);
  if (!fits) report(node, `${path} must be ${words}`);
}

function takes(grammar: Grammar, node: unknown): boolean {
  if (grammar === "anything") return true;
  if (typeof grammar === "string") return isScalar(node);
  if ("a" in grammar) return grammar.a.some((one) => takes(one, node));
  return "list" in grammar ? isSeq(node) : isMap(node);
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);
