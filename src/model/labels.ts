import type { Requirements } from "./requirement.ts";

/** A label selector (of namespaces, nodes or pods) and the text that a person wrote for it. */
export interface NodeLabels {
  readonly requirements: Requirements;
  readonly text: string;
}
