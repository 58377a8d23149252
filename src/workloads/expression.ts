import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { functions } from "./functions.ts";
import type { Expression } from "./types.ts";

const LIMITS = { maxAstNodes: 250, maxDepth: 40, maxListElements: 16, maxMapEntries: 16, maxCallArguments: 6 };
/** Standard functions whose work is bounded by the size of their operand. No comprehension, no regular expression. */
const STANDARD = new Set(["size", "int", "string", "double", "startsWith", "endsWith", "contains", "has", "bool"]);

/**
 * Compiles the expressions of the kind table. They see `object`, `item` and `key`, and the functions of functions.ts. Loops and regular
 * expressions are refused, so that the work is bounded by the size of the expression times the size of the object.
 */
export function expressionCompiler(): (text: string) => Expression {
  const environment = new Environment({ unlistedVariablesAreDyn: false, enableOptionalTypes: true, limits: LIMITS })
    .registerVariable("object", "dyn")
    .registerVariable("item", "dyn")
    .registerVariable("key", "string");
  const known = new Set(STANDARD);
  for (const [signature, handler] of functions) {
    environment.registerFunction(signature, handler);
    known.add(signature.slice(0, signature.indexOf("(")));
  }
  return (text) => {
    if (text.length > 2000) return broken("the expression is longer than 2000 characters");
    try {
      const program = environment.parse(text);
      const checked = program.check();
      if (!checked.valid) return broken(oneLine(checked.error?.message ?? "it does not type-check"));
      const foreign = foreignCall(program.ast, known);
      if (foreign !== undefined) return broken(`${foreign} is not available here; use ${[...known].sort().join(", ")}`);
      return {
        fault: undefined,
        value(scope) {
          try {
            return program({ object: scope.object, item: scope.item, key: scope.key });
          } catch {
            return undefined;
          }
        },
      };
    } catch (error) {
      return broken(oneLine(error instanceof Error ? error.message : String(error)));
    }
  };
}

function broken(fault: string): Expression {
  return { fault, value: () => undefined };
}

function oneLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}

/** The first function that is called and not known. */
function foreignCall(node: unknown, known: ReadonlySet<string>): string | undefined {
  if (Array.isArray(node)) {
    for (const one of node) {
      const found = foreignCall(one, known);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return undefined;
  const { op, args } = node as Pick<ASTNode, "op" | "args">;
  if ((op === "call" || op === "rcall") && Array.isArray(args) && typeof args[0] === "string" && !known.has(args[0]))
    return args[0];
  return foreignCall(args, known);
}
