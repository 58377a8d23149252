/**
 * A Kubernetes for trying Plimsoll by hand: real control plane, nodes that kwok plays, the bundled demo cluster with its busy pods, and the
 * webhooks in front of it. Runs until it is stopped, and leaves nothing behind.
 */
import { dirname, join } from "node:path";
import { readManifests } from "../src/cli/manifests.ts";
import { styleFor } from "../src/cli/render/style.ts";
import { wantsColour } from "../src/config.ts";
import { readInputs } from "../src/files.ts";
import { arrayAt, stringAt } from "../src/model/index.ts";
import { type ControlPlane, startControlPlane } from "../test/e2e/controlplane/index.ts";
import { makeDemoCluster } from "../test/e2e/support/demo.ts";
import { type Plimsoll, startPlimsoll } from "../test/e2e/support/plimsoll.ts";
import { eventually } from "../test/e2e/support/wait.ts";

const EXAMPLES = "manifests/examples";
const style = styleFor(wantsColour(process.stdout));
const say = (text = "") => process.stdout.write(`${text}\n`);

let cp: ControlPlane | undefined;
let plimsoll: Plimsoll | undefined;
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
await plimsoll?.stop();
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

  say("Starting Plimsoll under its own service account, with manifests/base applied.");
  plimsoll = await startPlimsoll(plane);
  // The manifests bring a Deployment too; here the server runs beside the cluster.
  await plane.kubectl(["scale", "--namespace=plimsoll-system", "--replicas=0", "deployment/plimsoll"]);
  await eventually(() => answered(plane), { what: "the API server did not ask the webhook" });
  introduce(plane, plimsoll);
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

function introduce(plane: ControlPlane, { balancer, replicas: [first] }: Plimsoll): void {
  const probes = `http://127.0.0.1:${first?.probePort}`;
  say(
    `Plimsoll answers at https://127.0.0.1:${balancer.port} and follows the cluster (${probes}/readyz, ${probes}/metrics).\n`,
  );
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
