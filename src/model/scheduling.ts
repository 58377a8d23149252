/** Structural types of the Kubernetes fields that scheduling reads. Shapes follow core/v1. */

/**
 * Amounts by resource name, in the scheduler's units: cpu in millicores, everything else in whole units
 * (bytes, devices, pods), rounded up.
 */
export type Resources = Readonly<Record<string, number>>;

export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: TaintEffect;
}

export interface Toleration {
  /** Absent with Exists: tolerates every key. */
  readonly key?: string;
  readonly operator?: "Exists" | "Equal";
  readonly value?: string;
  /** Absent: every effect. */
  readonly effect?: TaintEffect;
  readonly tolerationSeconds?: number;
}

/** core/v1 component-helpers: does the toleration match the taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== undefined && toleration.effect !== taint.effect) return false;
  if (toleration.key !== undefined && toleration.key !== "" && toleration.key !== taint.key) return false;
  if ((toleration.key === undefined || toleration.key === "") && toleration.operator !== "Exists") return false;
  return toleration.operator === "Exists" || (toleration.value ?? "") === taint.value;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
}

/** Identity of a namespaced object. `name` is empty for a generateName that is not drawn yet. */
export interface ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}
