import type { Board } from "./board.ts";
import { amountsIn } from "./feasible.ts";
import { joined } from "./text.ts";

/** What by itself keeps the required pods out: a resource that nodes have too little of, or a host port that they have once. */
export interface RunsOut {
  /** To stand after a count of pods. */
  readonly text: string;
  /** A host port is among it, so no node takes two. */
  readonly byPort: boolean;
}

/**
 * Each thing without which these rows would have room for all required pods, by amounts alone; undefined where no single thing is in the way, or where
 * devices are not counted by amounts. Of each row the least and the second least count of pods tell what it would hold without each.
 */
export function runsOut(
  { field, shapes, screens }: Board,
  number: number,
  rows: Iterable<number>,
): RunsOut | undefined {
  const [shape, screened] = [shapes[number], screens[number]];
  if (shape === undefined || screened === undefined) return undefined;
  // How many new nodes there may be is for their pools to say.
  if (field.kinds.length > 0 || field.numa !== undefined) return undefined;
  if (shape.devices.length > 0 || shape.extended.length > 0) return undefined;
  const { columns, amounts } = amountsIn(field, shape);
  const width = field.columns.length;
  const without = new Float64Array(columns.length);
  for (const row of rows) {
    if (screened.code[row] !== 0) continue;
    let [first, second, scarce] = [shape.required, shape.required, -1];
    for (const [index, column] of columns.entries()) {
      const holds = Math.max(0, Math.floor((field.free[row * width + column] ?? 0) / (amounts[index] ?? 1)));
      if (holds < first) [first, second, scarce] = [holds, first, index];
      else if (holds < second) second = holds;
    }
    for (const index of columns.keys()) without[index] = (without[index] ?? 0) + (index === scarce ? second : first);
  }
  const enough = [...without.keys()].filter((index) => (without[index] ?? 0) >= shape.required);
  const ports = enough.flatMap((index) => shape.ports[index - shape.needs.length] ?? []);
  const resources = enough.flatMap((index) => shape.needs[index]?.resource ?? []);
  const texts = resources.map((resource) => (resource === "pods" ? "pod slots" : resource));
  const many = texts.length > 1 || resources[0] === "pods";
  const each = ports.length === 0 ? "" : `, one on each node for host port ${joined(ports.map(String))}`;
  const then = texts.length === 0 ? "" : `, then ${joined(texts)} ${many ? "run" : "runs"} out`;
  return enough.length === 0 ? undefined : { text: `${each}${then}`, byPort: ports.length > 0 };
}
