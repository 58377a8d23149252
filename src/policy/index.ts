export { type FieldRow, fieldTable, schemaFiles } from "./fields.ts";
export * from "./rules/index.ts";
export type { Catalogue, PolicyFile, ResolvedIntents } from "./types.ts";
