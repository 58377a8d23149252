import { stringify } from "yaml";
import { readInputs } from "../../files.ts";
import { checkGenerateOptions, type GenerateOptions, generateCluster } from "../../topology/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { judgeManifest, workloadName } from "../judged.ts";
import { readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";
import { styleFor, wrap } from "../render/style.ts";
import { takenBy } from "../render/taken.ts";
import { treeText } from "../render/topology.ts";

export interface ShowFlags extends ContextFlags {
  readonly resource: string;
  readonly level?: string;
  readonly for?: string;
  readonly output?: string;
}

/** The tree; with `--for` once for each workload of the file, with what it would take. Exit 1 where the file cannot be read. */
export async function showCommand(flags: ShowFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } =
    flags.for === undefined
      ? { manifests: [], diagnostics: [] }
      : readManifests(await readInputs([flags.for], io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of [...notes, ...diagnostics]) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const { topology } = context;
  if (topology === undefined) throw new UsageFault("--cluster is missing: there is no tree without nodes");
  const names = topology.levels.map(({ level }) => level.name);
  const level = flags.level ?? names.at(-2) ?? names[0] ?? "";
  if (!names.includes(level))
    throw new UsageFault(`--level ${level}: expected a level of layout ${topology.layout.name}: ${names.join(", ")}`);
  const style = styleFor(io.colour && flags.output === undefined);
  const judged = manifests.flatMap((manifest) => judgeManifest(manifest, context, false) ?? []);
  const trees = judged.flatMap(({ judgement: { workload, answer, demand } }) => {
    if (answer === undefined || demand === undefined) return [];
    const taken = takenBy(answer, demand, topology, flags.resource);
    const head = `${style("bold", workloadName(workload))}: ${taken.summary}`;
    return [`${wrap(head, WIDTH, "  ")}\n\n${treeText(topology, flags.resource, level, style, taken)}`];
  });
  if (flags.for !== undefined && trees.length === 0)
    io.err(`${flags.for}: no object names a workload class (annotation plimsoll.dev/workload-class)\n`);
  const text = trees.length === 0 ? treeText(topology, flags.resource, level, style) : trees.join("\n");
  await writeResult(text, flags.output, io);
  return diagnostics.length > 0 ? EXIT.refused : EXIT.ok;
}

const WIDTH = 120;

export interface GenerateFlags {
  readonly shape: string;
  readonly zones: string;
  readonly blocks: string;
  readonly racks: string;
  readonly nodesPerRack: string;
  readonly fill: string;
  readonly seed: string;
  readonly mechanism: "device-plugin" | "dra" | "both";
  readonly network: "device-plugin" | "dra";
  readonly layout: "eks" | "gke" | "topograph" | "plain";
  readonly format: "yaml" | "json";
  readonly output?: string;
}

export async function generateCommand(flags: GenerateFlags, io: Io): Promise<number> {
  const options: GenerateOptions = {
    shape: flags.shape,
    zones: Number(flags.zones),
    blocks: Number(flags.blocks),
    racks: Number(flags.racks),
    nodesPerRack: Number(flags.nodesPerRack),
    fill: Number(flags.fill),
    seed: Number(flags.seed),
    mechanism: flags.mechanism,
    network: flags.network,
    layout: flags.layout,
  };
  const faults = checkGenerateOptions(options);
  if (faults.length > 0) throw new UsageFault(faults.map((one) => diagnosticText(one)).join("\n"));
  const list = { apiVersion: "v1", kind: "List", items: generateCluster(options) };
  const text =
    flags.format === "json"
      ? `${JSON.stringify(list)}\n`
      : stringify(list, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
  await writeResult(text, flags.output, io);
  return EXIT.ok;
}
