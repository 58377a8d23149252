import {
  type AcceleratorClass,
  type Aligned,
  type ClusterFacts,
  type Contract,
  type DeviceConstraint,
  type DeviceRequest,
  type NetworkDevices,
  type NicNeed,
  plural,
} from "../model/index.ts";

/** Names of the claim that the expansion adds, and of the requests in it; several are numbered. */
const ADDED_CLAIM = "accelerator";
const NIC_REQUEST = "nic";
/** resource.k8s.io: AllocationResultsMaxSize, DeviceRequestsMaxSize. */
const DEVICES_PER_CLAIM = 32;
const REQUESTS_PER_CLAIM = 32;

type Classes = Extract<Contract["accelerator"], { kind: "classes" }>;

/** Accelerators and network devices that stand together. */
interface Bundle {
  readonly gpus: number;
  readonly nics: number;
}

/** What an added claim is made from. `network` is the platform's. */
export interface Added {
  readonly accelerator: AcceleratorClass;
  readonly network: NetworkDevices | undefined;
  readonly need: Classes;
  /** Accelerators of one pod. */
  readonly count: number;
  /** May requests have alternatives: then what is preferred is asked for first. */
  readonly alternatives: boolean;
}

/** Names of the alternatives of requests that are preferred near each other. */
const NEAR = "near";
const ANYWHERE = "any";

/**
 * The requests that the expansion adds for one pod, in as many claims as it takes, of equal content where they hold equally many. Network devices that
 * must be near stand in one request beside the accelerators that they serve, each such group with a constraint of its own. Where that is only
 * preferred, the constraint binds a first alternative of both, and the second takes any.
 */
export function addedDevices(added: Added, facts: ClusterFacts): readonly DeviceRequest[] {
  const { accelerator, network, need } = added;
  const { device } = accelerator;
  const request = (name: string, claim: string, count: number, nic: boolean): DeviceRequest => {
    const [className, selectors] = nic
      ? [network?.deviceClassName ?? "", network?.selectors ?? []]
      : [device?.deviceClassName ?? "", device?.selectors ?? []];
    return {
      name,
      claim,
      deviceClassName: className,
      selectors: [...new Set([...(facts.deviceClass(className)?.selectors ?? []), ...selectors])],
      count,
      tolerations: [],
      matchAttributes: [],
    };
  };
  const gpusBy = need.align?.gpus?.mode === "required" ? gpuAttribute(added) : undefined;
  const near = nearBundles(added) === undefined ? undefined : nearAttribute(added);
  const soft = need.align?.nics?.mode === "preferred";
  const eitherWay = (one: DeviceRequest): DeviceRequest =>
    soft && near !== undefined ? { ...one, firstAvailable: [NEAR, ANYWHERE].map((name) => ({ ...one, name })) } : one;
  const claims = bundledClaims(added);
  return claims.flatMap((bundles, index): readonly DeviceRequest[] => {
    const claim = claims.length === 1 ? ADDED_CLAIM : `${ADDED_CLAIM}-${index}`;
    const groups = bundles.map(({ gpus, nics }, at) => {
      const number = bundles.length === 1 ? "" : `-${at}`;
      return [
        ...(gpus > 0 ? [eitherWay(request(`${ADDED_CLAIM}${number}`, claim, gpus, false))] : []),
        ...(nics > 0 ? [eitherWay(request(`${NIC_REQUEST}${number}`, claim, nics, true))] : []),
      ];
    });
    const constraints: DeviceConstraint[] = [];
    if (near !== undefined)
      for (const group of groups)
        constraints.push({ attribute: near, requests: group.map(({ name }) => (soft ? `${name}/${NEAR}` : name)) });
    const names = groups.flatMap(([first], at) => (first === undefined || bundles[at]?.gpus === 0 ? [] : first.name));
    // Alternatives that are far from network devices are held by no other.
    if (gpusBy !== undefined && (gpusBy !== near || soft) && names.length > 0)
      constraints.push({ attribute: gpusBy, requests: names });
    return groups
      .flat()
      .map((one) => ({ ...one, matchAttributes: constraints.filter((constraint) => binds(constraint, one)) }));
  });
}

