import {
  allows,
  allowsLabels,
  type ClusterQueueFacts,
  type FlavorFacts,
  type FlavorGroup,
  type QueueFacts,
  type Reason,
  type Requirements,
  unitsText,
} from "../model/index.ts";
import { type Offer, offerOf } from "./borrow.ts";
import { namespaceOf } from "./context.ts";
import type { Limit } from "./limits.ts";
import { isTolerated, type Shape } from "./shape.ts";
import { joined, list, plural } from "./text.ts";
import type { World } from "./world.ts";

/** Ways to give flavors to sets that are looked at before what others use is blamed. */
const MAX_WAYS = 4096;

/** What one pod set wants of one group of flavors. */
interface Wish {
  readonly shape: Shape;
  readonly pods: number;
  readonly group: FlavorGroup;
  readonly amounts: ReadonlyMap<string, number>;
  /** Flavors whose labels and taints agree with the set's pods, in the queue's order. */
  readonly flavors: readonly string[];
}

/** By flavor and resource: what earlier sets of the workload get of it, and which of them. */
type Taken = Map<string, { readonly amount: number; readonly sets: readonly string[] }>;

/** A wish that no flavor has room for, beside what earlier ones get. */
interface Short {
  readonly wish: Wish;
  readonly taken: Taken;
}

/** What a flavor has for the queue: left now, or if nobody used any. */
type Room = (offer: Offer) => number;
const LEFT: Room = ({ left }) => left;
const MOST: Room = ({ most }) => most;

/**
 * Would Kueue let it in: each pod set gets one flavor of every group of resources that it asks for, the first whose labels and taints agree with its
 * pods and whose quota lasts, beside what earlier sets got. `never` where no quota would last even if nobody used any.
 */
export function queueLimits(world: World, shapes: readonly Shape[]): readonly Limit[] {
  const { demand, topology, index } = world;
  const { queues, known } = topology.facts;
  const { queue } = demand;
  if (queue === undefined || queues === undefined) return [];
  if (!known.has("LocalQueue") && !known.has("ClusterQueue")) return [unread(queue.name)];
  const own = index.podsOfRoot(demand.workload).length;
  // Pods are there: it has been let in.
  if (queue.whole && own > 0) return [];
  const found = findQueue(world, queues, queue.name);
  if ("reason" in found) return [found];
  /** What all sets want with so many pods each; or why no flavor could ever do. */
  const wanted = (podsOf: (shape: Shape) => number): { readonly wishes: readonly Wish[]; readonly fault?: Limit } => {
    const wishes: Wish[] = [];
    for (const shape of shapes) {
      const pods = podsOf(shape);
      const fault = pods === 0 ? undefined : wishesOf(queues, found, shape, pods, wishes);
      if (fault !== undefined) return { wishes, fault };
    }
    return { wishes };
  };
  const offers = new Map<string, Offer>();
  const offer = (flavor: string, resource: string): Offer => {
    const key = `${flavor}/${resource}`;
    const one = offers.get(key) ?? offerOf(queues, found, flavor, resource);
    offers.set(key, one);
    return one;
  };
  const all = (shape: Shape): number => (queue.whole ? shape.count : Math.max(0, shape.required - own));
  const full = wanted(all);
  if (full.fault !== undefined) return [full.fault];
  if (firstShort(found, full.wishes, LEFT, offer) === undefined) return [];
  // With fewer pods, where the workload allows it: as many as must hold together at least.
  const fewest = (shape: Shape): number =>
    Math.min(all(shape), Math.max(shape.set.queueMinimum ?? all(shape), shape.required));
  const least = wanted(queue.whole ? fewest : all);
  const short = firstShort(found, least.wishes, LEFT, offer);
  if (short === undefined)
    return partly(
      queue.name,
      shapes,
      all,
      fewest,
      (podsOf) => firstShort(found, wanted(podsOf).wishes, LEFT, offer) === undefined,
    );
  const possible = lasts(least.wishes, offer, { left: MAX_WAYS }, new Map(), 0);
  const ever = possible ? undefined : firstShort(found, least.wishes, MOST, offer);
  const fits = (podsOf: (shape: Shape) => number): boolean => {
    const some = wanted(podsOf);
    return some.fault === undefined && firstShort(found, some.wishes, LEFT, offer) === undefined;
  };
  const room = Object.fromEntries(shapes.map((shape) => [shape.name, mostOf(shape, queue.whole ? fewest : all, fits)]));
  const limit = told(queue.name, found, ever ?? short, possible ? "busy" : "never", offer);
  const smallest = wanted((shape) => Math.min(all(shape), shape.set.queueMinimum ?? all(shape)));
  const torn = queue.whole && firstShort(found, smallest.wishes, LEFT, offer) === undefined;
  if (!torn) return [{ ...limit, room }];
  const message = `${limit.reason.message}; Kueue would start it with fewer pods than must hold together, as its job-min-parallelism allows`;
  return [{ ...limit, room, reason: { ...limit.reason, message } }];
}

