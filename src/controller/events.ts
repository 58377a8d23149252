import { isStatus, type Kube } from "../kube/index.ts";
import { digestText, type JsonObject } from "../model/index.ts";
import { missingPermission, reasonOf } from "./fault.ts";
import { microTime } from "./time.ts";
import type { Clock, Note, Tell } from "./types.ts";

export interface EventsOptions {
  readonly kube: Kube;
  readonly clock: Clock;
  readonly log: Tell["log"];
  /** The pod's name, or what else tells this process from others. */
  readonly instance: string;
  /** An event that is told again is counted, and the count written this often at most. */
  readonly seriesMs?: number;
  /** What was not told for this long is a new event when it comes back: the API server has forgotten the old one. */
  readonly quietMs?: number;
  /** How many new events one root may have at once, and how soon it may have another. */
  readonly perRoot?: { readonly burst: number; readonly everyMs: number };
  readonly overall?: { readonly burst: number; readonly everyMs: number };
}

export interface Events {
  event(note: Note): void;
  /** Left out, because a bound was reached; since the start. */
  readonly dropped: number;
  /** Ends when what is on its way has arrived; nothing is sent afterwards. */
  stop(): Promise<void>;
}

const CONTROLLER = "plimsoll.dev/controller";
/** events.k8s.io validation: NoteLengthLimit, in bytes; names of a reporting instance and of an action. */
const NOTE_BYTES = 1024;
const NAME_LENGTH = 128;
const MAX_KNOWN = 4096;
/** Enough for an outage of the API server; what comes on top is dropped. */
const MAX_PENDING = 256;

interface Series {
  readonly path: string;
  readonly object: JsonObject;
  count: number;
  lastWallMs: number;
  lastMs: number;
  cancel: (() => void) | undefined;
}

/**
 * events.k8s.io/v1 Events on roots. The same reason and note about the same object is one event with a series count, also while it goes
 * on for days; a root that has much to say, or a cluster of them, is bounded. Telling never fails and never waits.
 */
export function createEvents(options: EventsOptions): Events {
  const { kube, clock, log, instance, seriesMs = 300_000, quietMs = 3_600_000 } = options;
  const { perRoot = { burst: 10, everyMs: 60_000 }, overall = { burst: 100, everyMs: 200 } } = options;
  const known = new Map<string, Series>();
  const buckets = new Map<string, Bucket>();
  const all = bucket(overall.burst, overall.everyMs, clock.nowMs());
  const pending = new Set<Promise<void>>();
  let dropped = 0;
  let stopped = false;
  let lastFault = "";

  const send = (write: () => Promise<unknown>, gone?: () => void): void => {
    const sent = write()
      .then(() => {
        lastFault = "";
      })
      .catch((fault: unknown) => {
        if (isStatus(fault, 404) && gone !== undefined) return gone();
        const text =
          isStatus(fault, 403) && !/terminated/.test(fault.message)
            ? missingPermission("create and patch", "events.events.k8s.io", "")
            : reasonOf(fault);
        if (text !== lastFault) log("warn", `Events are not told: ${text}`);
        lastFault = text;
      })
      .finally(() => pending.delete(sent));
    pending.add(sent);
  };

  const flush = (one: Series): void => {
    one.cancel = undefined;
    const series = { count: one.count, lastObservedTime: microTime(one.lastWallMs) };
    // It has outlived the server's memory of events.
    const again = () => send(() => kube.create(collectionOf(one.path), { ...one.object, series }));
    send(() => kube.mergePatch(one.path, { series }), again);
  };

  const forget = (key: string, one: Series): void => {
    one.cancel?.();
    known.delete(key);
  };

  const mayTell = (uid: string): boolean => {
    const now = clock.nowMs();
    const own = buckets.get(uid) ?? bucket(perRoot.burst, perRoot.everyMs, now);
    buckets.delete(uid);
    buckets.set(uid, own);
    const [oldest] = buckets.keys();
    if (buckets.size > MAX_KNOWN && oldest !== undefined) buckets.delete(oldest);
    return pending.size < MAX_PENDING && own.has(now) && all.has(now) && own.take() && all.take();
  };

  return {
    get dropped() {
      return dropped;
    },
    event(note) {
      if (stopped) return;
      const { regarding, type, reason, action } = note;
      const text = clipped(note.note);
      const key = [regarding.uid, type, reason, text].join("\n");
      const before = known.get(key);
      if (before !== undefined && clock.nowMs() - before.lastMs < quietMs) {
        before.count += 1;
        before.lastWallMs = clock.wallMs();
        before.lastMs = clock.nowMs();
        before.cancel ??= clock.after(seriesMs, () => flush(before));
        return;
      }
      if (before !== undefined) forget(key, before);
      if (!mayTell(regarding.uid)) {
        dropped += 1;
        return;
      }
      const wallMs = clock.wallMs();
      const namespace = regarding.namespace === "" ? "default" : regarding.namespace;
      const name = `${regarding.name.slice(0, 200)}.${digestText(`${key}\n${instance}\n${wallMs}`, 16)}`;
      const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events/${name}`;
      const object: JsonObject = {
        apiVersion: "events.k8s.io/v1",
        kind: "Event",
        metadata: { name, namespace },
        eventTime: microTime(wallMs),
        reportingController: CONTROLLER,
        reportingInstance: instance.slice(0, NAME_LENGTH),
        action: action.slice(0, NAME_LENGTH),
        reason,
        type,
        note: text,
        regarding: {
          apiVersion: regarding.apiVersion,
          kind: regarding.kind,
          namespace: regarding.namespace,
          name: regarding.name,
          uid: regarding.uid,
          ...(regarding.resourceVersion === undefined ? {} : { resourceVersion: regarding.resourceVersion }),
        },
      };
      const one: Series = {
        path,
        object,
        count: 1,
        lastWallMs: wallMs,
        lastMs: clock.nowMs(),
        cancel: undefined,
      };
      known.set(key, one);
      const [oldest] = known;
      if (known.size > MAX_KNOWN && oldest !== undefined) forget(...oldest);
      send(() => kube.create(collectionOf(path), object));
    },
    async stop() {
      stopped = true;
      for (const [key, one] of known) forget(key, one);
      await Promise.all(pending);
    },
  };
}

const collectionOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

interface Bucket {
  has(nowMs: number): boolean;
  take(): true;
}

/** Tokens that come back one by one. */
function bucket(burst: number, everyMs: number, startMs: number): Bucket {
  let tokens = burst;
  let filledMs = startMs;
  return {
    has(nowMs) {
      const more = Math.floor((nowMs - filledMs) / everyMs);
      tokens = Math.min(burst, tokens + more);
      filledMs += more * everyMs;
      return tokens > 0;
    },
    take() {
      tokens -= 1;
      return true;
    },
  };
}

/** At most `NOTE_BYTES` of UTF-8, cut between characters. */
function clipped(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (Buffer.byteLength(line) <= NOTE_BYTES) return line;
  let bytes = 3;
  let end = 0;
  for (const character of line) {
    bytes += Buffer.byteLength(character);
    if (bytes > NOTE_BYTES) break;
    end += character.length;
  }
  return `${line.slice(0, end)}…`;
}