/** In whole, or in one alternative. */
const binds = ({ requests }: Pick<DeviceConstraint, "requests">, { name }: DeviceRequest): boolean =>
  requests.some((one) => one === name || one.startsWith(`${name}/`));

/** What a constraint among these requests aligns: network devices with accelerators, or accelerators among each other. */
export function alignedBy(
  { requests: names }: DeviceConstraint,
  requests: readonly DeviceRequest[],
  network: NetworkDevices | undefined,
): Aligned {
  const bound = requests.filter((one) => binds({ requests: names }, one));
  return bound.some(({ deviceClassName }) => deviceClassName === network?.deviceClassName) ? "nics" : "gpus";
}

/** Network devices of one pod, by the class that asks for them. */
export const nicsOf = ({ count, per }: NicNeed, gpus: number): number => (per === "gpu" ? count * gpus : count);

/**
 * Why what the class requires cannot be had; what it only prefers never stands in the way. `unclaimed`: why the devices are not asked for in a claim;
 * undefined where they are.
 */
export function alignmentFault(added: Added, unclaimed: string | undefined): string | undefined {
  return gpusFault(added, unclaimed) ?? nicsFault(added, unclaimed);
}

function gpusFault(added: Added, unclaimed: string | undefined): string | undefined {
  const { accelerator, need, count } = added;
  const gpus = need.align?.gpus;
  if (gpus === undefined || gpus.mode !== "required" || count < 2) return undefined;
  if (gpus.level === "nvlink") {
    return accelerator.interconnect === undefined
      ? `${accelerator.name} has no NVLink domain, which the class requires for the devices of one pod`
      : undefined;
  }
  if (gpuAttribute(added) === undefined)
    return `no driver publishes the ${gpus.level} position of ${accelerator.name}, by which the class aligns`;
  if (unclaimed !== undefined)
    return `the ${gpus.level} alignment that the class requires can only be asked for in a resource claim, and ${unclaimed}`;
  const claims = bundledClaims(added).filter((bundles) => bundles.some((one) => one.gpus > 0));
  if (claims.length < 2) return undefined;
  const beside =
    need.align?.nics === undefined ? "" : ` and ${plural(nicsOf(need.align.nics, count), "network device")}`;
  return `${count} devices${beside} take several claims of ${DEVICES_PER_CLAIM} at most, and no ${gpus.level} alignment spans claims`;
}

function nicsFault(added: Added, unclaimed: string | undefined): string | undefined {
  const { need, count } = added;
  const nics = need.align?.nics;
  if (nics === undefined || nics.mode !== "required" || count === 0) return undefined;
  const by = nicAttribute(added);
  if (by !== undefined && "reason" in by) return by.reason;
  if (unclaimed !== undefined)
    return `the network devices that the class requires beside its accelerators can only be asked for in a resource claim, and ${unclaimed}`;
  const bundle = bundlesOf(added, nics);
  if (bundle === undefined)
    return `${plural(nics.count, "network device")} cannot be dealt to ${plural(count, "accelerator")} in equal parts`;
  const { gpus, nics: each } = bundle[0] ?? { gpus: 0, nics: 0 };
  return gpus + each > DEVICES_PER_CLAIM
    ? `${plural(gpus, "accelerator")} with ${plural(each, "network device")} are more than the ${DEVICES_PER_CLAIM} devices of one claim, and no ${nics.level} alignment spans claims`
    : undefined;
}

/** The attribute by which network devices can be had near accelerators, or why they cannot. */
export function nicAttribute({
  accelerator,
  network,
  need,
}: Pick<Added, "accelerator" | "network" | "need">):
  | { readonly attribute: string }
  | { readonly reason: string }
  | undefined {
  const level = need.align?.nics?.level;
  if (level === undefined) return undefined;
  if (network === undefined)
    return { reason: "the platform declares no network devices (network), which the class asks for" };
  const [own, theirs] = [attributeFor(level, accelerator.alignment), attributeFor(level, network.alignment)];
  if (own === undefined)
    return { reason: `no driver publishes the ${level} position of ${accelerator.name}, by which the class aligns` };
  if (theirs === undefined)
    return { reason: `${network.driver} publishes no ${level} position of network devices, by which the class aligns` };
  return own === theirs
    ? { attribute: own }
    : {
        reason: `${accelerator.name} tells its ${level} position as ${own} and ${network.driver} as ${theirs}, and attributes of two names never match`,
      };
}

