export { EXIT, type Io, UsageFault } from "./io.ts";
export { run } from "./program.ts";
