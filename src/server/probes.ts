import type { Server } from "node:http";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { CertificateFacts } from "../certs/index.ts";
import type { LiveCluster } from "./live.ts";
import type { Metrics } from "./metrics.ts";
import type { State } from "./state.ts";

export interface ProbeOptions {
  readonly logger: FastifyBaseLogger;
  readonly state: State;
  readonly metrics: Metrics;
  readonly draining: () => boolean;
  /** A cluster that is followed. */
  readonly cluster?: LiveCluster;
  readonly certificate: () => CertificateFacts | undefined;
}

/** The plain port: /livez, /readyz with its detail, /metrics. */
export function probeServer(options: ProbeOptions): FastifyInstance<Server> {
  const { logger, state, metrics, draining, cluster, certificate } = options;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024,
    requestTimeout: 10_000,
    forceCloseConnections: true,
  });

  app.get("/livez", async () => ({ status: "ok" }));

  app.get("/readyz", async (_request, reply) => {
    const served = state.served();
    const expiry = certificate()?.notAfter;
    const checks = {
      policies: served === undefined ? "no catalogue is loaded" : "ok",
      certificate:
        expiry === undefined
          ? "no certificate"
          : expiry.getTime() < Date.now()
            ? `expired at ${expiry.toISOString()}`
            : "ok",
      ...(cluster === undefined ? {} : { cluster: cluster.ready() }),
      serving: draining() ? "draining" : "ok",
    };
    const ready = Object.values(checks).every((one) => one === "ok");
    return reply.code(ready ? 200 : 503).send({
      status: ready ? "ready" : "not ready",
      checks,
      revision: served?.catalogue.revision,
      revisions: state.revisions(),
      cluster:
        cluster !== undefined
          ? liveOf(cluster)
          : served?.topology === undefined
            ? "none given"
            : {
                nodes: served.topology.nodes.length,
                pods: served.topology.pods.length,
                generation: served.topology.generation,
              },
      certificate: expiry === undefined ? undefined : { notAfter: expiry.toISOString() },
      // A reload that failed leaves the last good state serving: ready, and said so here.
      faults: state.faults(),
    });
  });

  app.get("/metrics", async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return app;
}

/** What is kept and how fresh it is; asks for no topology, since a probe must cost nothing. */
function liveOf(cluster: LiveCluster) {
  const { stats, inflight } = cluster.following;
  return {
    nodes: stats.get("Node") ?? 0,
    pods: stats.get("Pod") ?? 0,
    decided: inflight.size,
    stale: cluster.following.stale() ?? "no",
    watches: watchesOf(cluster),
  };
}

/** Kinds whose watch has something to tell: not read yet, not allowed, or in trouble. */
function watchesOf(cluster: LiveCluster): readonly string[] {
  const { kinds, discovery } = cluster.status();
  return [
    ...(discovery.fault === undefined ? [] : [`discovery: ${discovery.fault}`]),
    ...kinds.flatMap(({ apiVersion, kind, synced, fault }) =>
      synced && fault === undefined ? [] : [`${kind} (${apiVersion}): ${fault ?? "not read yet"}`],
    ),
  ];
}
