import { allows, NODE_NAME_FIELD, once, type Requirement } from "../model/index.ts";
import type { DeviceFacts, Topology } from "../topology/index.ts";
import { ZONE_LABEL } from "./rooms.ts";
import { type Kind, mayCarry } from "./scaleup.ts";

/** By what new nodes of a kind reach a device, or do not; or a label that is not known and decides it. */
export type Reached = "yes" | "no" | { readonly label: string };

/** A new node has a name that nobody knows, but none that an existing node has. */
const NAMES = new Set(["kubernetes.io/hostname", NODE_NAME_FIELD]);

const known = once((_kind: Kind) => new Map<DeviceFacts["reach"], Reached>());

/** Do new nodes of the kind reach a device that several nodes do; never one of a node that exists. */
export function reachedBy(topology: Topology, kind: Kind, reach: DeviceFacts["reach"]): Reached {
  if ("node" in reach) return "no";
  if ("all" in reach) return "yes";
  const before = known(kind).get(reach);
  if (before !== undefined) return before;
  const each = [...reach.selection.values()].map((one) => meets(topology, kind, one));
  const open = each.find((one) => typeof one === "object");
  const found = each.includes("no") ? "no" : (open ?? "yes");
  known(kind).set(reach, found);
  return found;
}

function meets(topology: Topology, kind: Kind, asked: Requirement): Reached {
  const { key } = asked;
  if (Object.hasOwn(kind.labels, key)) return allows(asked, kind.labels[key]) ? "yes" : "no";
  const label = { label: key };
  if (NAMES.has(key)) {
    const named = !asked.complement && asked.values.every((name) => topology.nodeIndex.has(name));
    return named ? "no" : label;
  }
  // Every node of a cloud has a zone, also where its pool does not say which.
  if (key === ZONE_LABEL) return label;
  if (kind.open.has(key) || mayCarry(kind, asked)) return mayCarry(kind, asked) ? label : "no";
  return asked.absent ? "yes" : "no";
}
