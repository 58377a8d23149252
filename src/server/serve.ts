import type { AddressInfo } from "node:net";
import { type Logger, pino } from "pino";
import { type CertificateFacts, certificatesFromFiles, certificatesSelfIssued } from "../certs/index.ts";
import type { LiveConfig, ServeConfig } from "../config.ts";
import { type Controller, makeEarly } from "../controller/index.ts";
import { connect, detectPlatform, type Kube } from "../kube/index.ts";
import { loadCluster, loadPolicies } from "../load.ts";
import { canonicalJson, type JsonObject, stringAt } from "../model/index.ts";
import { createDrain } from "./drain.ts";
import { createEarly, type Early } from "./early.ts";
import { createHolds, type Holds } from "./holds.ts";
import { startLeading } from "./lead.ts";
import { type LiveCluster, startLive } from "./live.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { probeServer } from "./probes.ts";
import { type Watcher, watchPaths } from "./reload.ts";
import { createState, diagnosticLine, type Source, type State } from "./state.ts";
import { webhookServer } from "./webhooks.ts";

/** A server that runs. */
export interface Serving {
  readonly url: string;
  readonly probeUrl: string;
  /** PEM of what a client must trust. */
  readonly ca: string | undefined;
  readonly state: State;
  /** Fails readiness, goes on answering for the drain time, then closes. */
  stop(): Promise<void>;
}

/** What makes a start impossible: the catalogue, the cluster file or the certificate, in lines for a person. */
export class StartFault extends Error {
  override readonly name = "StartFault";
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

const DETECT_EVERY_MS = 300_000;

export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false }),
  );
}

