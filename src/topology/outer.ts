import { once } from "../model/index.ts";
import type { Level, Topology } from "./types.ts";

/**
 * Label keys of wider levels, from near to far, that tell domains of this level apart where their own values do not: what compares one label takes
 * equal rack names in two zones for one rack. Empty where every value stands for one domain.
 */
export function outerKeys({ levels }: Topology, level: number): readonly string[] {
  return keysOf(levels)[level] ?? [];
}

const keysOf = once((levels: readonly Level[]): readonly (readonly string[])[] =>
  levels.map(({ level, domains }, depth) => {
    // A host is told apart by its name, whatever its path.
    if (level.name === "host") return [];
    const keys: string[] = [];
    for (let from = depth; from >= 0; from -= 1) {
      const values = new Set(domains.map(({ path }) => JSON.stringify(path.slice(from))));
      if (values.size === domains.length) break;
      const wider = levels[from - 1];
      if (wider !== undefined) keys.push(wider.level.key);
    }
    return keys;
  }),
);
