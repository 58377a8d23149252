import type { JsonObject } from "../../../src/model/index.ts";
import type { PolicyFile } from "../../../src/policy/index.ts";

/** What a CEL selector of a case means, so that the replay needs no CEL. All that is given must hold. */
export interface Meaning {
  readonly driver?: string;
  /** By qualified name. A device without the attribute is not selected. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A random cluster and a workload on it: plain Kubernetes objects and policy files, so that a file of it replays it. */
export interface Case {
  readonly name: string;
  /** Of the control plane: 1.34 ... 1.37. */
  readonly version: string;
  readonly policies: readonly PolicyFile[];
  /** Nodes, and what drivers publish for them. */
  readonly cluster: readonly JsonObject[];
  /** Pods that are bound already, and the claims that they hold. */
  readonly filler: readonly JsonObject[];
  /** What the workload's own manifest refers to. */
  readonly given: readonly JsonObject[];
  readonly workload: JsonObject;
  /** Pods that the class promises together: fewer do not count as running. */
  readonly required: number;
  /** Pods at full size. */
  readonly count: number;
  readonly meanings: Readonly<Record<string, Meaning>>;
}

export const NAMESPACE = "fidelity";
export const FILLER_NAMESPACE = "filler";
export const PRIORITY_CLASS = "fidelity";
export const GPU_DRIVER = "gpu.example.com";
export const NIC_DRIVER = "nic.example.com";
export const NUMA = "topology.example.com/numa";
export const MODEL = "gpu.example.com/model";
export const ACCELERATOR_LABEL = "example.com/accelerator";
export const CAPACITY_LABEL = "example.com/capacity";
export const RACK_LABEL = "example.com/rack";
export const ZONE_LABEL = "topology.kubernetes.io/zone";
export const GENERATION_LABEL = "example.com/generation";
export const MODELS = ["alpha", "beta"] as const;
export type Model = (typeof MODELS)[number];
export const resourceOf = (model: Model): string => `${model}.example.com/gpu`;
