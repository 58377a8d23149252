import { isKubeScheduler, type Reason } from "../model/index.ts";
import type { Board } from "./board.ts";
import type { NumaRule } from "./numa.ts";
import type { Shape } from "./shape.ts";
import { list, plural } from "./text.ts";
import type { World } from "./world.ts";

/**
 * kube-scheduler counts a node's resources and knows nothing of its NUMA nodes. Where a kubelet may turn away a pod for which there is room by
 * count, that pod is bound all the same, fails with TopologyAffinityError, and is not placed again: a failure of the pod, not one of scheduling.
 * `fits`: is there a place for it elsewhere.
 */
export function blindToNuma(world: World, board: Board, fits: boolean): readonly Reason[] {
  const { field, shapes } = board;
  return shapes.flatMap((shape, number): readonly Reason[] => {
    const rows = [...(board.refused[number] ?? [])]
      .filter((row) => row < field.existing && !isWatched(world, shape, field.numa?.rule(row)))
      .sort((a, b) => a - b);
    if (rows.length === 0 || !isKubeScheduler(world.context.platform, shape.set.pod.schedulerName)) return [];
    const names = rows.map((row) => field.index.topology.nodes[row]?.name ?? "");
    const nodes = `${plural(names.length, "node")} (${list(names)})`;
    const refuses = rows.some((row) => board.unsure.has(row)) ? "may refuse" : "refuses";
    const cure = "NodeResourceTopologyMatch of scheduler-plugins prevents that";
    return [
      {
        code: "NotGuaranteed",
        message: fits
          ? `kube-scheduler does not look at NUMA nodes: it may bind pods${shape.of} to ${nodes}, where the kubelet ${refuses} them (TopologyAffinityError) and they stay failed; ${cure}`
          : `kube-scheduler does not look at NUMA nodes: by count there is room on ${nodes}, so it would bind pods${shape.of} there instead of letting them wait, and the kubelet ${refuses} them (TopologyAffinityError); ${cure}`,
        data: { podSet: shape.name, nodes: names.length },
      },
    ];
  });
}

/** Does its scheduler filter by the NodeResourceTopology: NodeResourceTopologyMatch does so for single-numa-node only. */
function isWatched({ context }: World, { set }: Shape, rule: NumaRule | undefined): boolean {
  return (
    rule?.told !== undefined &&
    rule.settings.every(({ policy }) => policy === "single-numa-node") &&
    (context.platform.numaAware ?? []).includes(set.pod.schedulerName)
  );
}

/** Pools that declare something else than nodes of theirs tell: the nodes count, and new ones are judged as declared. */
export function numaDisagreements(
  { context, index }: World,
  board: Board,
  used: ReadonlySet<number>,
): readonly Reason[] {
  const { numa } = index.topology.facts;
  if (numa === undefined || numa.size === 0) return [];
  const adds = new Set([...used].flatMap((row) => board.field.kinds[board.field.kindOf[row] ?? -1]?.pool.name ?? []));
  return context.pools.flatMap((pool): readonly Reason[] => {
    const declared = pool.node.numa;
    if (declared === undefined || pool.members.size === 0) return [];
    const others = new Map<string, string[]>();
    for (const row of index.matching(pool.members)) {
      if (!used.has(row) && !adds.has(pool.name)) continue;
      const name = index.topology.nodes[row]?.name ?? "";
      const told = numa.get(name);
      if (told === undefined || told.policy === undefined) continue;
      const scope = told.scope ?? declared.scope;
      const zones = told.zones.filter(({ resources }) =>
        Object.keys(resources).some((one) => one.includes("/")),
      ).length;
      if (told.policy === declared.policy && scope === declared.scope && zones === declared.nodes) continue;
      const what = `${told.policy} for each ${scope} on ${plural(zones, "NUMA node")}`;
      others.set(what, [...(others.get(what) ?? []), name]);
    }
    return [...others].map(([what, names]) => ({
      code: "DataMissing" as const,
      message: `pool ${pool.name} declares ${declared.policy} for each ${declared.scope} on ${plural(declared.nodes, "NUMA node")}, and ${plural(names.length, "node")} of it (${list(names)}) ${names.length === 1 ? "tells" : "tell"} ${what}: what nodes tell counts, and new nodes are judged by what the pool declares`,
      data: { pool: pool.name, nodes: names.length },
    }));
  });
}
