export { ADMISSION_CODES, type AdmissionCode } from "./codes.ts";
export type { AdmissionContext, DecisionSummary, Outcome } from "./context.ts";
export { type Judgement, type JudgeOptions, judge } from "./judge.ts";
export { mutate } from "./mutate.ts";
export { type Named, type Needs, needsOf } from "./needs.ts";
export { enforcing } from "./registration.ts";
export { type Standing, standing } from "./standing.ts";
export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  GroupVersionKind,
  PatchOperation,
} from "./types.ts";
export { validate } from "./validate.ts";
