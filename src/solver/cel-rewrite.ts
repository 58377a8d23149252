import type { ASTNode } from "@marcbachmann/cel-js";

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

/**
 * Three places where the CEL library differs from the dialect of device selectors are rewritten before evaluation, guided by the AST:
 * `matches` goes to a linear-time matcher, a domain that is not there reads as the empty map while `in` still says so,
 * and `has(x["k"].f)` becomes a membership test.
 */
export function rewriteSelector(text: string, ast: ASTNode): string {
  const edits: Edit[] = [];
  visit(ast, text, edits);
  // Stable: edits at one place stay in the order of nesting, inner ones first.
  edits.sort((a, b) => a.at - b.at);
  let result = "";
  let from = 0;
  for (const { at, remove, insert } of edits) {
    result += text.slice(from, at) + insert;
    from = at + remove;
  }
  return result + text.slice(from);
}

function visit(node: ASTNode, text: string, edits: Edit[]): void {
  if (node.op === "call" && node.args[0] === "has" && hasTest(node, text, edits)) return;
  if (node.op === "call" && node.args[0] === "matches") edits.push({ at: node.start, remove: 7, insert: "re2test" });
  if (node.op === "rcall" && node.args[0] === "matches") {
    const at = text.indexOf("matches", node.args[1].end);
    if (at !== -1) edits.push({ at, remove: 7, insert: "re2test" });
  }
  if ((node.op === "[]" || node.op === ".") && isDomains(node.args[0])) {
    const mark = node.op === "[]" ? "[" : ".";
    const at = text.indexOf(mark, node.args[0].end);
    if (at !== -1) {
      edits.push({ at: at + 1, remove: 0, insert: "?" });
      edits.push({ at: node.end, remove: 0, insert: ".orValue({})" });
    }
  }
  for (const child of children(node)) visit(child, text, edits);
}

/** `has(E.f)` becomes `("f" in (E))`; on the device itself `has` is left alone. */
function hasTest(node: ASTNode & { readonly op: "call" }, text: string, edits: Edit[]): boolean {
  const target = node.args[1][0];
  if (node.args[1].length !== 1 || target?.op !== "." || target.args[0].op === "id") return false;
  const [object, field] = target.args;
  edits.push({ at: node.start, remove: object.start - node.start, insert: `(${JSON.stringify(field)} in (` });
  visit(object, text, edits);
  edits.push({ at: object.end, remove: node.end - object.end, insert: "))" });
  return true;
}

/** `device.attributes` or `device.capacity`. */
export function isDomains(node: ASTNode): boolean {
  if (node.op !== ".") return false;
  const [object, field] = node.args;
  return object.op === "id" && object.args === "device" && (field === "attributes" || field === "capacity");
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value && "start" in value;
}

/** Child nodes, however the operator nests them. */
export function children(node: ASTNode): readonly ASTNode[] {
  const found: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const one of value) collect(one);
  };
  collect(node.args);
  return found;
}
