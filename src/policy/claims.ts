import {
  arrayAt,
  type ClusterFacts,
  type DeviceConstraint,
  type DeviceRequest,
  integerAt,
  type Json,
  type JsonObject,
  type NodeSelection,
  objectAt,
  readToleration,
  stringAt,
  valueAt,
} from "../model/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";

/** The device requests of a pod's own claims, and what about them cannot be judged here. */
export interface ClaimedDevices {
  readonly devices: readonly DeviceRequest[];
  readonly unknowns: readonly string[];
  /** Where claims that are allocated already bind the pod. */
  readonly nodes: readonly NodeSelection[];
}

/** resource/v1 ResourceClaimReservedForMaxSize. */
const MAX_USERS = 256;

/** Follows the pod's resourceClaims to their templates and claims (resource.k8s.io, v1 and v1beta1 shapes). */
export function devicesOf(workload: Workload, set: PodSet, facts: ClusterFacts): ClaimedDevices {
  const devices: DeviceRequest[] = [];
  const unknowns: string[] = [];
  const nodes: NodeSelection[] = [];
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
    else if (template === undefined) {
      const id = `${namespace}/${shared}`;
      const state = facts.claimState?.(namespace, shared ?? "");
      if (state?.allocated === true && set.count > MAX_USERS)
        unknowns.push(`${what} is for ${set.count} pods of ${set.name}, and at most ${MAX_USERS} can use one claim`);
      if (state?.allocated === true) {
        if (state.nodes !== undefined) nodes.push(state.nodes);
        continue;
      }
      const own: DeviceRequest[] = [];
      readSpec(claim, what, spec, facts, own, unknowns);
      devices.push(...own.map((one) => ({ ...one, sharedClaim: id })));
    } else readSpec(claim, what, spec, facts, devices, unknowns);
  }
  return { devices, unknowns, nodes };
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
  const read: DeviceRequest[] = [];
  for (const request of arrayAt(spec, ["requests"])) {
    const name = stringAt(request, ["name"]) ?? "";
    const alternatives = arrayAt(request, ["firstAvailable"]);
    if (alternatives.length > 0) {
      const options = alternatives.map((option) =>
        readRequest(claim, what, stringAt(option, ["name"]) ?? "", option, facts, unknowns),
      );
      const firstAvailable = options.filter((option) => option !== undefined);
      const [first] = firstAvailable;
      // One that cannot be read may be the one that fits.
      if (first === undefined || firstAvailable.length < options.length) continue;
      read.push({ ...first, name, firstAvailable });
      continue;
    }
    const one = readRequest(claim, what, name, valueAt(request, ["exactly"]) ?? request, facts, unknowns);
    if (one === undefined) continue;
    read.push(one);
  }
  const names = read.map((one) => one.name);
  const bindings = (key: "matchAttribute" | "distinctAttribute"): readonly DeviceConstraint[] =>
    constraints.flatMap((one) => {
      const attribute = stringAt(one, [key]);
      const requests = arrayAt(one, ["requests"]).filter((name) => typeof name === "string");
      return attribute === undefined ? [] : [{ attribute, requests: requests.length > 0 ? requests : names }];
    });
  const [matches, differences] = [bindings("matchAttribute"), bindings("distinctAttribute")];
  // Each constraint stands with every request that it binds, in whole or in one alternative.
  const binds = (name: string) => (constraint: DeviceConstraint) =>
    constraint.requests.some((one) => one === name || one.startsWith(`${name}/`));
  devices.push(
    ...read.map((one) => {
      const distinctAttributes = differences.filter(binds(one.name));
      return {
        ...one,
        matchAttributes: matches.filter(binds(one.name)),
        ...(distinctAttributes.length > 0 ? { distinctAttributes } : {}),
      };
    }),
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
  const amounts: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(objectAt(body, ["capacity", "requests"]))) amounts[key] = String(value);
  const all = stringAt(body, ["allocationMode"]) === "All";
  return {
    name,
    claim,
    deviceClassName,
    selectors: [...(deviceClass?.selectors ?? []), ...selectors.filter((one) => one !== undefined)],
    count: all ? "all" : (integerAt(body, ["count"]) ?? 1),
    tolerations: arrayAt(body, ["tolerations"]).flatMap((one) => readToleration(one) ?? []),
    matchAttributes: [],
    ...(Object.keys(amounts).length > 0 ? { capacity: amounts } : {}),
    ...(valueAt(body, ["adminAccess"]) === true ? { adminAccess: true } : {}),
  };
}
