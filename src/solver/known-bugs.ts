import type { Assignment, Reason, Version } from "../model/index.ts";
import { versionText } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** What a fault is looked for in. */
interface Scene {
  readonly topology: Topology;
  readonly shapes: readonly Shape[];
  readonly assignment: Assignment;
  readonly gate: (name: string) => boolean;
}

/** A fault of a scheduler that bears on where pods end up, in versions `from` to `to` (a minor: some patch of the last one may have the fix). */
export interface KnownBug {
  readonly id: string;
  readonly component: "kubernetes" | "kueue";
  readonly from: readonly [number, number];
  /** Absent: no version is known to be without it. */
  readonly to?: readonly [number, number];
  readonly message: string;
  readonly link: string;
  readonly bears: (scene: Scene) => boolean;
}

const claimed = ({ shapes }: Scene): boolean => shapes.some(({ devices }) => devices.length > 0);
const several = (shape: Shape): boolean => shape.required > 1;
const partitioned = ({ topology }: Scene) =>
  topology.devicePools.filter(({ counterSets }) => Object.keys(counterSets ?? {}).length > 0);

/** From the projects' own issues. */
export const KNOWN_BUGS: readonly KnownBug[] = [
  {
    id: "kubernetes-kubernetes-140300",
    component: "kubernetes",
    from: [1, 36],
    message: "a constraint over an attribute with a list of values may be held against devices that do meet it",
    link: "https://github.com/kubernetes/kubernetes/issues/140300",
    bears: (scene) =>
      scene.gate("DRAListTypeAttributes") &&
      scene.shapes.some(({ devices }) =>
        devices.some(({ matchAttributes }) =>
          matchAttributes.some(({ attribute }) => hasList(scene.topology, attribute)),
        ),
      ),
  },
  {
    id: "kubernetes-kubernetes-140434",
    component: "kubernetes",
    from: [1, 33],
    to: [1, 36],
    message:
      "counters of two drivers whose pools have equal names are mixed up, so that partitions may be refused or given away twice",
    link: "https://github.com/kubernetes/kubernetes/issues/140434",
    bears: (scene) => {
      const names = partitioned(scene).map(({ name }) => name);
      return claimed(scene) && new Set(names).size < names.length;
    },
  },
  {
    id: "kubernetes-kubernetes-139034",
    component: "kubernetes",
    from: [1, 34],
    to: [1, 36],
    message:
      "shared devices are not counted in the counters of their card, so that more of it may be given away than there is",
    link: "https://github.com/kubernetes/kubernetes/issues/139034",
    bears: (scene) =>
      claimed(scene) &&
      partitioned(scene).some(({ devices }) =>
        devices.some((one) => one.allowMultipleAllocations && one.consumesCounters.length > 0),
      ),
  },
  {
    id: "kubernetes-kubernetes-138882",
    component: "kubernetes",
    from: [1, 33],
    to: [1, 35],
    message: "a request for all devices of a partitioned card makes the scheduler crash",
    link: "https://github.com/kubernetes/kubernetes/issues/138882",
    bears: (scene) =>
      partitioned(scene).length > 0 && scene.shapes.some(({ devices }) => devices.some(({ count }) => count === "all")),
  },
  {
    id: "kubernetes-kubernetes-136269",
    component: "kubernetes",
    from: [1, 32],
    to: [1, 35],
    message: "pods with claims that are scheduled in quick succession may get one device twice",
    link: "https://github.com/kubernetes/kubernetes/issues/136269",
    bears: (scene) => scene.shapes.some((shape) => shape.devices.length > 0 && several(shape)),
  },
  {
    id: "kubernetes-kubernetes-137617",
    component: "kubernetes",
    from: [1, 35],
    to: [1, 36],
    message: "a gang whose pods share one claim may loop, the claim being in the process of being allocated",
    link: "https://github.com/kubernetes/kubernetes/issues/137617",
    bears: (scene) =>
      scene.gate("GenericWorkload") &&
      scene.shapes.some(
        (shape) => several(shape) && shape.devices.some(({ sharedClaim }) => sharedClaim !== undefined),
      ),
  },
  {
    id: "kubernetes-kubernetes-135667",
    component: "kubernetes",
    from: [1, 34],
    to: [1, 35],
    message: "pods whose extended resources are served by claims may be refused by the kubelet after they are bound",
    link: "https://github.com/kubernetes/kubernetes/issues/135667",
    bears: ({ shapes, assignment }) =>
      shapes.some(({ name, extended }) =>
        extended.some(({ resource }) =>
          assignment.placed.some(
            ({ podSet, serves }) => podSet === name && (serves ?? []).flat().some((label) => label.endsWith(resource)),
          ),
        ),
      ),
  },
  {
    id: "kubernetes-kubernetes-131269",
    component: "kubernetes",
    from: [1, 32],
    to: [1, 33],
    message: "a request with adminAccess may get one device several times",
    link: "https://github.com/kubernetes/kubernetes/issues/131269",
    bears: ({ shapes }) =>
      shapes.some(({ devices }) => devices.some(({ adminAccess, count }) => adminAccess === true && count !== 1)),
  },
  {
    id: "kubernetes-kubernetes-140308",
    component: "kubernetes",
    from: [1, 36],
    message: "nodes whose level label is empty count as one domain, in which a PodGroup may be placed",
    link: "https://github.com/kubernetes/kubernetes/issues/140308",
    bears: ({ shapes, topology }) =>
      shapes.some(({ set, level }) => {
        const key = topology.levels[level ?? -1]?.level.key;
        return (
          set.placement.keptBy === "podGroup" &&
          key !== undefined &&
          topology.nodes.some((node) => node.labels[key] === "")
        );
      }),
  },
  {
    id: "kubernetes-sigs-kueue-14232",
    component: "kueue",
    from: [0, 9],
    message: "a node whose name equals the name of an outermost domain is left out of topology-aware placement",
    link: "https://github.com/kubernetes-sigs/kueue/issues/14232",
    bears: ({ shapes, topology }) => {
      const outermost = new Set(topology.levels[0]?.domains.map(({ path }) => path[0]));
      return queued(shapes) && topology.levels.length > 1 && topology.nodes.some(({ name }) => outermost.has(name));
    },
  },
  {
    id: "kubernetes-sigs-kueue-15577",
    component: "kueue",
    from: [0, 9],
    message:
      "topology-aware placement does not look at the devices of claims, so pods may be assigned to nodes that have none left",
    link: "https://github.com/kubernetes-sigs/kueue/pull/15577",
    bears: (scene) => queued(scene.shapes) && claimed(scene),
  },
];

