import type { ASTNode } from "@marcbachmann/cel-js";
import { children } from "./cel-rewrite.ts";

/** As upstream: a selector whose worst case passes this is refused, whatever the device. */
export const MAX_COST = 1_000_000;
/** Lists and strings that a device may publish hold at most this many elements (48 values, 64 characters). */
const PUBLISHED = 64;
const LOOPS = new Set(["all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap"]);

type Sizes = ReadonlyMap<string, number>;

/** An upper bound on evaluation steps: comprehensions multiply, concatenations add up. */
export function selectorCost(ast: ASTNode): number {
  return measure(ast, new Map()).cost;
}

interface Measure {
  readonly cost: number;
  /** Upper bound on the elements or characters of the value. */
  readonly size: number;
}

function measure(node: ASTNode, sizes: Sizes): Measure {
  if (node.op === "value") return { cost: 1, size: typeof node.args === "string" ? Math.max(1, node.args.length) : 1 };
  if (node.op === "id") return { cost: 1, size: sizes.get(node.args) ?? PUBLISHED };
  if (node.op === "rcall" && node.args[0] === "bind" && node.args[2].length === 3) {
    const [name, value, body] = node.args[2];
    if (name?.op === "id" && value !== undefined && body !== undefined) {
      const bound = measure(value, sizes);
      const rest = measure(body, new Map([...sizes, [name.args, bound.size]]));
      return { cost: sum(bound.cost, rest.cost), size: rest.size };
    }
  }
  if (node.op === "rcall" && LOOPS.has(node.args[0])) {
    const range = measure(node.args[1], sizes);
    const [variable, ...bodies] = node.args[2];
    const inner = variable?.op === "id" ? new Map([...sizes, [variable.args, Math.max(PUBLISHED, range.size)]]) : sizes;
    const parts = bodies.map((body) => measure(body, inner));
    const once = parts.reduce((total, part) => sum(total, part.cost), 1);
    const size = parts.reduce((most, part) => Math.max(most, part.size), 1);
    return { cost: sum(range.cost, range.size * once), size: range.size * size };
  }
  const parts = children(node).map((child) => measure(child, sizes));
  const size = parts.reduce((total, part) => sum(total, part.size), 0);
  const cost = parts.reduce((total, part) => sum(total, part.cost), 1);
  // A call may walk its operands once; a regular expression walks text times pattern.
  const called = node.op === "call" || node.op === "rcall" || node.op === "+" || node.op === "in" || node.op === "==";
  const regex = (node.op === "call" || node.op === "rcall") && ["matches", "find", "findAll"].includes(node.args[0]);
  const work = regex
    ? parts.reduce((product, part) => Math.min(MAX_COST * 2, product * part.size), 1)
    : called
      ? size
      : 1;
  return { cost: sum(cost, work), size: Math.max(node.op === "." || node.op === "[]" ? PUBLISHED : 1, size) };
}

const sum = (a: number, b: number): number => Math.min(MAX_COST * 2, a + b);
