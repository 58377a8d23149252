import { toPointer } from "../model/index.ts";
import type { PodSet, Workload } from "./types.ts";

/** The sets that make up groups together with this one, itself among them: parts of one item of which the kind knows the group's size. */
export function groupPartners(workload: Workload, set: PodSet): readonly PodSet[] {
  if (set.groupSize === undefined) return [set];
  const item = toPointer(set.itemPath);
  return workload.podSets.filter((one) => one.groupSize !== undefined && toPointer(one.itemPath) === item);
}
