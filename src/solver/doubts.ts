import type { Reason } from "../model/index.ts";
import type { Board } from "./board.ts";
import { levelAt, type Stage, withinAt } from "./layers.ts";
import { rowsWithin } from "./members.ts";
import { undeclaredLabels } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { domainNoun, list, plural } from "./text.ts";
import { SELECTED } from "./topology-index.ts";

/** Labels that new nodes may get and the pods' own affinity or anti-affinity counts by. */
function undeclared({ field }: Board, { company }: Shape): readonly Reason[] {
  const keys = [...new Set([...(company.near?.keys ?? []), ...company.alone])];
  return field.kinds.flatMap(({ pool }, index) => {
    const row = field.kindOf.indexOf(index);
    const bare = row === -1 ? [] : keys.filter((key) => field.key(key).of[row] === -1);
    return bare.map(
      (key): Reason => ({
        code: "LabelMissing",
        message: `pool ${pool.name} does not declare the label ${key}, by which the pods' affinity to each other counts`,
        data: { pool: pool.name, label: key },
      }),
    );
  });
}

/** What is not known and could turn a "does not fit" into a "fits". Empty: nothing. */
export function doubtsOf(board: Board, stage: Stage): readonly Reason[] {
  const { field, shapes, screens } = board;
  const { topology } = field.index;
  const reasons = new Map<string, Reason>();
  const add = (code: Reason["code"], message: string, data?: Reason["data"]): void => {
    reasons.set(message, { code, message, ...(data === undefined ? {} : { data }) });
  };
  for (const [number, shape] of shapes.entries()) {
    const own = levelAt(shape, stage);
    const outer = withinAt(shape, stage);
    // Who lacks a wider label lacks the narrower domain as well, but for hosts.
    const asked = shape.required > 1 ? [own, outer].filter((level) => level !== undefined) : [];
    for (const level of asked) {
      const { level: named } = topology.levels[level] ?? { level: { name: "", key: "" } };
      const domains = field.level(level);
      if (board.room(number, domains).unplaced === 0) continue;
      const bare: string[] = [];
      const pools = new Set<string>();
      for (const row of rowsWithin(domains, -1, [board.cap(number)])) {
        if (row < field.existing) bare.push(topology.nodes[row]?.name ?? "");
        else pools.add(field.kinds[field.kindOf[row] ?? 0]?.pool.name ?? "");
      }
      if (bare.length > 0)
        add(
          "LabelMissing",
          `${plural(bare.length, "node")} with room ${bare.length === 1 ? "lacks" : "lack"} the label ${named.key} or that of a wider level (${list(bare)}), so which ${domainNoun(named.name)} they are in is not known`,
          { label: named.key, nodes: bare.length },
        );
      for (const pool of pools)
        add(
          "LabelMissing",
          `pool ${pool} does not say whether its new nodes share one ${domainNoun(named.name)} (field together)`,
          {
            pool,
            level: named.name,
          },
        );
    }
    for (const [index, kind] of field.kinds.entries()) {
      const row = field.kindOf.indexOf(index);
      for (const key of undeclaredLabels(kind, shape))
        add("LabelMissing", `pool ${kind.pool.name} does not declare the label ${key}, which the pod selects by`, {
          pool: kind.pool.name,
          label: key,
        });
      for (const rule of shape.spreads)
        if (
          !rule.soft &&
          row !== -1 &&
          (field.key(rule.key).of[row] ?? -1) === -1 &&
          ((screens[number]?.affine[row] ?? 0) & SELECTED) !== 0
        )
          add(
            "LabelMissing",
            `pool ${kind.pool.name} does not declare the label ${rule.key}, over which the pods spread`,
            {
              pool: kind.pool.name,
              label: rule.key,
            },
          );
    }
  }
  for (const shape of shapes) for (const reason of undeclared(board, shape)) reasons.set(reason.message, reason);
  const unsure = new Map<string, string[]>();
  for (const [row, doubt] of [...board.unsure].sort(([a], [b]) => a - b)) {
    const node = topology.nodes[row]?.name ?? `a new node of ${field.kinds[field.kindOf[row] ?? -1]?.pool.name}`;
    const nodes = unsure.get(doubt) ?? [];
    unsure.set(doubt, nodes);
    if (!nodes.includes(node)) nodes.push(node);
  }
  for (const [doubt, nodes] of unsure)
    add("DataMissing", doubt.replaceAll("%", `${plural(nodes.length, "node")} (${list(nodes)})`), {
      nodes: nodes.length,
    });
  for (const text of [...(board.devices?.doubts ?? [])].sort()) add("DataMissing", text);
  return [...reasons.values()];
}
