export { checkKindEntry } from "./check.ts";
export { isFinished } from "./finished.ts";
export { groupPartners } from "./groups.ts";
export { editable } from "./mutability.ts";
export { containerPath, fieldPath } from "./place.ts";
export { readWorkload } from "./read.ts";
export { builtinKinds, extendKinds, groupOf, isTableKind } from "./table.ts";
export * from "./types.ts";
