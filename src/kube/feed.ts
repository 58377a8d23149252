import type { Change } from "../topology/index.ts";
import { type Clock, jittered, SYSTEM_CLOCK } from "./clock.ts";
import { type Discovery, discover } from "./discovery.ts";
import { reasonOf } from "./fault.ts";
import { type KindStatus, type Reflector, startReflector, TIMINGS, type Timings } from "./reflector.ts";
import { basePath } from "./resources.ts";
import type { Kube } from "./types.ts";
import { idOf, type Wanted, type WatchedKind, wantedKinds } from "./wanted.ts";

const CRDS = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
const CRD_PATH = `${basePath(CRDS.apiVersion)}/customresourcedefinitions`;
const LISTS_AT_A_TIME = 4;

export interface FeedTimings extends Timings {
  /** Between two looks at what is served. */
  readonly discoveryMs: number;
  /** When it is looked at again after a sign of change; discovery follows a new kind after a moment. */
  readonly followUpMs: readonly number[];
}

export const FEED_TIMINGS: FeedTimings = { ...TIMINGS, discoveryMs: 300_000, followUpMs: [300, 2_000, 8_000, 30_000] };

export interface FeedOptions {
  /** The workload kinds (the kind table), besides what an inventory is read from. */
  readonly kinds: readonly WatchedKind[];
  /**
   * Takes changes, in order for each kind. Where it throws, the kind is listed again. A kind that is not served at the start is told as
   * `unserved`; one that changes its version is `relisted` in the new one.
   */
  readonly onChanges: (changes: readonly Change[]) => void;
  readonly clock?: Clock;
  readonly timings?: Partial<FeedTimings>;
}

export interface FeedStatus {
  readonly kinds: readonly KindStatus[];
  readonly discovery: {
    /** When it was last answered, milliseconds since the epoch. */
    readonly lastMs: number | undefined;
    /** Why it was not the last time. */
    readonly fault: string | undefined;
  };
}

export interface Feed {
  /** Every kind that is served and may be read was listed once. Stays true: what comes later does not make it false. */
  synced(): boolean;
  /**
   * The longest silence among the kinds that were listed: no event, no bookmark, no watch accepted. It stays below `idleMs` and a reconnect
   * while all is well. Infinity before the first sync.
   */
  ageMs(nowMs: number): number;
  status(): FeedStatus;
  /** No change is told afterwards. What is being asked still ends with the port. */
  stop(): void;
}

interface Followed {
  readonly apiVersion: string;
  readonly reflector: Reflector;
  /** How often in a row discovery lacked it. */
  missed: number;
}

