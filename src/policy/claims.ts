import {
  arrayAt,
  type ClusterFacts,
  type DeviceRequest,
  integerAt,
  isObject,
  type Json,
  type JsonObject,
  readToleration,
  stringAt,
  valueAt,
} from "../model/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";

/** The device requests of a pod's own claims, and what about them cannot be judged here. */
export interface ClaimedDevices {
  readonly devices: readonly DeviceRequest[];
  readonly unknowns: readonly string[];
}

/** Follows the pod's resourceClaims to their templates and claims (resource.k8s.io, v1 and v1beta1 shapes). */
export function devicesOf(workload: Workload, set: PodSet, facts: ClusterFacts): ClaimedDevices {
  const devices: DeviceRequest[] = [];
  const unknowns: string[] = [];
  const namespace = workload.key.namespace || "default";
  for (const entry of arrayAt(set.pod.spec, ["resourceClaims"])) {
    const claim = stringAt(entry, ["name"]) ?? "";
    const template = stringAt(entry, ["resourceClaimTemplateName"]);
    const shared = stringAt(entry, ["resourceClaimName"]);
    if (template === undefined && shared === undefined) {
      unknowns.push(`resource claim ${claim} names neither a claim nor a template`);
      continue;
    }
    const what = template === undefined ? `ResourceClaim ${shared}` : `ResourceClaimTemplate ${template}`;
    const spec =
      template === undefined ? facts.claim(namespace, shared ?? "") : facts.claimTemplate(namespace, template);
    if (spec === undefined) unknowns.push(`${what} of namespace ${namespace} is not in the input`);
    else if (template === undefined && set.count > 1)
      unknowns.push(`${what} is shared by ${set.count} pods of ${set.name}, which is not judged yet`);
    else readSpec(claim, what, spec, facts, devices, unknowns);
  }
  return { devices, unknowns };
}

function readSpec(
  claim: string,
  what: string,
  spec: JsonObject,
  facts: ClusterFacts,
  devices: DeviceRequest[],
  unknowns: string[],
): void {
  const constraints = arrayAt(spec, ["constraints"]);
  const names: string[] = [];
  const read: DeviceRequest[] = [];
  for (const request of arrayAt(spec, ["requests"])) {
    const name = stringAt(request, ["name"]) ?? "";
    if (arrayAt(request, ["firstAvailable"]).length > 0) {
      unknowns.push(`${what} offers alternatives (firstAvailable) in request ${name}, which are not judged yet`);
      continue;
    }
    const one = readRequest(claim, what, name, valueAt(request, ["exactly"]) ?? request, facts, unknowns);
    if (one === undefined) continue;
    names.push(name);
    read.push(one);
  }
  if (constraints.some((one) => stringAt(one, ["distinctAttribute"]) !== undefined)) {
    unknowns.push(`${what} demands devices that differ in an attribute (distinctAttribute), which is not judged yet`);
  }
  const matches = constraints.flatMap((one) => {
    const attribute = stringAt(one, ["matchAttribute"]);
    const requests = arrayAt(one, ["requests"]).filter((name) => typeof name === "string");
    return attribute === undefined ? [] : [{ attribute, requests: requests.length > 0 ? requests : names }];
  });
  // Each constraint stands with every request that it binds.
  devices.push(
    ...read.map((one) => ({ ...one, matchAttributes: matches.filter(({ requests }) => requests.includes(one.name)) })),
  );
}

function readRequest(
  claim: string,
  what: string,
  name: string,
  body: Json,
  facts: ClusterFacts,
  unknowns: string[],
): DeviceRequest | undefined {
  const deviceClassName = stringAt(body, ["deviceClassName"]) ?? "";
  const deviceClass = facts.deviceClass(deviceClassName);
  if (deviceClass === undefined)
    unknowns.push(`DeviceClass ${deviceClassName || "(none)"}, which ${what} asks for, is not in the input`);
  const selectors = arrayAt(body, ["selectors"]).map((one) => stringAt(one, ["cel", "expression"]));
  if (selectors.some((one) => one === undefined)) {
    unknowns.push(`${what} selects devices in request ${name} by something other than CEL`);
    return undefined;
  }
  if (isObject(valueAt(body, ["capacity"])))
    unknowns.push(`${what} asks for a part of a device's capacity in request ${name}, which is not judged yet`);
  const all = stringAt(body, ["allocationMode"]) === "All";
  return {
    name,
    claim,
    deviceClassName,
    selectors: [...(deviceClass?.selectors ?? []), ...selectors.filter((one) => one !== undefined)],
    count: all ? "all" : (integerAt(body, ["count"]) ?? 1),
    tolerations: arrayAt(body, ["tolerations"]).flatMap((one) => readToleration(one) ?? []),
    matchAttributes: [],
  };
}
