/** Codes of the findings that admission itself makes; rules, intents and the expansion bring their own. */
export const ADMISSION_CODES = {
  ClassRequired: "a pod set asks for a device in an enrolled namespace and has no class",
  NotExpanded: "a classed workload arrives without the edits that its class makes",
  RungNotAllowed: "the recorded decision names capacity that the class does not allow",
  ClassImmutable: "class or intent changed where the kind's template cannot change any more",
  RenewIgnored: "a new decision was asked for where the template cannot change any more",
  CatalogueSkew: "the decision was made with another revision of the class",
  CapacityNever: "no supply, present or declared, can hold the workload",
  CapacityBusy: "what could hold the workload is in use",
  CapacityUnknown: "a label, an object or an attribute that the answer needs is missing",
  CapacityUndecided: "the step budget ran out before an answer was found",
  NodePoolMissing: "a pool of the catalogue takes its nodes from a NodePool that the cluster does not have",
  NodePoolDiffers: "a pool of the catalogue says otherwise than the NodePool that makes its nodes",
  CapacityScaleUp: "the workload waits for new nodes",
  FallbackFits: "the workload waits for new nodes on the rung that comes first, and a later one fits now",
  PreferredTooSlow: "a rung that the class prefers would take longer than the class waits, so a fallback is taken",
  NotGuaranteed: "an assignment exists, and the installed scheduler may miss it",
  KnownBug: "the scheduler that is installed has a known fault that bears on this workload",
  NotJudged: "the pods require something that is not followed, so there may be less room than is said",
  DataMissing: "no cluster was given",
  UnknownController: "a controller of a kind that is not in the table makes these pods, so they are seen one by one",
  NothingChosen: "no capacity could be chosen, so only what no rung decides was written",
  InternalFault: "a fault of Plimsoll was caught",
} as const;

export type AdmissionCode = keyof typeof ADMISSION_CODES;
