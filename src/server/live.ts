import type { Logger } from "pino";
import type { LiveConfig } from "../config.ts";
import { type Feed, type FeedStatus, type Kube, startFeed } from "../kube/index.ts";
import type { Catalogue } from "../policy/index.ts";
import { type Following, follow, sameKinds } from "./follow.ts";
import type { Metrics } from "./metrics.ts";
import { createSoundness } from "./soundness.ts";

const METRICS_EVERY_MS = 1_000;

/** A cluster that is followed through its API server. */
export interface LiveCluster {
  readonly kube: Kube;
  readonly following: Following;
  /** `ok`, or why reviews should go to another replica: nothing was read yet. Staleness does not make a replica unready: the others see the same. */
  ready(): string;
  status(): FeedStatus;
  /** The kinds to follow are policy. */
  takeCatalogue(catalogue: Catalogue): void;
  stop(): Promise<void>;
}

export interface LiveOptions {
  readonly kube: Kube;
  readonly config: LiveConfig;
  readonly catalogue: Catalogue;
  readonly maxSteps: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Begins to follow; the first sync comes later, and an API server that is away is tried again for ever. */
export function startLive({ kube, config, catalogue, maxSteps, logger, metrics }: LiveOptions): LiveCluster {
  let feed: Feed;
  /** When the feed began anew for other kinds: until it has synced, what the one before told is as old as that. */
  let renewedMs: number | undefined;
  const synced = (): boolean => feed.synced() || renewedMs !== undefined;
  const stale = (): string | undefined => {
    if (!synced()) return "the cluster has not been read yet";
    const now = Date.now();
    const age = feed.synced() || renewedMs === undefined ? feed.ageMs(now) : now - renewedMs;
    return age <= config.staleMs ? undefined : `the cluster was last heard of ${Math.round(age / 1000)} s ago`;
  };
  const soundness = createSoundness(metrics, logger);
  const following: Following = follow({
    catalogue,
    maxSteps,
    logger,
    stale,
    answered: (key, answer) => soundness("inflight", key, answer),
  });
  let kinds = catalogue.kinds;
  const start = (): Feed => startFeed(kube, { kinds: kinds.entries, onChanges: (changes) => following.take(changes) });
  feed = start();

  const faults = new Map<string, string | undefined>();
  const measure = setInterval(() => {
    const now = Date.now();
    for (const one of feed.status().kinds) {
      const { kind } = one;
      metrics.watchSynced.set({ kind }, one.synced ? 1 : 0);
      if (one.lastSignMs !== undefined) metrics.watchAge.set({ kind }, Math.max(0, now - one.lastSignMs) / 1000);
      metrics.watchLists.set({ kind }, one.lists);
      metrics.watchEvents.set({ kind }, one.events);
      if (faults.get(kind) !== one.fault) {
        faults.set(kind, one.fault);
        // A kind of which nothing is ever written is silent, and its watch begins anew: that is no trouble.
        const level = one.fault === undefined ? "info" : one.fault.includes("silent") ? "debug" : "warn";
        logger[level]({ source: "cluster", kind }, one.fault ?? "the watch is well again");
      }
    }
    for (const [kind, count] of following.stats) metrics.clusterObjects.set({ kind }, count);
  }, METRICS_EVERY_MS);
  measure.unref();

  return {
    kube,
    following,
    ready: () => (synced() ? "ok" : "the cluster has not been read yet"),
    status: () => feed.status(),
    takeCatalogue(next) {
      if (sameKinds(next.kinds, kinds)) return;
      kinds = next.kinds;
      if (synced()) renewedMs = Date.now();
      void feed.stop();
      feed = start();
    },
    async stop() {
      clearInterval(measure);
      following.stop();
      await feed.stop();
      kube.close();
    },
  };
}
