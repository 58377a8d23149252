import { arrayAt, integerAt, isObject, type Json, type JsonObject, stringAt, valueAt } from "../../model/index.ts";
import { asksForDevice, knownResources } from "../devices.ts";
import { at } from "./read.ts";
import type { RuleContext } from "./types.ts";

/** Accelerators of one pod by extended resource name, sorted by name. */
export function acceleratorsOf({
  set,
  catalogue,
}: Pick<RuleContext, "set" | "catalogue">): readonly { readonly name: string; readonly count: number }[] {
  return Object.entries(asksForDevice(set, knownResources(catalogue)).resources)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Resources outside the kubernetes.io domain: devices, of which a request must equal its limit. */
export const isExtendedResource = (name: string): boolean =>
  name.includes("/") && !/^([a-z0-9.-]+\.)?kubernetes\.io\//.test(name) && !name.startsWith("requests.");

/** One entry of the pod's resourceClaims, with the devices that its claim or template asks for. */
export interface Claim {
  readonly name: string;
  readonly path: readonly (string | number)[];
  /** `template gpu-x` or `claim gpu-x`. */
  readonly source: string;
  /** Undefined: the claim or template was not read. */
  readonly requests: readonly DeviceAsk[] | undefined;
}

interface DeviceAsk {
  readonly name: string;
  readonly deviceClassName: string;
  /** Undefined: all that match. */
  readonly count: number | undefined;
  readonly adminAccess: boolean;
}

export function claimsOf({ workload, set, facts }: RuleContext): readonly Claim[] {
  return arrayAt(set.pod.spec, ["resourceClaims"]).flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const { namespace } = workload.key;
    const template = stringAt(entry, ["resourceClaimTemplateName"]);
    const direct = stringAt(entry, ["resourceClaimName"]);
    const devices =
      template !== undefined
        ? facts.claimTemplate(namespace, template)
        : direct !== undefined
          ? facts.claim(namespace, direct)
          : undefined;
    return [
      {
        name: stringAt(entry, ["name"]) ?? String(index),
        path: at(set, "resourceClaims", index),
        source: template === undefined ? `claim ${direct ?? "without name"}` : `claim template ${template}`,
        requests: devices === undefined ? undefined : asksOf(devices),
      },
    ];
  });
}

/** The first alternative stands for a firstAvailable request. */
function asksOf(devices: JsonObject): readonly DeviceAsk[] {
  return arrayAt(devices, ["requests"]).flatMap((request) => {
    const body: Json | undefined = valueAt(request, ["exactly"]) ?? arrayAt(request, ["firstAvailable"])[0] ?? request;
    if (!isObject(body)) return [];
    return [
      {
        name: stringAt(request, ["name"]) ?? "",
        deviceClassName: stringAt(body, ["deviceClassName"]) ?? "",
        count: stringAt(body, ["allocationMode"]) === "All" ? undefined : (integerAt(body, ["count"]) ?? 1),
        adminAccess: valueAt(body, ["adminAccess"]) === true,
      },
    ];
  });
}

/** Is it the device class of an accelerator of the catalogue (and not, say, of a network card). */
export const isAcceleratorDevice = ({ catalogue }: RuleContext, deviceClassName: string): boolean =>
  [...catalogue.accelerators.values()].some((accelerator) => accelerator.device?.deviceClassName === deviceClassName);

/** Why a rule about the content of claims cannot be decided. */
export function unreadClaims(context: RuleContext): string | undefined {
  const unread = claimsOf(context).find((claim) => claim.requests === undefined);
  return unread === undefined
    ? undefined
    : `${unread.source} of namespace ${context.workload.key.namespace || "default"} was not read`;
}
