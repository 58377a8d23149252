import { allowsLabels, CLASS_LABEL, stringAt, TENANT_LABEL, valueAt } from "../../model/index.ts";
import { fieldPath } from "../../workloads/index.ts";
import { acceleratorsOf } from "./devices.ts";
import { at, groupKind, metadataPath, own, setText } from "./read.ts";
import type { Rule, RuleContext } from "./types.ts";

export const tenancyRules: readonly Rule[] = [
  {
    id: "TN04",
    declaration: "tenancy",
    severity: "error",
    scope: "podSet",
    title: "shares a device although the class is for dedicated ones",
    remedy: "Ask for whole devices, or choose a class whose isolation is shared.",
    link: "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html",
    *check(context) {
      const { workload, set, intent, catalogue } = context;
      if (intent.contract.tenancy.isolation !== "dedicated") return;
      for (const { name } of acceleratorsOf(context)) {
        const kind = [...catalogue.accelerators.values()].find(
          (accelerator) => accelerator.resourceName === name && accelerator.sharing !== "exclusive",
        );
        if (kind === undefined && !/^nvidia\.com\/(mig-|gpu\.shared$)/.test(name)) continue;
        yield {
          message: `${setText(workload, set)} asks for ${name}, a part of a device whose other parts serve other pods, but class ${intent.className} says isolation dedicated.`,
          path: at(set, "containers"),
        };
      }
    },
  },
  {
    id: "TN05",
    declaration: "tenancy",
    severity: "error",
    scope: "podSet",
    title: "runs on the host's network, where no network policy applies",
    remedy: "Remove hostNetwork, or choose a class whose networkPolicy is none.",
    link: "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
    *check({ workload, set, intent }) {
      if (intent.contract.tenancy.networkPolicy !== "default-deny" || valueAt(set.pod.spec, ["hostNetwork"]) !== true)
        return;
      yield {
        message: `${setText(workload, set)} uses the host's network, but class ${intent.className} wants default-deny, and network policies do not apply to host-network pods.`,
        path: at(set, "hostNetwork"),
      };
    },
  },
  {
    id: "TN06",
    declaration: "tenancy",
    severity: "error",
    scope: "podSet",
    title: "runs as the default service account",
    remedy: "Name a service account of its own.",
    link: "https://kubernetes.io/docs/concepts/security/service-accounts/",
    *check({ workload, set, intent }) {
      if (intent.contract.tenancy.serviceAccount !== "required") return;
      const account = serviceAccount(workload, set);
      if (account === undefined || (account.name !== undefined && account.name !== "" && account.name !== "default"))
        return;
      yield {
        message: `${setText(workload, set)} ${account.name === undefined || account.name === "" ? "names no service account and so runs as default" : "runs as the service account default"}, but class ${intent.className} requires one of its own.`,
        path: account.path,
      };
    },
  },
  {
    id: "TN07",
    declaration: "tenancy",
    severity: "warning",
    scope: "podSet",
    title: "labels its pods as another class's or tenant's",
    remedy: "Leave the labels out: the class supplies them.",
    link: "https://www.opencost.io/docs/configuration/",
    *check({ workload, set, intent, facts }) {
      const className = own(set.pod.labels, CLASS_LABEL);
      if (className !== undefined && className !== intent.className) {
        yield {
          message: `Pods of ${setText(workload, set)} are labelled ${CLASS_LABEL}: ${className}, but their class is ${intent.className}: their cost would be booked to the wrong one.`,
          path: metadataPath(set, "labels", CLASS_LABEL),
        };
      }
      const tenant = own(set.pod.labels, TENANT_LABEL);
      const namespace = facts.namespace(workload.key.namespace);
      if (tenant === undefined || namespace === undefined) return;
      const actual = own(namespace.labels, TENANT_LABEL) ?? namespace.name;
      if (tenant === actual) return;
      yield {
        message: `Pods of ${setText(workload, set)} are labelled ${TENANT_LABEL}: ${tenant}, but namespace ${namespace.name} belongs to ${actual}: their cost would be booked to the wrong one.`,
        path: metadataPath(set, "labels", TENANT_LABEL),
      };
    },
  },
  {
    id: "TN08",
    declaration: "tenancy",
    severity: "error",
    scope: "workload",
    title: "is in a namespace that may not use the class",
    remedy: "Use a namespace with the labels that the class asks for, or another class.",
    link: "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors",
    undecidable({ workload, intent, facts }) {
      if (intent.contract.tenancy.namespaces === undefined || facts.namespace(workload.key.namespace) !== undefined)
        return undefined;
      return `namespace ${workload.key.namespace || "default"} was not read, and class ${intent.className} selects namespaces by label`;
    },
    *check({ workload, intent, facts }) {
      const { namespaces } = intent.contract.tenancy;
      const namespace = facts.namespace(workload.key.namespace);
      if (
        namespaces === undefined ||
        namespace === undefined ||
        allowsLabels(namespaces.requirements, namespace.labels)
      )
        return;
      const keys = [...namespaces.requirements.keys()].sort();
      const has = keys.map((key) => `${key}: ${own(namespace.labels, key) ?? "(absent)"}`).join(", ");
      yield {
        message: `Namespace ${namespace.name} has ${has}, but class ${intent.className} is for namespaces with ${namespaces.text}.`,
        path: ["metadata", "namespace"],
      };
    },
  },
  {
    id: "TN09",
    declaration: "tenancy",
    severity: "error",
    scope: "podSet",
    title: "names another priority class than the contract",
    remedy: "Leave priorityClassName out: the class supplies it.",
    link: "https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/",
    *check({ workload, set, intent }) {
      const written = stringAt(set.pod.spec, ["priorityClassName"]);
      const { priorityClassName } = intent.contract.tenancy;
      if (!written || priorityClassName === undefined || written === priorityClassName) return;
      yield {
        message: `${setText(workload, set)} has priorityClassName ${written}, but class ${intent.className} says ${priorityClassName}.`,
        hint: `Leave it out, or write ${priorityClassName}.`,
        path: fieldPath(set, "priorityClassName") ?? at(set, "priorityClassName"),
      };
    },
  },
];

/** Undefined where the operator makes the account itself. Spark and Flink name it beside the template. */
function serviceAccount(workload: RuleContext["workload"], set: RuleContext["set"]) {
  const inSpec = { name: stringAt(set.pod.spec, ["serviceAccountName"]), path: at(set, "serviceAccountName") };
  const beside = (...path: readonly string[]) => ({ name: stringAt(workload.object, path) ?? inSpec.name, path });
  switch (groupKind(workload)) {
    case "sparkoperator.k8s.io/SparkApplication":
      return set.role === "driver" ? beside("spec", "driver", "serviceAccount") : undefined;
    case "sparkoperator.k8s.io/ScheduledSparkApplication":
      return set.role === "driver" ? beside("spec", "template", "driver", "serviceAccount") : undefined;
    case "flink.apache.org/FlinkDeployment":
      return beside("spec", "serviceAccount");
    case "flink.apache.org/FlinkBlueGreenDeployment":
      return beside("spec", "template", "spec", "serviceAccount");
    case "argoproj.io/Workflow":
      return beside("spec", "serviceAccountName");
    case "serving.kserve.io/LLMInferenceService":
      return undefined;
    default:
      return inSpec;
  }
}
