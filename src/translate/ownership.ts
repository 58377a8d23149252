import { CLASS_LABEL, durationText, type Json, TENANT_LABEL, valueAt } from "../model/index.ts";
import { fieldPath } from "../workloads/index.ts";
import {
  canCarry,
  cannotExpress,
  edits,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  valueKept,
  wantLabel,
} from "./context.ts";
import { GRACE_DEFAULT } from "./undo.ts";

/** Class and tenant on the pods, for cost and ownership reports. Kinds without a place for labels go without. */
export function ownershipLabels(context: SetContext): Part {
  if (!canCarry(context, "labels")) return NOTHING;
  return join(
    wantLabel(context, CLASS_LABEL, context.intent.className),
    context.tenant === "" ? NOTHING : wantLabel(context, TENANT_LABEL, context.tenant),
  );
}

/** The class's priority class, where the user names none. */
export function priority(context: SetContext): Part {
  const { workload, set, intent } = context;
  const wanted = intent.contract.tenancy.priorityClassName;
  if (wanted === undefined) return NOTHING;
  const present = set.pod.spec["priorityClassName"] ?? undefined;
  if (present === wanted) return NOTHING;
  const path = fieldPath(set, "priorityClassName");
  if (present !== undefined) return says(valueKept(context, path ?? set.path, present, wanted));
  const what = `priority class ${wanted}`;
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for priorityClassName in this pod set`,
        "Set the priority where the kind keeps it.",
        false,
      ),
    );
  }
  // The Priority plugin has resolved a bare pod before webhooks see it, and refuses a class that no longer matches the number.
  if (set.entry.shape === "Pod" && typeof valueAt(workload.object, ["spec", "priority"]) === "number") {
    return says(
      cannotExpress(
        context,
        what,
        "a bare Pod has its priority resolved before webhooks see it",
        `Set spec.priorityClassName: ${wanted} in the manifest.`,
        false,
      ),
    );
  }
  return edits({ slot: "priority", key: "", value: wanted, text: what });
}

/** The drain timeout as grace period, where the user left Kubernetes' default. */
export function grace(context: SetContext): Part {
  const { workload, set, intent } = context;
  const drainMs = intent.contract.interruption.drainTimeoutMs;
  if (drainMs === undefined) return NOTHING;
  const seconds = Math.ceil(drainMs / 1000);
  const present: Json | undefined = set.pod.spec["terminationGracePeriodSeconds"] ?? undefined;
  if (present === seconds || (present === undefined && seconds === GRACE_DEFAULT)) return NOTHING;
  const path = fieldPath(set, "terminationGracePeriodSeconds");
  if (present !== undefined && present !== GRACE_DEFAULT) {
    return says(
      valueKept(
        context,
        path ?? set.path,
        present,
        seconds,
        typeof present === "number" && present > seconds ? "info" : "warning",
      ),
    );
  }
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        `drain timeout ${durationText(drainMs)}`,
        `a ${workload.kind.kind} has no place for terminationGracePeriodSeconds in this pod set`,
        "Drain in the application before it is stopped.",
        false,
      ),
    );
  }
  return edits({ slot: "grace", key: "", value: seconds, text: `termination grace period ${seconds} s` });
}
