export type { Addition } from "./edit.ts";
export { type Expansion, type ExpandInput, expand } from "./expand.ts";
export { type PatchOperation, patchBetween } from "./patch.ts";
export type { AppliedRecords, EditRecord, SetRecords } from "./records.ts";
export { decodeDecision, encodeDecision } from "./stamp.ts";
export { type FoundEdit, undo, type Undone, type UndoneSet } from "./undo.ts";
