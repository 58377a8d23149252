export * from "./check.ts";
export * from "./document.ts";
export { rules } from "./table.ts";
export type * from "./types.ts";
