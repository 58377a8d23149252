import { durationText, type Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import { isSlow, offers } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { joined } from "./text.ts";
import type { World } from "./world.ts";

/** Enough to tell. */
const MAX_FAULTS = 3;

/** Kinds that the input lacks altogether and the answer needs. */
export function dataMissing(world: World, shapes: readonly Shape[]): readonly Reason[] {
  const { topology } = world;
  if (lacksNodes(world) && shapes.some(({ step }) => step.rung.source === "existing")) return [NO_NODES];
  const existing = shapes.filter(({ step, devices }) => step.rung.source === "existing" && devices.length > 0);
  if (existing.length > 0 && topology.devicePools.length === 0 && !topology.known.has("ResourceSlice"))
    return [
      {
        code: "DataMissing",
        message: `the cluster was given without its ResourceSlices, in which the devices that ${existing[0]?.name} asks for stand`,
      },
    ];
  return [];
}

const NO_NODES: Reason = { code: "DataMissing", message: "the cluster was given without its nodes" };

function lacksNodes({ topology }: World): boolean {
  return topology.nodes.length === 0 && !topology.known.has("Node");
}

/** Selectors that fail or do not compile on devices that were looked at. */
export function selectorFaults({ board }: Attempt): readonly Reason[] {
  return [...(board.devices?.faults ?? [])]
    .sort()
    .slice(0, MAX_FAULTS)
    .map((message) => ({ code: "SelectorFault", message }));
}

/** Pools that would help, but not in time. */
export function tooSlow(world: World, shapes: readonly Shape[]): readonly Reason[] {
  return shapes.flatMap((shape) =>
    world.context.pools
      .filter((pool) => offers(pool, shape) && isSlow(pool, shape))
      .map(
        (pool): Reason => ({
          code: "TooSlow",
          message: `pool ${pool.name} takes about ${durationText(pool.startupMs)} to start a node, and the class waits at most ${durationText(shape.set.ladder.maxProvisioningMs)}`,
          data: { pool: pool.name, startupMs: pool.startupMs, maxProvisioningMs: shape.set.ladder.maxProvisioningMs },
        }),
      ),
  );
}

/** Why nothing may be called impossible here; empty where the declared supply is all there is. */
export function incomplete(world: World, shapes: readonly Shape[]): readonly Reason[] {
  if (lacksNodes(world)) return [NO_NODES];
  const { supply } = world.context.platform;
  const wantsNew = shapes.some(({ step }) => step.rung.source === "new");
  const parts = [
    ...(supply.nodes === "partial" ? ["nodes"] : []),
    ...(wantsNew && supply.pools === "partial" ? ["pools"] : []),
  ];
  if (parts.length === 0) return [];
  return [
    {
      code: "SupplyIncomplete",
      message: `nothing that is declared could hold it, but the platform says that its ${joined(parts)} are not all declared`,
    },
  ];
}

export function exhausted(world: World): Reason {
  return {
    code: "BudgetExhausted",
    message: "the search ran out of steps before it could tell",
    data: { maxSteps: world.context.maxSteps },
  };
}
