import {
  type Answer,
  type Assignment,
  type Demand,
  type DeviceRequest,
  durationText,
  type Intent,
  type PodSetDemand,
  type Rung,
  type RungAnswer,
  rungText,
  suggestionText,
  type Verdict,
} from "../../model/index.ts";
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
const INDENT = "       ";
const NODES_SHOWN = 24;
const EXAMPLES_SHOWN = 3;
/** Beyond it, combinations of rungs are told together. */
const MOST_COMBINATIONS = 12;
/** Text that is longer is told once. */
const LONG = 60;

/** One line for each pod set: its class, what it asks for, how much of it must hold, and what it wants together. */
export function demandLines(demand: Demand, intents: ReadonlyMap<string, Intent>): string[] {
  return demand.podSets.map((set) => {
    const resources = resourcesOf(set);
    const parts = [
      `class ${intents.get(set.name)?.className ?? "none"}`,
      ...promises(intents.get(set.name)),
      `${pods(set.count)}${resources.length === 0 ? "" : ` x ${resources.join(" + ")}`}`,
      ...(set.count <= 1 ? [] : [set.required === set.count ? "all needed at once" : `${set.required} needed at once`]),
      ...togetherness(set),
    ];
    return `${set.name}: ${parts.join(", ")}`;
  });
}

/** Devices that one pod asks for, by count or by claim, and what its class adds where it asks for none. */
function resourcesOf({ pod, ladder }: PodSetDemand): readonly string[] {
  const counted = (requests: Readonly<Record<string, number>>): readonly string[] =>
    Object.entries(requests)
      .filter(([resource]) => resource.includes("/"))
      .map(([resource, count]) => `${count} ${resource}`);
  const own = [...counted(pod.requests), ...pod.devices.map(deviceText)];
  const step = ladder.steps.find(({ skipped }) => skipped === undefined);
  if (own.length > 0 || step === undefined) return own;
  const added = [...counted(step.addedRequests), ...summed(step.addedDevices)].join(" + ");
  return added === "" ? [] : [`${added} (its class's default)`];
}

/** `2 gpu.nvidia.com`, `8 a or 4 b`; of a claim that all pods share its name. */
function deviceText({ count, deviceClassName, firstAvailable, sharedClaim }: DeviceRequest): string {
  const what = firstAvailable?.map(deviceText).join(" or ") ?? `${count} ${deviceClassName}`;
  return sharedClaim === undefined ? what : `${what} (shared claim ${sharedClaim})`;
}

/** Several claims of one class count together. */
function summed(devices: readonly DeviceRequest[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { count, deviceClassName } of devices)
    sums.set(deviceClassName, (sums.get(deviceClassName) ?? 0) + Number(count));
  return [...sums].map(([name, count]) => `${count} ${name}`);
}

/** A pod is always on one host, so that says nothing. */
function togetherness({ placement: { level, mode, unit, groupSize } }: PodSetDemand): string[] {
  if (level === undefined || (unit === "pod" && level === "host")) return [];
  const what = { pod: "each pod", podSet: "all", group: `each group of ${groupSize}`, workload: "the whole workload" };
  return [`${what[unit]} in one ${level} (${mode})`];
}

