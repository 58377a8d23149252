import {
  arrayAt,
  isObject,
  type JsonObject,
  objectAt,
  type Path,
  stringAt,
  toText,
  valueAt,
} from "../../model/index.ts";
import type { PodSet, Workload } from "../../workloads/index.ts";
import { at, containersOf, metadataPath, oneOf, own, parentPath, setText, usesSpot, workloadText } from "./read.ts";
import type { Rule } from "./types.ts";

const LOCAL_VOLUMES = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes";
const SAFE_TO_EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict";

export const stateRules: readonly Rule[] = [
  {
    id: "DR13",
    declaration: "state",
    severity: "warning",
    scope: "podSet",
    title: "has local volumes that keep Cluster Autoscaler from removing its node",
    remedy: "Name the scratch volumes in the annotation cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes.",
    link: "https://github.com/kubernetes/autoscaler/issues/4219",
    *check({ workload, set, intent, catalogue }) {
      const { kind } = catalogue.platform.autoscaler;
      if ((kind !== "cluster-autoscaler" && kind !== "gke") || !intent.contract.interruption.consolidation) return;
      if (own(set.pod.annotations, SAFE_TO_EVICT) === "true") return;
      const listed = new Set((own(set.pod.annotations, LOCAL_VOLUMES) ?? "").split(",").map((name) => name.trim()));
      const blocking = volumesOf(set).filter((volume) => isOnNode(volume) && !listed.has(volume.name));
      if (blocking.length === 0) return;
      const names = blocking.map((volume) => volume.name);
      yield {
        message: `${names.length === 1 ? `Volume ${names[0]}` : `Volumes ${names.join(", ")}`} of ${setText(workload, set)} ${names.length === 1 ? "keeps" : "keep"} Cluster Autoscaler from removing the node, but class ${intent.className} allows consolidation.`,
        hint: `Annotate the pods with ${LOCAL_VOLUMES}: "${[...listed, ...names].filter(Boolean).join(",")}".`,
        path: metadataPath(set, "annotations", LOCAL_VOLUMES),
      };
    },
  },
  {
    id: "ST03",
    declaration: "state",
    severity: "warning",
    scope: "podSet",
    title: "keeps its state on a node that may be taken away",
    remedy: "Keep the state on a volume or outside, or choose a class without spot and consolidation.",
    link: "https://kubernetes.io/docs/concepts/storage/volumes/#emptydir",
    *check({ workload, set, intent }) {
      const { state, interruption } = intent.contract;
      if (state.location !== "local") return;
      const dangers = [
        ...(usesSpot({ workload, set, intent }) ? ["spot capacity"] : []),
        ...(interruption.consolidation ? ["consolidation"] : []),
      ];
      const local = volumesOf(set).filter((volume) => isOnNode(volume) && volume.writable);
      if (dangers.length === 0 || local.length === 0) return;
      yield {
        message: `${setText(workload, set)} keeps its state in ${local.map((volume) => `${volume.kind} ${volume.name}`).join(", ")}, which ends with the node, but class ${intent.className} allows ${dangers.join(" and ")}.`,
        path: local[0]?.path ?? set.path,
      };
    },
  },
  {
    id: "ST04",
    declaration: "state",
    severity: "error",
    scope: "podSet",
    title: "writes to the node's own disk although its state is not local",
    remedy: "Use an emptyDir for scratch, or a class whose state.location is local.",
    link: "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",
    *check({ workload, set, intent }) {
      const { location } = intent.contract.state;
      if (location === "local") return;
      for (const volume of volumesOf(set)) {
        const path = stringAt(volume.body, ["path"]) ?? "";
        if (volume.kind !== "hostPath" || !volume.writable || isSystemPath(path)) continue;
        yield {
          message: `Volume ${volume.name} of ${setText(workload, set)} writes to ${path} on whichever node the pod runs, but class ${intent.className} ${LOCATIONS[location]}: another node would not have it.`,
          path: volume.path,
        };
      }
    },
  },
  {
    id: "ST05",
    declaration: "state",
    severity: "warning",
    scope: "podSet",
    title: "writes to a persistent volume although the class keeps no state",
    remedy: "Mount the volume read-only, or choose a class whose state.location is volume.",
    link: "https://github.com/kubernetes-sigs/karpenter/issues/1239",
    *check({ workload, set, intent }) {
      const { location } = intent.contract.state;
      if (location !== "none") return;
      for (const volume of volumesOf(set)) {
        if (volume.kind !== "persistentVolumeClaim" || !volume.writable) continue;
        yield {
          message: `${setText(workload, set)} writes to volume ${volume.name} (claim ${stringAt(volume.body, ["claimName"]) ?? "without name"}), which may tie it to one zone, but class ${intent.className} says that it keeps no state.`,
          path: volume.path,
        };
      }
      for (const [index, template] of claimTemplates(workload, set).entries()) {
        yield {
          message: `${workloadText(workload)} claims volume ${stringAt(template, ["metadata", "name"]) ?? String(index)} for each replica, but class ${intent.className} says that it keeps no state.`,
          path: [...parentPath(set), "volumeClaimTemplates", index],
        };
      }
    },
  },
  {
    id: "ST06",
    declaration: "state",
    severity: "error",
    scope: "workload",
    title: "keeps its state on a volume but mounts none",
    remedy: "Mount a persistent volume, or choose a class whose state is elsewhere.",
    link: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
    undecidable({ workload, set, intent, intents }) {
      if (intent.contract.state.location !== "volume") return undefined;
      const sets = workload.podSets.filter((one) => intents.get(one.name)?.className === intent.className);
      return sets.every((one) => containersOf(one).length === 0)
        ? `the containers of ${setText(workload, set)} are not in this document`
        : undefined;
    },
    *check({ workload, intent, intents }) {
      if (intent.contract.state.location !== "volume") return;
      const sets = workload.podSets.filter((set) => intents.get(set.name)?.className === intent.className);
      if (sets.some((set) => claimTemplates(workload, set).length > 0 || volumesOf(set).some(isPersistent))) return;
      const [first] = sets;
      if (first === undefined) return;
      const seen = [...new Set(sets.flatMap((set) => volumesOf(set).map((volume) => volume.kind)))].sort();
      yield {
        message: `Class ${intent.className} keeps state on a volume, but ${workloadText(workload)} mounts ${seen.length === 0 ? "none" : `only ${oneOf(seen)}`}: what it holds ends with the pod.`,
        path: at(first, "volumes"),
      };
    },
  },
  {
    id: "ST07",
    declaration: "state",
    severity: "warning",
    scope: "workload",
    title: "deletes its volumes when it is scaled down or removed",
    remedy: "Set persistentVolumeClaimRetentionPolicy to Retain.",
    link: "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention",
    *check({ workload, set, intent }) {
      if (intent.contract.state.location !== "volume" || claimTemplates(workload, set).length === 0) return;
      const path = [...parentPath(set), "persistentVolumeClaimRetentionPolicy"];
      const policy = objectAt(workload.object, path);
      const fields = ["whenScaled", "whenDeleted"].filter((field) => stringAt(policy, [field]) === "Delete");
      if (fields.length === 0) return;
      yield {
        message: `${toText([...path, fields[0] ?? ""])} is Delete, but class ${intent.className} keeps its state on those volumes: it would go with ${fields[0] === "whenScaled" ? "each replica that is scaled away" : "the StatefulSet"}.`,
        path: [...path, fields[0] ?? ""],
      };
    },
  },
];