/** Follows all kinds of an inventory and all workload kinds, each in the best version that is served, whatever comes, goes or changes. Never throws. */
export function startFeed(kube: Kube, options: FeedOptions): Feed {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const timings = { ...FEED_TIMINGS, ...options.timings };
  const wanted = wantedKinds(options.kinds);
  const groups = new Set(wanted.map(({ group }) => group));
  const gate = limited(LISTS_AT_A_TIME);
  const followed = new Map<string, Followed>();
  const told = new Set<string>();
  let lastMs: number | undefined;
  let fault: string | undefined;
  let latched = false;
  let stopped = false;
  let wait = new AbortController();
  /** Pauses before the looks that a sign of change asks for. */
  let due: readonly number[] = [];
  let soon = false;

  function lookAgain(): void {
    due = timings.followUpMs;
    // Many signs in a row do not put a look off.
    if (!soon) wait.abort();
  }

  function follow(one: Wanted, version: string, plural: string): void {
    const apiVersion = apiVersionOf(one.group, version);
    const type = { apiVersion, kind: one.kind };
    const id = idOf(one.group, one.kind);
    followed.get(id)?.reflector.stop();
    const emit = (changes: readonly Change[]) => {
      options.onChanges(changes);
      // It may be there in another version.
      if (changes.some((change) => change.type === "unserved")) lookAgain();
    };
    const reflector = startReflector({
      kube,
      ...type,
      path: `${basePath(apiVersion)}/${plural}`,
      asked: one.asked,
      keep: (object) => one.keep(object, type),
      emit,
      clock,
      timings,
      gate,
    });
    followed.set(id, { apiVersion, reflector, missed: 0 });
    told.delete(id);
  }

  function reconcile(discovery: Discovery): void {
    for (const one of wanted) {
      const id = idOf(one.group, one.kind);
      const now = followed.get(id);
      const version = one.versions.find((candidate) => discovery.plural(one.group, candidate, one.kind) !== undefined);
      const plural = version === undefined ? undefined : discovery.plural(one.group, version, one.kind);
      if (version !== undefined && plural !== undefined) {
        const back = now !== undefined && now.missed > 0 && now.reflector.status().unserved;
        if (now !== undefined) now.missed = 0;
        if (now?.apiVersion !== apiVersionOf(one.group, version) || back) follow(one, version, plural);
        // It went and came between two looks.
        else now.reflector.again();
        continue;
      }
      if (one.versions.some((candidate) => discovery.unknown(one.group, candidate))) continue;
      if (now !== undefined) {
        // A server that has just started may not know all of its kinds yet.
        now.missed += 1;
        if (now.missed === 1) due = timings.followUpMs;
        if (now.missed < 2) continue;
        if (now.reflector.status().unserved) told.add(id);
        now.reflector.stop();
        followed.delete(id);
      }
      if (told.has(id)) continue;
      tell([{ type: "unserved", apiVersion: apiVersionOf(one.group, one.versions[0] ?? "v1"), kind: one.kind }]);
      told.add(id);
    }
  }
  function tell(changes: readonly Change[]): void {
    if (!stopped) options.onChanges(changes);
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopped) {
      let pause: number;
      try {
        const discovery = await discover(kube, groups);
        if (stopped) return;
        reconcile(discovery);
        failures = 0;
        fault = undefined;
        lastMs = clock.now();
        pause = jittered(timings.discoveryMs, clock);
      } catch (thrown) {
        fault = reasonOf(thrown);
        failures += 1;
        pause = jittered(Math.min(timings.maxBackoffMs, timings.backoffMs * 2 ** Math.min(failures - 1, 16)), clock);
      }
      do {
        if (stopped) return;
        const [next, ...later] = due;
        due = later;
        soon = next !== undefined;
        wait = new AbortController();
        await clock.sleep(next ?? pause, wait.signal);
      } while (wait.signal.aborted);
      soon = false;
    }
  }

  const crds = startReflector({
    kube,
    ...CRDS,
    path: CRD_PATH,
    asked: { metadataOnly: true },
    keep: () => undefined,
    emit: (changes) => {
      if (lastMs !== undefined && changes.some((change) => change.type !== "unserved")) lookAgain();
    },
    clock,
    timings,
  });
  void run();

  function synced(): boolean {
    latched ||=
      lastMs !== undefined &&
      [...followed.values()].every(({ reflector }) => {
        const status = reflector.status();
        return status.synced || status.forbidden || status.unserved;
      });
    return latched;
  }

  return {
    synced,
    ageMs(nowMs) {
      if (!synced()) return Number.POSITIVE_INFINITY;
      const signs = [...followed.values()].flatMap(({ reflector }) => {
        const status = reflector.status();
        return status.synced && status.lastSignMs !== undefined ? [status.lastSignMs] : [];
      });
      return signs.reduce((oldest, sign) => Math.max(oldest, nowMs - sign), 0);
    },
    status: () => ({
      kinds: [...followed.values()].map(({ reflector }) => reflector.status()),
      discovery: { lastMs, fault },
    }),
    stop() {
      stopped = true;
      wait.abort();
      crds.stop();
      for (const { reflector } of followed.values()) reflector.stop();
    },
  };
}

function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Lets so many of what it is given run at a time, in order. */
function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
