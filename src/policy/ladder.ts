import {
  type AcceleratorClass,
  atLeast,
  type ClusterFacts,
  type Contract,
  type Intent,
  type Json,
  keep,
  type Ladder,
  once,
  type Requirement,
  type Rung,
  type Source,
  type Step,
  stringAt,
  type Toleration,
} from "../model/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";
import { type Added, addedDevices, alignmentFault } from "./added.ts";
import { whyNoAlternatives } from "./alternatives.ts";
import { devicesOf } from "./claims.ts";
import { finding } from "./codes.ts";
import { type Asked, acceleratorsAmong, asksForDevice, knownResources } from "./devices.ts";
import { isOverflowSet, notOverflow } from "./intent.ts";
import { acceleratorTolerations, selectAccelerator, selectCapacity } from "./selection.ts";
import { sharedSelection } from "./shared.ts";
import type { Catalogue } from "./types.ts";

const SOURCES: readonly Source[] = ["existing", "new"];

type Classes = Extract<Contract["accelerator"], { kind: "classes" }>;

/** What the devices of a step are asked by, or why they cannot be. */
type Mechanism =
  | Pick<Step, "mechanism" | "devicesPerPod" | "addedRequests" | "addedDevices" | "resourceName">
  | { readonly reason: string };

/**
 * The rungs of one pod set in the order in which they are tried: accelerators as the class lists them, then capacity types as it lists
 * them, then existing before new nodes. Each step carries what the expansion would write; a rung that this workload cannot
 * take stays in the ladder as skipped, with the reason.
 */
export function buildLadder(
  workload: Workload,
  set: PodSet,
  intent: Intent,
  catalogue: Catalogue,
  facts: ClusterFacts,
): Ladder {
  const asked = asksForDevice(set, knownResources(catalogue));
  const overflow = isOverflowSet(workload, set);
  const context = { workload, set, intent, catalogue, facts, asked, overflow };
  // What a claim asks for stands in other objects, so such a ladder is the workload's own.
  if (asked.form === "claim") return ladderFor(context);
  const kept = ladders(catalogue)(intent.contract);
  const words = intent.contract.interruption.spot === "overflow" ? notOverflow(workload, set) : "";
  const lasts = [workload.kind.life, workload.queue !== undefined, words];
  const scheduler = stringAt(set.pod.spec, ["schedulerName"]) ?? "";
  const key = JSON.stringify([
    intent.className,
    set.name,
    asked.resources,
    overflow,
    lasts,
    scheduler,
    addedSelectors(context),
  ]);
  return kept.get(key) ?? kept.set(key, ladderFor(context));
}

/**
 * Ladders that workloads of one contract share. A ladder without claims depends on nothing but catalogue, contract and what its key
 * says: whatever else of workload, set or cluster a ladder is made from belongs into the key. The key has amounts from manifests in it, so a few are kept for each contract; a contract that an intent changed, and a catalogue that
 * was replaced, take theirs with them.
 */
const KEPT_LADDERS = 16;
const ladders = once((_catalogue: Catalogue) => once((_contract: Contract) => keep<Ladder>(KEPT_LADDERS)));

/** What the cluster says of the device classes by which claims are added: all that a ladder without claims takes from it. */
function addedSelectors({ catalogue, intent, facts }: StepContext): Json {
  const need = intent.contract.accelerator;
  if (need.kind !== "classes") return null;
  const { network } = catalogue.platform;
  const names = [
    ...need.classes.map((name) => catalogue.accelerators.get(name)?.device?.deviceClassName),
    need.align?.nics === undefined ? undefined : network?.deviceClassName,
  ];
  return names.map((name) => (name === undefined ? null : [...(facts.deviceClass(name)?.selectors ?? [])]));
}

