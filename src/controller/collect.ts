import { isStatus, type Kube } from "../kube/index.ts";
import { arrayAt, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { isEnding, missingPermission, resourceText } from "./fault.ts";
import {
  type CompanionKind,
  collectionPath,
  companionKind,
  FIELD_MANAGER,
  isOurs,
  kindOf,
  nameOf,
  uidOf,
} from "./kinds.ts";
import { namedIn } from "./naming.ts";
import { companionId, type Plan } from "./plan.ts";
import type { Clock, Companied, Known, Tell } from "./types.ts";

export interface CollectContext {
  readonly kube: Kube;
  readonly companied: Companied;
  readonly known: () => Known;
  readonly tell: Tell;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly until: AbortSignal;
  /** Does a root of the namespace need it. */
  isUsed(namespace: string, id: string): boolean;
  /** The plan of the root with that uid. */
  planOf(uid: string): Plan | undefined;
  /** Since when nothing names it, by `NAMESPACE/KIND NAME`; kept here between calls. */
  readonly unusedSince: Map<string, number>;
}

/** Removes from a namespace what nobody has named for the grace period. Answers when to look again, if at a known time. Throws KubeFault. */
export async function collect(context: CollectContext, namespace: string): Promise<number | undefined> {
  const { companied, clock, graceMs, unusedSince, until } = context;
  const due: { readonly kind: CompanionKind; readonly object: JsonObject; readonly id: string }[] = [];
  let next: number | undefined;
  for (const object of companied.in(namespace)) {
    const kind = companionKind(kindOf(object));
    if (kind === undefined || !isOurs(object)) continue;
    const id = companionId(kind.kind, nameOf(object));
    const since = `${namespace}/${id}`;
    if (!isCollected(context, kind) || isNeeded(context, namespace, kind, object)) {
      unusedSince.delete(since);
      continue;
    }
    const first = unusedSince.get(since) ?? clock.nowMs();
    unusedSince.set(since, first);
    const left = isSuperseded(context, kind, object) ? 0 : first + graceMs - clock.nowMs();
    if (left <= 0) due.push({ kind, object, id });
    else next = Math.min(next ?? left, left);
  }
  if (due.length === 0 || until.aborted) return next;
  // A disruption budget is named by nobody: its root says whether it is wanted.
  const asked = due.some(({ kind }) => kind.kind !== "PodDisruptionBudget");
  const named = asked ? await lookAround(context, namespace) : new Set<string>();
  if (named === undefined) return graceMs;
  for (const { kind, object, id } of due) {
    if (until.aborted || context.isUsed(namespace, id)) continue;
    if (named.has(id)) unusedSince.delete(`${namespace}/${id}`);
    else if (await remove(context, namespace, kind, object)) unusedSince.delete(`${namespace}/${id}`);
    if (named.has(id)) next = Math.min(next ?? graceMs, graceMs);
  }
  return next;
}

function isNeeded(
  { companied, isUsed, planOf }: CollectContext,
  namespace: string,
  kind: CompanionKind,
  object: JsonObject,
) {
  const name = nameOf(object);
  if (isUsed(namespace, companionId(kind.kind, name))) return true;
  if (kind.kind === "PodTemplate") return [...companied.in(namespace)].some((one) => usesTemplate(one, name));
  if (kind.kind === "PodDisruptionBudget") return ownersOf(object).some((uid) => planOf(uid)?.complete === false);
  return false;
}

function usesTemplate(object: JsonObject, name: string): boolean {
  if (kindOf(object) !== "ProvisioningRequest") return false;
  return arrayAt(object, ["spec", "podSets"]).some((set) => stringAt(set, ["podTemplateRef", "name"]) === name);
}

/** Two budgets over the same pods make every eviction of them fail: the old one goes as soon as the new one stands. */
function isSuperseded({ companied, planOf }: CollectContext, kind: CompanionKind, object: JsonObject): boolean {
  if (kind.kind !== "PodDisruptionBudget") return false;
  const namespace = stringAt(object, ["metadata", "namespace"]) ?? "";
  return ownersOf(object).some((uid) =>
    [...(planOf(uid)?.companions.values() ?? [])].some(
      (one) => kindOf(one) === kind.kind && companied.get(kind.kind, namespace, nameOf(one)) !== undefined,
    ),
  );
}

function ownersOf(object: JsonObject): readonly string[] {
  return arrayAt(object, ["metadata", "ownerReferences"]).map((owner) => stringAt(owner, ["uid"]) ?? "");
}

/** Of a kind that the platform says nobody makes here, none is ours to remove either. */
function isCollected({ known }: CollectContext, kind: CompanionKind): boolean {
  return known().catalogue.platform.companions[kind.flag];
}

/** undefined: the namespace cannot be read whole, so nothing in it can be said to be unused. */
async function lookAround(
  { kube, known, tell }: CollectContext,
  namespace: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return await namedIn(kube, known().catalogue.kinds, namespace);
  } catch (fault) {
    if (!isStatus(fault, 403)) throw fault;
    const resource = /resource "([^"]+)" in API group "([^"]*)"/.exec(fault.message);
    const text = resource === null ? "some kind" : [resource[1], resource[2]].filter((part) => part !== "").join(".");
    tell.log("error", `${missingPermission("list", text, namespace)} Until then no companion is removed there.`);
    return undefined;
  }
}

/** false: it is to be looked at again. */
async function remove(
  { kube, tell, until }: CollectContext,
  namespace: string,
  kind: CompanionKind,
  seen: JsonObject,
): Promise<boolean> {
  const path = `${collectionPath(kind, namespace)}/${nameOf(seen)}`;
  const live = await kube.read(path);
  if (live === undefined || uidOf(live) !== uidOf(seen) || !isOurs(live) || !isApplied(live)) return true;
  if (until.aborted) return false;
  const resourceVersion = stringAt(live, ["metadata", "resourceVersion"]);
  try {
    await kube.remove(path, {
      uid: uidOf(live),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      propagation: "Background",
    });
    tell.log("info", `Removed ${kind.kind} ${namespace}/${nameOf(seen)}: nothing has named it for the grace period.`);
    return true;
  } catch (fault) {
    // Somebody changed it in this moment: it may be wanted again.
    if (isStatus(fault, 409)) return false;
    if (isEnding(fault)) return true;
    if (!isStatus(fault, 403)) throw fault;
    tell.log("error", missingPermission("delete", resourceText(kind.plural, kind.apiVersion), namespace));
    return false;
  }
}

/** What somebody else applied with our label (from `plimsoll expand`) and no root ever needed stays theirs. */
function isApplied(live: JsonObject): boolean {
  return arrayAt(live, ["metadata", "managedFields"]).some(
    (one) => valueAt(one, ["manager"]) === FIELD_MANAGER && valueAt(one, ["operation"]) === "Apply",
  );
}
