import { unitsText } from "../../model/index.ts";
import type { Domain, Topology } from "../../topology/index.ts";
import { type Style, table } from "./style.ts";

const BAR = 20;

/** The tree down to `level`: for each domain its nodes, and free and total of one resource, with a bar of what is used. */
export function treeText(topology: Topology, resource: string, level: string, style: Style): string {
  const last = topology.levels.findIndex((one) => one.level.name === level);
  const rows: string[][] = [["DOMAIN", "NODES", "WHOLLY FREE", `FREE ${resource}`, "TOTAL", ""]];
  const draw = (depth: number, parent: number) => {
    for (const domain of topology.levels[depth]?.domains ?? []) {
      if (domain.parent !== parent && depth > 0) continue;
      rows.push(
        domainRow(
          topology,
          resource,
          domain,
          `${"  ".repeat(depth)}${topology.levels[depth]?.level.name} ${domain.path.at(-1)}`,
        ),
      );
      if (depth < last) draw(depth + 1, domain.index);
    }
  };
  draw(0, -1);
  const all = countsOf(
    topology,
    resource,
    topology.nodes.map((_, index) => index),
  );
  const lines = table(rows).split("\n");
  const unlabelled = topology.levels.slice(0, last + 1).flatMap(({ level: one, unlabelled: nodes }) => {
    if (nodes.length === 0) return [];
    const names = nodes.slice(0, 3).map((index) => topology.nodes[index]?.name ?? "");
    return [
      `${nodes.length} ${nodes.length === 1 ? "node lacks" : "nodes lack"} the label ${one.key} of level ${one.name}: ${names.join(", ")}${nodes.length > 3 ? ", ..." : ""}`,
    ];
  });
  const total = `${topology.nodes.length} nodes, ${unitsText(resource, all.free)} of ${unitsText(resource, all.total)} ${resource} free`;
  return `${[style("bold", lines[0] ?? ""), ...lines.slice(1), "", total, ...unlabelled].join("\n")}\n`;
}

function domainRow(topology: Topology, resource: string, domain: Domain, name: string): string[] {
  const { free, total, idle } = countsOf(topology, resource, domain.nodes);
  const used = total === 0 ? 0 : Math.round(((total - free) / total) * BAR);
  const bar = total === 0 ? "" : `[${"#".repeat(used)}${".".repeat(BAR - used)}]`;
  return [name, String(domain.nodes.length), String(idle), unitsText(resource, free), unitsText(resource, total), bar];
}

/** Free counts only nodes that take pods: ready and not cordoned. Idle nodes have all of the resource free. */
function countsOf(
  topology: Topology,
  resource: string,
  nodes: readonly number[],
): { free: number; total: number; idle: number } {
  const column = topology.resourceIndex.get(resource);
  if (column === undefined) return { free: 0, total: 0, idle: 0 };
  const width = topology.resources.length;
  let free = 0;
  let total = 0;
  let idle = 0;
  for (const index of nodes) {
    const allocatable = topology.allocatable[index * width + column] ?? 0;
    const used = topology.ledger.used[index * width + column] ?? 0;
    const node = topology.nodes[index];
    total += allocatable;
    if (node === undefined || node.cordoned || !node.ready) continue;
    free += Math.max(0, allocatable - used);
    if (allocatable > 0 && used === 0) idle += 1;
  }
  return { free, total, idle };
}
