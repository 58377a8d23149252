import type { Reason } from "../model/index.ts";
import { type Attempt, widest } from "./attempt.ts";
import type { Aborted } from "./board.ts";
import { type Shape, sharedClaims } from "./shape.ts";
import { joined, plural } from "./text.ts";
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
        message: `the cluster was given without its ResourceSlices, which list the devices that ${existing[0]?.of === "" ? "the workload" : existing[0]?.name} asks for: export them too (kubectl get resourceslices)`,
      },
    ];
  return [];
}

const NO_NODES: Reason = { code: "DataMissing", message: "the cluster was given without its nodes" };

function lacksNodes({ topology }: World): boolean {
  return topology.nodes.length === 0 && !topology.known.has("Node");
}

/** Selectors that fail or do not compile on devices that were looked at. */
export function selectorFaults(tried: Attempt): readonly Reason[] {
  return [...(widest(tried).devices?.faults ?? [])]
    .sort()
    .slice(0, MAX_FAULTS)
    .map((message) => ({ code: "SelectorFault", message }));
}

/** Selectors that fail as they do upstream, which takes the devices away and may end the attempt. */
export function selectorErrors({ board }: Attempt): readonly Reason[] {
  return [...(board.devices?.errors ?? [])]
    .sort()
    .slice(0, MAX_FAULTS)
    .map((message) => ({ code: "SelectorFault", message }));
}

/** Nodes at which the scheduler gives up on pods. `certain`: it looks at them whatever else there is. */
export function abortReasons({ board }: Attempt, certain: boolean): readonly Reason[] {
  const { nodes } = board.field.index.topology;
  return board.shapes.flatMap((shape, number): readonly Reason[] => {
    const abort = board.aborted(number);
    if (abort === undefined || !abort.inevitable || abort.certain !== certain) return [];
    const node = nodes[abort.row]?.name ?? "";
    return [{ code: "AttemptAborted", message: givesUpText(shape, abort, node), data: { podSet: shape.name, node } }];
  });
}

export function givesUpText({ of, scheduler }: Shape, { after, why }: Aborted, node: string): string {
  const who =
    scheduler === undefined
      ? "kube-scheduler gives up"
      : `scheduler ${scheduler} may do as kube-scheduler does, and give up`;
  const when =
    after === 0
      ? `when it looks at node ${node}`
      : `once ${after} of them ${after === 1 ? "is" : "are"} on node ${node}`;
  return `${who} on a pod${of} ${when}, whatever other nodes have: ${why}`;
}

/** Claims that pods of several sets share, some of them not all: which nodes would have to be one is not judged. */
export function tangledClaims(shapes: readonly Shape[]): readonly Reason[] {
  const sharing = shapes.map(sharedClaims).filter((claims) => claims.size > 0);
  const [first] = sharing;
  const tangled = sharing.some((claims) => first !== undefined && ![...claims].some((one) => first.has(one)));
  if (!tangled) return [];
  const names = [...new Set(sharing.flatMap((claims) => [...claims]))].sort();
  return [
    { code: "DataMissing", message: `pods share the claims ${joined(names)} in groups, which is not judged yet` },
  ];
}

/** Devices that several nodes reach, and that pods on them may share by a claim. */
export function jointDoubts(tried: Attempt): readonly Reason[] {
  if (tried.unjudged !== true) return [];
  const board = tried.open ?? tried.board;
  if (board.shapes.every((shape) => sharedClaims(shape).size === 0)) return [];
  return [...(board.devices?.joint ?? [])].sort().map((pool) => ({
    code: "DataMissing",
    message: `devices of pool ${pool} are reached from several nodes, and which of them may share a claim is not judged yet`,
  }));
}

/** Devices that several nodes reach: enough for each node by itself, and not for all pods at once, wherever they stand. */
export function scarceReasons({ board, result }: Attempt): readonly Reason[] {
  if (result.kind !== "none" || result.scarce !== true) return [];
  const { devices: table } = board.field.index;
  return [...(board.devices?.joint ?? [])].sort().map((pool) => {
    const own = table.keys.flatMap((key, id) => (key.slice(0, key.lastIndexOf("/")) === pool ? [id] : []));
    const free = own.filter((id) => board.field.devices().used[id] !== 1).length;
    return {
      code: "NearestMiss",
      message: `nodes share the ${plural(own.length, "device")} of pool ${pool}, ${free} of them free: enough for some pods, and not for all at once, wherever they stand`,
      data: { pool, devices: own.length, free },
    };
  });
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

/** Labels and expressions of one pod set's node affinity: each label is a look at every node, on every rung. */
const MAX_KEYS = 256;
const MAX_EXPRESSIONS = 4096;

/** Sets that select nodes by more than is looked at. */
export function vastSelections(shapes: readonly Shape[]): readonly Reason[] {
  return shapes.flatMap(({ set: { name, pod } }): readonly Reason[] => {
    const expressions = pod.selection.reduce((sum, term) => sum + term.size, 0);
    const keys = new Set<string>();
    for (const term of expressions > MAX_EXPRESSIONS ? [] : pod.selection) for (const key of term.keys()) keys.add(key);
    if (expressions <= MAX_EXPRESSIONS && keys.size <= MAX_KEYS) return [];
    const [what, most] =
      expressions > MAX_EXPRESSIONS
        ? [plural(expressions, "expression"), MAX_EXPRESSIONS]
        : [plural(keys.size, "label"), MAX_KEYS];
    const message = `the node affinity of ${name} names ${what}, and no more than ${most} are looked at: select by a label that these nodes share`;
    return [{ code: "BudgetExhausted", message, data: { podSet: name, expressions } }];
  });
}

export function exhausted(world: World): Reason {
  return {
    code: "BudgetExhausted",
    message: "the search ran out of steps before it could tell",
    data: { maxSteps: world.context.maxSteps },
  };
}
