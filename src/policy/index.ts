export { fieldTable, schemaFiles, type FieldRow } from "./fields.ts";
export type { Catalogue, PolicyFile, ResolvedIntents } from "./types.ts";
