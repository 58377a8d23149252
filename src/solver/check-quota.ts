import {
  type Assignment,
  arrayAt,
  type Demand,
  integerAt,
  type JsonObject,
  objectAt,
  type PodSetDemand,
  type QuotaScope,
  type Step,
  stringAt,
} from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Chosen } from "./check-limits.ts";
import { isOwn } from "./checker.ts";
import type { SolveContext } from "./context.ts";

/** What one pod with its claims counts: `pods`, `claims`, `requests.NAME`, `limits.NAME`, devices by `class NAME` and of the scheduler's own claims by `made NAME`. */
type Bill = Record<string, number>;

const CLASS = ".deviceclass.resource.k8s.io/devices";
const CLAIMS = "count/resourceclaims.resource.k8s.io";
const IMPLICIT = "deviceclass.resource.kubernetes.io/";

/**
 * Do the namespace's ResourceQuotas let in the pods of an assignment and their claims, beside what is used and promised: pod by pod, as the API
 * server counts them. Each violation is one sentence.
 */
export function checkQuota(
  topology: Topology,
  demand: Demand,
  chosen: readonly Chosen[],
  assignment: Assignment,
  context: SolveContext,
): readonly string[] {
  const namespace = demand.workload.namespace || "default";
  const { quotas = [] } = topology.facts.namespace(namespace) ?? {};
  if (quotas.length === 0) return [];
  const faults: string[] = [];
  const sets = chosen.map(({ set, step }) => ({ set, bills: billsOf(set, step, topology, assignment) }));
  const own = {
    pods: topology.lookups?.podsOfRoot(demand.workload) ?? topology.pods.filter(({ root }) => isOwn(root, demand)),
    claims:
      topology.lookups?.claimsOfRoot(demand.workload) ??
      topology.claims.filter(({ root }) => root !== undefined && isOwn(root, demand)),
  };
  const others = promised(namespace, demand, context);
  for (const quota of quotas) {
    const counted = sets.filter(({ set }) => quota.scopes.every((scope) => covers(scope, set)));
    for (const [key, hard] of Object.entries(quota.hard)) {
      if ((key === CLAIMS || key.endsWith(CLASS)) && quota.scopes.length > 0) continue;
      for (const { set, bills } of counted) {
        const silent = set.pod.charges?.unset[/^(?:cpu|memory)$/.test(key) ? `requests.${key}` : key] ?? [];
        if (bills.length > 0 && silent.length > 0)
          faults.push(`quota ${quota.name} counts ${key}, which ${set.name} leaves open`);
      }
      const count = (bills: readonly Bill[]) => bills.reduce((sum, bill) => sum + amountOf(topology, bill, key), 0);
      const asked = count(counted.flatMap(({ bills }) => bills));
      const standing = Math.max(0, (quota.used[key] ?? 0) - count(ownBills(topology, own, counted)));
      const soon = quota.scopes.length > 0 ? 0 : count(others);
      if (asked > 0 && standing + soon + asked > hard)
        faults.push(`quota ${quota.name} allows ${hard} ${key}: ${standing + soon} are used, and ${asked} are placed`);
    }
  }
  return faults;
}

type Amounts = Readonly<Record<string, number>>;

function named(prefix: string, amounts: Amounts): Bill {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [`${prefix} ${name}`, amount]));
}

/** One for each pod that is placed, and no more than must hold. */
function billsOf(set: PodSetDemand, step: Step, topology: Topology, { placed }: Assignment): readonly Bill[] {
  const requests: Bill = named("requests", set.pod.requests);
  for (const [name, amount] of Object.entries(step.addedRequests))
    requests[`requests ${name}`] = (requests[`requests ${name}`] ?? 0) + amount;
  const devices: Bill = {};
  const claims = new Set<string>();
  for (const request of [...set.pod.devices, ...step.addedDevices]) {
    if (request.sharedClaim !== undefined || (request.count === 0 && request.firstAvailable === undefined)) continue;
    claims.add(request.claim);
    worst(devices, request.firstAvailable ?? [request]);
  }
  const one = { pods: 1, claims: claims.size, ...requests, ...named("limits", set.pod.charges?.limits ?? {}) };
  const pods = placed.flatMap(({ podSet, pods: count, serves }) =>
    podSet !== set.name ? [] : Array.from({ length: count }, (_, pod) => serves?.[pod] ?? []),
  );
  return pods.slice(0, set.required).map((labels): Bill => {
    const made: Bill = {};
    for (const label of labels) {
      const resource = /^the extended resources\/(.*)$/.exec(label)?.[1];
      const name = resource === undefined ? undefined : topology.facts.deviceClassOf?.(resource)?.name;
      if (name !== undefined) made[`made ${name}`] = (made[`made ${name}`] ?? 0) + 1;
    }
    return { ...one, ...devices, ...made, claims: claims.size + (Object.keys(made).length > 0 ? 1 : 0) };
  });
}

