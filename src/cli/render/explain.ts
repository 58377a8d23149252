import type { Answer, Assignment, Rung, RungAnswer, Verdict } from "../../model/index.ts";
import { rungText } from "../../model/index.ts";
import type { Topology } from "../../topology/index.ts";
import { type Style, table, wrap } from "./style.ts";

const LOOKS: Readonly<Record<Verdict, "green" | "cyan" | "yellow" | "red" | "magenta" | "blue">> = {
  fits: "green",
  scaleUp: "cyan",
  busy: "yellow",
  never: "red",
  unknown: "magenta",
  undecided: "blue",
};
const WIDTH = 118;

/** The ladder, rung by rung with its reasons; the assignment by level of the rung that was chosen; suggestions. */
export function answerText(answer: Answer, topology: Topology | undefined, style: Style): string {
  const lines: string[] = [];
  answer.ladder.forEach((rung, index) => {
    const chosen = answer.chosen === rung;
    lines.push(
      `${chosen ? style("bold", "→") : " "} ${index + 1}. ${rungName(rung.rungs)}: ${style(LOOKS[rung.verdict], rung.verdict)}`,
    );
    // The counted exclusions stand in the table below, line by line.
    for (const { code, message } of rung.reasons)
      if (code !== "Excluded") lines.push(`       ${wrap(message, WIDTH, "       ")}`);
    if (rung.verdict !== "fits") for (const line of exclusionLines(rung)) lines.push(`       ${line}`);
  });
  if (answer.chosen?.assignment !== undefined) {
    lines.push("", "Assignment:", ...assignmentLines(answer.chosen.assignment, topology).map((line) => `  ${line}`));
  }
  if (answer.suggestions.length > 0) {
    lines.push("", "What would work:");
    for (const one of answer.suggestions) {
      const who = one.who === "workload" ? "" : " (the platform team's to change)";
      lines.push(`  - ${wrap(`${one.change}: ${one.message}${who}`, WIDTH, "    ")}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** One rung where all pod sets share it, else one for each set. */
export function rungName(rungs: Readonly<Record<string, Rung>>): string {
  const entries = Object.entries(rungs).map(([set, rung]) => [set, rungText(rung)] as const);
  const texts = new Set(entries.map(([, text]) => text));
  const [only] = texts;
  return texts.size === 1 && only !== undefined ? only : entries.map(([set, text]) => `${set}=${text}`).join(", ");
}

function exclusionLines(rung: RungAnswer): string[] {
  if (rung.exclusions.length === 0) return [];
  const rows = rung.exclusions.map(({ constraint, nodes, examples }) => [
    `${nodes} ${nodes === 1 ? "node" : "nodes"}`,
    constraint,
    examples.length === 0
      ? ""
      : `(${examples.slice(0, 3).join(", ")}${nodes > Math.min(3, examples.length) ? ", ..." : ""})`,
  ]);
  return table(rows).split("\n");
}

/** Nodes under their domains, those with equal loads together. */
function assignmentLines(assignment: Assignment, topology: Topology | undefined): string[] {
  const byDomain = new Map<string, string[]>();
  for (const { node, pods, podSet } of assignment.placed) {
    const domain = domainText(topology, node);
    const list = byDomain.get(domain) ?? [];
    list.push(`${node}: ${pods} ${pods === 1 ? "pod" : "pods"} of ${podSet}`);
    byDomain.set(domain, list);
  }
  const lines: string[] = [];
  for (const [domain, nodes] of [...byDomain].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (domain !== "") lines.push(domain);
    const shown = nodes.length > 24 ? [...nodes.slice(0, 20), `... and ${nodes.length - 20} nodes more`] : nodes;
    for (const node of shown) lines.push(`${domain === "" ? "" : "  "}${node}`);
  }
  for (const { pool, zone, count } of assignment.newNodes)
    lines.push(`new: ${count} ${count === 1 ? "node" : "nodes"} from pool ${pool}${zone === "" ? "" : ` in ${zone}`}`);
  return lines;
}

function domainText(topology: Topology | undefined, node: string): string {
  const index = topology?.nodeIndex.get(node);
  if (topology === undefined || index === undefined) return "";
  const parts: string[] = [];
  for (const level of topology.levels.slice(0, -1)) {
    const domain = level.domains[level.domainOf[index] ?? -1];
    if (domain !== undefined) parts.push(`${level.level.name} ${domain.path.at(-1)}`);
  }
  return parts.join(" / ");
}
