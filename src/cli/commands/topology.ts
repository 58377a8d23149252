import { stringify } from "yaml";
import { loadCluster, loadPolicies } from "../../load.ts";
import { buildTopology, checkGenerateOptions, type GenerateOptions, generateCluster } from "../../topology/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { diagnosticText } from "../render/diagnostics.ts";
import { styleFor } from "../render/style.ts";
import { treeText } from "../render/topology.ts";

export interface ShowFlags {
  readonly policies: string;
  readonly platform?: string;
  readonly cluster: readonly string[];
  readonly resource: string;
  readonly level?: string;
}

export async function showCommand(flags: ShowFlags, io: Io): Promise<number> {
  const { value: catalogue, diagnostics } = await loadPolicies(flags.policies, flags.platform);
  if (catalogue === undefined) throw new UsageFault(diagnostics.map((one) => diagnosticText(one)).join("\n"));
  const cluster = await loadCluster(flags.cluster, io.readStandardInput, catalogue.kinds);
  for (const note of cluster?.diagnostics ?? []) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  if (cluster?.value === undefined || cluster.value.nodes.length === 0)
    throw new UsageFault(`${flags.cluster.join(", ")} holds no Node`);
  const topology = buildTopology(cluster.value, catalogue.layout);
  const names = topology.levels.map(({ level }) => level.name);
  const level = flags.level ?? names.at(-2) ?? names[0] ?? "";
  if (!names.includes(level))
    throw new UsageFault(`--level ${level}: the layout ${topology.layout.name} has ${names.join(", ")}`);
  io.out(treeText(topology, flags.resource, level, styleFor(io.colour)));
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
  io.out(
    flags.format === "json"
      ? `${JSON.stringify(list)}\n`
      : stringify(list, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" }),
  );
  return EXIT.ok;
}