/** Starts both ports. Throws StartFault where there is nothing good to serve from yet. */
export async function serve(config: ServeConfig, logger: Logger = createLogger(config.logLevel)): Promise<Serving> {
  const state = createState();
  let promises: Pick<Holds, "list" | "take"> = createHolds();
  const metrics = createMetrics(() => promises.list(Date.now()).length);
  const drain = createDrain(config.drainMs);

  // Policies first, since the layout shapes the topology; then the cluster; then the certificate; then the ports.
  let live: LiveCluster | undefined;
  let detected: JsonObject | undefined;
  let controller: Controller | undefined;
  const refreshPolicies = () =>
    refresh("policies", async () => {
      const { value, diagnostics } = await loadPolicies(config.policies, config.platform, detected);
      if (value === undefined) return diagnostics.filter(({ severity }) => severity === "error").map(diagnosticLine);
      state.takeCatalogue(value);
      live?.takeCatalogue(value);
      metrics.revision.reset();
      metrics.revision.set({ revision: value.revision }, 1);
      return undefined;
    });
  const refreshCluster = () =>
    refresh("cluster", async () => {
      const kinds = state.served()?.catalogue.kinds;
      const checked =
        kinds === undefined
          ? undefined
          : await loadCluster(config.cluster, async () => "", kinds, [], { emptyFolders: true });
      if (checked === undefined) {
        logger.warn({ source: "cluster" }, "no cluster file was given (--cluster), so every verdict is unknown");
        return undefined;
      }
      const lines = checked.diagnostics.filter(({ severity }) => severity !== "info").map(diagnosticLine);
      if (checked.value === undefined) return lines;
      for (const line of lines.slice(0, 20)) logger.warn({ source: "cluster" }, line);
      state.takeInventory(checked.value);
      return undefined;
    });
  const refresh = async (
    source: Source,
    load: () => Promise<readonly string[] | undefined>,
  ): Promise<readonly string[] | undefined> => {
    const lines = await load().catch((fault: unknown) => [fault instanceof Error ? fault.message : String(fault)]);
    metrics.reloads.inc({ source, outcome: lines === undefined ? "ok" : "failed" });
    if (lines === undefined) {
      state.clear(source);
      logger.info(
        { source, revision: state.served()?.catalogue.revision, nodes: state.served()?.topology?.nodes.length },
        "loaded",
      );
    } else {
      state.fail(source, lines);
      logger.error({ source, faults: lines.slice(0, 20) }, "not loaded; what was loaded before goes on serving");
    }
    return lines;
  };

  const kube = config.live === undefined ? undefined : await connected(config.live);
  const detect = async (): Promise<boolean> => {
    if (kube === undefined) return false;
    try {
      const found = await detectPlatform(kube);
      const changed = canonicalJson(found.spec) !== canonicalJson(detected ?? {});
      if (changed) for (const note of found.notes) logger.info({ source: "platform" }, note);
      detected = found.spec;
      return changed;
    } catch (fault) {
      logger.warn({ source: "platform" }, `the platform is not detected: ${reasonOf(fault)}`);
      return false;
    }
  };
  await detect();
  for (const start of config.live === undefined ? [refreshPolicies, refreshCluster] : [refreshPolicies]) {
    const lines = await start();
    if (lines !== undefined) throw new StartFault(lines);
  }
  const catalogue = state.served()?.catalogue;
  if (config.live !== undefined && kube !== undefined && catalogue !== undefined) {
    const { maxSteps } = config;
    live = startLive({ kube, config: config.live, catalogue, maxSteps, logger, metrics });
    state.follow(live.following);
  }
  const early = live !== undefined && config.live?.controller === true ? earlyFor(live, logger, metrics) : undefined;
  if (live !== undefined) promises = live.following.inflight;

  const certificates =
    config.certificate.kind === "files"
      ? certificatesFromFiles({
          cert: config.certificate.cert,
          key: config.certificate.key,
          ...(config.certificate.ca === undefined ? {} : { ca: config.certificate.ca }),
        })
      : certificatesSelfIssued(config.certificate.folder);
  const noteCertificate = (facts: CertificateFacts | undefined) =>
    facts !== undefined && metrics.certificateExpiry.set(facts.notAfter.getTime() / 1000);
  const pair = await certificates
    .start(
      (next, facts) => {
        app.server.setSecureContext({ key: next.key, cert: next.cert });
        noteCertificate(facts);
        state.clear("certificate");
        controller?.registrationChanged();
        metrics.reloads.inc({ source: "certificate", outcome: "ok" });
        logger.info({ source: "certificate", notAfter: facts.notAfter.toISOString() }, "loaded");
      },
      (fault) => {
        state.fail("certificate", [fault.message]);
        metrics.reloads.inc({ source: "certificate", outcome: "failed" });
        logger.error(
          { source: "certificate", faults: [fault.message] },
          "not loaded; the certificate before goes on serving",
        );
      },
    )
    .catch((fault: unknown) => {
      throw new StartFault([`certificate: ${fault instanceof Error ? fault.message : String(fault)}`]);
    });
  noteCertificate(certificates.current()?.facts);

  const isDraining = () => drain.draining;
  const app = webhookServer({
    tls: pair,
    logger,
    state,
    holds: promises,
    ...(early === undefined ? {} : { early }),
    metrics,
    maxSteps: config.maxSteps,
    draining: isDraining,
    received: () => drain.seen(),
  });
  const probes = probeServer({
    logger,
    state,
    metrics,
    draining: isDraining,
    ...(live === undefined ? {} : { cluster: live }),
    certificate: () => certificates.current()?.facts,
  });

  try {
    await app.listen({ host: config.host, port: config.port });
    await probes.listen({ host: config.host, port: config.probePort });
  } catch (fault) {
    certificates.stop();
    await Promise.all([app.close(), probes.close(), live?.stop()]);
    throw new StartFault([`cannot listen: ${fault instanceof Error ? fault.message : String(fault)}`]);
  }
  if (live !== undefined && config.live?.controller === true) {
    if (pair.ca === undefined)
      logger.warn("without --tls-ca the webhook configurations get no caBundle from here; set it yourself");
    controller = startLeading({
      config: config.live,
      live,
      state,
      logger,
      caBundle: () => certificates.current()?.pair.ca,
      serving: () => !drain.draining,
    });
  }
  const policyPaths = [config.policies, ...(config.platform === undefined ? [] : [config.platform])];
  const reloadPolicies = async () => {
    const before = state.served()?.catalogue.revision;
    if ((await refreshPolicies()) !== undefined || state.served()?.catalogue.revision === before) return;
    controller?.policiesChanged();
    // Which pods belong to one workload depends on the kinds, so the cluster is read again under a new catalogue.
    if (live === undefined) await refreshCluster();
  };
  const watchers: Watcher[] = [await watchPaths(policyPaths, reloadPolicies)];
  const detecting = setInterval(
    () => void detect().then((changed) => (changed ? reloadPolicies() : undefined)),
    DETECT_EVERY_MS,
  );
  detecting.unref();
  if (config.cluster.length > 0)
    watchers.push(await watchPaths(config.cluster, async () => void (await refreshCluster())));

  const shown = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : config.host;
  const url = `https://${shown}:${(app.server.address() as AddressInfo).port}`;
  const probeUrl = `http://${shown}:${(probes.server.address() as AddressInfo).port}`;
  logger.info({ url, probeUrl, revision: state.served()?.catalogue.revision }, "serving");

  let stopping: Promise<void> | undefined;
  return {
    url,
    probeUrl,
    ca: pair.ca,
    state,
    stop: () => {
      stopping ??= (async () => {
        logger.info({ drainMs: config.drainMs }, "draining");
        await drain.begin();
        for (const watcher of watchers) watcher.stop();
        certificates.stop();
        clearInterval(detecting);
        // The lease first, so that another replica leads while this one still answers.
        await controller?.stop();
        await app.close();
        await probes.close();
        await live?.stop();
        logger.info("stopped");
      })();
      return stopping;
    },
  };
}

function earlyFor(live: LiveCluster, logger: Logger, metrics: Metrics): Early {
  return createEarly({
    make: (template) => makeEarly(live.kube, template),
    shown: (namespace, name) => live.following.topology().facts.claimTemplate(namespace, name) !== undefined,
    noted(outcome, template, fault) {
      metrics.templates.inc({ outcome });
      const what = `${stringAt(template, ["metadata", "namespace"])}/${stringAt(template, ["metadata", "name"])}`;
      if (outcome === "failed")
        logger.warn(
          { source: "controller" },
          `ResourceClaimTemplate ${what} could not be made early: ${reasonOf(fault)}`,
        );
    },
  });
}

async function connected({ kubeconfig, context }: LiveConfig): Promise<Kube> {
  try {
    return await connect({
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(context === undefined ? {} : { context }),
    });
  } catch (fault) {
    throw new StartFault([`cluster: ${reasonOf(fault)}`]);
  }
}

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));
