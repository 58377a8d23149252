import type { JsonObject } from "../../model/index.ts";
import { acceleratorClassSchema } from "./accelerator.ts";
import { workloadClassSchema } from "./class.ts";
import { workloadKindSchema } from "./kind.ts";
import { topologyLayoutSchema } from "./layout.ts";
import { platformSchema } from "./platform.ts";
import { capacityPoolSchema } from "./pool.ts";

export type DocumentKind =
  | "WorkloadClass"
  | "AcceleratorClass"
  | "CapacityPool"
  | "TopologyLayout"
  | "Platform"
  | "WorkloadKind";

/** The published schema of each kind of policy document. */
export const SCHEMAS: Readonly<Record<DocumentKind, JsonObject>> = {
  WorkloadClass: workloadClassSchema,
  AcceleratorClass: acceleratorClassSchema,
  CapacityPool: capacityPoolSchema,
  TopologyLayout: topologyLayoutSchema,
  Platform: platformSchema,
  WorkloadKind: workloadKindSchema,
};

export const DOCUMENT_KINDS = Object.keys(SCHEMAS) as readonly DocumentKind[];

export function isDocumentKind(kind: unknown): kind is DocumentKind {
  return typeof kind === "string" && Object.hasOwn(SCHEMAS, kind);
}
