import { isStatus, type Kube } from "../kube/index.ts";
import { type JsonObject, objectAt, stringAt } from "../model/index.ts";
import { isEnding, missingPermission, reasonOf, resourceText } from "./fault.ts";
import {
  type CompanionKind,
  collectionPath,
  companionKind,
  FIELD_MANAGER,
  isOurs,
  kindOf,
  nameOf,
  namespaceOf,
  uidOf,
} from "./kinds.ts";
import { differs, type Plan } from "./plan.ts";
import type { Companied, Reason, Regarding, Tell } from "./types.ts";

export interface EnsureContext {
  readonly kube: Kube;
  readonly companied: Companied;
  readonly tell: Tell;
  readonly until: AbortSignal;
}

/**
 * Makes and mends the companions of one root. What is there as it should be costs no request. Throws KubeFault for what is worth another
 * try; what the API server will refuse again is told on the root, and tried again at the next change or resync.
 */
export async function ensure(context: EnsureContext, root: Regarding, plan: Plan): Promise<void> {
  let fault: unknown;
  for (const wanted of plan.companions.values()) {
    if (context.until.aborted) return;
    const kind = companionKind(kindOf(wanted));
    if (kind === undefined) continue;
    try {
      await ensureOne(context, root, kind, wanted);
    } catch (one) {
      if (isEnding(one)) return;
      tellFault(context, root, kind, wanted, one);
      // One that fails keeps none of the others waiting.
      fault = one;
    }
  }
  await tellMissing(context, root, plan);
  if (fault !== undefined) throw fault;
}

async function ensureOne(
  { kube, companied, tell, until }: EnsureContext,
  root: Regarding,
  kind: CompanionKind,
  wanted: JsonObject,
): Promise<void> {
  const namespace = namespaceOf(wanted);
  const name = nameOf(wanted);
  const seen = companied.get(kind.kind, namespace, name);
  if (seen !== undefined && isOurs(seen) && !differs(seen, wanted)) return;
  const path = `${collectionPath(kind, namespace)}/${name}`;
  // The watch shows only what carries our label, and may be late: what has the name is looked at before it is written.
  const live = await kube.read(path);
  if (until.aborted) return;
  if (live !== undefined && !isOurs(live)) {
    const note = `${kind.kind} ${name} is there without the label that says it is Plimsoll's, so it is left alone. Rename it, or label it app.kubernetes.io/managed-by: plimsoll if it is the one that plimsoll expand prints.`;
    tell.event({ regarding: root, type: "Warning", reason: "CompanionTaken", action: "Apply", note });
    return;
  }
  if (live !== undefined && (stringAt(live, ["metadata", "deletionTimestamp"]) !== undefined || !differs(live, wanted)))
    return;
  // Of what is there, only this very object, and whoever changed our fields loses; of what is not, nothing is taken from anybody.
  const body =
    live === undefined ? wanted : { ...wanted, metadata: { ...objectAt(wanted, ["metadata"]), uid: uidOf(live) } };
  await kube.apply(path, body, { fieldManager: FIELD_MANAGER, force: live !== undefined });
}

/**
 * Makes a companion that is named by its content, and that no watch shows, before the object that names it is stored; so without an owner: the
 * garbage collector would look for an object that is not there yet. The leader keeps it once the watch shows its root, and removes it after the
 * grace where none comes. Takes nothing from anybody. Throws KubeFault.
 */
export async function makeEarly(kube: Kube, wanted: JsonObject): Promise<void> {
  const kind = companionKind(kindOf(wanted));
  if (kind?.shared !== true) return;
  await kube.apply(`${collectionPath(kind, namespaceOf(wanted))}/${nameOf(wanted)}`, wanted, {
    fieldManager: FIELD_MANAGER,
  });
}

function tellFault(
  { tell }: EnsureContext,
  root: Regarding,
  kind: CompanionKind,
  wanted: JsonObject,
  fault: unknown,
): void {
  if (isStatus(fault, 409)) return;
  const resource = resourceText(kind.plural, kind.apiVersion);
  if (isStatus(fault, 403) && /cannot (get|create|patch)/.test(fault.message)) {
    const verb = /cannot (get|create|patch)/.exec(fault.message)?.[1] ?? "patch";
    tell.log("error", missingPermission(verb, resource, root.namespace));
  }
  const reason: Reason = "CompanionFailed";
  const why = isStatus(fault, 404) ? `this cluster does not serve ${resource}` : reasonOf(fault);
  const note = `${kind.kind} ${nameOf(wanted)} could not be made: ${why}`;
  tell.event({ regarding: root, type: "Warning", reason, action: "Apply", note });
}

/** What the root's pods name, is gone, and cannot be made again from today's class. */
async function tellMissing(
  { kube, companied, tell, until }: EnsureContext,
  root: Regarding,
  plan: Plan,
): Promise<void> {
  for (const { kind: kindName, name } of plan.irreproducible) {
    const kind = companionKind(kindName);
    if (until.aborted || kind === undefined || companied.get(kindName, root.namespace, name) !== undefined) continue;
    if ((await kube.read(`${collectionPath(kind, root.namespace)}/${name}`)) !== undefined) continue;
    const note = `${kindName} ${name}, which its pods name, is not there, and its class was edited since and makes another. Set the annotation plimsoll.dev/renew to a new value to have it decided again.`;
    tell.event({ regarding: root, type: "Warning", reason: "CompanionMissing", action: "Apply", note });
  }
}
