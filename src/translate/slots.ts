import {
  CLASS_ANNOTATION,
  CLASS_LABEL,
  INTENT_ANNOTATION,
  type JsonObject,
  type Path,
  TENANT_LABEL,
} from "../model/index.ts";
import { containerPath, fieldPath, type PodField, type PodSet } from "../workloads/index.ts";
import {
  CONSUME_ANNOTATION,
  DO_NOT_DISRUPT_ANNOTATION,
  INSTANCE_LABEL,
  KUEUE_GROUP_ANNOTATION,
  KUEUE_PREFERRED_ANNOTATION,
  KUEUE_REQUIRED_ANNOTATION,
  KUEUE_SLICE_ANNOTATION,
  KUEUE_SLICE_SIZE_ANNOTATION,
  KUEUE_UNCONSTRAINED_ANNOTATION,
  PROVISIONING_CLASS_ANNOTATION,
  SAFE_TO_EVICT_ANNOTATION,
  SET_LABEL,
} from "./keys.ts";

/** The places of a pod set that Plimsoll edits: a key of a map, an element of a list without keys, or one value. */
export interface Slot {
  readonly shape: "key" | "item" | "value";
  /** The pod field whose mutability and path decide. */
  readonly field: PodField;
  /** Below that field. */
  readonly below: Path;
  /** Keys that may ever be undone here; absent: any. */
  readonly keys?: ReadonlySet<string>;
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const TERMS: Path = ["nodeAffinity", REQUIRED, "nodeSelectorTerms"];

const SLOTS = {
  label: {
    shape: "key",
    field: "labels",
    below: [],
    keys: new Set([CLASS_LABEL, TENANT_LABEL, INSTANCE_LABEL, SET_LABEL]),
  },
  annotation: {
    shape: "key",
    field: "annotations",
    below: [],
    keys: new Set([
      CLASS_ANNOTATION,
      INTENT_ANNOTATION,
      DO_NOT_DISRUPT_ANNOTATION,
      SAFE_TO_EVICT_ANNOTATION,
      CONSUME_ANNOTATION,
      PROVISIONING_CLASS_ANNOTATION,
      KUEUE_REQUIRED_ANNOTATION,
      KUEUE_PREFERRED_ANNOTATION,
      KUEUE_UNCONSTRAINED_ANNOTATION,
      KUEUE_SLICE_ANNOTATION,
      KUEUE_SLICE_SIZE_ANNOTATION,
      KUEUE_GROUP_ANNOTATION,
    ]),
  },
  child: { shape: "key", field: "annotations", below: [], keys: new Set([CLASS_ANNOTATION, INTENT_ANNOTATION]) },
  nodeSelector: { shape: "key", field: "nodeSelector", below: [] },
  /** A whole node affinity term, where the user has none. */
  nodeTerm: { shape: "item", field: "affinity", below: TERMS },
  /** An expression inside a term of the user's; the key is the hash of that term. */
  nodeExpression: { shape: "item", field: "affinity", below: TERMS },
  nodePreference: { shape: "item", field: "affinity", below: ["nodeAffinity", PREFERRED] },
  podTerm: { shape: "item", field: "affinity", below: ["podAffinity", REQUIRED] },
  podPreference: { shape: "item", field: "affinity", below: ["podAffinity", PREFERRED] },
  podAntiTerm: { shape: "item", field: "affinity", below: ["podAntiAffinity", REQUIRED] },
  podAntiPreference: { shape: "item", field: "affinity", below: ["podAntiAffinity", PREFERRED] },
  toleration: { shape: "item", field: "tolerations", below: [] },
  spread: { shape: "item", field: "topologySpreadConstraints", below: [] },
  claim: { shape: "item", field: "resourceClaims", below: [] },
  /** A container with nothing but devices, where the operator merges it into its own. */
  container: { shape: "item", field: "containerResources", below: [] },
  /** The key is the container's name. */
  containerClaim: { shape: "item", field: "containerClaims", below: ["resources", "claims"] },
  /** The key is `CONTAINER/RESOURCE`. */
  request: { shape: "key", field: "containerResources", below: ["resources", "requests"] },
  limit: { shape: "key", field: "containerResources", below: ["resources", "limits"] },
  /** Devices that the kind asks for outside the container (Spark's gpu). */
  outside: { shape: "value", field: "containerResources", below: [] },
  priority: { shape: "value", field: "priorityClassName", below: [] },
  grace: { shape: "value", field: "terminationGracePeriodSeconds", below: [] },
  group: { shape: "value", field: "schedulingGroup", below: [] },
} as const satisfies Record<string, Slot>;

export type SlotName = keyof typeof SLOTS;

export const isSlot = (name: string): name is SlotName => Object.hasOwn(SLOTS, name);
export const slotOf = (name: SlotName): Slot => SLOTS[name];

/** Where the edit stands: the map or list, or for a value its parent; `name` is the key in it. */
export interface Location {
  readonly container: Path;
  readonly name: string | undefined;
}

/**
 * Undefined where the kind cannot carry the slot, or a container of that name is not there. For `nodeExpression` it is
 * the list of terms: which term is for the caller to find.
 */
export function locate(object: JsonObject, set: PodSet, slotName: SlotName, key: string): Location | undefined {
  const slot = slotOf(slotName);
  if (slotName === "child") return undefined;
  if (slotName === "outside") {
    const path = outsidePath(set);
    return path === undefined ? undefined : leaf(path);
  }
  if (slotName === "request" || slotName === "limit") {
    const cut = key.indexOf("/");
    const container = canCarry(set, slot.field)
      ? containerPath(object, set, key.slice(0, Math.max(cut, 0)))
      : undefined;
    return container === undefined ? undefined : { container: [...container, ...slot.below], name: key.slice(cut + 1) };
  }
  if (slotName === "containerClaim") {
    const container = canCarry(set, slot.field) ? containerPath(object, set, key) : undefined;
    return container === undefined ? undefined : { container: [...container, ...slot.below], name: undefined };
  }
  const field = fieldPath(set, slot.field);
  if (field === undefined) return undefined;
  if (slot.shape === "value") return leaf(field);
  return { container: [...field, ...slot.below], name: slot.shape === "key" ? key : undefined };
}

function leaf(path: Path): Location | undefined {
  const name = path.at(-1);
  return typeof name === "string" ? { container: path.slice(0, -1), name } : undefined;
}

/** A kind may say that it cannot, where containers as such have a place. */
const canCarry = (set: PodSet, field: PodField): boolean => set.entry.fields[field] !== null;

/** Where the kind asks for devices beside its pod template. */
export function outsidePath(set: PodSet): Path | undefined {
  const gpu = set.entry.outside?.gpu;
  if (gpu === undefined) return undefined;
  return gpu.startsWith("$.") ? gpu.slice(2).split(".") : [...set.itemPath, ...gpu.split(".")];
}
