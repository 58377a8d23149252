import type { ObjectKey } from "../model/index.ts";
import { type Owner, type OwnerIndex, objectId, rootLabels, rootOf, sameObject } from "./owner.ts";

/** Pods of one controller (or of none) whose labels tell the same: they have one root, which is found once. */
export interface Lineage<P> {
  readonly id: string;
  readonly namespace: string;
  readonly owner: ObjectKey | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined: each pod is its own root. */
  readonly root: ObjectKey | undefined;
  /** Objects whose owner was asked for on the way up, by `objectId`. */
  readonly asked: readonly string[];
  readonly pods: ReadonlySet<P>;
}

export interface Lineages<P> {
  /** Dropped again unless a pod joins, or `release` is called. */
  of(owner: ObjectKey | undefined, namespace: string, labels: Readonly<Record<string, string>>): Lineage<P>;
  release(lineage: Lineage<P>): void;
  join(lineage: Lineage<P>, pod: P): void;
  leave(lineage: Lineage<P>, pod: P): void;
  /** An object came, went, or has another owner: roots below it are found anew. */
  ownerChanged(object: ObjectKey): void;
  setClimbs(climbs: (owner: Owner) => boolean): void;
  /** Pods of lineages that end at this root. */
  below(root: ObjectKey): readonly P[];
}

interface Draft<P> extends Lineage<P> {
  root: ObjectKey | undefined;
  asked: readonly string[];
  readonly pods: Set<P>;
}

/** `moved` is told of each lineage whose root has changed. */
export function createLineages<P>(
  ownerOf: OwnerIndex["ownerOf"],
  initial: (owner: Owner) => boolean,
  moved: (lineage: Lineage<P>) => void,
): Lineages<P> {
  let climbs = initial;
  const byId = new Map<string, Draft<P>>();
  const byAsked = new Map<string, Set<Draft<P>>>();
  const byRoot = new Map<string, Set<Draft<P>>>();

  const enter = (index: Map<string, Set<Draft<P>>>, key: string, one: Draft<P>): void => {
    const group = index.get(key);
    if (group === undefined) index.set(key, new Set([one]));
    else group.add(one);
  };
  const exit = (index: Map<string, Set<Draft<P>>>, key: string, one: Draft<P>): void => {
    const group = index.get(key);
    if (group?.delete(one) === true && group.size === 0) index.delete(key);
  };
  const file = (one: Draft<P>): void => {
    for (const key of one.asked) enter(byAsked, key, one);
    if (one.root !== undefined) enter(byRoot, objectId(one.root), one);
  };
  const unfile = (one: Draft<P>): void => {
    for (const key of one.asked) exit(byAsked, key, one);
    if (one.root !== undefined) exit(byRoot, objectId(one.root), one);
  };
  const climb = ({ namespace, owner, labels }: Draft<P>): Pick<Lineage<P>, "root" | "asked"> => {
    const asked = new Set<string>();
    const pod: ObjectKey = { apiVersion: "v1", kind: "Pod", namespace, name: "" };
    const root = rootOf(pod, owner, labels, {
      climbs,
      ownerOf(object) {
        asked.add(objectId(object));
        return ownerOf(object);
      },
    });
    return { root: root === pod ? undefined : root, asked: [...asked] };
  };
  const again = (one: Draft<P>): void => {
    const { root, asked } = climb(one);
    unfile(one);
    const same = isSameKey(one.root, root);
    one.asked = asked;
    if (!same) one.root = root;
    file(one);
    if (!same) moved(one);
  };
  const drop = (one: Draft<P>): void => {
    if (one.pods.size > 0 || byId.get(one.id) !== one) return;
    byId.delete(one.id);
    unfile(one);
  };
  /** The draft behind a lineage that this object gave out. */
  const draftOf = (lineage: Lineage<P>): Draft<P> => lineage as Draft<P>;

  return {
    of(owner, namespace, all) {
      const labels = rootLabels(all);
      const id = JSON.stringify([owner, namespace, labels]);
      const known = byId.get(id);
      if (known !== undefined) return known;
      const fresh: Draft<P> = { id, namespace, owner, labels, root: undefined, asked: [], pods: new Set() };
      Object.assign(fresh, climb(fresh));
      byId.set(id, fresh);
      file(fresh);
      return fresh;
    },
    release: (lineage) => drop(draftOf(lineage)),
    join: (lineage, pod) => void draftOf(lineage).pods.add(pod),
    leave(lineage, pod) {
      draftOf(lineage).pods.delete(pod);
      drop(draftOf(lineage));
    },
    ownerChanged(object) {
      for (const one of [...(byAsked.get(objectId(object)) ?? [])]) again(one);
    },
    setClimbs(next) {
      climbs = next;
      for (const one of byId.values()) again(one);
    },
    below: (root) => [...(byRoot.get(objectId(root)) ?? [])].flatMap((one) => [...one.pods]),
  };
}

/** The same object of the same generation, written in the same version. */
export function isSameKey(a: ObjectKey | undefined, b: ObjectKey | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  return sameObject(a, b) && a.apiVersion === b.apiVersion && a.uid === b.uid;
}