/** As many pods of the set as the quotas last for, beside all of the others. */
function mostOf(
  shape: Shape,
  all: (shape: Shape) => number,
  fits: (podsOf: (shape: Shape) => number) => boolean,
): number {
  let [most, over] = [0, all(shape)];
  while (over - most > 1) {
    const middle = Math.floor((most + over) / 2);
    if (fits((one) => (one === shape ? middle : all(one)))) most = middle;
    else over = middle;
  }
  return most;
}

/** Kueue looks for the largest count by halves (pkg/scheduler/flavorassigner/podset_reducer.go), and starts the workload with it. */
function partly(
  queue: string,
  shapes: readonly Shape[],
  all: (shape: Shape) => number,
  fewest: (shape: Shape) => number,
  fits: (podsOf: (shape: Shape) => number) => boolean,
): readonly Limit[] {
  const total = shapes.reduce((sum, shape) => sum + all(shape) - fewest(shape), 0);
  const less = (shape: Shape, up: number): number =>
    all(shape) - Math.floor(((all(shape) - fewest(shape)) * up) / total);
  let [low, high] = [0, total];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits((shape) => less(shape, middle))) high = middle;
    else low = middle + 1;
  }
  return shapes
    .filter((shape) => less(shape, low) < all(shape))
    .map((shape): Limit => {
      const [fit, count] = [less(shape, low), all(shape)];
      const message = `queue ${queue} has quota for ${fit} of the ${count} pods${shape.of}, and starts it with these, as its job-min-parallelism allows`;
      return { verdict: "told", reason: { code: "Count", message, data: { podSet: shape.name, fit, count } } };
    });
}

function findQueue(world: World, queues: QueueFacts, name: string): ClusterQueueFacts | Limit {
  const namespace = namespaceOf(world.demand.workload);
  const local = queues.localQueue(namespace, name);
  const say = (verdict: Limit["verdict"], message: string, data: NonNullable<Reason["data"]>): Limit => ({
    verdict,
    reason: { code: verdict === "unknown" ? "DataMissing" : "QueueClosed", message, data: { queue: name, ...data } },
  });
  if (local === undefined)
    return say("unknown", `namespace ${namespace} has no LocalQueue ${name}, so nothing lets the workload in`, {
      namespace,
    });
  const cluster = queues.clusterQueue(local.clusterQueue);
  if (cluster === undefined)
    return say("unknown", `LocalQueue ${name} names ClusterQueue ${local.clusterQueue}, which is not in the input`, {
      clusterQueue: local.clusterQueue,
    });
  const data = { clusterQueue: cluster.name };
  const labels = world.topology.facts.namespace(namespace)?.labels;
  if (cluster.namespaces === undefined || (labels !== undefined && !allowsLabels(cluster.namespaces, labels)))
    return say(
      "never",
      `ClusterQueue ${cluster.name} takes no workloads of namespace ${namespace} (namespaceSelector)`,
      data,
    );
  for (const [what, stop] of [
    [`LocalQueue ${name}`, local.stop],
    [`ClusterQueue ${cluster.name}`, cluster.stop],
  ] as const)
    if (stop !== "None") return say("busy", `${what} is stopped (stopPolicy ${stop}), so it lets nothing in`, data);
  return cluster;
}

