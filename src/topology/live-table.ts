import { compareText } from "./order.ts";

/** Values by namespace, then name: names are kept once, and a namespace is walked without looking at the others. */
export interface Table<T> {
  get(namespace: string, name: string): T | undefined;
  set(namespace: string, name: string, value: T): void;
  delete(namespace: string, name: string): void;
  in(namespace: string): readonly T[];
  /** Those of one namespace in the order of their names. */
  named(namespace: string): readonly (readonly [name: string, value: T])[];
  values(): readonly T[];
  entries(): readonly (readonly [namespace: string, name: string, value: T])[];
  readonly size: number;
}

export function createTable<T>(): Table<T> {
  const spaces = new Map<string, Map<string, T>>();
  let size = 0;
  return {
    get: (namespace, name) => spaces.get(namespace)?.get(name),
    set(namespace, name, value) {
      const space = spaces.get(namespace) ?? new Map<string, T>();
      if (space.size === 0) spaces.set(namespace, space);
      size -= space.size;
      space.set(name, value);
      size += space.size;
    },
    delete(namespace, name) {
      const space = spaces.get(namespace);
      if (space?.delete(name) !== true) return;
      size -= 1;
      if (space.size === 0) spaces.delete(namespace);
    },
    in: (namespace) => [...(spaces.get(namespace)?.values() ?? [])],
    named: (namespace) => [...(spaces.get(namespace) ?? [])].sort(([a], [b]) => compareText(a, b)),
    values: () => [...spaces.values()].flatMap((space) => [...space.values()]),
    entries: () =>
      [...spaces].flatMap(([namespace, space]) => [...space].map(([name, value]) => [namespace, name, value] as const)),
    get size() {
      return size;
    },
  };
}
