export { connect } from "./client.ts";
export { type Clock, SYSTEM_CLOCK } from "./clock.ts";
export type { ConnectOptions } from "./credentials.ts";
export { isStatus, KubeFault } from "./fault.ts";
export { basePath } from "./resources.ts";
export { type Snapshot, snapshotYaml, takeSnapshot } from "./snapshot.ts";
export type * from "./types.ts";
