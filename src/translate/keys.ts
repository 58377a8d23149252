/** Labels that tie the pods of one workload (and of one of its pod sets) together where the kind has no label that does. */
export const INSTANCE_LABEL = "plimsoll.dev/instance";
export const SET_LABEL = "plimsoll.dev/pod-set";

export const DO_NOT_DISRUPT_ANNOTATION = "karpenter.sh/do-not-disrupt";
export const SAFE_TO_EVICT_ANNOTATION = "cluster-autoscaler.kubernetes.io/safe-to-evict";
export const CONSUME_ANNOTATION = "autoscaling.x-k8s.io/consume-provisioning-request";
export const PROVISIONING_CLASS_ANNOTATION = "autoscaling.x-k8s.io/provisioning-class-name";
export const PROVISIONING_CLASS = "best-effort-atomic-scale-up.autoscaling.x-k8s.io";

export const KUEUE_REQUIRED_ANNOTATION = "kueue.x-k8s.io/podset-required-topology";
export const KUEUE_PREFERRED_ANNOTATION = "kueue.x-k8s.io/podset-preferred-topology";
export const KUEUE_UNCONSTRAINED_ANNOTATION = "kueue.x-k8s.io/podset-unconstrained-topology";
export const KUEUE_SLICE_ANNOTATION = "kueue.x-k8s.io/podset-slice-required-topology";
export const KUEUE_SLICE_SIZE_ANNOTATION = "kueue.x-k8s.io/podset-slice-size";
export const KUEUE_GROUP_ANNOTATION = "kueue.x-k8s.io/podset-group-name";

export const LAST_APPLIED_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