function ladderFor(context: StepContext): Ladder {
  const { workload, intent, catalogue, overflow } = context;
  const { accelerator, capacity, interruption } = intent.contract;
  const names = accelerator.kind === "classes" ? accelerator.classes : [accelerator.kind];
  const spotFor = interruption.spot === "allowed" || (interruption.spot === "overflow" && overflow);
  const steps: Step[] = [];
  for (const name of names) {
    for (const capacityType of capacity.types) {
      for (const source of SOURCES) {
        const rung: Rung = { accelerator: name, capacityType, source };
        const step = stepFor(rung, context);
        steps.push(capacityType === "spot" && !spotFor ? skipped(rung, withoutSpot(context)) : step);
      }
    }
  }
  const outlives = workload.kind.life !== "runOnce" && workload.queue === undefined;
  return {
    steps: outlives ? steps.map((step, index) => widened(step, index, steps, catalogue)) : steps,
    maxProvisioningMs: capacity.maxProvisioningMs,
  };
}

function withoutSpot({ intent, set, workload }: StepContext): string {
  return intent.contract.interruption.spot === "overflow"
    ? `class ${intent.className} allows spot capacity for overflow only, and ${notOverflow(workload, set)}`
    : `class ${intent.className} keeps ${set.name} off spot capacity`;
}

/**
 * The templates of kinds that outlive a rung list every capacity type that the class allows, so a rung counts on the types that come before
 * it as well: its pods may run partly here and partly there.
 */
function widened(step: Step, index: number, steps: readonly Step[], { platform }: Catalogue): Step {
  if (step.skipped !== undefined) return step;
  const peers = steps.filter(
    (one) =>
      one.skipped === undefined &&
      one.rung.accelerator === step.rung.accelerator &&
      one.rung.source === step.rung.source,
  );
  const sofar = peers.filter((one) => steps.indexOf(one) <= index);
  if (sofar.length < 2) return step;
  return {
    ...step,
    selection: sharedSelection(step, sofar, peers, platform.dialect),
    tolerations: together(...sofar.map(({ tolerations }) => tolerations)),
  };
}

interface StepContext {
  readonly workload: Workload;
  readonly set: PodSet;
  readonly intent: Intent;
  readonly catalogue: Catalogue;
  readonly facts: ClusterFacts;
  readonly asked: Asked;
  readonly overflow: boolean;
}

function stepFor(rung: Rung, context: StepContext): Step {
  const { catalogue, intent, asked } = context;
  const need = intent.contract.accelerator;
  if (rung.source === "new" && catalogue.platform.autoscaler.kind === "none")
    return skipped(rung, "nothing adds nodes on this platform (autoscaler.kind is none)");
  if (rung.source === "new" && asked.form === "claim" && !catalogue.platform.autoscaler.claims)
    return skipped(rung, NO_NODE_FOR_CLAIMS);
  if (need.kind !== "classes") {
    const capacity = selectCapacity(rung.capacityType, undefined, catalogue);
    if ("reason" in capacity) return skipped(rung, capacity.reason);
    return {
      rung,
      ...capacity,
      tolerations: together(tolerationsFor(asked, catalogue), capacity.tolerations),
      ...asItStands(context),
    };
  }
  const accelerator = catalogue.accelerators.get(rung.accelerator);
  if (accelerator === undefined) return skipped(rung, `there is no AcceleratorClass ${rung.accelerator}`);
  const mechanism = mechanismFor(rung.source, accelerator, need, context);
  if ("reason" in mechanism) return skipped(rung, mechanism.reason);
  const chosen = selectAccelerator(accelerator, rung.capacityType, rung.source, catalogue);
  if ("reason" in chosen) return skipped(rung, chosen.reason);
  const capacity = selectCapacity(rung.capacityType, accelerator.name, catalogue);
  if ("reason" in capacity) return skipped(rung, capacity.reason);
  return {
    rung,
    selection: unique([...chosen.selection, ...capacity.selection]),
    tolerations: together(chosen.tolerations, capacity.tolerations),
    ...mechanism,
  };
}

