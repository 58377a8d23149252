import type { Server } from "node:https";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { type AdmissionContext, mutate, type Outcome, validate } from "../admission/index.ts";
import { isObject, type Json, stringAt } from "../model/index.ts";
import type { Early } from "./early.ts";
import type { Holds } from "./holds.ts";
import type { Metrics } from "./metrics.ts";
import { createSoundness } from "./soundness.ts";
import type { State } from "./state.ts";

/** An UPDATE carries object and oldObject of at most 3 MiB each; controller-runtime reads 7 MiB for the same reason. */
export const BODY_LIMIT = 7 * 1024 * 1024;
/** Go keeps idle connections for 90 s: closing earlier would race with its next request. */
const KEEP_ALIVE_MS = 95_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** The share of the API server's patience that is ours; the rest is network and queueing. */
const DEADLINE_SHARE = 0.8;
/** A pace that the solver holds on slow machines too (measured by `npm run bench -- solver`). */
const STEPS_PER_MS = 100;

export interface WebhookOptions {
  readonly tls: { readonly key: string; readonly cert: string };
  readonly logger: FastifyBaseLogger;
  readonly state: State;
  readonly holds: Pick<Holds, "list" | "take">;
  /** Makes what an allowed review says that its pods will ask for; absent where nothing is made in the cluster. */
  readonly early?: Early;
  readonly metrics: Metrics;
  readonly maxSteps: number;
  readonly draining: () => boolean;
  readonly received: () => void;
}

type Handler = (review: unknown, context: AdmissionContext) => Outcome;

/** The TLS server: POST /mutate and /validate. No decision is made here. */
export function webhookServer(options: WebhookOptions): FastifyInstance<Server> {
  const { metrics, state, holds } = options;
  const soundness = createSoundness(metrics, options.logger);
  const app = fastify({
    https: { ...options.tls, minVersion: "TLSv1.2", headersTimeout: 32_000 },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The API server goes on using open connections to a pod that is being replaced.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    exposeHeadRoutes: false,
  }) as unknown as FastifyInstance<Server>;

  app.addHook("onRequest", async (_request, reply) => {
    options.received();
    if (options.draining()) reply.header("connection", "close");
  });

  app.setErrorHandler((fault: Error & { statusCode?: number }, _request, reply) => {
    const code = fault.statusCode ?? 500;
    const reason =
      code === 413
        ? `the review is larger than ${BODY_LIMIT} bytes`
        : code === 415
          ? "send a review as content-type application/json"
          : fault.message;
    if (code >= 500) options.logger.error({ fault: fault.message }, "request failed");
    return reply.code(code).send(failedReview("", code, reason));
  });
  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ error: `no such path ${request.method} ${request.url.slice(0, 200)}; POST /mutate and /validate` }),
  );

  const route = (webhook: "mutate" | "validate", handle: Handler) => {
    app.post<{ Querystring: { timeout?: string } }>(`/${webhook}`, async (request, reply) => {
      const started = process.hrtime.bigint();
      const body = request.body as Json;
      const operation = operationOf(body);
      metrics.inFlight.inc();
      try {
        await state.arrival(stringAt(body, ["request", "namespace"]));
        const served = state.served();
        if (served === undefined)
          return reply.code(503).send(failedReview(uidOf(body), 503, "no catalogue is loaded yet"));
        const nowMs = Date.now();
        const leftMs = () => timeoutMs(request.query.timeout) * DEADLINE_SHARE - reply.elapsedTime;
        const maxSteps = Math.max(1, Math.min(options.maxSteps, Math.floor(leftMs() * STEPS_PER_MS)));
        const outcome = handle(body, { ...served, holds: holds.list(nowMs), maxSteps, nowMs, base64 });
        if (outcome.hold !== undefined) holds.take(outcome.hold);
        if (outcome.templates !== undefined) await options.early?.(outcome.templates, leftMs());
        record(webhook, outcome, started);
        return reply.send(outcome.review);
      } catch (fault) {
        // The admission functions catch their own faults; this is the last net, and it still answers with the uid.
        metrics.faults.inc({ webhook });
        options.logger.error(
          { webhook, uid: uidOf(body), fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) },
          "review failed",
        );
        return reply.send(
          webhook === "mutate"
            ? allowedReview(uidOf(body))
            : failedReview(uidOf(body), 500, "Plimsoll failed to judge this request; its log has the details"),
        );
      } finally {
        metrics.inFlight.dec();
        metrics.duration.observe({ webhook, operation }, Number(process.hrtime.bigint() - started) / 1e9);
      }
    });
  };
  route("mutate", mutate);
  route("validate", validate);

  const record = (webhook: "mutate" | "validate", outcome: Outcome, started: bigint) => {
    const { summary } = outcome;
    metrics.reviews.inc({ webhook, outcome: summary.allowed ? "allowed" : "denied" });
    const ms = Math.round(Number(process.hrtime.bigint() - started) / 1e4) / 100;
    const classes = new Set(summary.classes);
    for (const name of classes)
      metrics.decisions.inc({
        webhook,
        class: state.served()?.catalogue.classes.has(name) ? name : "unknown",
        verdict: summary.verdict ?? "none",
      });
    if (outcome.answer !== undefined) {
      metrics.steps.observe(outcome.answer.steps);
      soundness(webhook, { apiVersion: "", ...summary }, outcome.answer);
    }
    if (summary.fault !== undefined) metrics.faults.inc({ webhook });
    options.logger.info({ ...summary, ms }, "decision");
  };
  return app;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** `?timeout=10s` as the API server writes it. */
function timeoutMs(text: string | undefined): number {
  const match = /^(\d{1,3})s$/.exec(text ?? "");
  return match === null ? DEFAULT_TIMEOUT_MS : Math.max(1, Number(match[1])) * 1000;
}

function uidOf(body: Json): string {
  return stringAt(body, ["request", "uid"]) ?? "";
}

function operationOf(body: Json): string {
  const operation = isObject(body) ? stringAt(body, ["request", "operation"]) : undefined;
  return operation !== undefined && ["CREATE", "UPDATE", "DELETE", "CONNECT"].includes(operation) ? operation : "other";
}

const review = (response: Json) => ({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
const allowedReview = (uid: string) =>
  review({
    uid,
    allowed: true,
    warnings: ["InternalFault: Plimsoll failed to expand this workload; its log has the details"],
  });
const failedReview = (uid: string, code: number, message: string) =>
  review({
    uid,
    allowed: false,
    status: {
      code,
      message: `Plimsoll: ${message}`,
      reason: code === 413 ? "RequestEntityTooLarge" : code < 500 ? "BadRequest" : "InternalError",
    },
  });
