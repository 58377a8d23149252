import { heldTogether, type Reason, unitsText } from "../model/index.ts";
import type { Board } from "./board.ts";

/** No NUMA node has enough free for what one pod asks for at once: the node on which one comes closest, in numbers. */
export function numaMiss({ field, shapes, refused, unsure }: Board, number: number): readonly Reason[] {
  const shape = shapes[number];
  if (shape === undefined || field.numa === undefined) return [];
  let best: { row: number; resource: string; have: number; need: number; all: number; scope: string } | undefined;
  for (const row of [...(refused[number] ?? [])].sort((a, b) => a - b)) {
    const [setting] = field.numa.rule(row)?.settings ?? [];
    if (row >= field.existing || unsure.has(row) || setting === undefined) continue;
    const { scope } = setting;
    const asks = scope === "pod" ? [heldTogether(shape.containers)] : shape.containers.map(({ requests }) => requests);
    for (const [resource, need] of asks.flatMap((one) => Object.entries(one))) {
      const stock = field.numa.stock(row, resource);
      const have = stock.kind === "laid" ? Math.max(...stock.most) : need;
      if (stock.kind !== "laid" || have >= need) continue;
      if (best === undefined || have / need > best.have / best.need)
        best = { row, resource, have, need, all: stock.total, scope };
    }
  }
  if (best === undefined) return [];
  const { row, resource, have, need, all, scope } = best;
  const node = field.index.topology.nodes[row]?.name ?? "";
  const text = (amount: number): string => unitsText(resource, amount);
  return [
    {
      code: "NearestMiss",
      message: `the best node, ${node}, has ${text(have)} of the ${text(need)} ${resource} that one ${scope}${shape.of} needs free on one NUMA node, and ${text(all)} in all`,
      data: { podSet: shape.name, node, resource, have, need },
    },
  ];
}
