import {
  type Assignment,
  arrayAt,
  type ClusterFacts,
  type DeviceRequest,
  integerAt,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
} from "../model/index.ts";
import { EXTENDED, type Shape } from "./shape.ts";

/** Devices of each class that a pod's own claims are charged with, as k8s.io/kubernetes/pkg/quota/v1/evaluator/core counts them. */
export type Charged = Readonly<Record<string, number>>;

/** `All` is charged as many devices as a claim may have (resource/v1 AllocationResultsMaxSize). */
const ALL_DEVICES = 32;

type Amount = Pick<DeviceRequest, "deviceClassName" | "count">;
type Asked = Amount & { readonly firstAvailable?: readonly Amount[]; readonly sharedClaim?: string };

/** The worst case, class by class: of alternatives each class's largest. Claims that are there already are charged to whoever made them. */
export function chargedDevices(devices: readonly Asked[]): Charged {
  const result: Record<string, number> = Object.create(null);
  for (const { firstAvailable, sharedClaim, ...one } of devices) {
    if (sharedClaim !== undefined) continue;
    const worst = new Map<string, number>();
    for (const { deviceClassName, count } of firstAvailable ?? [one])
      worst.set(
        deviceClassName,
        Math.max(worst.get(deviceClassName) ?? 0, count === "all" ? ALL_DEVICES : Math.max(0, count)),
      );
    for (const [name, count] of worst) result[name] = (result[name] ?? 0) + count;
  }
  return result;
}

/** The same of a claim's spec.devices. */
export function chargedClaim(devices: JsonObject | undefined): Charged {
  return chargedDevices(
    arrayAt(devices, ["requests"]).map((request) => {
      const alternatives = arrayAt(request, ["firstAvailable"]).map(amountOf);
      const own = amountOf(objectAt(request, ["exactly"]));
      return alternatives.length === 0 ? own : { ...own, firstAvailable: alternatives };
    }),
  );
}

function amountOf(request: Json): Amount {
  const all = stringAt(request, ["allocationMode"]) === "All";
  return {
    deviceClassName: stringAt(request, ["deviceClassName"]) ?? "",
    count: all ? "all" : (integerAt(request, ["count"]) ?? 1),
  };
}

/** What one pod is charged, or one claim. */
export interface PodCharge {
  readonly pods: 0 | 1;
  readonly requests: Readonly<Record<string, number>>;
  readonly limits: Readonly<Record<string, number>>;
  readonly charged: Charged;
  /** Devices in the claims that the scheduler makes for extended resources. */
  readonly delegated: Charged;
  readonly claims: number;
}

/** `assignment` tells which pods have their extended resources from claims, which the scheduler then makes. */
export function chargeOf(shape: Shape, assignment: Assignment | undefined): PodCharge {
  const charged = chargedDevices(shape.devices);
  const own = shape.devices.filter(({ sharedClaim }) => sharedClaim === undefined).map(({ claim }) => claim);
  const served = (assignment?.placed ?? []).some(
    ({ podSet, serves }) =>
      podSet === shape.name && (serves ?? []).some((pod) => pod.some((one) => one.startsWith(`${EXTENDED}/`))),
  );
  const delegated = served ? chargedDevices(shape.extended.map(({ request }) => request)) : {};
  const claims = new Set(own).size + (served ? 1 : 0);
  const requests = Object.fromEntries(shape.needs.map(({ resource, amount }) => [resource, amount]));
  return { pods: 1, requests, limits: shape.set.pod.charges?.limits ?? {}, charged, delegated, claims };
}

const CLASS_QUOTA = ".deviceclass.resource.k8s.io/devices";
const IMPLICIT = "deviceclass.resource.kubernetes.io/";
const CLAIMS = "count/resourceclaims.resource.k8s.io";
const NATIVE: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);

/** Reads one quota key off what pods, or their claims, are charged. */
export interface QuotaKey {
  /** The resource in whose units the amounts are told. */
  readonly resource: string;
  /** Charged for claims alone, which scoped quotas do not count. */
  readonly claims: boolean;
  of(charge: PodCharge): number;
}

/** Undefined for keys that other objects are charged to. */
export function quotaKey(key: string, facts: ClusterFacts): QuotaKey | undefined {
  if (key === "pods" || key === "count/pods") return { resource: "pods", claims: false, of: ({ pods }) => pods };
  if (key === CLAIMS) return { resource: key, claims: true, of: ({ claims }) => claims };
  if (key.endsWith(CLASS_QUOTA)) {
    const name = key.slice(0, -CLASS_QUOTA.length);
    return {
      resource: key,
      claims: true,
      of: ({ charged, delegated }) => (charged[name] ?? 0) + (delegated[name] ?? 0),
    };
  }
  if (key.startsWith("limits.")) {
    const resource = key.slice("limits.".length);
    return { resource, claims: false, of: ({ limits }) => limits[resource] ?? 0 };
  }
  const asked = key.startsWith("requests.");
  const resource = asked ? key.slice("requests.".length) : key;
  if (!asked && !NATIVE.has(resource) && !resource.startsWith("hugepages-")) return undefined;
  // Claims of a class that serves the resource count like requests for it; the scheduler's own claims are the requests.
  const served = resource.startsWith(IMPLICIT)
    ? facts.deviceClass(resource.slice(IMPLICIT.length))
    : facts.deviceClassOf?.(resource);
  const name = served?.extendedResourceName === undefined ? undefined : served.name;
  return {
    resource,
    claims: false,
    of: ({ requests, charged }) => (requests[resource] ?? 0) + (name === undefined ? 0 : (charged[name] ?? 0)),
  };
}
