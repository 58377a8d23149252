import type { Field } from "./field.ts";

/** Selectors that fail or do not compile, as whole sentences: for certain, or perhaps only here. */
export interface Faults {
  readonly errors: Set<string>;
  readonly faults: Set<string>;
}

/**
 * Every selector in order, so that a later one that fails is not reached where an earlier one says no. Selectors that do not compile, and
 * in a hopeful field those that may fail only here, count as a yes where they might be one.
 */
export function selects(
  field: Field,
  id: number,
  selectors: readonly string[],
  { errors, faults }: Faults,
): "yes" | "no" | "fault" {
  const table = field.index.devices;
  for (const expression of selectors) {
    const selected = table.selected(expression);
    if (selected.selector === undefined) {
      faults.add(selected.fault ?? "a selector does not compile");
      if (!field.hopeful) return "no";
      continue;
    }
    const result = selected.of[id] ?? 0;
    if (result === 2 && field.hopeful) continue;
    if (result === 2 || result === 3) {
      const told = result === 3 ? errors : faults;
      // Every device of a driver may fail in the same way: the first that is looked at stands for all.
      const start = `the selector ${short(expression)} fails on `;
      if (![...told].some((one) => one.startsWith(start))) {
        const device = table.devices[id];
        const outcome = device === undefined ? true : selected.selector.matches(device);
        const why = typeof outcome === "boolean" ? "it fails" : outcome.fault;
        const failing = selected.of.reduce((sum, one) => sum + Number(one === result), 0);
        const others = failing > 1 ? ` and ${failing - 1} more` : "";
        told.add(
          `${start}device ${table.keys[id]}${others} (${why}), and the scheduler then gives up on the pod: guard it with has() or in`,
        );
      }
      return "fault";
    }
    if (result !== 1) return "no";
  }
  return "yes";
}

function short(expression: string): string {
  const line = expression.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
}
