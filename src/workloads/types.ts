import type { JsonObject, ObjectKey, OwnerReference, Path } from "../model/index.ts";

/** runOnce: ends by itself. elastic: pods come and go. perNode: one per node. templateOnly: makes the real object later. derived: read only. */
export type Life = "runOnce" | "elastic" | "perNode" | "templateOnly" | "derived";

/** Fields of a pod that Plimsoll reads or edits. */
export type PodField =
  | "labels"
  | "annotations"
  | "nodeSelector"
  | "affinity"
  | "tolerations"
  | "topologySpreadConstraints"
  | "resourceClaims"
  | "containerResources"
  | "containerClaims"
  | "priorityClassName"
  | "terminationGracePeriodSeconds"
  | "schedulingGroup";

/** One row of the kind table, built in or read from `policies/kinds/`. Paths are written as in pod-templates: `spec.workerGroupSpecs[*].template`, `{*}` for map values. */
export interface KindEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly life: Life;
  readonly builtin: boolean;
  /** Kinds of its children, as `group/Kind` (`/Pod` for the core group). Those are not roots. */
  readonly makes: readonly string[];
  readonly templates: readonly TemplateEntry[];
  /** Pod label that the pods of one incarnation share. */
  readonly gangLabel?: string;
  /** Path of a boolean that stops it (`spec.suspend`). */
  readonly suspend?: string;
  /** Has a scale subresource. */
  readonly scale: boolean;
  /** Where the object that a templateOnly kind makes takes its annotations from; absent: the pod template. */
  readonly childAnnotations?: string;
  /** Which edits an update may make to a template. */
  readonly mutability: Mutability;
  /** Expressions (CEL over `object`): own minimum that must hold together, and a factor for the peak (surge, second cluster). */
  readonly minimum?: string;
  readonly peak?: string;
  readonly notes?: string;
}

/** never: immutable after create. always. suspended: while stopped (Job rules). gated: only adding to node selection. */
export interface Mutability {
  readonly template: "always" | "never" | "suspended" | "gated";
  /** Fields that stay immutable even then. */
  readonly except: readonly PodField[];
}

export interface TemplateEntry {
  readonly role: string;
  /** Path of the template. */
  readonly path: string;
  readonly shape: "Pod" | "PodTemplateSpec" | "PodSpec" | "inline";
  /** CEL over `object` and `item` (the list item or map value that holds the template): pods at full size. */
  readonly count: string;
  readonly minimum?: string;
  readonly peak?: string;
  /** Name of the pod set: CEL over `object`, `item`, `key`; default: the item's name, the map key, else the role. */
  readonly name?: string;
  /** Template that this one is merged over (Flink's spec.podTemplate; LWS workerTemplate for an absent leader). */
  readonly base?: string;
  readonly optional: boolean;
  /** A pod set whose template is absent does not exist (else it exists with the operator's defaults). */
  readonly absentMeansNone: boolean;
  /** Where labels and annotations of the pods go for shapes without metadata; null: nowhere. */
  readonly labels?: string | null;
  readonly annotations?: string | null;
  /** Fields that stand elsewhere, or (null) cannot be expressed: the CRD prunes them. */
  readonly fields: Readonly<Partial<Record<PodField, string | null>>>;
  /** Resources outside the container: which container they size, where they stand, and in which dialect. */
  readonly outside?: {
    readonly container: string;
    readonly cpu?: string;
    readonly memory?: string;
    readonly gpu?: string;
    readonly dialect: "kubernetes" | "jvm";
  };
  /** May the role be interrupted by kind: never (Ray head, Spark driver), avoid, allowed. */
  readonly interrupt: "never" | "avoid" | "allowed";
  readonly groupSize?: string;
}

/** A workload as it was read: what it is, whose child it is, and its pod sets. */
export interface Workload {
  readonly key: ObjectKey;
  readonly generateName: string | undefined;
  readonly object: JsonObject;
  readonly kind: KindEntry;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The controller owner, of any kind. */
  readonly controller: OwnerReference | undefined;
  /** No controller owner of a kind in the table, or made by a templateOnly kind. */
  readonly root: boolean;
  readonly suspended: boolean;
  readonly queue: string | undefined;
  readonly deleting: boolean;
  readonly podSets: readonly PodSet[];
}

export interface PodSet {
  readonly name: string;
  readonly role: string;
  readonly entry: TemplateEntry;
  /** The pod as its operator will make it: base template merged, outside resources put into their container. */
  readonly pod: { readonly labels: Readonly<Record<string, string>>; readonly annotations: Readonly<Record<string, string>>; readonly spec: JsonObject };
  /** Path of the template in the object (it may be absent there). */
  readonly path: Path;
  /** Path of the PodSpec in the object. */
  readonly specPath: Path;
  readonly count: number;
  readonly minimum: number | undefined;
  readonly peak: number;
  readonly perNode: boolean;
  readonly groupSize: number | undefined;
  readonly gangLabel: string | undefined;
}
