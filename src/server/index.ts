export { createHolds, HOLD_MS, type Holds } from "./holds.ts";
export { watchPaths } from "./reload.ts";
export { createLogger, type Serving, StartFault, serve } from "./serve.ts";
export { createState, diagnosticLine, type State } from "./state.ts";
export { BODY_LIMIT } from "./webhooks.ts";
