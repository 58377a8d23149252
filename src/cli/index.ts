export { CLI_CODES } from "./codes.ts";
export type { Io } from "./io.ts";
export { run } from "./program.ts";