/** The manifest's own form decides; where it asks for nothing, a claim if the whole platform can carry one, else the extended resource. */
function mechanismFor(source: Source, accelerator: AcceleratorClass, need: Classes, context: StepContext): Mechanism {
  const { asked, set, workload, facts, catalogue } = context;
  const { name, resourceName } = accelerator;
  const { platform } = catalogue;
  const alternatives = whyNoAlternatives({ platform, source, workload, set }) === undefined;
  const added = (count: number): Added => ({ accelerator, network: platform.network, need, count, alternatives });
  if (asked.form === "extended-resource") {
    const count = Object.hasOwn(asked.resources, resourceName) ? asked.resources[resourceName] : undefined;
    const others = Object.keys(asked.resources).join(", ");
    if (count === undefined)
      return { reason: `${set.name} asks for ${others}, and ${name} is counted as ${resourceName}` };
    const misaligned = alignmentFault(added(count), `${set.name} asks for ${resourceName}`);
    if (misaligned !== undefined) return { reason: misaligned };
    return { mechanism: "extended-resource", resourceName, devicesPerPod: count, addedRequests: {}, addedDevices: [] };
  }
  if (asked.form === "claim") {
    const { devices } = devicesOf(workload, set, facts);
    return {
      mechanism: "manifest",
      devicesPerPod: acceleratorsAmong(devices, catalogue),
      addedRequests: {},
      addedDevices: [],
    };
  }
  const count = need.perPod.default;
  const unclaimed = whyUnclaimed(source, accelerator, context);
  const misaligned = alignmentFault(added(count), unclaimed);
  if (misaligned !== undefined) return { reason: misaligned };
  return unclaimed === undefined
    ? {
        mechanism: "claim",
        devicesPerPod: count,
        addedRequests: {},
        addedDevices: addedDevices(added(count), facts),
      }
    : {
        mechanism: "extended-resource",
        resourceName,
        devicesPerPod: count,
        addedRequests: { [resourceName]: count },
        addedDevices: [],
      };
}

/** Why no claim can be added for the rung. ResourceClaims (resource.k8s.io/v1) are served from 1.34 on. */
function whyUnclaimed(source: Source, { name, device }: AcceleratorClass, context: StepContext): string | undefined {
  const { kubernetes, companions, autoscaler } = context.catalogue.platform;
  const { major, minor } = kubernetes.version;
  if (device === undefined) return `no driver publishes ${name} for claims (AcceleratorClass ${name} has no device)`;
  if (!atLeast(kubernetes.version, 1, 34)) return `Kubernetes ${major}.${minor} serves none`;
  if (!companions.resourceClaimTemplates)
    return "nobody here creates the template for one (companions.resourceClaimTemplates is false)";
  return source === "new" && !autoscaler.claims ? NO_NODE_FOR_CLAIMS : undefined;
}

const NO_NODE_FOR_CLAIMS = "this autoscaler makes no node for a pod with claims (autoscaler.claims is false)";

/** Class need none or any: what the manifest asks for is solved as it stands. */
function asItStands({
  asked,
  workload,
  set,
  facts,
  catalogue,
}: StepContext): Pick<Step, "mechanism" | "devicesPerPod" | "addedRequests" | "addedDevices"> {
  if (asked.form === "none") return { mechanism: "none", devicesPerPod: 0, addedRequests: {}, addedDevices: [] };
  const counted = Object.values(asked.resources).reduce((sum, amount) => sum + amount, 0);
  const claimed = asked.form === "claim" ? acceleratorsAmong(devicesOf(workload, set, facts).devices, catalogue) : 0;
  return { mechanism: "manifest", devicesPerPod: counted + claimed, addedRequests: {}, addedDevices: [] };
}

function tolerationsFor(asked: Asked, { platform, pools }: Catalogue): readonly Toleration[] {
  const others = pools.flatMap(({ node }) => Object.keys(node.allocatable));
  return together(
    ...Object.keys(asked.resources).map((name) => acceleratorTolerations(name, platform.dialect, others)),
  );
}

function skipped(rung: Rung, reason: string): Step {
  return {
    rung,
    selection: [],
    tolerations: [],
    mechanism: "none",
    devicesPerPod: 0,
    addedRequests: {},
    addedDevices: [],
    skipped: finding("RungSkipped", `${reason}.`),
  };
}

function unique(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.filter((one, index) => requirements.findIndex((other) => other.key === one.key) === index);
}

function together(...lists: readonly (readonly Toleration[])[]): readonly Toleration[] {
  const seen = new Set<string>();
  return lists.flat().filter((one) => {
    const id = JSON.stringify([one.key, one.operator, one.value, one.effect]);
    return !seen.has(id) && seen.add(id) !== undefined;
  });
}
