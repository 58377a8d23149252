import type { ContainerNeeds } from "../../src/model/index.ts";

/**
 * A kubelet, written down as its source reads (pkg/kubelet/cm/topologymanager, devicemanager): single devices, hints as sets of NUMA nodes,
 * every permutation of hints merged. Where the source leaves a choice open (which devices of a set), all of them are followed.
 */
export interface KubeletNode {
  readonly policy: "single-numa-node" | "restricted";
  readonly scope: "container" | "pod";
  readonly zones: number;
  readonly devices: readonly Device[];
}

export interface Device {
  readonly resource: string;
  readonly zone: number;
  readonly taken: boolean;
}

interface Hint {
  /** Undefined: any. */
  readonly affinity: ReadonlySet<number> | undefined;
  readonly preferred: boolean;
}

interface Run {
  readonly devices: readonly Device[];
  /** Indices of devices that init containers have left. */
  readonly reuse: ReadonlySet<number>;
}

export type KubeletPod = readonly ContainerNeeds[];

/** The states after the pod, and whether in some case it is refused. */
export function admit(node: KubeletNode, pod: KubeletPod): { states: readonly KubeletNode[]; refused: boolean } {
  const alike = (run: Run): string =>
    [...run.devices.keys()]
      .map((at) => `${run.devices[at]?.resource}${run.devices[at]?.zone}${run.devices[at]?.taken}${run.reuse.has(at)}`)
      .sort()
      .join();
  let refused = false;
  let runs: readonly Run[] = [{ devices: node.devices, reuse: new Set() }];
  for (const container of node.scope === "pod" ? [whole(pod)] : pod) {
    const next = new Map<string, Run>();
    for (const run of runs) {
      const hints = merged(node, Object.entries(container.requests), run);
      if (hints.length === 0 || hints.some(({ preferred }) => !preferred)) refused = true;
      else
        for (const { affinity } of hints)
          for (const after of allocate(run, container, affinity)) next.set(alike(after), after);
    }
    runs = [...next.values()];
  }
  return { states: runs.map(({ devices }) => ({ ...node, devices })), refused };
}

/** resource.PodLimits: app containers and sidecars, or the peak of the init containers. */
function whole(pod: KubeletPod): ContainerNeeds {
  const requests: Record<string, number> = {};
  for (const resource of new Set(pod.flatMap((one) => Object.keys(one.requests)))) {
    const of = (one: ContainerNeeds): number => one.requests[resource] ?? 0;
    const running = pod.filter(({ kind }) => kind !== "init").reduce((sum, one) => sum + of(one), 0);
    const peaks = pod.map((one, at) => {
      const sidecars = pod.slice(0, at).filter(({ kind }) => kind === "sidecar");
      return one.kind === "init" ? of(one) + sidecars.reduce((sum, other) => sum + of(other), 0) : 0;
    });
    requests[resource] = Math.max(running, ...peaks);
  }
  return { name: "pod", kind: "main", requests };
}

function subsets(zones: number): readonly ReadonlySet<number>[] {
  const all = Array.from({ length: 2 ** zones - 1 }, (_, at) => at + 1);
  return all.map(
    (bits) => new Set(Array.from({ length: zones }, (_, zone) => zone).filter((zone) => bits & (1 << zone))),
  );
}

function hintsFor({ zones }: KubeletNode, resource: string, amount: number, run: Run): readonly Hint[] {
  const own = [...run.devices.keys()].filter((at) => run.devices[at]?.resource === resource);
  const reusable = own.filter((at) => run.reuse.has(at));
  const usable = own.filter((at) => run.devices[at]?.taken === false || run.reuse.has(at));
  const inside = (set: ReadonlySet<number>, list: readonly number[]): number =>
    list.filter((at) => set.has(run.devices[at]?.zone ?? -1)).length;
  const sets = subsets(zones);
  const narrowest = Math.min(zones, ...sets.filter((set) => inside(set, own) >= amount).map((set) => set.size));
  return sets
    .filter((set) => inside(set, reusable) === reusable.length && inside(set, usable) >= amount)
    .map((set) => ({ affinity: set, preferred: set.size === narrowest }));
}

