import {
  arrayAt,
  type ClaimState,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type ObjectKey,
  type Path,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { type Faults, isShallow, nodeTerm, quantityAt, shown, textAt } from "./fields.ts";
import { controllerOf } from "./owner.ts";
import type { ClaimFacts } from "./types.ts";

const EXTENDED_CLAIM = "resource.kubernetes.io/extended-resource-claim";

export interface ClaimContext {
  /** Undefined for a pod that is not known. */
  readonly rootOfPod: (pod: ObjectKey) => ObjectKey | undefined;
  readonly tenantOf: (namespace: string) => string;
}

/**
 * What an allocated ResourceClaim holds; undefined where nothing is allocated. Results with adminAccess take no device away
 * from anybody, so they are left out, unless all are of that sort.
 */
export function readClaim(
  object: JsonObject,
  namespace: string,
  name: string,
  context: ClaimContext,
  problems: Faults,
): ClaimFacts | undefined {
  const allocation = valueAt(object, ["status", "allocation"]) ?? undefined;
  if (allocation === undefined) return undefined;
  if (!isObject(allocation)) problems.add(["status", "allocation"], `must be a mapping, not ${shown(allocation)}`);
  const results = arrayAt(allocation, ["devices", "results"]);
  const isAdmin = (result: Json) => valueAt(result, ["adminAccess"]) === true;
  const adminAccess = results.length > 0 && results.every(isAdmin);
  const devices = results
    .filter((result) => adminAccess || !isAdmin(result))
    .map((result) =>
      ["driver", "pool", "device"]
        .map((key) => textAt(result, [key], problems, ["status", "allocation", "devices", "results"]))
        .join("/"),
    );
  const shares = results.flatMap((result) => {
    const consumed = isAdmin(result) ? undefined : valueAt(result, ["consumedCapacity"]);
    if (!isObject(consumed)) return [];
    const amounts: Record<string, bigint> = Object.create(null);
    for (const [key, value] of Object.entries(consumed)) amounts[key] = quantityAt(value)?.nano ?? 0n;
    const device = ["driver", "pool", "device"].map((key) => stringAt(result, [key]) ?? "").join("/");
    return [{ device, consumed: amounts }];
  });
  return {
    namespace,
    name,
    devices,
    ...(shares.length > 0 ? { shares } : {}),
    root: claimRoot(claimUser(object, namespace), context.rootOfPod),
    tenant: context.tenantOf(namespace),
    adminAccess,
    ...(stringAt(object, ["metadata", "annotations", EXTENDED_CLAIM]) === "true" ? { extended: true } : {}),
  };
}

/** Whether a claim is allocated, to which nodes that binds its users (the terms' alternatives), and how many use it. */
export function readAllocation(object: JsonObject, problems: Faults): ClaimState {
  const path = ["status", "allocation", "nodeSelector", "nodeSelectorTerms"] as const;
  const allocated = isObject(valueAt(object, ["status", "allocation"]));
  const selector = valueAt(object, path.slice(0, -1)) ?? undefined;
  const terms = arrayAt(object, path).map((term) =>
    nodeTerm({ nodeSelectorTerms: [term] }, path.slice(0, -1), problems),
  );
  return {
    allocated,
    ...(selector === undefined ? {} : { nodes: terms }),
    users: arrayAt(object, ["status", "reservedFor"]).length,
  };
}

/** The first pod that uses the claim, else the owner that it was made for. */
export function claimUser(object: JsonObject, namespace: string): ObjectKey | undefined {
  for (const entry of arrayAt(object, ["status", "reservedFor"])) {
    const name = stringAt(entry, ["name"]);
    if (stringAt(entry, ["resource"]) === "pods" && name !== undefined)
      return { apiVersion: "v1", kind: "Pod", namespace, name };
  }
  return controllerOf(object, namespace);
}

/** The workload behind the user of a claim. */
export function claimRoot(
  user: ObjectKey | undefined,
  rootOfPod: (pod: ObjectKey) => ObjectKey | undefined,
): ObjectKey | undefined {
  return user?.kind === "Pod" ? (rootOfPod(user) ?? user) : user;
}

/**
 * `spec.devices` of a ResourceClaim, or of a ResourceClaimTemplate's inner spec, in the shape of v1: the flat requests of v1beta1 are
 * moved under `exactly`.
 */
export function claimDevices(object: JsonObject, path: Path, problems: Faults): JsonObject {
  const devices = valueAt(object, path) ?? {};
  if (!isObject(devices) || !isShallow(devices)) {
    problems.add(path, isObject(devices) ? "nests too deep" : `must be a mapping, not ${shown(devices)}`);
    return {};
  }
  const requests = valueAt(devices, ["requests"]);
  return isArray(requests) ? { ...devices, requests: requests.map(modernRequest) } : devices;
}

function modernRequest(request: Json): Json {
  if (!isObject(request) || request["exactly"] !== undefined || request["deviceClassName"] === undefined)
    return request;
  const { name, firstAvailable, ...exactly } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(isArray(firstAvailable) && firstAvailable.length > 0 ? { firstAvailable } : { exactly }),
  };
}
