import { CLASS_LABEL, type JsonObject, TENANT_LABEL } from "../model/index.ts";
import type { Workload } from "../workloads/index.ts";
import type { SetContext } from "./context.ts";

const MANAGED = { "app.kubernetes.io/managed-by": "plimsoll" };

/** Metadata of a companion that one instance owns: in the workload's namespace, with its class and tenant. */
export function metadata({ workload, intent, tenant }: SetContext, name: string): JsonObject {
  const labels = { ...MANAGED, [CLASS_LABEL]: intent.className, ...(tenant === "" ? {} : { [TENANT_LABEL]: tenant }) };
  return { ...sharedMetadata(workload, name), labels };
}

/** Of a companion that is named by its content: equal for every workload that shares it, whatever its class. */
export function sharedMetadata({ key }: Workload, name: string): JsonObject {
  return { name, ...(key.namespace === "" ? {} : { namespace: key.namespace }), labels: MANAGED };
}