const queued = (shapes: readonly Shape[]): boolean => shapes.some(({ set }) => set.placement.keptBy === "queue");

function hasList({ devicePools }: Topology, attribute: string): boolean {
  const slash = attribute.indexOf("/");
  return devicePools.some(({ driver, devices }) =>
    devices.some(({ attributes }) => {
      const domain = slash === -1 ? driver : attribute.slice(0, slash);
      const values = Object.hasOwn(attributes, domain) ? attributes[domain] : undefined;
      const name = attribute.slice(slash + 1);
      return values !== undefined && Object.hasOwn(values, name) && Array.isArray(values[name]);
    }),
  );
}

const PRODUCTS = { kubernetes: "Kubernetes", kueue: "Kueue" } as const;

/** Faults of the versions that the platform runs, where they bear on this answer. */
export function bugsOf(
  { topology, context }: World,
  shapes: readonly Shape[],
  assignment: Assignment,
): readonly Reason[] {
  const { kubernetes, kueue } = context.platform;
  const scene = (some: readonly Shape[]): Scene => ({
    topology,
    shapes: some,
    assignment,
    gate: (name) => kubernetes.featureGates[name] === true,
  });
  const scenes = {
    kubernetes: scene(shapes.filter(({ scheduler }) => scheduler === undefined)),
    kueue: scene(shapes),
  };
  return KNOWN_BUGS.flatMap(({ id, component, from, to, message, link, bears }): readonly Reason[] => {
    const version = component === "kubernetes" ? kubernetes.version : kueue?.version;
    if (version === undefined || !isWithin(version, from, to) || !bears(scenes[component])) return [];
    const until =
      to === undefined ? "" : `; ${PRODUCTS[component]} ${to[0]}.${to[1] + 1} has the fix, and so may later patches`;
    return [
      {
        code: "KnownBug",
        message: `${PRODUCTS[component]} ${versionText(version)} has a known fault: ${message} (${link}${until})`,
        data: { id, link },
      },
    ];
  });
}

function isWithin(
  version: Version,
  from: readonly [number, number],
  to: readonly [number, number] | undefined,
): boolean {
  const at = version.major * 1000 + version.minor;
  return at >= from[0] * 1000 + from[1] && (to === undefined || at <= to[0] * 1000 + to[1]);
}
