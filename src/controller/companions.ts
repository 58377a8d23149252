import type { Kube } from "../kube/index.ts";
import { type JsonObject, type ObjectKey, stringAt } from "../model/index.ts";
import { collect } from "./collect.ts";
import { ensure } from "./ensure.ts";
import { isEnding, reasonOf } from "./fault.ts";
import { kindOf, nameOf, namespaceOf, uidOf } from "./kinds.ts";
import { namedWithin } from "./naming.ts";
import { type Plan, planFor } from "./plan.ts";
import { createQueue, type Queue } from "./queue.ts";
import { quiet } from "./quiet.ts";
import type { Clock, Companied, Known, Regarding, Roots, Tell } from "./types.ts";

export interface CompanionsOptions {
  readonly kube: Kube;
  readonly roots: Roots;
  readonly companied: Companied;
  /** Catalogue and topology of the moment. */
  readonly known: () => Known;
  readonly tell: Tell;
  readonly clock: Clock;
  readonly random: () => number;
  /** From the moment when nothing names a companion any more to its removal. */
  readonly graceMs?: number;
  readonly resyncMs?: number;
  /** Roots and namespaces that are worked on at the same time. */
  readonly concurrency?: number;
}

export interface Companions {
  /** The watch shows a root anew, changed or gone. May be called by any replica at any time: without the lease nothing happens. */
  rootChanged(key: ObjectKey): void;
  /** The watch shows something in the namespace that may have ceased to name a companion, or a companion itself. */
  namespaceChanged(namespace: string): void;
  companionChanged(kind: string, namespace: string, name: string): void;
  /** Policies or platform changed: every root is planned anew. */
  allChanged(): void;
  /** Reconciles until the signal; ends when no write is in flight any more. */
  lead(until: AbortSignal): Promise<void>;
  /** Keys that wait. */
  readonly waiting: number;
}

/** What the leader knows of one root. */
export interface Planned {
  readonly key: ObjectKey;
  readonly plan: Plan;
}

/** Coalesces what one rollout sets off. */
const COLLECT_AFTER_MS = 1_000;

/**
 * Keeps the objects beside workloads as the decisions of the workloads say. Level-triggered: whatever was missed is found at the next
 * change or resync.
 *
 * Guarantees. Creation: at the first watch event of the root, claim templates and pod templates before what names them. The review of the root
 * has made its claim templates before (`makeEarly`), as well as it could; where it could not, pods that are faster wait as Pending, and the
 * resource claim controller retries them with back-off. Nothing is touched that lacks our label. Removal: only
 * what no root needs, nothing in the namespace names (asked of the API server just before, pods that are pending and ReplicaSets of old
 * revisions included), and that was so for the grace period, which is longer than a create can be under way after its review; under its uid
 * and resourceVersion. Between that last look and the
 * removal somebody may begin to name it: a root of ours then has it made again at its watch event, under the same name and with the same
 * content.
 */
