import type { Assignment, DeviceRequest, Reason, Version } from "../model/index.ts";
import { once, versionText } from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import type { Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** What a fault is looked for in. */
interface Scene {
  readonly topology: Topology;
  readonly shapes: readonly Shape[];
  readonly assignment: Assignment;
  readonly gate: (name: string) => boolean;
  /** Those with claims. */
  readonly claiming: readonly Shape[];
  readonly requests: readonly DeviceRequest[];
  /** Pools of partitionable devices; none where nothing is claimed. */
  readonly counted: readonly DevicePool[];
}

type Minor = readonly [number, number];

/** A fault of a scheduler that bears on where pods end up, in versions `from` to `to` (a minor: some patch of the last one may have the fix). */
export interface KnownBug {
  readonly id: string;
  readonly component: "kubernetes" | "kueue";
  readonly from: Minor;
  /** Absent: no version is known to be without it. */
  readonly to: Minor | undefined;
  readonly message: string;
  readonly link: string;
  readonly bears: (scene: Scene) => boolean;
}

/** `thread`: `owner/repository#number` or `owner/repository/pull#number`; `minors`: `1.35-1.36`, or `1.36-` where it is still there. */
function bug(thread: string, minors: string, message: string, bears: KnownBug["bears"]): KnownBug {
  const [place = "", number = ""] = thread.split("#");
  const [owner = "", repository = "", path = "issues"] = place.split("/");
  const [from = [0, 0], to] = minors.split("-").flatMap((text): Minor[] => {
    const [major, minor] = text.split(".");
    return minor === undefined ? [] : [[Number(major), Number(minor)]];
  });
  return {
    id: `${owner}-${repository}-${number}`,
    component: repository === "kueue" ? "kueue" : "kubernetes",
    from,
    to,
    message,
    link: `https://github.com/${owner}/${repository}/${path}/${number}`,
    bears,
  };
}

/** From the projects' own issues; versions by the pull requests that mended them, and by their cherry-picks. */
export const KNOWN_BUGS: readonly KnownBug[] = [
  bug(
    "kubernetes/kubernetes#140300",
    "1.36-1.36",
    "a constraint over an attribute with a list of values may be held against devices that do meet it",
    ({ gate, requests, topology }) =>
      gate("DRAListTypeAttributes") &&
      requests.some((one) => one.matchAttributes.some(({ attribute }) => hasList(topology, attribute))),
  ),
  bug(
    "kubernetes/kubernetes#140434",
    "1.33-1.36",
    "counters of two drivers whose pools have equal names are mixed up, so that partitions may be refused or given away twice",
    ({ counted }) => new Set(counted.map(({ name }) => name)).size < counted.length,
  ),
  bug(
    "kubernetes/kubernetes/pull#140431",
    "1.36-1.36",
    "counters of a partition that was tried and given up, for its taint or for a constraint, may stay taken, so that a pod waits though there is room",
    ({ counted, requests }) =>
      counted.length > 0 &&
      (requests.some(constrained) || counted.some(({ devices }) => devices.some(({ taints }) => taints.length > 0))),
  ),
  bug(
    "kubernetes/kubernetes#139034",
    "1.34-1.36",
    "shared devices are not counted in the counters of their card, so that more of it may be given away than there is",
    ({ counted }) => sharedParts(counted).length > 0,
  ),
  bug(
    "kubernetes/kubernetes#140433",
    "1.36-1.36",
    "a shared device without capacities, once it is in use, is counted again for whoever else wants it, so that a pod waits though there is room",
    ({ counted, topology }) =>
      sharedParts(counted).some(
        (one) =>
          (one.capacities ?? []).length === 0 &&
          topology.claims.some(({ devices }) => devices.includes(`${one.driver}/${one.pool}/${one.name}`)),
      ),
  ),
  bug(
    "kubernetes/kubernetes#138882",
    "1.35-1.36",
    "a request for all devices of a partitioned card makes the scheduler crash",
    ({ counted, requests }) => counted.length > 0 && requests.some(({ count }) => count === "all"),
  ),
  bug(
    "kubernetes/kubernetes/pull#136269",
    "1.32-1.35",
    "pods with claims that are scheduled in quick succession may get one device twice",
    ({ claiming }) => claiming.some(several),
  ),
  bug(
    "kubernetes/kubernetes#137617",
    "1.35-1.35",
    "a gang whose pods share one claim loops, the claim being in the process of being allocated",
    gangSharesClaim,
  ),
  bug(
    "kubernetes/kubernetes#140263",
    "1.36-1.36",
    "a gang whose pods share one claim may get stuck, an older state of the claim being taken for the latest",
    gangSharesClaim,
  ),
  bug(
    "kubernetes/kubernetes#140053",
    "1.36-",
    "pods of a gang that share one claim may fail to be bound, another of them having had it allocated meanwhile, and are tried again",
    gangSharesClaim,
  ),
  bug(
    "kubernetes/kubernetes#135667",
    "1.34-1.35",
    "pods whose extended resources are served by claims may be refused by the kubelet after they are bound",
    ({ shapes, assignment }) => shapes.some((shape) => servedByClaim(shape, assignment)),
  ),
  bug(
    "kubernetes/kubernetes#131269",
    "1.32-1.33",
    "a request with adminAccess may get one device several times",
    ({ requests }) => requests.some(({ adminAccess, count }) => adminAccess === true && count !== 1),
  ),
  bug(
    "kubernetes/kubernetes/pull#140308",
    "1.36-",
    "nodes whose level label is empty count as one domain, in which a PodGroup may be placed",
    ({ shapes, topology }) => shapes.some((shape) => groupedByEmptyLabel(shape, topology)),
  ),
  bug(
    "kubernetes-sigs/kueue/pull#14232",
    "0.9-0.19",
    "a node whose name equals the name of an outermost domain is left out of topology-aware placement",
    ({ shapes, topology: { levels, nodes } }) => {
      const outermost = new Set(levels[0]?.domains.map(({ path }) => path[0]));
      return shapes.some(queued) && levels.length > 1 && nodes.some(({ name }) => outermost.has(name));
    },
  ),
  bug(
    "kubernetes-sigs/kueue/pull#15577",
    "0.9-",
    "topology-aware placement does not look at the devices of claims, so pods may be assigned to nodes that have none left",
    ({ claiming, shapes }) => claiming.length > 0 && shapes.some(queued),
  ),
];

const several = ({ required }: Shape): boolean => required > 1;
const queued = ({ set }: Shape): boolean => set.placement.keptBy === "queue";
const constrained = ({ matchAttributes, distinctAttributes = [] }: DeviceRequest): boolean =>
  matchAttributes.length + distinctAttributes.length > 0;
const sharedParts = (counted: readonly DevicePool[]): readonly DeviceFacts[] =>
  counted.flatMap(({ devices }) =>
    devices.filter((one) => one.allowMultipleAllocations && one.consumesCounters.length > 0),
  );

function gangSharesClaim({ gate, claiming }: Scene): boolean {
  const shares = (shape: Shape): boolean => shape.devices.some(({ sharedClaim }) => sharedClaim !== undefined);
  return gate("GenericWorkload") && claiming.some((shape) => several(shape) && shares(shape));
}

function servedByClaim({ name, extended }: Shape, { placed }: Assignment): boolean {
  const served = placed.flatMap(({ podSet, serves = [] }) => (podSet === name ? serves.flat() : []));
  return extended.some(({ resource }) => served.some((label) => label.endsWith(resource)));
}

function groupedByEmptyLabel({ set, level }: Shape, { levels, nodes }: Topology): boolean {
  const key = levels[level ?? -1]?.level.key;
  return set.placement.keptBy === "podGroup" && key !== undefined && nodes.some(({ labels }) => labels[key] === "");
}

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

/** Faults of the versions that the platform runs, where they bear on this answer; those of kube-scheduler where it places the pods. */
export function bugsOf(
  { topology, context }: World,
  shapes: readonly Shape[],
  assignment: Assignment,
): readonly Reason[] {
  const { kubernetes, kueue } = context.platform;
  const gate = (name: string): boolean => kubernetes.featureGates[name] === true;
  const installed = {
    kubernetes: {
      version: kubernetes.version,
      scene: sceneOf(
        topology,
        shapes.filter(({ scheduler }) => scheduler === undefined),
        assignment,
        gate,
      ),
    },
    kueue: { version: kueue?.version, scene: sceneOf(topology, shapes, assignment, gate) },
  };
  return KNOWN_BUGS.flatMap(({ id, component, from, to, message, link, bears }): readonly Reason[] => {
    const { version, scene } = installed[component];
    if (version === undefined || !isWithin(version, from, to) || !bears(scene)) return [];
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

function sceneOf(
  topology: Topology,
  shapes: readonly Shape[],
  assignment: Assignment,
  gate: (name: string) => boolean,
): Scene {
  const claiming = shapes.filter(({ devices }) => devices.length > 0);
  const requests = claiming.flatMap(({ devices }) =>
    devices.flatMap((one) => (one.firstAvailable === undefined ? [one] : [one, ...one.firstAvailable])),
  );
  const counted = claiming.length === 0 ? [] : countedIn(topology.devicePools);
  return { topology, shapes, assignment, gate, claiming, requests, counted };
}

const countedIn = once((pools: readonly DevicePool[]) =>
  pools.filter(({ counterSets }) => Object.keys(counterSets ?? {}).length > 0),
);

function isWithin(version: Version, from: Minor, to: Minor | undefined): boolean {
  const at = version.major * 1000 + version.minor;
  return at >= from[0] * 1000 + from[1] && (to === undefined || at <= to[0] * 1000 + to[1]);
}
