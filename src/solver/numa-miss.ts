import { heldTogether, type Reason, unitsText } from "../model/index.ts";
import type { Board } from "./board.ts";
import type { NumaLook } from "./numa-looks.ts";

/** No NUMA node has enough free for what one pod asks for at once: the node on which one comes closest, in numbers. */
export function numaMiss({ field, shapes, refused, unsure }: Board, number: number): readonly Reason[] {
  const shape = shapes[number];
  if (shape === undefined || field.numa === undefined) return [];
  let best: { row: number; resource: string; have: number; need: number; all: number; scope: string } | undefined;
  const seen = new Set<NumaLook>();
  for (const row of [...(refused[number] ?? [])].sort((a, b) => a - b)) {
    const look = row < field.existing ? field.numa.look(row) : undefined;
    const [setting] = look?.rule.settings ?? [];
    // Of rows that are alike the first is as good as any.
    if (look === undefined || unsure.has(row) || setting === undefined || seen.has(look)) continue;
    seen.add(look);
    const stocks = new Map(look.stocks);
    const { scope } = setting;
    const asks = scope === "pod" ? [heldTogether(shape.containers)] : shape.containers.map(({ requests }) => requests);
    for (const [resource, need] of asks.flatMap((one) => Object.entries(one))) {
      const stock = stocks.get(resource);
      const have = stock?.kind === "laid" ? Math.max(...stock.most) : need;
      if (stock?.kind !== "laid" || have >= need) continue;
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
      message: `the best node, ${node}, has ${text(have)} of the ${text(need)} ${resource} that one ${scope}${shape.of} needs${field.nominal ? "" : " free"} on one NUMA node, and ${text(all)} in all`,
      data: { podSet: shape.name, node, resource, have, need },
    },
  ];
}
