import { unitsText } from "../../model/index.ts";
import { type DomainSummary, type LevelSummary, levelSummary, type Topology } from "../../topology/index.ts";
import { type Style, table } from "./style.ts";

const BAR = 20;
const NAMES_SHOWN = 3;

/**
 * The tree down to `level`: for each domain its nodes, those that have all of the resource free, and free and total of it, with
 * a bar of what is used. Nodes that stand in no domain of a level are counted below, so that the sums can be followed.
 */
export function treeText(topology: Topology, resource: string, level: string, style: Style): string {
  const levels = levelSummary(topology, resource);
  const last = levels.findIndex((one) => one.level === level);
  const rows: string[][] = [["DOMAIN", "NODES", "WHOLLY FREE", `FREE ${resource}`, "TOTAL", ""]];
  const draw = (depth: number, parent: number) => {
    const { level: name, domains } = levels[depth] ?? { level: "", domains: [] };
    for (const [index, domain] of domains.entries()) {
      if (domain.parent !== parent && depth > 0) continue;
      rows.push(domainRow(resource, domain, `${"  ".repeat(depth)}${name} ${domain.path.at(-1)}`));
      if (depth < last) draw(depth + 1, index);
    }
  };
  draw(0, -1);
  const [head = "", ...body] = table(rows).split("\n");
  const unlabelled = levels.slice(0, last + 1).flatMap((one, index) => unlabelledLines(topology, one, index));
  return `${[style("bold", head), ...body, "", totalLine(topology, levels, resource), ...unlabelled].join("\n")}\n`;
}

function domainRow(resource: string, domain: DomainSummary, name: string): string[] {
  const { devices, freeDevices, freeNodes, nodes } = domain;
  const used = devices === 0 ? 0 : Math.round(((devices - freeDevices) / devices) * BAR);
  const bar = devices === 0 ? "" : `[${"#".repeat(used)}${".".repeat(BAR - used)}]`;
  return [name, String(nodes), String(freeNodes), unitsText(resource, freeDevices), unitsText(resource, devices), bar];
}

/** Hosts hold every node that there is, so the innermost level sums to the cluster. */
function totalLine(topology: Topology, levels: readonly LevelSummary[], resource: string): string {
  const hosts = levels.at(-1)?.domains ?? [];
  const sum = (pick: (one: DomainSummary) => number) => hosts.reduce((total, one) => total + pick(one), 0);
  const [free, total] = [sum((one) => one.freeDevices), sum((one) => one.devices)];
  const nodes = `${topology.nodes.length} ${topology.nodes.length === 1 ? "node" : "nodes"}`;
  return total === 0
    ? `${nodes}, none with ${resource}`
    : `${nodes}, ${unitsText(resource, free)} of ${unitsText(resource, total)} ${resource} free`;
}

function unlabelledLines(topology: Topology, { level, key, unlabelled }: LevelSummary, index: number): string[] {
  if (unlabelled === 0) return [];
  const nodes = topology.levels[index]?.unlabelled ?? [];
  const names = nodes.slice(0, NAMES_SHOWN).map((node) => topology.nodes[node]?.name ?? "");
  const lack = unlabelled === 1 ? "1 node lacks" : `${unlabelled} nodes lack`;
  return [`${lack} the label ${key} of level ${level}: ${names.join(", ")}${unlabelled > NAMES_SHOWN ? ", ..." : ""}`];
}
