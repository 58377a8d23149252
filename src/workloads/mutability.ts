import { valueAt } from "../model/index.ts";
import { fieldPath } from "./place.ts";
import { isSuspended } from "./read.ts";
import type { PodField, PodSet, Workload } from "./types.ts";

/** What the API server lets an update change in a pod that waits for its gates, and in one that does not. */
const GATED: readonly PodField[] = ["labels", "annotations", "nodeSelector", "affinity"];
const ALWAYS_ON_PODS: readonly PodField[] = ["labels", "annotations"];

/**
 * May an update of this object change the field of the set's template, so that the change is accepted and reaches pods. `workload` is the object as it
 * stands before the update. For `affinity` of a suspended Job or a gated pod that means its node part (a gated pod may only be narrowed).
 */
export function editable(set: PodSet, workload: Workload, field: PodField): boolean {
  const { kind, object } = workload;
  const { template, except } = kind.mutability;
  if (except.includes(field) || fieldPath(set, field) === undefined) return false;
  switch (template) {
    case "always":
      return true;
    case "never":
      return false;
    case "gated":
      return (isSuspended(object, kind) ? GATED : ALWAYS_ON_PODS).includes(field);
    case "suspended":
      // A Job that ran before is mutable again from Kubernetes 1.36 on only, so it counts as fixed.
      return (
        isSuspended(object, kind) && (!kind.builtin || typeof valueAt(object, ["status", "startTime"]) !== "string")
      );
  }
}
