import type { Logger } from "pino";
import type { LiveConfig } from "../config.ts";
import { type Controller, type Note, type Reason, startController } from "../controller/index.ts";
import type { ObjectKey } from "../model/index.ts";
import { objectId } from "../topology/index.ts";
import type { Report } from "./inflight.ts";
import type { LiveCluster } from "./live.ts";
import type { State } from "./state.ts";

/** Of the Lease and of both webhook configurations, as manifests/base names them. */
const NAME = "plimsoll";
const REPORT_EVERY_MS = 1_000;

export interface LeadOptions {
  readonly config: LiveConfig;
  readonly live: LiveCluster;
  readonly state: State;
  readonly logger: Logger;
  /** PEM of what the API server is to trust. */
  readonly caBundle: () => string | undefined;
  readonly serving: () => boolean;
}

/** The controller beside the webhooks, on what this replica's watches show. Without the lease it only waits. */
export function startLeading({ config, live, state, logger, caBundle, serving }: LeadOptions): Controller {
  const { following } = live;
  const controller = startController({
    kube: live.kube,
    roots: {
      all: () => following.roots.values(),
      get: (key) => following.roots.get(objectId(key)),
    },
    known: () => {
      const served = state.served();
      if (served === undefined) throw new Error("policies are loaded before anything leads");
      return served;
    },
    log: (level, line) => logger[level]({ source: "controller" }, line),
    clock: {
      nowMs: () => performance.now(),
      wallMs: () => Date.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        timer.unref();
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    identity: config.identity,
    namespace: config.namespace,
    name: NAME,
    caBundle,
    graceMs: config.companionGraceMs,
    ready: () => live.ready() === "ok" && serving(),
  });
  following.onRoot((key) => controller.rootChanged(key));
  let wasReady = false;
  const reports = setInterval(() => {
    const isReady = live.ready() === "ok";
    if (isReady !== wasReady) controller.registrationChanged();
    wasReady = isReady;
    if (!controller.isLeader()) return;
    for (const report of following.inflight.reports(Date.now())) {
      const note = noteOf(report, following.roots.get(objectId(report.key)) === undefined ? undefined : report.key);
      if (note !== undefined) controller.event(note);
    }
  }, REPORT_EVERY_MS);
  reports.unref();
  return {
    ...controller,
    async stop() {
      clearInterval(reports);
      await controller.stop();
    },
  };
}

/** What the second look found, as an event on the root. */
function noteOf({ standing, findings }: Report, key: ObjectKey | undefined): Note | undefined {
  const [first] = findings;
  if (key?.uid === undefined || first === undefined) return undefined;
  return {
    regarding: { ...key, uid: key.uid },
    type: "Warning",
    reason: reasonOf(standing),
    action: "Judge",
    note: `${first.code}: ${first.message}${first.hint === undefined ? "" : `; ${first.hint}`}`,
  };
}

function reasonOf(standing: Report["standing"]): Reason {
  const codes = (standing.answer?.chosen ?? standing.answer?.ladder[0])?.reasons.map(({ code }) => code) ?? [];
  if (codes.includes("QuotaExceeded") || codes.includes("LimitExceeded")) return "QuotaExceeded";
  return standing.bound > 0 ? "PartiallyFulfilled" : "CapacityUnavailable";
}
