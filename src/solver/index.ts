export { compileSelector, type DeviceSelector, type SelectorInput } from "./cel.ts";
export { chargedDevices } from "./charges.ts";
export { checkQuota } from "./check-quota.ts";
export { checkAssignment } from "./checker.ts";
export type { SolveContext } from "./context.ts";
export { solve } from "./solve.ts";
export { takenDevices } from "./taken.ts";
export { indexTopology, type TopologyIndex } from "./topology-index.ts";
