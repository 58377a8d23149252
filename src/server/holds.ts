import type { Hold, ObjectKey } from "../model/index.ts";
import { objectId } from "../topology/index.ts";

/** An allowed hold that nothing confirms ends after this long. */
export const HOLD_MS = 10_000;
const MAX_HOLDS = 10_000;

export interface Holds {
  /** Those still in force. */
  list(nowMs: number): readonly Hold[];
  /** Never replaces a hold of another uid under the same name: that object exists, and this create will fail. */
  take(hold: Hold): void;
  /** The watch shows this object with so many pods: what was promised to it, or to another of its name, is known there now. */
  confirm(key: ObjectKey, pods: number): void;
}

const podsOf = ({ placed }: Hold): number => placed.reduce((sum, { pods }) => sum + pods, 0);

/** Capacity promised by this replica and not yet shown by the cluster. */
export function createHolds(): Holds {
  const held = new Map<string, Hold>();
  const expire = (nowMs: number) => {
    // Insertion order is age order: a renewed hold is inserted anew.
    for (const [key, hold] of held) {
      if (nowMs - hold.takenAtMs < HOLD_MS) break;
      held.delete(key);
    }
  };
  return {
    list(nowMs) {
      expire(nowMs);
      return [...held.values()];
    },
    confirm(key, pods) {
      const id = objectId(key);
      const present = held.get(id);
      // A promise about more pods than the watch shows is about an update that has not come through yet.
      if (present !== undefined && (present.workload.uid !== key.uid || podsOf(present) <= pods)) held.delete(id);
    },
    take(hold) {
      expire(hold.takenAtMs);
      const key = objectId(hold.workload);
      const present = held.get(key);
      if (present !== undefined && present.workload.uid !== hold.workload.uid) return;
      held.delete(key);
      if (held.size < MAX_HOLDS) held.set(key, hold);
    },
  };
}
