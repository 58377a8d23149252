import type { Diagnostic, JsonObject, ObjectKey, OwnerReference, Path } from "../model/index.ts";

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
  /** Other served versions of the same shape. */
  readonly versions?: readonly string[];
  readonly clusterScoped?: boolean;
  /** Its steps may create workloads that its own pod sets do not cover: what it controls is a root unless `makes` names it. */
  readonly launches?: boolean;
}

/** never: immutable after create. always. suspended: while stopped (Job rules). gated: only adding to node selection. */
export interface Mutability {
  readonly template: "always" | "never" | "suspended" | "gated";
  /** Fields that stay immutable even then. */
  readonly except: readonly PodField[];
}

/**
 * Expressions and secondary paths are relative to the item: the list item or map value that the last `[*]` or `{*}` of `path` stands for, or the
 * whole object where there is none. A secondary path that begins with `$.` starts from the object.
 */
export interface TemplateEntry {
  readonly role: string;
  /** The role where it depends on the object (a map key, a component type): CEL, text; empty means `role`. */
  readonly roleName?: string;
  /** CEL, bool: the pod set exists only if it holds. */
  readonly when?: string;
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
  /** The operator completes a template that is written in part, so an absent one may be created by an edit. */
  readonly creatable?: boolean;
  /** CEL, bool: lists of template and `base` merge by name; else by position. */
  readonly mergeByName?: string;
  /** The PodSpec that the operator uses where the template is absent. */
  readonly defaultSpec?: JsonObject;
  /** Single containers, and lists of them, that stand outside `containers`, in order; the first that is there is the main one. */
  readonly inlineContainers?: readonly string[];
  readonly inlineContainerLists?: readonly string[];
  readonly inlineInitContainers?: string;
  /** Where values stand that hold if the template leaves the field out. */
  readonly inherits?: Readonly<Partial<Record<PodField, string>>>;
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
    /** Of `{name, quantity}`. */
    readonly gpu?: string;
    readonly dialect: "kubernetes" | "jvm";
    /** Where no container has that name the first one is sized, if there is one; else one is added. */
    readonly orFirst?: boolean;
    /** CEL, bool: only where it holds. */
    readonly when?: string;
    /** Of `{requests, limits}`, whose memory follows the dialect too. */
    readonly resources?: string;
    /** Wins over `cpu`; a Kubernetes quantity. */
    readonly cpuRequest?: string;
    /** Added to memory; absent there: `overheadFactor` (CEL, text of a number) of it, at least 384 MiB. */
    readonly memoryOverhead?: string;
    readonly overheadFactor?: string;
    /** What a plain number means in the JVM dialect. */
    readonly plainUnit?: "b" | "m";
    /** CEL, text; empty: the container's own stands. */
    readonly defaults?: { readonly cpu?: string; readonly memory?: string };
  };
  /** May the role be interrupted by kind: never (Ray head, Spark driver), avoid, allowed. */
  readonly interrupt: "never" | "avoid" | "allowed";
  /** Pods of this set in one group of the kind (a Ray host group, a LeaderWorkerSet replica without its leader). */
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
  /** Expressions that failed on this object, each with the value taken instead. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PodSet {
  readonly name: string;
  readonly role: string;
  readonly entry: TemplateEntry;
  /** The pod as its operator will make it: base template merged, outside resources put into their container. */
  readonly pod: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly spec: JsonObject;
  };
  /** Does the template stand in the object. */
  readonly present: boolean;
  /** The list item or map value that the template's secondary paths start from. */
  readonly itemPath: Path;
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

export interface KindTable {
  readonly entries: readonly KindEntry[];
  /** By kind and exact (or listed) version. */
  find(apiVersion: string, kind: string): KindEntry | undefined;
  /** By group and kind, whatever the version: how an owner reference is matched. */
  findOwner(group: string, kind: string): KindEntry | undefined;
  /** Compiles an expression once. */
  expression(text: string): Expression;
}

/** A compiled expression. `value` is undefined where it does not compile or fails on this object; `fault` says why it does not compile. */
export interface Expression {
  readonly fault: string | undefined;
  value(scope: ExpressionScope): unknown;
}

export interface ExpressionScope {
  readonly object: JsonObject;
  readonly item: JsonObject;
  /** The map key; empty in lists. */
  readonly key: string;
}
