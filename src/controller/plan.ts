import { type Named, needsOf } from "../admission/index.ts";
import { arrayAt, isArray, isObject, type Json, type JsonObject, objectAt, stringAt } from "../model/index.ts";
import { companionKind, kindOf, nameOf, namespaceOf, uidOf } from "./kinds.ts";
import type { Known } from "./types.ts";

/** What one root is to have beside it. */
export interface Plan {
  readonly uid: string;
  /** false: a class of it is not known any more, so what it would want is not known either. */
  readonly complete: boolean;
  /** By `KIND NAME`, what is named before what names it: the object as it is to be applied. */
  readonly companions: ReadonlyMap<string, JsonObject>;
  /** `KIND NAME` of everything that the root names: none of it may go while the root is there. */
  readonly kept: ReadonlySet<string>;
  readonly irreproducible: readonly Named[];
}

export const companionId = (kind: string, name: string): string => `${kind} ${name}`;

/**
 * Owners. What belongs to one root (PodGroup, ProvisioningRequest, disruption budget) has it as owner, so the garbage collector takes
 * it along, also when we are gone: neither as controller (it is not ours to adopt pods by) nor blocking the owner's deletion, which would
 * need the right to update finalizers of every kind (OwnerReferencesPermissionEnforcement). What is named by its content has no owner
 * and is collected by us: the garbage collector would take a claim template away with the last root that was listed, though a pod
 * of another still names it; and a list of the owners would be rewritten for each of thousands of Jobs, and outgrow the object.
 *
 * undefined: the object is no root of ours, or is being deleted.
 */
export function planFor(root: JsonObject, known: Known): Plan | undefined {
  const needs = needsOf(root, known);
  if (needs === undefined) return undefined;
  const owner = {
    apiVersion: stringAt(root, ["apiVersion"]) ?? "",
    kind: kindOf(root),
    name: nameOf(root),
    uid: uidOf(root),
  };
  const companions = new Map<string, JsonObject>();
  for (const companion of needs.companions) {
    const kind = companionKind(kindOf(companion));
    if (kind === undefined) continue;
    const metadata = { ...objectAt(companion, ["metadata"]), namespace: namespaceOf(root) };
    const body = kind.shared
      ? { ...companion, metadata }
      : { ...companion, metadata: { ...metadata, ownerReferences: [owner] } };
    companions.set(companionId(kind.kind, nameOf(companion)), body);
  }
  const kept = new Set([...companions.keys(), ...needs.named.map(({ kind, name }) => companionId(kind, name))]);
  return { uid: owner.uid, complete: needs.complete, companions, kept, irreproducible: needs.irreproducible };
}

/**
 * Must it be applied: something that we say is not there as we say it, or something that we said before (a label of ours, an owner of
 * another incarnation) is still there. What others added is theirs.
 */
export function differs(existing: JsonObject, wanted: JsonObject): boolean {
  const { metadata, ...body } = wanted;
  const { ownerReferences, ...plain } = objectAt(metadata, []);
  if (!holds(existing, { ...body, metadata: plain })) return true;
  const labels = objectAt(wanted, ["metadata", "labels"]);
  const stale = Object.keys(objectAt(existing, ["metadata", "labels"])).some(
    (key) => key.startsWith("plimsoll.dev/") && !Object.hasOwn(labels, key),
  );
  const owners = isArray(ownerReferences) ? ownerReferences : [];
  const present = arrayAt(existing, ["metadata", "ownerReferences"]);
  const isMissing = owners.some((owner) => !present.some((one) => holds(one, owner)));
  const isForeign = present.some((one) =>
    owners.some(
      (owner) =>
        stringAt(one, ["kind"]) === stringAt(owner, ["kind"]) &&
        stringAt(one, ["name"]) === stringAt(owner, ["name"]) &&
        stringAt(one, ["uid"]) !== stringAt(owner, ["uid"]),
    ),
  );
  return stale || isMissing || isForeign;
}

/** Every field of `part` is in `whole` with that value; lists have the same length. The API server's defaults do no harm. */
export function holds(whole: Json | undefined, part: Json | undefined): boolean {
  if (part === undefined) return true;
  if (isObject(part)) {
    return (
      isObject(whole) &&
      Object.keys(part).every((key) => holds(Object.hasOwn(whole, key) ? whole[key] : undefined, part[key]))
    );
  }
  if (isArray(part)) {
    return isArray(whole) && whole.length === part.length && part.every((one, index) => holds(whole[index], one));
  }
  return whole === part || (whole === undefined && part === null);
}
