import { type Reason, unitsText } from "../model/index.ts";
import type { Board } from "./board.ts";
import { isSameWorkload } from "./context.ts";
import { isTolerated, type Shape } from "./shape.ts";
import { plural } from "./text.ts";
import { yielding } from "./usage.ts";
import type { World } from "./world.ts";

interface Share {
  amount: number;
  pods: number;
}

/** Who holds what the shapes lack, on the nodes that could take them, by tenant; `board` is the one of the nominal supply. */
export function holdersOf(world: World, board: Board): readonly Reason[] {
  const reasons = new Map<string, Reason>();
  for (const [number, shape] of board.shapes.entries())
    for (const reason of shape.devices.length > 0
      ? deviceHolders(world, board, number)
      : podHolders(world, board, number, shape))
      reasons.set(reason.message, reason);
  return [...reasons.values()];
}

function podHolders(world: World, board: Board, number: number, shape: Shape): readonly Reason[] {
  const resource = contended(world, board, number, shape);
  if (resource === undefined) return [];
  const shares = new Map<string, Share>();
  const yields = yielding(world.demand);
  for (const row of eligible(board, number)) {
    for (const pod of world.topology.podsOn[row] ?? []) {
      const amount = pod.requests[resource] ?? 0;
      if (amount === 0 || yields(pod) || isSameWorkload(pod.root, world.demand.workload)) continue;
      addTo(shares, pod.tenant, amount, 1);
    }
  }
  const names = new Set(eligible(board, number).map((row) => world.topology.nodes[row]?.name));
  for (const hold of world.context.holds) {
    if (isSameWorkload(hold.workload, world.demand.workload)) continue;
    for (const placed of hold.placed)
      if (names.has(placed.node) && (placed.requests[resource] ?? 0) > 0)
        addTo(shares, hold.tenant, (placed.requests[resource] ?? 0) * placed.pods, placed.pods);
  }
  return told(shares, resource, (amount) => `${unitsText(resource, amount)} ${resource}`);
}

function deviceHolders(world: World, board: Board, number: number): readonly Reason[] {
  const rows = new Set(eligible(board, number));
  const { devices: table } = world.index;
  const serves = servesOf(world, board, number);
  const counts = (key: string): boolean => {
    const id = table.numberOf(key);
    return id !== undefined && rows.has(table.rowOf(id)) && (serves(id).length > 0 || drains(id));
  };
  /** It takes of the counters that some device which could serve needs as well. */
  const drains = (id: number): boolean => {
    const sets = countersOf(id);
    if (sets.length === 0) return false;
    const needed = neededOf(table.poolOf[id] ?? -1);
    return sets.some((one) => needed.has(one));
  };
  /** Counters of a pool that devices which could serve need. */
  const needs = new Map<number, ReadonlySet<string>>();
  const neededOf = (pool: number): ReadonlySet<string> => {
    const known = needs.get(pool);
    if (known !== undefined) return known;
    const sets = new Set<string>();
    const start = table.poolStart[pool] ?? 0;
    for (const place of table.pools[pool]?.devices.keys() ?? [])
      if (serves(start + place).length > 0) for (const one of countersOf(start + place)) sets.add(one);
    needs.set(pool, sets);
    return sets;
  };
  const countersOf = (id: number): readonly string[] =>
    (table.devices[id]?.consumesCounters ?? []).map(({ counterSet }) => counterSet);
  const shares = new Map<string, Share>();
  for (const claim of world.topology.claims) {
    if (claim.adminAccess || (claim.root !== undefined && isSameWorkload(claim.root, world.demand.workload))) continue;
    const held = claim.devices.filter(counts);
    if (held.length > 0) addTo(shares, claim.tenant, held.length, 1);
  }
  for (const hold of world.context.holds) {
    if (isSameWorkload(hold.workload, world.demand.workload)) continue;
    for (const placed of hold.placed) {
      const held = placed.devices.filter(counts);
      if (held.length > 0) addTo(shares, hold.tenant, held.length, placed.pods);
    }
  }
  return [
    ...told(shares, "devices", (amount) => plural(amount, "device"), "claim"),
    ...taintedDevices(world, board, number, rows),
  ];
}

/** The requests that a device could serve, were it free. */
function servesOf({ index: { devices: table } }: World, board: Board, number: number) {
  const requests = (board.shapes[number]?.devices ?? []).flatMap((one) => one.firstAvailable ?? [one]);
  return (id: number) => requests.filter(({ selectors }) => selectors.every((one) => table.selected(one).of[id] === 1));
}

/** Taints of devices tell their health, so what they keep away may come back; how many each keeps from the requests that could take them. */
function taintedDevices(world: World, board: Board, number: number, rows: ReadonlySet<number>): readonly Reason[] {
  const { devices: table } = world.index;
  const serves = servesOf(world, board, number);
  const counts = new Map<string, number>();
  for (const [id, device] of table.devices.entries()) {
    if (device.taints.length === 0) continue;
    if (!rows.has(table.rowOf(id))) continue;
    const asking = serves(id);
    const kept = device.taints.find((taint) => asking.some(({ tolerations }) => !isTolerated(tolerations, taint)));
    if (kept === undefined) continue;
    const text = `${kept.key}${kept.value === "" ? "" : `=${kept.value}`}:${kept.effect}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([taint, devices]) => ({
      code: "Holder",
      message: `taint ${taint} keeps ${plural(devices, "device")} on nodes that could take this`,
      data: { taint, devices },
    }));
}

/** Existing nodes with room for one pod when nothing else runs there. */
function eligible(board: Board, number: number): readonly number[] {
  const cap = board.cap(number);
  return Array.from({ length: board.field.existing }, (_, row) => row).filter((row) => (cap[row] ?? 0) > 0);
}

function addTo(shares: Map<string, Share>, tenant: string, amount: number, pods: number): void {
  const share = shares.get(tenant) ?? { amount: 0, pods: 0 };
  share.amount += amount;
  share.pods += pods;
  shares.set(tenant, share);
}

function told(
  shares: ReadonlyMap<string, Share>,
  resource: string,
  text: (amount: number) => string,
  noun = "pod",
): readonly Reason[] {
  const sorted = [...shares].sort(([a, one], [b, other]) => other.amount - one.amount || (a < b ? -1 : 1));
  return sorted.slice(0, 3).map(([tenant, { amount, pods }]) => ({
    code: "Holder",
    message: `tenant ${tenant} holds ${text(amount)} in ${plural(pods, noun)} on nodes that could take this`,
    data: { tenant, resource, amount, pods },
  }));
}

/** The resource of which most of the possible nodes have too little free for one more pod; devices before cpu and memory. */
function contended(world: World, board: Board, number: number, shape: Shape): string | undefined {
  const { topology, usage } = world;
  const width = topology.resources.length;
  let best: { resource: string; nodes: number; device: boolean } | undefined;
  for (const { resource, amount } of shape.needs) {
    const column = topology.resourceIndex.get(resource);
    if (column === undefined) continue;
    let nodes = 0;
    for (const row of eligible(board, number)) {
      const at = row * width + column;
      if ((topology.allocatable[at] ?? 0) - (usage.used[at] ?? 0) < amount) nodes += 1;
    }
    const device = resource.includes("/");
    if (nodes > 0 && (best === undefined || (device && !best.device) || (device === best.device && nodes > best.nodes)))
      best = { resource, nodes, device };
  }
  return best?.resource;
}
