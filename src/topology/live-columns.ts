import type { Resources } from "../model/index.ts";
import { isCommonColumn } from "./tree.ts";

/** Which resources nodes and pods name, counted, so that a column comes with its first use and goes with its last. */
export interface Columns {
  add(resources: Resources): void;
  drop(resources: Resources): void;
  names(): Iterable<string>;
}

/** `changed` is told when a column comes or goes. */
export function createColumns(changed: () => void): Columns {
  const counts = new Map<string, number>();
  const count = (resources: Resources, step: 1 | -1): void => {
    for (const name of Object.keys(resources)) {
      if (isCommonColumn(name)) continue;
      const before = counts.get(name) ?? 0;
      const after = before + step;
      if (after === 0) counts.delete(name);
      else counts.set(name, after);
      if (before === 0 || after === 0) changed();
    }
  };
  return {
    add: (resources) => count(resources, 1),
    drop: (resources) => count(resources, -1),
    names: () => counts.keys(),
  };
}
