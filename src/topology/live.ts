import type { Diagnostic, JsonObject, ObjectKey, TopologyLayout } from "../model/index.ts";
import { stringAt } from "../model/index.ts";
import type { Change } from "./change.ts";
import { type InventoryOptions, inventoryFrom } from "./inventory.ts";
import { groupOf, objectId, sameObject } from "./owner.ts";
import { buildTopology } from "./tree.ts";
import type { PodFacts, Topology } from "./types.ts";

export interface LiveOptions extends InventoryOptions {
  readonly layout: TopologyLayout;
}

/** A topology that follows what watches tell. */
export interface Live {
  /** What is malformed is left out and reported, and what was known of it before is dropped. */
  apply(change: Change): readonly Diagnostic[];
  topology(): Topology;
  /** After a reload of the policies. */
  setLayout(layout: TopologyLayout, climbs?: InventoryOptions["climbs"]): void;
  /** Objects kept, by kind. */
  readonly stats: ReadonlyMap<string, number>;
  /** Pods whose root this is, bound and unbound. */
  podsOf(root: ObjectKey): readonly PodFacts[];
  /** Undefined for a pod that is not known. */
  rootOfPod(namespace: string, name: string): ObjectKey | undefined;
}

export function createLive(options: LiveOptions): Live {
  let { layout, climbs } = options;
  const objects = new Map<string, JsonObject>();
  const listed = new Map<string, string>();
  let built: Topology | undefined;
  let version = 0;
  const topology = (): Topology => {
    if (built !== undefined) return built;
    const lists = [...listed.values()].map((kind) => ({ apiVersion: "v1", kind: `${kind}List`, items: [] }));
    const inventory = inventoryFrom([...lists, ...objects.values()], climbs === undefined ? {} : { climbs }).value;
    if (inventory === undefined) throw new Error("an inventory is always there");
    built = { ...buildTopology(inventory, layout), version };
    return built;
  };
  const idOf = (object: JsonObject): string =>
    objectId({
      apiVersion: stringAt(object, ["apiVersion"]) ?? "",
      kind: stringAt(object, ["kind"]) ?? "",
      namespace: stringAt(object, ["metadata", "namespace"]) ?? "",
      name: stringAt(object, ["metadata", "name"]) ?? "",
    });
  return {
    apply(change) {
      built = undefined;
      version += 1;
      if (change.type === "set") {
        objects.set(idOf(change.object), change.object);
        return inventoryFrom([change.object]).diagnostics;
      }
      if (change.type === "deleted") {
        objects.delete(objectId(change));
        return [];
      }
      const prefix = `${groupOf(change.apiVersion)}/${change.kind}/`;
      for (const id of objects.keys()) if (id.startsWith(prefix)) objects.delete(id);
      if (change.type === "unserved") {
        listed.delete(prefix);
        return [];
      }
      listed.set(prefix, change.kind);
      for (const object of change.objects) objects.set(idOf(object), object);
      return inventoryFrom(change.objects).diagnostics;
    },
    topology,
    setLayout(next, nextClimbs) {
      layout = next;
      climbs = nextClimbs;
      built = undefined;
      version += 1;
    },
    get stats() {
      const counts = new Map<string, number>();
      for (const object of objects.values()) {
        const kind = stringAt(object, ["kind"]) ?? "";
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      return counts;
    },
    rootOfPod: (namespace, name) =>
      topology().pods.find(({ key }) => key.namespace === namespace && key.name === name)?.root,
    podsOf: (root) => topology().pods.filter((pod) => sameObject(pod.root, root)),
  };
}
