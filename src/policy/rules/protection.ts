import { atLeast, durationText, parseDuration, versionText } from "../../model/index.ts";
import { fieldPath } from "../../workloads/index.ts";
import { aKind, autoscalerText, metadataPath, own, setText, workloadText } from "./read.ts";
import type { Rule } from "./types.ts";

const DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";
const SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";
const CONSUME_KEYS = [
  "autoscaling.x-k8s.io/consume-provisioning-request",
  "cluster-autoscaler.kubernetes.io/consume-provisioning-request",
] as const;
const VALID_UNTIL = "provreq.kueue.x-k8s.io/ValidUntilSeconds";

/** The annotations by which a pod is protected, or books its capacity. */
export const protectionRules: readonly Rule[] = [
  {
    id: "CP01",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "lets pods that come and go consume one ProvisioningRequest, which freezes them once it has ended",
    remedy: "Remove the annotation: a booking is for one run of a run-once workload.",
    link: "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#how-can-i-use-provisioningrequest-to-run-batch-workloads",
    *check({ workload, set }) {
      const { life } = workload.kind;
      if (life === "runOnce" || life === "derived" || workload.key.kind === "PodTemplate") return;
      for (const key of CONSUME_KEYS) {
        const name = own(set.pod.annotations, key);
        if (name === undefined) continue;
        yield {
          message: `Pods of ${setText(workload, set)} consume ProvisioningRequest ${name}, but ${aKind(workload.key.kind)} makes new pods after that booking has ended, and Cluster Autoscaler never adds a node for those.`,
          path: metadataPath(set, "annotations", key),
        };
      }
    },
  },
  {
    id: "CP02",
    declaration: "interruption",
    severity: "error",
    scope: "workload",
    title: "names its ProvisioningRequest on the object, where nothing reads it",
    remedy: "Move the annotation to the pod template's metadata.",
    link: "https://github.com/kubernetes/autoscaler/pull/5848",
    *check({ workload, set }) {
      if (set.entry.shape === "Pod") return;
      for (const key of CONSUME_KEYS) {
        const name = own(workload.annotations, key);
        if (name === undefined || own(set.pod.annotations, key) === name) continue;
        yield {
          message: `${workloadText(workload)} names ProvisioningRequest ${name} on the object itself, but Cluster Autoscaler reads ${key} on pods: nothing uses the capacity that was booked.`,
          path: ["metadata", "annotations", key],
        };
      }
    },
  },
  {
    id: "CP06",
    declaration: "interruption",
    severity: "info",
    scope: "workload",
    title: "sets ValidUntilSeconds, which no autoscaler reads",
    remedy: "Remove it: a booking lasts ten minutes, whatever is written.",
    link: "https://github.com/kubernetes/autoscaler/issues/6555",
    *check({ workload }) {
      const seconds = own(workload.annotations, VALID_UNTIL);
      if (seconds === undefined) return;
      yield {
        message: `${workloadText(workload)} asks for a booking of ${seconds} seconds, but Cluster Autoscaler does not read ValidUntilSeconds: every booking ends after 10m.`,
        path: ["metadata", "annotations", VALID_UNTIL],
      };
    },
  },
  {
    id: "DR06",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "gives up the protection from consolidation that the class promises",
    remedy: "Leave the annotation out: the class supplies what the autoscaler here understands.",
    link: "https://github.com/aws/karpenter-provider-aws/issues/8276",
    *check({ workload, set, intent }) {
      const { consolidation, minLifetimeMs } = intent.contract.interruption;
      if (consolidation) return;
      const wanted = `class ${intent.className} allows no consolidation${minLifetimeMs === undefined ? "" : ` for ${durationText(minLifetimeMs)}`}`;
      const disrupt = own(set.pod.annotations, DO_NOT_DISRUPT);
      const evict = own(set.pod.annotations, SAFE_TO_EVICT);
      const lifetimeMs = disrupt === undefined ? undefined : parseDuration(disrupt);
      if (
        disrupt === "false" ||
        (lifetimeMs !== undefined && minLifetimeMs !== undefined && lifetimeMs < minLifetimeMs)
      ) {
        yield {
          message: `${DO_NOT_DISRUPT} of ${setText(workload, set)} is "${disrupt}", but ${wanted}.`,
          path: metadataPath(set, "annotations", DO_NOT_DISRUPT),
        };
      }
      if (evict === "true") {
        yield {
          message: `${SAFE_TO_EVICT} of ${setText(workload, set)} is "true", but ${wanted}.`,
          path: metadataPath(set, "annotations", SAFE_TO_EVICT),
        };
      }
    },
  },
  {
    id: "DR07",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "carries a do-not-disrupt value that Karpenter ignores",
    remedy: 'Write "true", or from Karpenter 1.12 on a duration such as "12h".',
    link: "https://github.com/kubernetes-sigs/karpenter/pull/2874",
    *check({ workload, set, catalogue }) {
      const value = own(set.pod.annotations, DO_NOT_DISRUPT);
      if (value === undefined || value === "true" || value === "false") return;
      const path = metadataPath(set, "annotations", DO_NOT_DISRUPT);
      if (!(parseDuration(value) ?? 0)) {
        yield {
          message: `${DO_NOT_DISRUPT} of ${setText(workload, set)} is "${value}", which is neither "true" nor a duration above zero: Karpenter ignores it, and the pods are not protected.`,
          path,
        };
        return;
      }
      const { kind, version } = catalogue.platform.autoscaler;
      if (kind !== "karpenter" || version === undefined || atLeast(version, 1, 12)) return;
      yield {
        message: `${DO_NOT_DISRUPT} of ${setText(workload, set)} is "${value}", but Karpenter ${versionText(version)} understands only "true" (durations came with 1.12): the pods are not protected.`,
        hint: 'Write "true".',
        path,
      };
    },
  },
  {
    id: "DR19",
    declaration: "interruption",
    severity: "warning",
    scope: "podSet",
    title: "carries a safe-to-evict value that Cluster Autoscaler does not know",
    remedy: 'Write "true" or "false"; from Cluster Autoscaler 1.36 on also "on-completion".',
    link: "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#what-types-of-pods-can-prevent-ca-from-removing-a-node",
    *check({ workload, set, catalogue }) {
      const value = own(set.pod.annotations, SAFE_TO_EVICT);
      if (value === undefined || value === "true" || value === "false") return;
      const path = metadataPath(set, "annotations", SAFE_TO_EVICT);
      const { kind, version } = catalogue.platform.autoscaler;
      if (value !== "on-completion") {
        yield {
          message: `${SAFE_TO_EVICT} of ${setText(workload, set)} is "${value}", but only "true", "false" and "on-completion" mean something.`,
          path,
        };
      } else if (kind === "cluster-autoscaler" && version !== undefined && !atLeast(version, 1, 36)) {
        yield {
          message: `${SAFE_TO_EVICT} of ${setText(workload, set)} is "on-completion", which Cluster Autoscaler knows from 1.36 on, but here runs ${versionText(version)}: the pods are not protected.`,
          hint: 'Write "false".',
          path,
        };
      }
    },
  },
  {
    id: "DR20",
    declaration: "interruption",
    severity: "warning",
    scope: "podSet",
    title: "has no place for the annotations that would protect it",
    remedy: "Put it on a pool whose nodes are not consolidated, or use a kind with pod templates.",
    link: "https://karpenter.sh/docs/concepts/disruption/#pod-level-controls",
    *check({ workload, set, intent, catalogue }) {
      const { kind } = catalogue.platform.autoscaler;
      const { interruption, accelerator } = intent.contract;
      if (kind === "none" || interruption.consolidation || accelerator.kind === "none") return;
      if (fieldPath(set, "annotations") !== undefined) return;
      yield {
        message: `${setText(workload, set)} has no place for pod annotations, so nothing tells ${autoscalerText(kind)} that class ${intent.className} allows no consolidation.`,
        path: set.path,
      };
    },
  },
];
