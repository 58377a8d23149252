import type { JsonObject, ObjectKey } from "../model/index.ts";
import type { AmountReader, Faults } from "./fields.ts";
import type { Identity } from "./identity.ts";
import { isSameKey, type Lineage, type Lineages } from "./live-lineage.ts";
import { type Placed, sortedList } from "./live-sorted.ts";
import { createTable } from "./live-table.ts";
import { priorityOf } from "./owner.ts";
import { isTerminal, podKey, priorityClassOf, readPod } from "./pod.ts";
import type { PodFacts } from "./types.ts";

export interface LivePod extends Placed<PodFacts> {
  facts: PodFacts;
  lineage: Lineage<LivePod>;
  /** Whether a PriorityClass decides, and which; the default one where it has no name. */
  priorityBy: { readonly className: string | undefined } | undefined;
}

export interface PodKeeper {
  /** Nothing is changed where faults are found. */
  set(object: JsonObject, identity: Identity, problems: Faults): void;
  remove(namespace: string, name: string): void;
  get(namespace: string, name: string): PodFacts | undefined;
  /** The root of a lineage has changed. */
  rootMoved(lineage: Lineage<LivePod>): void;
  tenantMoved(namespace: string): void;
  prioritiesMoved(): void;
  facts(): readonly PodFacts[];
  readonly size: number;
}

export interface PodSurroundings {
  readonly amounts: AmountReader;
  readonly lineages: () => Lineages<LivePod>;
  readonly tenantOf: (namespace: string) => string;
  readonly priorityOf: (className: string | undefined) => number;
  readonly moved: (before: PodFacts | undefined, after: PodFacts | undefined) => void;
}

/** Every pod that has not ended. */
export function createPods({ amounts, lineages, tenantOf, moved, ...given }: PodSurroundings): PodKeeper {
  const table = createTable<LivePod>();
  const sorted = sortedList<PodFacts, LivePod>();

  const replace = (pod: LivePod, facts: PodFacts): void => {
    const before = pod.facts;
    pod.facts = facts;
    sorted.replaced(pod);
    moved(before, facts);
  };
  const remove = (namespace: string, name: string): void => {
    const pod = table.get(namespace, name);
    if (pod === undefined) return;
    table.delete(namespace, name);
    sorted.remove(pod);
    lineages().leave(pod.lineage, pod);
    moved(pod.facts, undefined);
  };
  const put = (pod: LivePod): void => {
    const { namespace, name } = pod;
    const known = table.get(namespace, name);
    if (known === undefined) {
      table.set(namespace, name, pod);
      sorted.add(pod);
      lineages().join(pod.lineage, pod);
      moved(undefined, pod.facts);
      return;
    }
    if (known.lineage !== pod.lineage) {
      lineages().join(pod.lineage, known);
      lineages().leave(known.lineage, known);
      known.lineage = pod.lineage;
    }
    known.priorityBy = pod.priorityBy;
    if (!isSamePod(known.facts, pod.facts)) replace(known, pod.facts);
  };

  return {
    remove,
    set(object, { namespace, name }, problems) {
      if (isTerminal(object)) {
        remove(namespace, name);
        return;
      }
      let lineage: Lineage<LivePod> | undefined;
      const key = podKey(object, namespace, name);
      const context = {
        amounts,
        tenantOf,
        priorityOf: given.priorityOf,
        rootOf(pod: ObjectKey, owner: ObjectKey | undefined, labels: Readonly<Record<string, string>>): ObjectKey {
          lineage = lineages().of(owner, namespace, labels);
          return lineage.root ?? pod;
        },
      };
      const facts = readPod(object, key, context, problems);
      if (lineage === undefined) return;
      if (problems.found.length > 0) {
        lineages().release(lineage);
        return;
      }
      const priorityBy = priorityOf(object) === undefined ? { className: priorityClassOf(object) } : undefined;
      put({ namespace, name: key.name, facts, lineage, priorityBy, at: -1 });
    },
    get: (namespace, name) => table.get(namespace, name)?.facts,
    rootMoved(lineage) {
      for (const pod of lineage.pods) replace(pod, { ...pod.facts, root: lineage.root ?? pod.facts.key });
    },
    tenantMoved(namespace) {
      const tenant = tenantOf(namespace);
      for (const pod of table.in(namespace)) if (pod.facts.tenant !== tenant) replace(pod, { ...pod.facts, tenant });
    },
    prioritiesMoved() {
      for (const pod of table.values()) {
        if (pod.priorityBy === undefined) continue;
        const priority = given.priorityOf(pod.priorityBy.className);
        if (priority !== pod.facts.priority) replace(pod, { ...pod.facts, priority });
      }
    },
    facts: () => sorted.facts(),
    get size() {
      return table.size;
    },
  };
}

/** Equal labels, amounts and ports are one object as long as the pool remembers them; when it does not, an equal pod is merely taken for a change. */
function isSamePod(a: PodFacts, b: PodFacts): boolean {
  return (
    a.key.uid === b.key.uid &&
    a.node === b.node &&
    a.nominated === b.nominated &&
    a.gated === b.gated &&
    a.terminating === b.terminating &&
    a.requests === b.requests &&
    a.pinned === b.pinned &&
    a.apart === b.apart &&
    a.labels === b.labels &&
    a.hostPorts === b.hostPorts &&
    a.priority === b.priority &&
    a.tenant === b.tenant &&
    a.started === b.started &&
    isSameKey(a.root, b.root)
  );
}
