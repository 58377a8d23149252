/** Starts a control plane, says where it is, and never stops it: for the test that kills its owner. */
import { startControlPlane } from "../controlplane/index.ts";

const cp = await startControlPlane();
const pids = (["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"] as const).map(
  (name) => cp.process(name).pid,
);
process.stdout.write(`${JSON.stringify({ dir: cp.dir, pids })}\n`);
