import { stringify } from "yaml";
import { checkGenerateOptions, type GenerateOptions, generateCluster } from "../../topology/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";
import { styleFor } from "../render/style.ts";
import { treeText } from "../render/topology.ts";

export interface ShowFlags extends ContextFlags {
  readonly resource: string;
  readonly level?: string;
  readonly output?: string;
}

export async function showCommand(flags: ShowFlags, io: Io): Promise<number> {
  const { context, notes } = await loadContext(flags, io);
  for (const note of notes) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const { topology } = context;
  if (topology === undefined) throw new UsageFault("--cluster is missing: there is no tree without nodes");
  const names = topology.levels.map(({ level }) => level.name);
  const level = flags.level ?? names.at(-2) ?? names[0] ?? "";
  if (!names.includes(level))
    throw new UsageFault(`--level ${level}: expected a level of layout ${topology.layout.name}: ${names.join(", ")}`);
  const style = styleFor(io.colour && flags.output === undefined);
  await writeResult(treeText(topology, flags.resource, level, style), flags.output, io);
  return EXIT.ok;
}

export interface GenerateFlags {
  readonly shape: string;
  readonly zones: string;
  readonly blocks: string;
  readonly racks: string;
  readonly nodesPerRack: string;
  readonly fill: string;
  readonly seed: string;
  readonly mechanism: "device-plugin" | "dra" | "both";
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
