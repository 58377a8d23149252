export { POLICY_CODES, type PolicyCode } from "./codes.ts";
export { buildDemand, demandDigest, tenantOf } from "./demand.ts";
export { asksForDevice } from "./devices.ts";
export { type FieldRow, fieldTable, schemaFiles } from "./fields.ts";
export { type IntentContext, resolveIntents } from "./intent.ts";
export { buildLadder } from "./ladder.ts";
export { loadCatalogue } from "./load.ts";
export * from "./rules/index.ts";
export type { Catalogue, PolicyFile, ResolvedIntents } from "./types.ts";
