import { type AdmissionContext, type Standing, standing } from "../admission/index.ts";
import { type Answer, type Diagnostic, type Hold, integerAt, type JsonObject, type ObjectKey } from "../model/index.ts";
import { objectId, type PodFacts } from "../topology/index.ts";
import type { Holds } from "./holds.ts";

/** Young roots are not reported on: their pods have not had the time to be made and bound. */
const REPORT_AFTER_MS = 3_000;
/** How often a root whose pods wait is looked at again, since capacity comes and goes without an event of its own. */
const LOOK_AGAIN_MS = 5_000;

export interface Report {
  readonly key: ObjectKey;
  readonly standing: Standing;
  readonly findings: readonly Diagnostic[];
}

/** Capacity that is promised and not yet taken: by this replica's own promises, and by the roots that the watch shows. */
export interface Inflight {
  /** In force at this moment. */
  list(nowMs: number): readonly Hold[];
  take(hold: Hold): void;
  /** The watch shows a root that carries a decision; `key.uid` is its generation. */
  seen(key: ObjectKey, object: JsonObject, nowMs: number): void;
  gone(key: ObjectKey): void;
  /** Pods of the root came, went, or were bound. */
  moved(root: ObjectKey): void;
  /** Looks again at what is due, the longest overdue first, until `untilMs` on the clock; true: something is still due. */
  look(clock: () => number, untilMs: number): boolean;
  /** What people should hear about roots whose pods wait. Each standing is told once. */
  reports(nowMs: number): readonly Report[];
  readonly size: number;
}

interface Entry {
  readonly key: ObjectKey;
  readonly object: JsonObject;
  readonly seenAtMs: number;
  lookAgainMs: number;
  standing: Standing | undefined;
  told: boolean;
}

export interface InflightOptions {
  /** Everything but the holds. undefined: nothing can be judged yet. */
  readonly context: (nowMs: number) => Omit<AdmissionContext, "holds"> | undefined;
  readonly podsOf: (root: ObjectKey) => readonly PodFacts[];
  /** This replica's own promises. */
  readonly holds: Holds;
  /** Told each answer of a second look. */
  readonly answered?: (key: ObjectKey, answer: Answer) => void;
}

/**
 * A promise is this replica's own until the watch shows its root; from then on it is derived from the root's decision, on every
 * replica alike, and shrinks as pods are bound. A promise that the watch never confirms (a dry run elsewhere, a later refusal, a retried name)
 * ends by itself.
 */
export function createInflight({ context, podsOf, holds, answered }: InflightOptions): Inflight {
  const entries = new Map<string, Entry>();
  /** Ids of roots to look at, in the order in which they became due. */
  const due = new Set<string>();
  /** What is shown to be held, by root. */
  const shown = new Map<string, Hold>();
  /** By uid of a controller of unknown kind, the roots (its pods) that follow one rung, each with that rung as a hold on nothing. */
  const owners = new Map<string, Map<string, Hold>>();

  const listed = (nowMs: number, except?: string): readonly Hold[] => {
    const result: Hold[] = [];
    const own = new Set<string>();
    for (const hold of holds.list(nowMs)) {
      const id = objectId(hold.workload);
      own.add(id);
      if (id !== except) result.push(hold);
    }
    // The newer promise (a larger count, say) counts until the watch has caught up with it.
    for (const [id, hold] of shown) if (id !== except && !own.has(id)) result.push(hold);
    for (const siblings of owners.values())
      for (const hold of siblings.values()) {
        result.push(hold);
        break;
      }
    return result;
  };

  const forget = (id: string, entry: Entry | undefined): void => {
    shown.delete(id);
    const owner = entry?.standing?.owner;
    const siblings = owner === undefined ? undefined : owners.get(owner);
    siblings?.delete(id);
    if (owner !== undefined && siblings?.size === 0) owners.delete(owner);
  };

  const lookAt = (id: string, entry: Entry, nowMs: number): void => {
    const base = context(nowMs);
    if (base === undefined) return;
    const before = entry.standing;
    const now = standing(entry.object, podsOf(entry.key), { ...base, holds: listed(nowMs, id) });
    if (now?.answer !== undefined) answered?.(entry.key, now.answer);
    forget(id, entry);
    entry.standing = now;
    if (now?.hold !== undefined) shown.set(id, now.hold);
    if (now?.owner !== undefined && Object.keys(now.rungs).length > 0) {
      const siblings = owners.get(now.owner) ?? new Map<string, Hold>();
      owners.set(now.owner, siblings.set(id, followed(entry, now, now.owner)));
    }
    holds.confirm(entry.key, now === undefined ? Number.POSITIVE_INFINITY : now.waiting + now.bound);
    entry.lookAgainMs = nowMs + LOOK_AGAIN_MS;
    if (textOf(before) !== textOf(now)) entry.told = false;
  };

  return {
    list: (nowMs) => listed(nowMs),
    take: (hold) => holds.take(hold),
    seen(key, object, nowMs) {
      const id = objectId(key);
      const present = entries.get(id);
      const same = present !== undefined && present.key.uid === key.uid;
      if (!same) forget(id, present);
      entries.set(id, {
        key,
        object,
        seenAtMs: same && generationOf(present.object) === generationOf(object) ? present.seenAtMs : nowMs,
        lookAgainMs: nowMs,
        standing: same ? present.standing : undefined,
        told: same && present.told,
      });
      due.add(id);
    },
    gone(key) {
      const id = objectId(key);
      forget(id, entries.get(id));
      entries.delete(id);
      due.delete(id);
    },
    moved(root) {
      const id = objectId(root);
      if (entries.has(id)) due.add(id);
    },
    look(clock, untilMs) {
      for (const id of due) {
        const nowMs = clock();
        if (nowMs >= untilMs) return true;
        due.delete(id);
        const entry = entries.get(id);
        if (entry !== undefined) lookAt(id, entry, nowMs);
      }
      const nowMs = clock();
      for (const [id, entry] of entries)
        if ((entry.standing?.waiting ?? 0) > 0 && entry.lookAgainMs <= nowMs) due.add(id);
      return due.size > 0;
    },
    reports(nowMs) {
      const result: Report[] = [];
      for (const entry of entries.values()) {
        if (entry.told || nowMs - entry.seenAtMs < REPORT_AFTER_MS || entry.standing === undefined) continue;
        entry.told = true;
        const { findings } = entry.standing;
        if (findings.length > 0) result.push({ key: entry.key, standing: entry.standing, findings });
      }
      return result;
    },
    get size() {
      return entries.size;
    },
  };
}

/** What of a standing is news. */
function textOf(one: Standing | undefined): string {
  return (one?.findings ?? []).map(({ code, message }) => `${code} ${message}`).join("\n");
}

const generationOf = (object: JsonObject): number | undefined => integerAt(object, ["metadata", "generation"]);

/** The rung of one pod of an unknown controller, which its other pods follow also when this one is bound. */
function followed({ key, seenAtMs }: Entry, { rungs }: Standing, owner: string): Hold {
  return { workload: key, tenant: key.namespace, takenAtMs: seenAtMs, rungs, owner, placed: [], newNodes: [] };
}
