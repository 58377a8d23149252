export { TRANSLATE_CODES, type TranslateCode } from "./codes.ts";
export type { Addition } from "./edit.ts";
export { type ExpandInput, type Expansion, expand } from "./expand.ts";
export { type PatchOperation, patchBetween } from "./patch.ts";
export type { AppliedRecords, EditRecord, SetRecords } from "./records.ts";
export { type FoundEdit, type Undone, type UndoneSet, undo } from "./undo.ts";
