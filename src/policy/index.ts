export { POLICY_CODES, type PolicyCode } from "./codes.ts";
export { type FieldRow, fieldTable, schemaFiles } from "./fields.ts";
export { loadCatalogue } from "./load.ts";
export * from "./rules/index.ts";
export type { Catalogue, PolicyFile, ResolvedIntents } from "./types.ts";
