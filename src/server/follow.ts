import type { Logger } from "pino";
import {
  type Answer,
  DECISION_ANNOTATION,
  type JsonObject,
  type ObjectKey,
  stringAt,
  stringMapAt,
} from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import { indexTopology, type TopologyIndex } from "../solver/index.ts";
import { type Change, createLive, objectId } from "../topology/index.ts";
import { groupOf, type KindTable } from "../workloads/index.ts";
import { createHolds } from "./holds.ts";
import { createInflight, type Inflight } from "./inflight.ts";
import type { Followed } from "./state.ts";
import { diagnosticLine } from "./state.ts";

/** How long one round of second looks may keep reviews waiting. */
const LOOK_MS = 15;
const LOOK_EVERY_MS = 100;
const LOGGED_A_BATCH = 20;

export interface FollowOptions {
  readonly catalogue: Catalogue;
  readonly maxSteps: number;
  readonly logger: Logger;
  /** Why the watches cannot be trusted at this moment. */
  readonly stale: () => string | undefined;
  readonly now?: () => number;
  /** Told each answer of a second look. */
  readonly answered?: (key: ObjectKey, answer: Answer) => void;
}

/** A cluster as the watches tell it: the topology, the roots that carry a decision, and what is in flight. */
export interface Following extends Followed {
  readonly inflight: Inflight;
  /** Every root that carries a decision, whole. */
  readonly roots: ReadonlyMap<string, JsonObject>;
  readonly stats: ReadonlyMap<string, number>;
  take(changes: readonly Change[]): void;
  /** Called for each root that came, changed or went. */
  onRoot(listener: (key: ObjectKey) => void): void;
  stop(): void;
}

export function follow(options: FollowOptions): Following {
  const { logger, stale, now = Date.now } = options;
  let { catalogue } = options;
  const live = createLive({ layout: catalogue.layout, climbs: climbsOf(catalogue) });
  const roots = new Map<string, JsonObject>();
  let indexed: TopologyIndex | undefined;
  const index = (): TopologyIndex => {
    const topology = live.topology();
    if (indexed?.topology !== topology) indexed = indexTopology(topology, indexed);
    return indexed;
  };
  const inflight = createInflight({
    holds: createHolds(),
    podsOf: (root) => live.podsOf(root),
    ...(options.answered === undefined ? {} : { answered: options.answered }),
    context: (nowMs) => {
      const why = stale();
      return why === undefined
        ? { catalogue, topology: live.topology(), index: index(), maxSteps: options.maxSteps, nowMs }
        : undefined;
    },
  });

  let told = (_key: ObjectKey): void => {};
  const setRoot = (id: string, object: JsonObject): void => {
    roots.set(id, object);
    inflight.seen(keyOf(object), object, now());
    told(keyOf(object));
  };
  const dropRoot = (id: string, key: ObjectKey): void => {
    if (!roots.delete(id)) return;
    inflight.gone(key);
    told(key);
  };
  const takeRoots = (change: Change): void => {
    if (change.type === "set") {
      const key = keyOf(change.object);
      if (isDecided(change.object)) setRoot(objectId(key), change.object);
      else dropRoot(objectId(key), key);
      return;
    }
    if (change.type === "deleted") {
      dropRoot(objectId(change), change);
      return;
    }
    const objects = change.type === "relisted" ? change.objects.filter(isDecided) : [];
    const kept = new Set(objects.map((object) => objectId(keyOf(object))));
    const group = groupOf(change.apiVersion);
    for (const [id, object] of roots) {
      const key = keyOf(object);
      if (key.kind === change.kind && groupOf(key.apiVersion) === group && !kept.has(id)) dropRoot(id, key);
    }
    for (const object of objects) setRoot(objectId(keyOf(object)), object);
  };
  /** The root of a pod before and after the change: it may have moved from one to another. */
  const applyPod = (change: Change & { readonly type: "set" | "deleted" }) => {
    const { namespace, name } = change.type === "set" ? keyOf(change.object) : change;
    const before = live.rootOfPod(namespace, name);
    const found = live.apply(change);
    const after = live.rootOfPod(namespace, name);
    if (before !== undefined) inflight.moved(before);
    if (after !== undefined && after !== before) inflight.moved(after);
    return found;
  };

  const look = setInterval(() => {
    const startedAt = now();
    inflight.look(now, startedAt + LOOK_MS);
  }, LOOK_EVERY_MS);
  look.unref();

  return {
    inflight,
    roots,
    get stats() {
      return live.stats;
    },
    topology: () => live.topology(),
    index,
    stale,
    takeCatalogue(next) {
      const same = next.layout.digest === catalogue.layout.digest && sameKinds(next.kinds, catalogue.kinds);
      catalogue = next;
      if (!same) live.setLayout(next.layout, climbsOf(next));
      for (const object of roots.values()) inflight.moved(keyOf(object));
    },
    take(changes) {
      for (const change of changes) {
        const kind = change.type === "set" ? (stringAt(change.object, ["kind"]) ?? "") : change.kind;
        const found =
          kind === "Pod" && (change.type === "set" || change.type === "deleted")
            ? applyPod(change)
            : live.apply(change);
        takeRoots(change);
        for (const one of found.slice(0, LOGGED_A_BATCH))
          if (one.severity !== "info") logger.warn({ source: "cluster" }, diagnosticLine(one));
      }
    },
    onRoot(listener) {
      told = listener;
    },
    stop: () => clearInterval(look),
  };
}

/** Every load of the policies makes a table anew; most say the same. */
export function sameKinds(a: KindTable, b: KindTable): boolean {
  return a === b || JSON.stringify(a.entries) === JSON.stringify(b.entries);
}

const isDecided = (object: JsonObject): boolean =>
  stringMapAt(object, ["metadata", "annotations"])[DECISION_ANNOTATION] !== undefined;

function keyOf(object: JsonObject): ObjectKey {
  const uid = stringAt(object, ["metadata", "uid"]);
  return {
    apiVersion: stringAt(object, ["apiVersion"]) ?? "",
    kind: stringAt(object, ["kind"]) ?? "",
    namespace: stringAt(object, ["metadata", "namespace"]) ?? "",
    name: stringAt(object, ["metadata", "name"]) ?? "",
    ...(uid === undefined ? {} : { uid }),
  };
}

/** What a template-only kind makes (a CronJob's Job) is a root of its own, so the climb ends below it. */
function climbsOf({ kinds }: Catalogue): (owner: { readonly apiVersion: string; readonly kind: string }) => boolean {
  return ({ apiVersion, kind }) => {
    const entry = kinds.findOwner(groupOf(apiVersion), kind);
    return entry !== undefined && entry.life !== "templateOnly";
  };
}
