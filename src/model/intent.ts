import type { Contract } from "./class.ts";

/** A class resolved for one pod set: class, then role, then the workload's own overrides. */
export interface Intent {
  readonly podSet: string;
  readonly role: string;
  readonly className: string;
  readonly classDigest: string;
  /** Of the resolved contract: changes when role, class file or override change what applies to this set. */
  readonly intentDigest: string;
  readonly contract: Contract;
}
