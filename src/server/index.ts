export { createMetrics } from "./metrics.ts";
export { createLogger, type Serving, StartFault, serve } from "./serve.ts";
export type { State } from "./state.ts";