/** The ladder, rung by rung with its reasons; the assignment by level of the rung that was chosen; suggestions. */
export function answerText(answer: Answer, topology: Topology | undefined, style: Style): string {
  const lines: string[] = [];
  const told: Told[] = [];
  const groups = alike(answer);
  for (const [index, rung] of answer.ladder.entries()) {
    const group = groups.get(rung);
    if (group === undefined) continue;
    // A rung that does not hold is no choice: the arrow stands only where the decision records it.
    const named = Object.keys(rung.rungs).length > 0;
    const taken = answer.chosen === rung && named && rung.verdict !== "never" && rung.verdict !== "unknown";
    const mark = taken ? style("bold", "→") : " ";
    lines.push(
      `${mark} ${index + 1}. ${named || answer.ladder.length > 1 ? rungName(rung.rungs) : "every rung"}: ${style(LOOKS[rung.verdict], rung.verdict)}`,
    );
    lines.push(...rungLines(rung, told, index + 1).map((line) => `${INDENT}${line}`));
    if (group > 1)
      lines.push(`${INDENT}and so for ${group - 1} more ${group === 2 ? "combination" : "combinations"} of rungs`);
  }
  if (answer.choice.length > 0) lines.push("", "What the choice gives up:");
  for (const { message } of answer.choice) lines.push(`  - ${wrap(message, WIDTH, "    ")}`);
  const assignment = answer.chosen?.assignment;
  if (assignment !== undefined)
    lines.push("", "Assignment:", ...assignmentLines(assignment, topology).map((line) => `  ${line}`));
  if (answer.suggestions.length > 0) {
    lines.push("", "What would work:");
    for (const one of answer.suggestions) lines.push(`  - ${wrap(suggestionText(one), WIDTH, "    ")}`);
  }
  return lines.join("\n");
}

/** Rungs that are told; of many combinations that have one verdict for the same reasons only the first is, with how many there are. */
function alike({ ladder, chosen }: Answer): ReadonlyMap<RungAnswer, number> {
  const groups = new Map<RungAnswer, number>();
  const firsts = new Map<string, RungAnswer>();
  for (const rung of ladder) {
    const text = JSON.stringify([rung.verdict, rung.reasons.map(({ message }) => message), rung.exclusions]);
    const many = ladder.length > MOST_COMBINATIONS && Object.keys(rung.rungs).length > 1;
    const first = many && rung !== chosen ? firsts.get(text) : undefined;
    if (first === undefined && rung !== chosen) firsts.set(text, rung);
    groups.set(first ?? rung, (groups.get(first ?? rung) ?? 0) + 1);
  }
  return groups;
}

/** What one rung was told by, for those that come after it. */
interface Told {
  readonly rung: number;
  readonly reasons: ReadonlySet<string>;
  readonly excluded: string;
}

/** Its reasons, then the nodes that it leaves out; what an earlier rung told in several lines already is referred to. */
function rungLines(rung: RungAnswer, told: Told[], number: number): readonly string[] {
  // The counted exclusions stand in the table below, line by line.
  const reasons = rung.reasons.flatMap(({ code, message }) =>
    code === "Excluded" ? [] : [code === "RungSkipped" ? `skipped: ${message}` : message],
  );
  const excluded = rung.verdict === "fits" ? "" : exclusionsText(rung);
  const sharing = (one: Told) => reasons.filter((text) => one.reasons.has(text));
  const shared = (one: Told) => sharing(one).length;
  const most = Math.max(0, ...told.map(shared));
  const found = told.find((one) => most > 0 && shared(one) === most);
  const like = found !== undefined && (most > 1 || sharing(found).join("").length > LONG) ? found : undefined;
  const seen = excluded === "" ? undefined : told.find((one) => one.excluded === excluded);
  told.push({ rung: number, reasons: new Set(reasons), excluded });
  const own = reasons.filter((text) => like?.reasons.has(text) !== true);
  const lines = own.flatMap((text) => wrap(text, WIDTH, INDENT));
  if (like !== undefined) lines.push(`${own.length === 0 ? "" : "otherwise "}as for rung ${like.rung}`);
  if (excluded === "" || (seen !== undefined && seen === like)) return lines;
  if (seen !== undefined) return [...lines, `nodes left out as for rung ${seen.rung}`];
  return [...lines, ...excluded.split("\n")];
}

/** One rung where all pod sets share it, else one for each set; an answer that names none speaks of those that were not looked at. */
export function rungName(rungs: Readonly<Record<string, Rung>>): string {
  if (Object.keys(rungs).length === 0) return "other rungs";
  const entries = Object.entries(rungs).map(([set, rung]) => [set, rungText(rung)] as const);
  const texts = new Set(entries.map(([, text]) => text));
  const [only] = texts;
  return texts.size === 1 && only !== undefined ? only : entries.map(([set, text]) => `${set}=${text}`).join(", ");
}