/** Of alternatives, for each class the most devices of it; all that there are count as 32. */
function worst(
  sums: Bill,
  ways: readonly { readonly deviceClassName: string; readonly count: number | "all" }[],
): void {
  for (const name of new Set(ways.map(({ deviceClassName }) => deviceClassName))) {
    const counts = ways.map((way) => (way.deviceClassName !== name ? 0 : way.count === "all" ? 32 : way.count));
    sums[`class ${name}`] = (sums[`class ${name}`] ?? 0) + Math.max(...counts);
  }
}

/** What the workload's own pods and claims are counted with already; their limits are not kept, and those of its sets stand for them. */
function ownBills(
  topology: Topology,
  own: Pick<Topology, "pods" | "claims">,
  counted: readonly { readonly bills: readonly Bill[] }[],
): readonly Bill[] {
  const limits: Bill = {};
  for (const { bills } of counted)
    for (const [name, amount] of Object.entries(bills[0] ?? {}))
      if (name.startsWith("limits ")) limits[name] = Math.max(limits[name] ?? 0, amount);
  const pods = own.pods.map(({ requests }): Bill => ({ pods: 1, ...named("requests", requests), ...limits }));
  const claims = own.claims.map(({ namespace, name, extended }): Bill => {
    const sums: Bill = {};
    for (const request of arrayAt(topology.facts.claim(namespace, name), ["requests"])) {
      const alternatives = arrayAt(request, ["firstAvailable"]);
      worst(sums, (alternatives.length > 0 ? alternatives : [objectAt(request, ["exactly"])]).map(wayOf));
    }
    const kept = Object.entries(sums).map(([key, amount]) => [extended ? key.replace("class", "made") : key, amount]);
    return { claims: 1, ...Object.fromEntries(kept) };
  });
  return [...pods, ...claims];
}

function wayOf(request: unknown): { readonly deviceClassName: string; readonly count: number | "all" } {
  const one = request as JsonObject;
  const all = stringAt(one, ["allocationMode"]) === "All";
  return {
    deviceClassName: stringAt(one, ["deviceClassName"]) ?? "",
    count: all ? "all" : (integerAt(one, ["count"]) ?? 1),
  };
}

function promised(namespace: string, demand: Demand, { holds }: SolveContext): readonly Bill[] {
  return holds
    .filter(({ workload }) => (workload.namespace || "default") === namespace && !isOwn(workload, demand))
    .flatMap(({ placed }) => placed)
    .flatMap(({ pods, requests, charged }) =>
      Array.from(
        { length: pods },
        (): Bill => ({
          pods: 1,
          ...named("requests", requests),
          ...named("class", charged),
        }),
      ),
    );
}

function amountOf({ facts }: Topology, bill: Bill, key: string): number {
  if (key === "pods" || key === "count/pods") return bill["pods"] ?? 0;
  if (key === CLAIMS) return bill["claims"] ?? 0;
  if (key.endsWith(CLASS)) {
    const name = key.slice(0, -CLASS.length);
    return (bill[`class ${name}`] ?? 0) + (bill[`made ${name}`] ?? 0);
  }
  if (key.startsWith("limits.")) return bill[`limits ${key.slice(7)}`] ?? 0;
  const own = /^(?:requests\.(?<asked>.*)|(?<plain>cpu|memory|ephemeral-storage|hugepages-.*))$/.exec(key)?.groups;
  const resource = own?.["asked"] ?? own?.["plain"];
  if (resource === undefined) return 0;
  const served = resource.startsWith(IMPLICIT)
    ? facts.deviceClass(resource.slice(IMPLICIT.length))
    : facts.deviceClassOf?.(resource);
  const counts = served?.extendedResourceName !== undefined;
  return (bill[`requests ${resource}`] ?? 0) + (counts ? (bill[`class ${served.name}`] ?? 0) : 0);
}

function covers({ scope, operator, values }: QuotaScope, { pod: { charges } }: PodSetDemand): boolean {
  const name = charges?.priorityClass;
  const inList = name !== undefined && values.includes(name);
  const byOperator = { In: inList, NotIn: !inList, Exists: name !== undefined, DoesNotExist: name === undefined };
  const held: Readonly<Record<string, boolean>> = {
    Terminating: charges?.terminating === true,
    NotTerminating: charges?.terminating !== true,
    BestEffort: charges?.bestEffort === true,
    NotBestEffort: charges?.bestEffort !== true,
    CrossNamespacePodAffinity: charges?.crossNamespace === true,
    PriorityClass: byOperator[operator],
  };
  return held[scope] === true;
}