const whoText = (shape: Shape): string => (shape.of === "" ? "the workload" : shape.name);

/** Adds what the set wants of each group; or says which resource, or which labels, no flavor of the queue has. */
function wishesOf(
  queues: QueueFacts,
  queue: ClusterQueueFacts,
  shape: Shape,
  pods: number,
  wishes: Wish[],
): Limit | undefined {
  const never = (message: string, resource: string): Limit => ({
    verdict: "never",
    reason: { code: "QuotaExceeded", message, data: { clusterQueue: queue.name, resource } },
  });
  const byGroup = new Map<FlavorGroup, Map<string, number>>();
  for (const { resource, amount } of shape.needs) {
    const group = queue.groups.find(({ covered }) => covered.includes(resource));
    if (group === undefined) {
      // Pods count only where the queue says so.
      if (resource === "pods") continue;
      return never(
        `ClusterQueue ${queue.name} has no quota for ${resource}, which ${whoText(shape)} asks for`,
        resource,
      );
    }
    const amounts = byGroup.get(group) ?? new Map<string, number>();
    byGroup.set(group, amounts.set(resource, amount * pods));
  }
  for (const [group, amounts] of byGroup) {
    const known = group.flavors.flatMap(({ name }) => queues.flavor(name) ?? []);
    const keys = new Set(known.flatMap(({ labels }) => Object.keys(labels)));
    const flavors = known.filter((flavor) => agrees(flavor, shape, keys)).map(({ name }) => name);
    if (flavors.length === 0) {
      const names = list(group.flavors.map(({ name }) => name));
      return never(
        `no flavor of ClusterQueue ${queue.name} (${names}) has the labels that ${whoText(shape)} selects, and only tolerated taints`,
        joined([...amounts.keys()]),
      );
    }
    wishes.push({ shape, pods, group, amounts, flavors });
  }
  return undefined;
}

/** Kueue looks at the label keys that some flavor of the group has, and at no others. */
function agrees({ labels, taints, tolerations }: FlavorFacts, shape: Shape, keys: ReadonlySet<string>): boolean {
  const all = [...shape.tolerations, ...tolerations];
  if (!taints.every((taint) => isTolerated(all, taint))) return false;
  const selects = (term: Requirements): boolean =>
    [...term.values()].every(
      (one) => !keys.has(one.key) || allows(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined),
    );
  return shape.selection.some(selects);
}

/** Gives flavors in order, as Kueue does, and returns the first wish that none of its flavors has room for. */
function firstShort(
  queue: ClusterQueueFacts,
  wishes: readonly Wish[],
  room: Room,
  offer: (flavor: string, resource: string) => Offer,
): Short | undefined {
  const taken: Taken = new Map();
  for (const wish of wishes) {
    const fitting = wish.flavors.filter((flavor) => holds(wish, flavor, taken, room, offer));
    const thrifty = fitting.find((flavor) => holds(wish, flavor, taken, ({ nominal, used }) => nominal - used, offer));
    const chosen = (queue.sparesCohort ? thrifty : undefined) ?? fitting[0];
    if (chosen === undefined) return { wish, taken };
    take(wish, chosen, taken, 1);
  }
  return undefined;
}

/** Is there a way to give flavors such that the quotas last, if nobody else used any. */
function lasts(
  wishes: readonly Wish[],
  offer: (flavor: string, resource: string) => Offer,
  ways: { left: number },
  taken: Taken,
  at: number,
): boolean {
  const wish = wishes[at];
  if (wish === undefined) return true;
  for (const flavor of wish.flavors) {
    if (ways.left <= 0) return true;
    ways.left -= 1;
    if (!holds(wish, flavor, taken, MOST, offer)) continue;
    take(wish, flavor, taken, 1);
    const rest = lasts(wishes, offer, ways, taken, at + 1);
    take(wish, flavor, taken, -1);
    if (rest) return true;
  }
  return false;
}

