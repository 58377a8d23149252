import { allowsLabels, once, requirement } from "../model/index.ts";
import type { AttributeValue, DeviceFacts, Topology } from "./types.ts";

/**
 * What devices of some drivers tell by an attribute on the nodes of one accelerator that have devices of each. missing: none of them publishes it, so nothing can be aligned by it;
 * equal: wherever a node has several, all of its devices carry one value, so that it aligns nothing; varies: it tells devices apart; unknown: there are none,
 * or no node has several.
 */
type Published = "missing" | "equal" | "varies" | "unknown";

/** `labels`: by which nodes are known to carry the accelerator; any of them does. */
export function publishedBy(
  topology: Topology,
  drivers: readonly string[],
  attribute: string,
  labels: readonly { readonly key: string; readonly values: readonly string[] }[],
): Published {
  const tests = labels.map(({ key, values }) => new Map([[key, requirement(key, "In", values)]]));
  let [devices, told, shared, apart] = [0, 0, 0, 0];
  for (const [name, list] of byNode(topology)) {
    const node = topology.nodes[topology.nodeIndex.get(name) ?? -1];
    if (node === undefined || !tests.some((test) => allowsLabels(test, node.labels))) continue;
    const own = list.filter((one) => drivers.includes(one.driver));
    if (new Set(own.map(({ driver }) => driver)).size < drivers.length) continue;
    const values = own.map((device) => attributeOf(device, attribute));
    devices += own.length;
    told += values.filter((value) => value !== undefined).length;
    if (own.length < 2 || values.includes(undefined)) continue;
    if (new Set(values.map((value) => JSON.stringify(value))).size > 1) apart += 1;
    else shared += 1;
  }
  if (devices === 0) return "unknown";
  if (told === 0) return "missing";
  return apart > 0 ? "varies" : shared > 0 ? "equal" : "unknown";
}

const byNode = once((topology: Topology): ReadonlyMap<string, readonly DeviceFacts[]> => {
  const nodes = new Map<string, DeviceFacts[]>();
  for (const pool of topology.devicePools)
    for (const device of pool.devices) {
      if (!("node" in device.reach)) continue;
      const list = nodes.get(device.reach.node);
      if (list === undefined) nodes.set(device.reach.node, [device]);
      else list.push(device);
    }
  return nodes;
});

/** As the allocator looks it up: by its full name, and of the driver's own domain without it. */
function attributeOf(device: DeviceFacts, attribute: string): AttributeValue | undefined {
  const slash = attribute.lastIndexOf("/");
  const [domain, name] = [attribute.slice(0, slash), attribute.slice(slash + 1)];
  const own = Object.hasOwn(device.attributes, domain) ? device.attributes[domain] : undefined;
  return own !== undefined && Object.hasOwn(own, name) ? own[name] : undefined;
}
