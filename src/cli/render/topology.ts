import { unitsText } from "../../model/index.ts";
import {
  type DomainSummary,
  type LevelSummary,
  levelSummary,
  type NumaSummary,
  numaSummary,
  type Topology,
} from "../../topology/index.ts";
import { type Style, table } from "./style.ts";
import type { Share, Taken } from "./taken.ts";

const BAR = 20;
const NAMES_SHOWN = 3;

/**
 * The tree down to `level`: for each domain its nodes, those that have all of the resource free, and free and total of it, with
 * a bar of what is used and, marked, what a workload would take. Nodes that stand in no domain of a level are counted below, so that
 * the sums can be followed.
 */
export function treeText(topology: Topology, resource: string, level: string, style: Style, taken?: Taken): string {
  const levels = levelSummary(topology, resource);
  const last = levels.findIndex((one) => one.level === level);
  const takes = taken === undefined ? [] : ["", "TAKES"];
  const rows: string[][] = [["DOMAIN", "NODES", "WHOLLY FREE", `FREE ${resource}`, "TOTAL", ...takes]];
  const marked = new Set<number>();
  const draw = (depth: number, parent: number) => {
    const { level: name, domains } = levels[depth] ?? { level: "", domains: [] };
    for (const [index, domain] of domains.entries()) {
      if (domain.parent !== parent && depth > 0) continue;
      const nodes = topology.levels[depth]?.domains[index]?.nodes ?? [];
      const share = taken === undefined ? undefined : shareOf(nodes, taken);
      if (share !== undefined && share.pods > 0) marked.add(rows.length);
      rows.push(domainRow(resource, domain, `${"  ".repeat(depth)}${name} ${domain.path.at(-1)}`, share));
      if (depth < last) draw(depth + 1, index);
    }
  };
  draw(0, -1);
  const lines = table(rows).split("\n");
  const body = lines.map((line, row) => (row === 0 || marked.has(row) ? style("bold", line) : line));
  const unlabelled = levels.slice(0, last + 1).flatMap((one, index) => unlabelledLines(topology, one, index));
  const outside = taken === undefined ? [] : outsideLines(topology, levels[0], taken);
  const coming = taken?.coming.map((one) => `it also takes ${one}`) ?? [];
  const numa = numaSummary(topology, resource).map((one) => numaLine(one, resource));
  return `${[...body, "", totalLine(topology, levels, resource), ...numa, ...outside, ...coming, ...unlabelled].join("\n")}\n`;
}

function shareOf(nodes: readonly number[], taken: Taken): Share {
  let [pods, units] = [0, 0];
  for (const node of nodes) {
    const share = taken.nodes.get(node);
    pods += share?.pods ?? 0;
    units += share?.units ?? 0;
  }
  return { pods, units };
}

/** Pods on nodes that no domain of the outermost level holds, so that no line above counts them. */
function outsideLines(topology: Topology, outermost: LevelSummary | undefined, taken: Taken): string[] {
  const { pods } = shareOf(topology.levels[0]?.unlabelled ?? [], taken);
  return pods === 0
    ? []
    : [`it also takes room for ${podsText(pods)} on nodes that stand in no ${outermost?.level ?? "domain"}`];
}

/** `#` is used, `+` would be taken, `.` stays free. */
function domainRow(resource: string, domain: DomainSummary, name: string, share: Share | undefined): string[] {
  const { devices, freeDevices, freeNodes, nodes } = domain;
  const cells = (units: number) => (devices === 0 ? 0 : Math.round((units / devices) * BAR));
  const used = cells(devices - freeDevices);
  // What is taken is seen, however little it is.
  const more = Math.min(BAR - used, share === undefined || share.units === 0 ? 0 : Math.max(1, cells(share.units)));
  const bar = devices === 0 ? "" : `[${"#".repeat(used)}${"+".repeat(more)}${".".repeat(BAR - used - more)}]`;
  const takes = share === undefined ? [] : [share.pods === 0 ? "" : takesText(resource, share)];
  const [free, total] = [unitsText(resource, freeDevices), unitsText(resource, devices)];
  return [name, String(nodes), String(freeNodes), free, total, bar, ...takes];
}

const podsText = (pods: number) => `${pods} ${pods === 1 ? "pod" : "pods"}`;
const takesText = (resource: string, { pods, units }: Share) =>
  `<- ${podsText(pods)}${units === 0 ? "" : `, ${unitsText(resource, units)}`}`;

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

/** What the nodes' NodeResourceTopologies tell: which pods a kubelet admits is decided by what is free on one NUMA node. */
function numaLine({ policy, scope, nodes, free, stale }: NumaSummary, resource: string): string {
  const on = (count: number) => `${count} ${count === 1 ? "node" : "nodes"}`;
  const parts = free.map(({ amount, nodes: count }) => `${unitsText(resource, amount)} on ${on(count)}`);
  const names = `${stale.slice(0, NAMES_SHOWN).join(", ")}${stale.length > NAMES_SHOWN ? ", ..." : ""}`;
  if (stale.length > 0) parts.push(`not known on ${on(stale.length)}, whose object and pods disagree (${names})`);
  const rule = policy === undefined ? "policy not told" : `${policy}${scope === undefined ? "" : `, by ${scope}`}`;
  return `Topology Manager of ${on(nodes)} (${rule}): most free on one NUMA node: ${parts.join("; ")}`;
}

function unlabelledLines(topology: Topology, { level, key, unlabelled }: LevelSummary, index: number): string[] {
  if (unlabelled === 0) return [];
  const nodes = topology.levels[index]?.unlabelled ?? [];
  const names = nodes.slice(0, NAMES_SHOWN).map((node) => topology.nodes[node]?.name ?? "");
  const lack = unlabelled === 1 ? "1 node lacks" : `${unlabelled} nodes lack`;
  return [`${lack} the label ${key} of level ${level}: ${names.join(", ")}${unlabelled > NAMES_SHOWN ? ", ..." : ""}`];
}
