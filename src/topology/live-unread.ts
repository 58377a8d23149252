import type { ObjectKey } from "../model/index.ts";

/** Objects that could not be read, each until it can or is gone. */
export function createUnread(): {
  /** Their kinds. */
  readonly kinds: ReadonlySet<string>;
  /** Returns whether the kinds have changed. */
  note(one: Pick<ObjectKey, "kind" | "namespace" | "name">, sound: boolean): boolean;
} {
  const kinds = new Set<string>();
  const byKind = new Map<string, Set<string>>();
  return {
    kinds,
    note({ kind, namespace, name }, sound) {
      const known = byKind.get(kind);
      const id = `${namespace}/${name}`;
      if (sound) {
        if (known?.delete(id) !== true || known.size > 0) return false;
        return kinds.delete(kind);
      }
      byKind.set(kind, (known ?? new Set()).add(id));
      if (kinds.has(kind)) return false;
      kinds.add(kind);
      return true;
    },
  };
}
