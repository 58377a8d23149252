import type { Diagnostic, JsonObject } from "../model/index.ts";
import { makeLoad } from "./generate-load.ts";
import { makeNode, type NodePlace } from "./generate-node.ts";
import { deviceClasses, makeNetworkSlice, makeSlice } from "./generate-slice.ts";
import { random } from "./random.ts";
import { findShape, shapeNames } from "./shapes.ts";

export type LabelLayout = "eks" | "gke" | "topograph" | "plain";

export interface GenerateOptions {
  /** Name of a machine in the table of shapes: `p5.48xlarge`. */
  readonly shape: string;
  /** Zones, blocks in each zone, racks in each block, nodes in each rack. */
  readonly zones?: number;
  readonly blocks?: number;
  readonly racks?: number;
  readonly nodesPerRack?: number;
  /** Exactly this many nodes: racks are filled in order, and added to where `racks` is not given. */
  readonly nodes?: number;
  /** Share of the devices (of the cpus, on shapes without devices) that is busy: 0 to 1. */
  readonly fill?: number;
  readonly seed?: number;
  /** `both`: every second rack publishes its devices by DRA. */
  readonly mechanism?: "device-plugin" | "dra" | "both";
  /** How network cards are offered: counted by a device plugin, or published by DRA where the shape has known ones. Default: device-plugin. */
  readonly network?: "device-plugin" | "dra";
  /** Which labels carry the levels. */
  readonly layout?: LabelLayout;
  /** Namespaces to which the busy pods belong; each is a tenant of its own. */
  readonly tenants?: readonly string[];
  readonly capacityType?: "reserved" | "on-demand" | "spot";
  /** Value of the autoscaler's pool label; the shape's name where absent. */
  readonly nodePool?: string;
  /** What node names start with; the shape's name where absent. */
  readonly prefix?: string;
  /** Names of the zones, in order, where the cloud's first ones will not do; blocks and racks take their last letter on. */
  readonly zoneNames?: readonly string[];
  /** Number of the first block in each zone, so that clusters put together do not share blocks. */
  readonly firstBlock?: number;
}

const MAX_NODES = 100_000;
const DEFAULT_TENANTS: readonly [string, ...string[]] = ["team-a", "team-b", "team-c"];

/** What is wrong with options that a person gave; empty where `generateCluster` will take them. */
export function checkGenerateOptions(options: GenerateOptions): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const fail = (path: string, message: string, hint: string) =>
    found.push({ code: "GenerateOption", severity: "error", message, hint, path: [path] });
  if (findShape(options.shape) === undefined)
    fail("shape", `There is no shape ${options.shape}.`, `The shapes are ${shapeNames().join(", ")}.`);
  for (const name of ["zones", "blocks", "racks", "nodesPerRack", "nodes", "firstBlock"] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1))
      fail(name, `${name} must be a whole number above 0, not ${value}.`, `For example ${name} 4.`);
  }
  const { fill = 0, seed = 1 } = options;
  if (!(fill >= 0 && fill <= 1))
    fail("fill", `fill must be a ratio from 0 to 1, not ${fill}.`, "For example fill 0.7.");
  if (!Number.isSafeInteger(seed)) fail("seed", `seed must be a whole number, not ${seed}.`, "For example seed 7.");
  const total = found.length === 0 ? sizeOf(options).nodes : 0;
  if (total > MAX_NODES)
    fail(
      "nodes",
      `That is ${total} nodes; at most ${MAX_NODES} are generated.`,
      "Ask for fewer zones, blocks, racks or nodes.",
    );
  return found;
}

/**
 * A synthetic cluster of one shape as plain Kubernetes objects: Namespaces, DeviceClasses where DRA is used, Nodes, ResourceSlices, and the
 * busy pods of several tenants with their claims. The same options give the same objects. Options must pass `checkGenerateOptions`.
 */
export function generateCluster(options: GenerateOptions): readonly JsonObject[] {
  const [fault] = checkGenerateOptions(options);
  const shape = findShape(options.shape);
  if (fault !== undefined || shape === undefined) throw new RangeError(fault?.message ?? "no shape");
  const mechanism = options.mechanism ?? "device-plugin";
  const tenants = options.tenants ?? DEFAULT_TENANTS;
  const places = placesOf(options);
  const byClaim = (place: NodePlace) => mechanism === "dra" || (mechanism === "both" && place.rackIndex % 2 === 1);
  const nodes = places.map((place) => makeNode(shape, place, { ...options, dra: byClaim(place) }));
  const slices = nodes.flatMap((node) => [
    ...(node.dra ? makeSlice(shape, node.name) : []),
    ...(options.network === "dra" ? makeNetworkSlice(shape, node.name) : []),
  ]);
  const load = makeLoad(shape, nodes, { tenants, fill: options.fill ?? 0, random: random(options.seed ?? 1) });
  return [
    ...tenants.map((name) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    })),
    ...deviceClasses(shape, { devices: nodes.some((node) => node.dra), network: options.network === "dra" }),
    ...nodes.map((node) => node.object),
    ...slices,
    ...load,
  ];
}

function sizeOf(options: GenerateOptions) {
  const { zones = 1, blocks = 1, nodesPerRack = 16, nodes } = options;
  const racks = options.racks ?? Math.ceil((nodes ?? 1) / (zones * blocks * nodesPerRack));
  const room = zones * blocks * racks * nodesPerRack;
  return { zones, blocks, racks, nodesPerRack, nodes: Math.min(nodes ?? room, room) };
}

function placesOf(options: GenerateOptions): readonly NodePlace[] {
  const { zones, blocks, racks, nodesPerRack, nodes } = sizeOf(options);
  const { firstBlock = 1 } = options;
  const places: NodePlace[] = [];
  let rackIndex = 0;
  for (let zone = 0; zone < zones; zone += 1) {
    for (let block = 1; block <= blocks; block += 1) {
      for (let rack = 1; rack <= racks; rack += 1, rackIndex += 1) {
        for (let slot = 1; slot <= nodesPerRack && places.length < nodes; slot += 1)
          places.push({ zone, block: block + firstBlock - 1, rack, slot, rackIndex });
      }
    }
  }
  return places;
}
