export { compileSelector, type DeviceSelector, type SelectorInput } from "./cel.ts";
export { chargedDevices } from "./charges.ts";
export { checkLimits } from "./check-limits.ts";
export { checkAssignment } from "./checker.ts";
export type { SolveContext } from "./context.ts";
export { solve } from "./solve.ts";
export { takenDevices } from "./taken.ts";
export { indexTopology, type TopologyIndex } from "./topology-index.ts";