function gpuAttribute({ accelerator, need, count }: Added): string | undefined {
  const level = need.align?.gpus?.level;
  return level === undefined || count < 2 ? undefined : attributeFor(level, accelerator.alignment);
}

function attributeFor(
  level: string,
  alignment: { readonly numa?: string; readonly pcie?: string },
): string | undefined {
  return level === "numa" ? alignment.numa : level === "pcie" ? alignment.pcie : undefined;
}

/** What stands together, by claim. */
function bundledClaims(added: Added): readonly (readonly Bundle[])[] {
  const { need, count, network } = added;
  const nics = network === undefined ? undefined : need.align?.nics;
  const near = nearBundles(added);
  if (near !== undefined) return inClaims(near);
  const wanted = nics === undefined ? 0 : nicsOf(nics, count);
  if (count + wanted <= DEVICES_PER_CLAIM) return [[{ gpus: count, nics: wanted }]];
  return [
    ...portions(count).map((gpus) => [{ gpus, nics: 0 }]),
    ...portions(wanted).map((own) => [{ gpus: 0, nics: own }]),
  ];
}

/** Each near each other; undefined where that is not asked for, or cannot be. */
function nearBundles(added: Added): readonly Bundle[] | undefined {
  const { need, network, alternatives } = added;
  const nics = network === undefined ? undefined : need.align?.nics;
  if (nics === undefined) return undefined;
  const near = bundlesOf(added, nics);
  if (near === undefined || nics.mode === "required") return near;
  // A preference gives way to everything that is required.
  const [{ gpus, nics: each } = { gpus: 0, nics: 0 }] = near;
  const fits = gpus + each <= DEVICES_PER_CLAIM && (!bindsGpus(added) || inClaims(near).length === 1);
  return alternatives && nearAttribute(added) !== undefined && fits ? near : undefined;
}

function inClaims(near: readonly Bundle[]): readonly (readonly Bundle[])[] {
  const [{ gpus, nics } = { gpus: 0, nics: 0 }] = near;
  const perClaim = Math.min(Math.floor(DEVICES_PER_CLAIM / (gpus + nics)), REQUESTS_PER_CLAIM / 2);
  return evenly(near, Math.ceil(near.length / Math.max(1, perClaim)));
}

const bindsGpus = (added: Added): boolean =>
  added.need.align?.gpus?.mode === "required" && gpuAttribute(added) !== undefined;

function nearAttribute(added: Added): string | undefined {
  const by = nicAttribute(added);
  return by !== undefined && "attribute" in by ? by.attribute : undefined;
}

/** Groups that are equal; one where accelerators and network devices must share the same. Undefined where no equal parts come out. */
function bundlesOf(added: Added, need: NicNeed): readonly Bundle[] | undefined {
  const { count } = added;
  const total = nicsOf(need, count);
  const near = nearAttribute(added);
  const gpusBy = added.need.align?.gpus?.mode === "required" ? gpuAttribute(added) : undefined;
  const groups = near !== undefined && near === gpusBy ? 1 : Math.min(count, total);
  if (count % groups !== 0 || total % groups !== 0) return undefined;
  return Array.from({ length: groups }, () => ({ gpus: count / groups, nics: total / groups }));
}

function portions(total: number): readonly number[] {
  const parts = Math.ceil(total / DEVICES_PER_CLAIM);
  return Array.from({ length: parts }, (_, index) => Math.min(DEVICES_PER_CLAIM, total - index * DEVICES_PER_CLAIM));
}

/** The list cut into so many parts, which differ by one at most, longer ones first. */
function evenly<Item>(list: readonly Item[], parts: number): readonly (readonly Item[])[] {
  const result: (readonly Item[])[] = [];
  for (let part = 0, from = 0; part < parts; part += 1) {
    const size = Math.ceil((list.length - from) / (parts - part));
    result.push(list.slice(from, from + size));
    from += size;
  }
  return result;
}
