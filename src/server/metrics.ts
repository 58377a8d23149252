import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Seconds. The API server's own histogram starts at 5 ms, where our work is done already. */
const DURATION_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export type Metrics = ReturnType<typeof createMetrics>;

/** One registry per server; `holds` is asked at each scrape. Label values come from the catalogue and fixed lists only, so series stay few. */
export function createMetrics(holds: () => number) {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    duration: new Histogram({
      name: "plimsoll_review_duration_seconds",
      help: "Time to answer one AdmissionReview, from parsed body to response.",
      labelNames: ["webhook", "operation"],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    reviews: new Counter({
      name: "plimsoll_reviews_total",
      help: "Reviews answered.",
      labelNames: ["webhook", "outcome"],
      registers,
    }),
    decisions: new Counter({
      name: "plimsoll_decisions_total",
      help: "Reviews of classed workloads by class and verdict.",
      labelNames: ["webhook", "class", "verdict"],
      registers,
    }),
    steps: new Histogram({
      name: "plimsoll_solver_steps",
      help: "Solver steps per review that was solved.",
      buckets: [10, 100, 1_000, 10_000, 50_000, 100_000, 200_000],
      registers,
    }),
    faults: new Counter({
      name: "plimsoll_review_faults_total",
      help: "Reviews in which a fault of ours was caught.",
      labelNames: ["webhook"],
      registers,
    }),
    refusals: new Counter({
      name: "plimsoll_check_failures_total",
      help: "Assignments that the solver found and its independent check refused: a fault of ours, never the basis of an answer. Alert on any.",
      labelNames: ["asker"],
      registers,
    }),
    templates: new Counter({
      name: "plimsoll_early_templates_total",
      help: "Claim templates that reviews had made before they answered (made), could not (failed), or did not wait for any longer (late).",
      labelNames: ["outcome"],
      registers,
    }),
    inFlight: new Gauge({ name: "plimsoll_reviews_in_flight", help: "Reviews being answered.", registers }),
    reloads: new Counter({
      name: "plimsoll_reloads_total",
      help: "Reloads of policies, cluster files and certificates.",
      labelNames: ["source", "outcome"],
      registers,
    }),
    revision: new Gauge({
      name: "plimsoll_policy_revision_info",
      help: "The catalogue revision that serves.",
      labelNames: ["revision"],
      registers,
    }),
    certificateExpiry: new Gauge({
      name: "plimsoll_certificate_expiry_timestamp_seconds",
      help: "When the serving certificate ends.",
      registers,
    }),
    watchSynced: new Gauge({
      name: "plimsoll_watch_synced",
      help: "Was every object of this kind read at least once (0 or 1).",
      labelNames: ["kind"],
      registers,
    }),
    watchAge: new Gauge({
      name: "plimsoll_watch_age_seconds",
      help: "Time since the last event, bookmark or list of this kind.",
      labelNames: ["kind"],
      registers,
    }),
    watchLists: new Gauge({
      name: "plimsoll_watch_lists",
      help: "Lists of this kind that were completed; more than one means that its watch had to begin anew.",
      labelNames: ["kind"],
      registers,
    }),
    watchEvents: new Gauge({
      name: "plimsoll_watch_events",
      help: "Watch events of this kind.",
      labelNames: ["kind"],
      registers,
    }),
    clusterObjects: new Gauge({
      name: "plimsoll_cluster_objects",
      help: "Objects of this kind that are kept.",
      labelNames: ["kind"],
      registers,
    }),
    holds: new Gauge({
      name: "plimsoll_holds",
      help: "Holds in flight on this replica.",
      registers,
      collect() {
        this.set(holds());
      },
    }),
  };
}
