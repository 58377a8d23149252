export { access, type Rule } from "./access.ts";
export { type Controller, type ControllerOptions, startController } from "./controller.ts";
export { makeEarly } from "./ensure.ts";
export type { Clock, Known, Note, Reason, Regarding, Roots } from "./types.ts";
