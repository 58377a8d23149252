/** Keys that Plimsoll reads and writes. */
export const CLASS_ANNOTATION = "plimsoll.dev/workload-class";
export const INTENT_ANNOTATION = "plimsoll.dev/intent";
export const RENEW_ANNOTATION = "plimsoll.dev/renew";
export const DECISION_ANNOTATION = "plimsoll.dev/decision";
export const APPLIED_ANNOTATION = "plimsoll.dev/applied";
export const DEFAULT_CLASS_LABEL = "plimsoll.dev/default-class";
export const ENROLLED_LABEL = "plimsoll.dev/enrolled";
export const TENANT_LABEL = "plimsoll.dev/tenant";
/** On pod templates: for cost and ownership reports. */
export const CLASS_LABEL = "plimsoll.dev/class";
export const KUEUE_QUEUE_LABEL = "kueue.x-k8s.io/queue-name";
export const KUEUE_MINIMUM_ANNOTATION = "kueue.x-k8s.io/job-min-parallelism";
