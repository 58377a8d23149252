export type { Answer, Api } from "./api.ts";
export { ensureBinaries } from "./build.ts";
export { startControlPlane } from "./controlplane.ts";
export type { Command } from "./processes.ts";
export type * from "./types.ts";
