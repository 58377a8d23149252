import type { JsonObject } from "../../src/model/index.ts";
import { catalogue } from "./catalogue.ts";
import { deployment, job } from "./workloads.ts";

export const POD = ["spec", "template", "spec"] as const;
export const METADATA = ["spec", "template", "metadata"] as const;
export const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
export const TERMS = ["affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"] as const;
export const GPU_KEY = "karpenter.k8s.aws/instance-gpu-name";
export const TYPE_KEY = "karpenter.sh/capacity-type";

export const small = catalogue();
export const codes = (expansion: {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
}) => expansion.diagnostics.map(({ code, severity }) => `${severity} ${code}`);
export const kinds = (expansion: { readonly companions: readonly JsonObject[] }) =>
  expansion.companions.map((one) => String(one["kind"]));
export const gangJob = () => job("train").replicas(4).gpus(8).className("gang");
export const service = () => deployment("llm").replicas(3).gpus(1).className("online");