/**
 * The best hint of all permutations, the lowest numbers first; of several zones any that is as good, as prefer-closest-numa-nodes may choose
 * it, and neither whether that is set nor what is close is known.
 */
function merged(node: KubeletNode, requests: readonly (readonly [string, number])[], run: Run): readonly Hint[] {
  const lists = requests
    .filter(([resource]) => run.devices.some((one) => one.resource === resource))
    .map(([resource, amount]) => hintsFor(node, resource, amount, run))
    .map((hints) =>
      node.policy === "single-numa-node" ? hints.filter((one) => one.preferred && one.affinity?.size === 1) : hints,
    );
  let permutations: readonly (readonly Hint[])[] = [[]];
  for (const hints of lists) permutations = permutations.flatMap((before) => hints.map((hint) => [...before, hint]));
  const preferred = new Map<string, readonly number[]>();
  let best: { readonly zones: readonly number[]; readonly preferred: boolean } | undefined;
  const everything = Array.from({ length: node.zones }, (_, zone) => zone);
  for (const permutation of permutations) {
    const zones = everything.filter((zone) => permutation.every(({ affinity }) => affinity?.has(zone) ?? true));
    const [first] = permutation;
    const equal = permutation.every(
      ({ affinity }) => String([...(affinity ?? [])]) === String([...(first?.affinity ?? [])]),
    );
    const one = { zones, preferred: equal && permutation.every(({ preferred }) => preferred) };
    if (zones.length === 0) continue;
    if (one.preferred) preferred.set(zones.join(), zones);
    const bits = (list: readonly number[]): number => list.reduce((sum, zone) => sum + 2 ** zone, 0);
    const narrower =
      best !== undefined &&
      (zones.length < best.zones.length || (zones.length === best.zones.length && bits(zones) < bits(best.zones)));
    if (best === undefined || (one.preferred && !best.preferred) || (one.preferred === best.preferred && narrower))
      best = one;
  }
  if (best === undefined) return [];
  const { zones: narrow, preferred: isPreferred } = best;
  const alike = [...preferred.values()].filter((zones) => zones.length === narrow.length);
  return isPreferred && narrow.length > 1
    ? alike.map((zones) => ({ affinity: new Set(zones), preferred: true }))
    : [{ affinity: new Set(narrow), preferred: isPreferred }];
}

function allocate(
  run: Run,
  { kind, requests }: ContainerNeeds,
  affinity: ReadonlySet<number> | undefined,
): readonly Run[] {
  let runs: readonly Run[] = [run];
  for (const [resource, amount] of Object.entries(requests))
    runs = runs.flatMap((one) => {
      const own = [...one.devices.keys()].filter((at) => one.devices[at]?.resource === resource);
      if (own.length === 0) return [one];
      const left = own.filter((at) => one.reuse.has(at));
      const open = own.filter(
        (at) => one.devices[at]?.taken === false && (affinity?.has(one.devices[at]?.zone ?? -1) ?? true),
      );
      return pick(left, Math.min(amount, left.length)).flatMap((again) =>
        pick(open, amount - again.length).map((fresh): Run => {
          const got = [...again, ...fresh];
          const reuse = kind === "init" ? [...one.reuse, ...got] : [...one.reuse].filter((at) => !got.includes(at));
          const devices = one.devices.map((device, at) => (fresh.includes(at) ? { ...device, taken: true } : device));
          return { devices, reuse: new Set(reuse) };
        }),
      );
    });
  return runs;
}

function pick(from: readonly number[], count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  const [first, ...rest] = from;
  if (first === undefined || from.length < count) return [];
  return [...pick(rest, count - 1).map((one) => [first, ...one]), ...pick(rest, count)];
}