export function createCompanions(options: CompanionsOptions): Companions {
  const { roots, companied, known, clock, random } = options;
  const tell = quiet(options.tell, clock);
  const context = (until: AbortSignal) => ({ ...options, tell, until });
  const { graceMs = 600_000, resyncMs = 600_000, concurrency = 4 } = options;
  /** By root, then what uses what; only while leading. */
  const planned = new Map<string, Planned>();
  const users = new Map<string, Set<string>>();
  const unplanned = new Set<string>();
  const unusedSince = new Map<string, number>();
  let queue: Queue | undefined;

  const add = (key: string, afterMs?: number): void => queue?.add(key, afterMs);

  const forget = (id: string): void => {
    const before = planned.get(id);
    if (before === undefined) return;
    planned.delete(id);
    for (const one of before.plan.kept) {
      const use = `${before.key.namespace}/${one}`;
      const left = users.get(use);
      left?.delete(id);
      if (left?.size === 0) users.delete(use);
    }
    add(collectKey(before.key.namespace), COLLECT_AFTER_MS);
  };

  const remember = (id: string, entry: Planned): void => {
    forget(id);
    planned.set(id, entry);
    for (const one of entry.plan.kept) {
      const use = `${entry.key.namespace}/${one}`;
      users.set(use, (users.get(use) ?? new Set()).add(id));
      unusedSince.delete(use);
    }
  };

  const reconcile = async (id: string, until: AbortSignal): Promise<number | undefined> => {
    const key = keyFrom(id);
    // Planning thousands of roots in one go would keep the webhooks waiting.
    await new Promise<void>((resolve) => clock.after(0, resolve));
    const root = roots.get(key);
    if (root === undefined) {
      unplanned.delete(id);
      forget(id);
      return undefined;
    }
    if (stringAt(root, ["metadata", "deletionTimestamp"]) !== undefined) {
      // Its pods still end: what they name stays until the object is gone, and nothing is made any more.
      if (!planned.has(id)) remember(id, { key, plan: endingPlan(root) });
      unplanned.delete(id);
      return undefined;
    }
    const plan = planFor(root, known());
    unplanned.delete(id);
    // A ReplicaSet with its Deployment's annotations: nothing is made for it, and what it names stays.
    remember(id, { key, plan: plan ?? endingPlan(root) });
    if (plan === undefined) return undefined;
    await ensure(context(until), { ...key, uid: plan.uid, ...versionOf(root) }, plan);
    return undefined;
  };

  const isUsed = (namespace: string, id: string): boolean => users.has(`${namespace}/${id}`);

  const handle = (key: string, until: AbortSignal): Promise<number | undefined> => {
    if (until.aborted) return Promise.resolve(undefined);
    if (!key.startsWith(COLLECT)) return reconcile(key, until);
    const namespace = key.slice(COLLECT.length);
    // Not before all its roots are planned: what they use would look unused.
    for (const id of unplanned) if (keyFrom(id).namespace === namespace) return Promise.resolve(COLLECT_AFTER_MS);
    const planOf = (uid: string) => [...planned.values()].find(({ plan }) => plan.uid === uid)?.plan;
    return collect({ ...context(until), graceMs, isUsed, planOf, unusedSince }, namespace);
  };

  const failed = (key: string, fault: unknown, times: number): void => {
    if (isEnding(fault)) return;
    // The first time may be a conflict or a short outage, and heals by itself.
    const what = key.startsWith(COLLECT) ? `namespace ${key.slice(COLLECT.length)}` : textOf(keyFrom(key));
    if (times === 2 || times % 10 === 0) tell.log("warn", `Companions of ${what}: ${reasonOf(fault)}`);
  };

  const addAll = (): void => {
    const namespaces = new Set<string>();
    for (const root of roots.all()) {
      add(idOf(keyOf(root)));
      namespaces.add(namespaceOf(root));
    }
    for (const { key } of planned.values()) {
      add(idOf(key));
      namespaces.add(key.namespace);
    }
    for (const namespace of [...namespaces, ...companied.namespaces()]) add(collectKey(namespace), COLLECT_AFTER_MS);
  };

  return {
    rootChanged: (key) => add(idOf(key)),
    namespaceChanged: (namespace) => add(collectKey(namespace), COLLECT_AFTER_MS),
    companionChanged(kind, namespace, name) {
      for (const id of users.get(`${namespace}/${kind} ${name}`) ?? []) add(id);
      add(collectKey(namespace), COLLECT_AFTER_MS);
    },
    allChanged: addAll,
    get waiting() {
      return queue?.waiting ?? 0;
    },
    async lead(until) {
      if (until.aborted) return;
      queue = createQueue({ handle: (key) => handle(key, until), failed, clock, random, concurrency });
      for (const root of roots.all()) unplanned.add(idOf(keyOf(root)));
      let cancelResync = () => {};
      const resync = (): void => {
        addAll();
        cancelResync = clock.after(resyncMs * (0.9 + 0.2 * random()), resync);
      };
      resync();
      await new Promise<void>((resolve) => until.addEventListener("abort", () => resolve(), { once: true }));
      cancelResync();
      const ending = queue;
      queue = undefined;
      await ending.stop();
      for (const index of [planned, users, unplanned, unusedSince]) index.clear();
    },
  };
}

const COLLECT = "collect ";
const collectKey = (namespace: string): string => `${COLLECT}${namespace}`;

/** API names hold no blanks. */
const idOf = ({ apiVersion, kind, namespace, name }: ObjectKey): string => `${apiVersion} ${kind} ${namespace} ${name}`;

function keyFrom(id: string): ObjectKey {
  const [apiVersion = "", kind = "", namespace = "", name = ""] = id.split(" ");
  return { apiVersion, kind, namespace, name };
}

function keyOf(object: JsonObject): ObjectKey {
  return {
    apiVersion: stringAt(object, ["apiVersion"]) ?? "",
    kind: kindOf(object),
    namespace: namespaceOf(object),
    name: nameOf(object),
  };
}

function versionOf(root: JsonObject): Pick<Regarding, "resourceVersion"> {
  const resourceVersion = stringAt(root, ["metadata", "resourceVersion"]);
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function endingPlan(root: JsonObject): Plan {
  return { uid: uidOf(root), complete: false, companions: new Map(), kept: namedWithin(root), irreproducible: [] };
}

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind} ${namespace}/${name}`;
