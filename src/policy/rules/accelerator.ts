import {
  type AcceleratorClass,
  allows,
  arrayAt,
  compareQuantities,
  objectAt,
  parseQuantity,
  podSelection,
  podTolerations,
  type Requirements,
  requirementText,
} from "../../model/index.ts";
import { acceleratorsOf, claimsOf, isAcceleratorDevice, isExtendedResource, unreadClaims } from "./devices.ts";
import { at, autoscalerText, containersOf, isOurs, namesKey, oneOf, setText } from "./read.ts";
import type { Rule, RuleContext } from "./types.ts";

/** resource.k8s.io AllocationResultsMaxSize: devices that one claim may hold. */
const MAX_DEVICES_PER_CLAIM = 32;

export const acceleratorRules: readonly Rule[] = [
  {
    id: "AC01",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "asks for more or fewer devices a pod than the class allows",
    remedy: "Ask for a number within the class's accelerator.perPod, or leave it out and take the default.",
    link: "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
    undecidable: (context) => (context.intent.contract.accelerator.kind === "any" ? undefined : unreadClaims(context)),
    *check(context) {
      const { workload, set, intent } = context;
      const need = intent.contract.accelerator;
      if (need.kind === "any") return;
      const plugin = acceleratorsOf(context).map(({ name, count }) => ({
        count,
        text: name,
        path: at(set, "containers"),
      }));
      const claimed = claimsOf(context).flatMap(({ path, source, requests = [] }) =>
        requests
          .filter(
            (ask) => isAcceleratorDevice(context, ask.deviceClassName) && !ask.adminAccess && ask.count !== undefined,
          )
          .map((ask) => ({ count: ask.count ?? 0, text: `${ask.deviceClassName} (${source})`, path })),
      );
      const asked = [...plugin, ...claimed];
      const count = asked.reduce((sum, one) => sum + one.count, 0);
      const [first] = asked;
      if (first === undefined || count === 0) return;
      const names = asked.map((one) => one.text).join(", ");
      if (need.kind === "none") {
        yield {
          message: `Each pod of ${setText(workload, set)} asks for ${count} ${names}, but class ${intent.className} gives role ${set.role} no accelerator.`,
          hint: "Remove the request, or choose a class with accelerators.",
          path: first.path,
        };
      } else if (count < need.perPod.min || count > need.perPod.max) {
        const { min, max } = need.perPod;
        yield {
          message: `Each pod of ${setText(workload, set)} asks for ${count} ${names}, but class ${intent.className} allows ${min === max ? `exactly ${min}` : `${min} to ${max}`} a pod.`,
          path: first.path,
        };
      }
    },
  },
  {
    id: "AC03",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "selects nodes that carry none of the class's accelerators",
    remedy:
      "Remove the selector (the class selects its accelerators), or narrow accelerator.classes in plimsoll.dev/intent.",
    link: "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/#manage-clusters-with-different-types-of-gpus",
    *check({ workload, set, intent, catalogue }) {
      const need = intent.contract.accelerator;
      if (need.kind !== "classes") return;
      const candidates = need.classes.flatMap((name) => catalogue.accelerators.get(name) ?? []);
      const { selection } = podSelection(set.pod.spec);
      const conflicts = candidates.map((accelerator) => selection.map((term) => conflict(term, accelerator)));
      if (selection.length === 0 || candidates.length === 0) return;
      if (!conflicts.every((terms) => terms.every((text) => text !== undefined))) return;
      const texts = [...new Set(conflicts.flat().filter((text) => text !== undefined))];
      yield {
        message: `${setText(workload, set)} selects ${texts.join(" and ")}, but class ${intent.className} runs on ${oneOf(need.classes)}, and no such node carries ${need.classes.length === 1 ? "it" : "one of them"}.`,
        path: at(set, Object.keys(objectAt(set.pod.spec, ["nodeSelector"])).length > 0 ? "nodeSelector" : "affinity"),
      };
    },
  },
  {
    id: "AC05",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "requests a device count that differs from its limit",
    remedy: "Write the count as a limit only; the request follows it.",
    link: "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources",
    *check({ set }) {
      for (const { name, path, spec } of containersOf(set, ["containers", "initContainers"])) {
        const requests = objectAt(spec, ["resources", "requests"]);
        const limits = objectAt(spec, ["resources", "limits"]);
        for (const resource of Object.keys(requests).sort()) {
          if (!isExtendedResource(resource)) continue;
          const [request, limit] = [
            amount(requests[resource]),
            Object.hasOwn(limits, resource) ? amount(limits[resource]) : undefined,
          ];
          if (request === undefined || (limit !== undefined && compareQuantities(request, limit) === 0)) continue;
          yield {
            message: `Container ${name} requests ${String(requests[resource])} ${resource} with ${limit === undefined ? "no limit" : `a limit of ${String(limits[resource])}`}; for devices the two must be equal.`,
            path: [...path, "resources", "requests", resource],
          };
        }
      }
    },
  },
  {
    id: "AC06",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "asks for more devices in one claim than a claim can hold",
    remedy: "Split the claim: one for each group of devices that must be aligned.",
    link: "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
    undecidable: unreadClaims,
    *check(context) {
      for (const { name, path, source, requests = [] } of claimsOf(context)) {
        const count = requests.reduce((sum, ask) => sum + (ask.count ?? 1), 0);
        if (count <= MAX_DEVICES_PER_CLAIM) continue;
        yield {
          message: `Claim ${name} of ${setText(context.workload, context.set)} (${source}) asks for ${count} devices, but one claim holds ${MAX_DEVICES_PER_CLAIM} at most: it can never be allocated.`,
          path,
        };
      }
    },
  },
  {
    id: "AC07",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "claims devices with admin access, which are others' devices",
    remedy: "Remove adminAccess: it is for monitoring, not for workloads.",
    link: "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access",
    undecidable: unreadClaims,
    *check(context) {
      for (const { name, path, source, requests = [] } of claimsOf(context)) {
        const admin = requests.filter((ask) => ask.adminAccess);
        if (admin.length === 0) continue;
        yield {
          message: `Claim ${name} of ${setText(context.workload, context.set)} (${source}) asks for admin access to ${admin.map((ask) => ask.deviceClassName).join(", ")}: it would share devices that other workloads hold, and hold none itself.`,
          path,
        };
      }
    },
  },
  {
    id: "CP21",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "asks for accelerators both from a device plugin and through a claim",
    remedy: "Use one of the two: a node's devices belong either to the device plugin or to the DRA driver.",
    link: "https://github.com/aws/karpenter-provider-aws/blob/main/website/content/en/preview/tasks/dra.md",
    undecidable: (context) => (acceleratorsOf(context).length > 0 ? unreadClaims(context) : undefined),
    *check(context) {
      const [plugin] = acceleratorsOf(context);
      if (plugin === undefined) return;
      for (const { name, path, source, requests = [] } of claimsOf(context)) {
        const ask = requests.find((one) => isAcceleratorDevice(context, one.deviceClassName));
        if (ask === undefined) continue;
        yield {
          message: `${setText(context.workload, context.set)} asks for ${plugin.count} ${plugin.name} and, in claim ${name} (${source}), for ${ask.count ?? "all"} ${ask.deviceClassName}: no node serves the same accelerators both ways.`,
          path,
        };
      }
    },
  },
  {
    id: "CP22",
    declaration: "accelerator",
    severity: "warning",
    scope: "podSet",
    title: "selects a label that a node gets only once it is up",
    remedy: "Select by the cloud's or the provisioner's label, or leave the selection to the class.",
    link: "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/cloudprovider/aws/README.md#auto-discovery-setup",
    *check({ workload, set, catalogue }) {
      if (catalogue.platform.autoscaler.kind === "none") return;
      const { selection } = podSelection(set.pod.spec);
      for (const key of lateLabels(catalogue)) {
        if (!namesKey(selection, key) || isOurs(workload, key)) continue;
        yield {
          message: `${setText(workload, set)} selects by ${key}, which an agent writes on a node that is already up: ${autoscalerText(catalogue.platform.autoscaler.kind)} cannot know that a new node would have it, and adds none.`,
          path: at(set, Object.hasOwn(objectAt(set.pod.spec, ["nodeSelector"]), key) ? "nodeSelector" : "affinity"),
        };
      }
    },
  },
  {
    id: "TN01",
    declaration: "accelerator",
    severity: "error",
    scope: "podSet",
    title: "tolerates every taint",
    remedy: "Remove it: the class supplies the tolerations that its accelerators need.",
    link: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
    *check({ workload, set }) {
      const wild = podTolerations(set.pod.spec).find(
        (toleration) => toleration.key === undefined && toleration.operator === "Exists",
      );
      if (wild === undefined) return;
      const effect = wild.effect === undefined ? "every taint" : `every ${wild.effect} taint`;
      const index = arrayAt(set.pod.spec, ["tolerations"]).findIndex(
        (entry) => (objectAt(entry, [])["key"] ?? "") === "",
      );
      yield {
        message: `${setText(workload, set)} tolerates ${effect} (operator Exists without key), so every pool is open to it, also those of other classes and tenants.`,
        path: at(set, "tolerations", Math.max(0, index)),
      };
    },
  },
];

/** The requirement of a term that no node with this accelerator meets. */
function conflict(term: Requirements, accelerator: AcceleratorClass): string | undefined {
  for (const label of accelerator.labels) {
    const asked = term.get(label.key);
    if (asked !== undefined && !label.values.some((value) => allows(asked, value))) return requirementText(asked);
  }
  return undefined;
}

/** Labels that no pool declares for new nodes, and that mark accelerators only once the node is up; sorted. */
function lateLabels(catalogue: RuleContext["catalogue"]): readonly string[] {
  const keys = new Set<string>();
  for (const { labels } of catalogue.accelerators.values())
    for (const label of labels) if (!label.beforeNode) keys.add(label.key);
  return [...keys].filter((key) => !catalogue.pools.some((pool) => Object.hasOwn(pool.node.labels, key))).sort();
}

const amount = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