/** A table of nodes; of several pod sets one for each, and one for all that leave out the same. */
function exclusionsText({ rungs, exclusions }: RungAnswer): string {
  if (Object.keys(rungs).length < 2) return exclusionTable(exclusions);
  const sets = new Map<string, string[]>();
  for (const podSet of new Set(exclusions.map((one) => one.podSet ?? ""))) {
    const text = exclusionTable(exclusions.filter((one) => (one.podSet ?? "") === podSet));
    sets.set(text, [...(sets.get(text) ?? []), podSet]);
  }
  return [...sets].map(([text, names]) => `nodes left out for ${joined(names)}:\n${text}`).join("\n");
}

function exclusionTable(exclusions: RungAnswer["exclusions"]): string {
  return table(
    exclusions.map(({ constraint, nodes, examples }) => {
      const shown = examples.slice(0, EXAMPLES_SHOWN);
      const names = shown.length === 0 ? "" : `(${shown.join(", ")}${nodes > shown.length ? ", ..." : ""})`;
      return [counted(nodes, "node"), constraint, names];
    }),
  );
}

/** Nodes that exist under their domains, then those to come under their pool; nodes with equal loads on one line. */
function assignmentLines(assignment: Assignment, topology: Topology | undefined): string[] {
  const loads = new Map<string, string[]>();
  const several = new Set(assignment.placed.map(({ podSet }) => podSet)).size > 1;
  for (const { node, pods: count, podSet } of assignment.placed) {
    const load = loads.get(node) ?? [];
    load.push(`${pods(count)}${several ? ` of ${podSet}` : ""}`);
    loads.set(node, load);
  }
  const existing = new Map<string, Map<string, string[]>>();
  const coming = new Map<string, Map<string, string[]>>();
  for (const [node, load] of loads) {
    const isNew = topology !== undefined && !topology.nodeIndex.has(node);
    const domains = isNew ? coming : existing;
    const domain = isNew ? node.replace(/\/\d+$/, "") : domainText(topology, node);
    const nodes = domains.get(domain) ?? new Map<string, string[]>();
    const text = load.join(", ");
    nodes.set(text, [...(nodes.get(text) ?? []), node]);
    domains.set(domain, nodes);
  }
  const lines: string[] = [];
  for (const [domain, nodes] of [...existing].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(domain === "" ? "no domain" : domain);
    for (const [load, names] of nodes) lines.push(...loadLines(load, names));
  }
  for (const { pool, zone, count } of assignment.newNodes) {
    lines.push(`${counted(count, "new node")} from pool ${pool}${zone === "" ? "" : ` in ${zone}`}`);
    // Several zones of one pool share the names of its new nodes: they are told once.
    for (const [load, names] of coming.get(pool) ?? []) lines.push(...loadLines(load, names));
    coming.delete(pool);
  }
  return lines;
}

function loadLines(load: string, nodes: readonly string[]): string[] {
  const shown =
    nodes.length > NODES_SHOWN ? [...nodes.slice(0, NODES_SHOWN), `and ${nodes.length - NODES_SHOWN} more`] : nodes;
  return `  ${load}${nodes.length === 1 ? "" : " each"} on ${wrap(shown.join(", "), WIDTH - load.length, "    ")}`.split(
    "\n",
  );
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

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const pods = (count: number) => counted(count, "pod");
const joined = (names: readonly string[]) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** What the class promises or relies on, beside capacity. */
function promises(intent: Intent | undefined): readonly string[] {
  if (intent === undefined) return [];
  const { latency, state } = intent.contract;
  return [
    ...(latency === "none" ? [] : [`${latency.metric} p${latency.percentile} under ${durationText(latency.targetMs)}`]),
    ...(state.checkpointIntervalMs === undefined
      ? []
      : [`a checkpoint every ${durationText(state.checkpointIntervalMs)}`]),
  ];
}
