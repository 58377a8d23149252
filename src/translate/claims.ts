import {
  arrayAt,
  type DeviceConstraint,
  type DeviceRequest,
  digest,
  type Json,
  type JsonObject,
  type Path,
  stringAt,
} from "../model/index.ts";
import { alignedBy } from "../policy/index.ts";
import { containerPath, fieldPath, type PodField } from "../workloads/index.ts";
import { sharedMetadata } from "./companion.ts";
import { cannotExpress, edits, join, NOTHING, type Part, type SetContext, says, valueKept } from "./context.ts";
import { hiddenItems } from "./hidden.ts";

const RESOURCE_API = "resource.k8s.io/v1";

/** A claim for the devices of the rung, from a template that is named by its content. */
export function claims(context: SetContext): Part {
  const { step, workload, set, platform, facts } = context;
  const requests = step?.addedDevices ?? [];
  if (requests.length === 0) return NOTHING;
  const nics = requests.reduce((sum, one) => sum + (isNic(context, one) ? Number(one.count) : 0), 0);
  const beside = nics === 0 ? "" : ` and ${nics} x ${platform.network?.deviceClassName ?? ""}`;
  const what = `a claim for ${step?.devicesPerPod ?? 0} x ${step?.rung.accelerator ?? "device"}${beside}`;
  const container = deviceContainer(context, "containerClaims");
  const path = fieldPath(set, "resourceClaims");
  if (path === undefined || container === undefined) {
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for resource claims in this pod set`,
        "Ask for an extended resource, or use a kind that has one.",
      ),
    );
  }
  const { name: containerName } = container;
  const groups = claimGroups(requests);
  const uses = groups.map((group) => ({ name: claimName(group) }));
  const used: Part =
    container.path === undefined
      ? edits({
          slot: "container",
          key: "",
          value: { name: containerName, resources: { claims: uses } },
          text: `container ${containerName} uses ${uses.map((one) => one.name).join(", ")}`,
        })
      : edits(
          ...uses.map((value) => ({
            slot: "containerClaim" as const,
            key: containerName,
            value,
            text: `container ${containerName} uses claim ${value.name}`,
          })),
        );
  const asked = join(
    ...groups.map((group, index) => {
      const name = claimName(group);
      const taken = arrayAt(set.pod.spec, ["resourceClaims"]).find((one) => stringAt(one, ["name"]) === name);
      if (taken !== undefined) return says(valueKept(context, [...path, name], taken, what));
      const spec = { devices: claimSpec(context, group) };
      const template = `plimsoll-${digest(["ResourceClaimTemplate", spec], 10)}`;
      const known = facts.claimTemplate(workload.key.namespace, template) !== undefined;
      if (!platform.companions.resourceClaimTemplates && !known) {
        return says(
          cannotExpress(
            context,
            what,
            `nobody on this platform creates the ResourceClaimTemplate ${template} that it needs`,
            "Set companions.resourceClaimTemplates in the platform file where the controller runs, or create it first (plimsoll expand prints it).",
          ),
        );
      }
      const companion = {
        apiVersion: RESOURCE_API,
        kind: "ResourceClaimTemplate",
        metadata: sharedMetadata(workload, template),
        spec: { spec },
      };
      const filler = index === 0 ? hiddenItems(context, "resourceClaims", path) : [];
      return {
        edits: [
          ...filler.map((value: Json) => ({
            slot: "claim" as const,
            key: "",
            value,
            text: "resource claim (inherited)",
          })),
          {
            slot: "claim" as const,
            key: "",
            value: { name, resourceClaimTemplateName: template },
            text: `resource claim ${name} from ${template}`,
          },
        ],
        companions: [companion],
        diagnostics: [],
      };
    }),
  );
  return asked.companions.length < groups.length ? says(...asked.diagnostics) : join(asked, used);
}

/**
 * The container that gets the devices: the pod's first. `path` is undefined where only the operator has it, and merges
 * what the template says into it; the answer is undefined where neither is so.
 */
export function deviceContainer(
  context: SetContext,
  field: PodField,
): { readonly name: string; readonly path: Path | undefined } | undefined {
  const { set, workload } = context;
  const name = stringAt(arrayAt(set.pod.spec, ["containers"])[0], ["name"]);
  const list = fieldPath(set, field);
  if (name === undefined || set.entry.fields[field] === null) return undefined;
  const path = containerPath(workload.object, set, name);
  if (path !== undefined) return { name, path };
  return set.entry.creatable === true && list !== undefined && arrayAt(workload.object, list).length === 0
    ? { name, path: undefined }
    : undefined;
}

const claimName = (group: readonly DeviceRequest[]): string => group[0]?.claim ?? "devices";

/** Requests by claim. */
function claimGroups(requests: readonly DeviceRequest[]): readonly (readonly DeviceRequest[])[] {
  const groups = new Map<string, DeviceRequest[]>();
  for (const request of requests) groups.set(request.claim, [...(groups.get(request.claim) ?? []), request]);
  return [...groups.values()];
}

const isNic = ({ platform }: SetContext, { deviceClassName }: DeviceRequest): boolean =>
  deviceClassName === platform.network?.deviceClassName;

function claimSpec(context: SetContext, group: readonly DeviceRequest[]): JsonObject {
  const { entry, facts, platform } = context;
  const classSelectors = (request: DeviceRequest) => facts.deviceClass(request.deviceClassName)?.selectors ?? [];
  const isIdle = (one: DeviceConstraint): boolean =>
    entry.alignedAnyhow?.includes(alignedBy(one, group, platform.network)) === true;
  const exactly = (request: DeviceRequest): JsonObject => {
    const known = new Set(classSelectors(request));
    const selectors = request.selectors.filter((one) => !known.has(one));
    return {
      deviceClassName: request.deviceClassName,
      ...(request.count === "all" ? { allocationMode: "All" } : { allocationMode: "ExactCount", count: request.count }),
      ...(selectors.length === 0 ? {} : { selectors: selectors.map((expression) => ({ cel: { expression } })) }),
      ...(request.tolerations.length === 0 ? {} : { tolerations: request.tolerations as unknown as Json }),
    };
  };
  const requests = group.map((request): JsonObject => {
    const { name, firstAvailable, matchAttributes } = request;
    // What tells alternatives apart are constraints on one of them.
    const told = matchAttributes.some((one) => !isIdle(one) && !one.requests.includes(name));
    return firstAvailable === undefined || !told
      ? { name, exactly: exactly(request) }
      : { name, firstAvailable: firstAvailable.map((one) => ({ name: one.name, ...exactly(one) })) };
  });
  // Each constraint stands with every request that it binds.
  const constraints = new Map<string, JsonObject>();
  for (const { matchAttributes } of group)
    for (const one of matchAttributes) {
      if (isIdle(one)) continue;
      const written = { requests: one.requests, matchAttribute: one.attribute };
      constraints.set(JSON.stringify(written), written);
    }
  return { requests, ...(constraints.size === 0 ? {} : { constraints: [...constraints.values()] }) };
}
