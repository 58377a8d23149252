/**
 * A Kubernetes for trying Plimsoll by hand: real control plane, nodes that kwok plays, the bundled demo cluster with its busy pods, and the
 * webhooks in front of it. Runs until it is stopped, and leaves nothing behind.
 */
import { dirname, join } from "node:path";
import { readManifests } from "../src/cli/manifests.ts";
import { styleFor } from "../src/cli/render/style.ts";
import { serveConfig, wantsColour } from "../src/config.ts";
import { readInputs } from "../src/files.ts";
import { arrayAt, stringAt } from "../src/model/index.ts";
import { createLogger, type Serving, serve } from "../src/server/index.ts";
import { answersOk, type ControlPlane, startControlPlane } from "../test/e2e/controlplane/index.ts";
import { makeDemoCluster } from "../test/e2e/support/demo.ts";
import { eventually } from "../test/e2e/support/wait.ts";
import { registerWebhooks } from "../test/e2e/support/webhooks.ts";

const EXAMPLES = "manifests/examples";
const style = styleFor(wantsColour(process.stdout));
const say = (text = "") => process.stdout.write(`${text}\n`);

let cp: ControlPlane | undefined;
let serving: Serving | undefined;
// From the first moment on, so that a start can be interrupted too.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve());
});

const started = run().then(() => stopped);
try {
  await Promise.race([started, stopped]);
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = 1;
}
say("\nstopping");
await serving?.stop();
await cp?.stop();
process.exit();

async function run(): Promise<void> {
  say("Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok.");
  const plane = await startControlPlane();
  cp = plane;
  const { manifests } = readManifests(await readInputs([EXAMPLES], async () => ""));
  const pods = await makeDemoCluster(
    plane,
    manifests.map(({ object }) => object),
  );
  const nodes = arrayAt(await plane.api.send("GET", "/api/v1/nodes"), ["items"]).length;
  say(`${nodes} nodes are ready; ${pods.length} pods were bound by the scheduler and run.`);

  const server = await serve(
    serveConfig({
      host: "127.0.0.1",
      port: "0",
      probePort: "0",
      certs: join(plane.dir, "webhook"),
      drain: "0",
      kubeconfig: plane.kubeconfig,
      controller: false,
    }),
    createLogger("warn"),
  );
  serving = server;
  await eventually(() => answersOk(`${server.probeUrl}/readyz`), { what: "the webhook did not become ready" });
  await registerWebhooks(plane, { url: server.url, ca: server.ca ?? "" });
  await eventually(() => answered(plane), { what: "the API server did not ask the webhook" });
  introduce(plane, server);
}

/** Is a dry run changed by the webhook: then the API server has taken the registration in. */
async function answered(plane: ControlPlane): Promise<boolean> {
  const { code, stdout } = await plane.kubectl([
    "apply",
    "--dry-run=server",
    "-o",
    "json",
    "-f",
    join(EXAMPLES, "training-single.yaml"),
  ]);
  return code === 0 && stringAt(JSON.parse(stdout), ["metadata", "annotations", "plimsoll.dev/decision"]) !== undefined;
}

function introduce(plane: ControlPlane, { url, probeUrl }: Serving): void {
  say(`Plimsoll answers at ${url} (metrics: ${probeUrl}/metrics) and follows the cluster.\n`);
  say("In another terminal, in this folder:\n");
  say(`  ${style("bold", `export KUBECONFIG=${plane.kubeconfig} PATH=${dirname(plane.kubectlPath)}:$PATH`)}\n`);
  const tries: readonly (readonly [string, string])[] = [
    [
      "sixteen whole nodes in one rack: none has them free, which is told before anything is made",
      `kubectl apply --dry-run=server -f ${EXAMPLES}/training-gang-rack.yaml`,
    ],
    [
      "the same in full, with what would fit instead",
      `npx plimsoll snapshot | npx plimsoll explain ${EXAMPLES}/training-gang-rack.yaml --cluster -`,
    ],
    [
      "sixteen in one block: admitted and expanded (add -o yaml to see how), then bound by the scheduler",
      `kubectl apply -f ${EXAMPLES}/training-gang-block.yaml\n  kubectl get pods -n team-a -l app=pretrain-block -o wide`,
    ],
    [
      "against the contract of its class: denied, with what to write instead",
      `kubectl apply -f ${EXAMPLES}/refused-inference.yaml`,
    ],
  ];
  for (const [why, command] of tries) say(`  ${style("dim", `# ${why}`)}\n  ${style("cyan", command)}\n`);
  say("Ctrl-C ends it.");
}
