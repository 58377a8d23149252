import { arrayAt, type Json } from "../model/index.ts";
import type { SetContext } from "./context.ts";

/**
 * Elements that the kind adds from elsewhere to a list that is shorter in the template (a base merged by position, or a
 * list that holds while the template has none). Behind them ours would land on top of one, so they are repeated first.
 */
export function hiddenItems(
  context: SetContext,
  field: "tolerations" | "topologySpreadConstraints" | "resourceClaims",
  path: readonly (string | number)[],
): readonly Json[] {
  const { set, workload } = context;
  if (set.entry.base === undefined && set.entry.inherits?.[field] === undefined) return [];
  return arrayAt(set.pod.spec, [field]).slice(arrayAt(workload.object, path).length);
}
