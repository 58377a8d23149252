import { type JsonObject, valueAt } from "../model/index.ts";
import { type KindTable, readWorkload, type Workload } from "../workloads/index.ts";
import { type AdmissionContext, EXEMPT_NAMESPACES } from "./context.ts";
import type { AdmissionRequest } from "./types.ts";

/** A review that is ours to judge, or in one phrase why it is not. */
export type Subject =
  | { readonly judged: false; readonly why: string }
  | {
      readonly judged: true;
      readonly object: JsonObject;
      readonly old: JsonObject | undefined;
      readonly workload: Workload;
    };

/**
 * Only roots are decided: what a controller of a known kind makes inherits from its root. Everything that is let
 * through here is let through by both webhooks, whatever the catalogue says.
 */
export function subjectOf(request: AdmissionRequest, context: AdmissionContext): Subject {
  const skip = (why: string): Subject => ({ judged: false, why });
  if (request.operation !== "CREATE" && request.operation !== "UPDATE") return skip(`operation ${request.operation}`);
  if (request.subResource !== undefined && request.subResource !== "")
    return skip(`subresource ${request.subResource}`);
  if (request.object === null || request.object === undefined) return skip("no object");
  if ((context.exemptNamespaces ?? EXEMPT_NAMESPACES).includes(request.namespace ?? ""))
    return skip("exempt namespace");
  const object = request.object;
  const workload = readWorkload(object, context.catalogue.kinds, { namespace: request.namespace ?? "" });
  if (workload === undefined) return skip("kind not in the table");
  const reason = notRoot(workload);
  if (reason !== undefined) return skip(reason);
  if (request.operation === "CREATE") return { judged: true, object, old: undefined, workload };
  if (request.oldObject === null || request.oldObject === undefined) return skip("update without the old object");
  return { judged: true, object, old: request.oldObject, workload };
}

/** Why the workload is not decided by itself; undefined: it is a root. */
export function notRoot(workload: Workload): string | undefined {
  if (workload.deleting) return "being deleted";
  if (workload.kind.life === "derived") return "derived kind";
  if (!workload.root) return `made by a ${workload.controller?.kind ?? "controller"} that is judged itself`;
  if (
    workload.kind.kind === "Pod" &&
    valueAt(workload.object, ["metadata", "annotations", "kubernetes.io/config.mirror"]) !== undefined
  ) {
    return "mirror pod";
  }
  return undefined;
}

/** The pods of one unknown controller are one pod set seen one pod at a time; this is its owner's uid. */
export function unknownOwner(workload: Workload, kinds: KindTable): string | undefined {
  const owner = workload.controller;
  if (workload.kind.kind !== "Pod" || owner === undefined) return undefined;
  return kinds.find(owner.apiVersion, owner.kind) === undefined ? owner.uid : undefined;
}