function holds(
  { amounts }: Wish,
  flavor: string,
  taken: Taken,
  room: Room,
  offer: (flavor: string, resource: string) => Offer,
): boolean {
  return [...amounts].every(
    ([resource, amount]) => (taken.get(`${flavor}/${resource}`)?.amount ?? 0) + amount <= room(offer(flavor, resource)),
  );
}

function take({ amounts, shape }: Wish, flavor: string, taken: Taken, sign: 1 | -1): void {
  for (const [resource, amount] of amounts) {
    const key = `${flavor}/${resource}`;
    const before = taken.get(key) ?? { amount: 0, sets: [] };
    const sets = sign === 1 ? [...before.sets, shape.name] : before.sets.slice(0, -1);
    taken.set(key, { amount: before.amount + sign * amount, sets });
  }
}

/** The flavor that comes closest, by the resource of which it has the least of what is asked, beside what earlier sets get. */
function told(
  name: string,
  queue: ClusterQueueFacts,
  { wish, taken }: Short,
  verdict: "busy" | "never",
  offer: (flavor: string, resource: string) => Offer,
): Limit {
  const parts = wish.flavors.map((flavor) =>
    [...wish.amounts]
      .map(([resource, own]) => {
        const beside = taken.get(`${flavor}/${resource}`) ?? { amount: 0, sets: [] };
        const given = offer(flavor, resource);
        const have = Math.max(0, (verdict === "never" ? MOST : LEFT)(given));
        return { flavor, resource, own, beside, offer: given, have, needed: own + beside.amount };
      })
      .reduce((a, b) => (b.have / b.needed < a.have / a.needed ? b : a)),
  );
  const { flavor, resource, own, beside, have, needed, ...best } = parts.reduce((a, b) =>
    b.have / b.needed > a.have / a.needed ? b : a,
  );
  const { nominal, used } = best.offer;
  const text = (units: number) => unitsText(resource, units);
  const unused = verdict === "never" ? nominal : Math.max(0, nominal - used);
  const [borrowed, lent] = [Math.max(0, have - unused), Math.max(0, unused - have)];
  // Others have borrowed of what is nominally the queue's own.
  const cohort =
    queue.cohort === undefined
      ? ""
      : lent > 0
        ? `, ${text(lent)} lent in cohort ${queue.cohort}`
        : `, ${text(borrowed)} to borrow from cohort ${queue.cohort}`;
  const also = beside.amount === 0 ? "" : ` beside the ${text(beside.amount)} of ${joined(beside.sets)}`;
  const who = `${plural(wish.pods, "pod")}${wish.shape.of} ${wish.pods === 1 ? "needs" : "need"} ${text(own)}${also}`;
  const where = `queue ${name}: flavor ${flavor} of ClusterQueue ${queue.name}`;
  const message =
    verdict === "never"
      ? `${where} gives at most ${text(have)} ${resource} (nominal ${text(nominal)}${cohort}), and ${who}`
      : `${where} has ${text(have)} ${resource} left (${text(used)} of nominal ${text(nominal)} used${cohort}), and ${who}`;
  const now = verdict === "never" ? {} : { used };
  const data = { clusterQueue: queue.name, flavor, resource, nominal, ...now, borrowable: borrowed - lent, needed };
  return { verdict, reason: { code: "QuotaExceeded", message, data: { queue: name, ...data } } };
}

function unread(name: string): Limit {
  return {
    verdict: "told",
    reason: {
      code: "DataMissing",
      message: `the cluster was given without its LocalQueues and ClusterQueues, so the quota of queue ${name} is not judged`,
    },
  };
}