const LOCATIONS = {
  none: "keeps no state",
  volume: "keeps its state on a volume",
  external: "keeps its state in a store elsewhere",
} as const;

interface Volume {
  readonly name: string;
  /** The field that says what it is: emptyDir, hostPath, persistentVolumeClaim ... */
  readonly kind: string;
  readonly body: JsonObject;
  readonly path: Path;
  /** Some container mounts it for writing. */
  readonly writable: boolean;
}

function volumesOf(set: PodSet): readonly Volume[] {
  const written = new Set<string>();
  for (const { spec } of containersOf(set, ["containers", "initContainers"])) {
    for (const mount of arrayAt(spec, ["volumeMounts"])) {
      const name = stringAt(mount, ["name"]);
      if (name !== undefined && valueAt(mount, ["readOnly"]) !== true) written.add(name);
    }
  }
  return arrayAt(set.pod.spec, ["volumes"]).flatMap((volume, index) => {
    if (!isObject(volume)) return [];
    const name = stringAt(volume, ["name"]) ?? "";
    const kind = Object.keys(volume).find((key) => key !== "name" && volume[key] !== undefined) ?? "emptyDir";
    const body = objectAt(volume, [kind]);
    const writable = written.has(name) && valueAt(body, ["readOnly"]) !== true;
    return [{ name, kind, body, path: at(set, "volumes", index), writable }];
  });
}

const isOnNode = ({ kind, body }: Volume): boolean =>
  kind === "hostPath" || (kind === "emptyDir" && stringAt(body, ["medium"]) !== "Memory");

const TRANSIENT: readonly string[] = [
  "emptyDir",
  "hostPath",
  "configMap",
  "secret",
  "projected",
  "downwardAPI",
  "ephemeral",
  "image",
  "gitRepo",
];
const isPersistent = ({ kind }: Volume): boolean => !TRANSIENT.includes(kind);

const SYSTEM_PATHS: readonly string[] = [
  "/dev",
  "/sys",
  "/proc",
  "/usr",
  "/opt",
  "/run",
  "/var/run",
  "/lib/modules",
  "/etc",
];
/** Devices, drivers and sockets of the node: used, not stored in. */
const isSystemPath = (path: string): boolean =>
  SYSTEM_PATHS.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

const claimTemplates = (workload: Workload, set: PodSet) =>
  arrayAt(workload.object, [...parentPath(set), "volumeClaimTemplates"]);
