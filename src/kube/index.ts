export { connect, type Kube } from "./client.ts";
export { KubeFault } from "./fault.ts";
export { type Snapshot, snapshotYaml, takeSnapshot } from "./snapshot.ts";
