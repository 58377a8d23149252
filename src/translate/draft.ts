import { isArray, isObject, type Json, type JsonObject, type Path, valueAt } from "../model/index.ts";

/** Parents that an edit had to make: how many, and whether the outermost stood as an explicit null. */
export interface Made {
  readonly count: number;
  readonly wasNull: boolean;
}

/**
 * Copy-on-write edits of one document. What no edit touches keeps its identity, and keys keep their order. Keys are
 * only ever set as own properties, whatever their names.
 */
export interface Draft {
  get(path: Path): Json | undefined;
  /**
   * Makes `path` a container of that shape. Undefined where a value of another shape stands in the way: nothing is
   * changed then.
   */
  ensure(path: Path, shape: "object" | "array"): Made | undefined;
  /** The parent must exist. */
  set(path: Path, value: Json): void;
  /** Removes a key or an element. Absent: nothing happens. */
  remove(path: Path): void;
  result(): JsonObject;
}

type Container = Record<string, Json | undefined> | (Json | undefined)[];

export function draft(source: JsonObject): Draft {
  const own = new Set<unknown>();
  let root: JsonObject = source;

  const copy = (value: Json | undefined): Container | undefined => {
    if (own.has(value)) return value as Container;
    const made: Container | undefined = isArray(value) ? [...value] : isObject(value) ? { ...value } : undefined;
    if (made !== undefined) own.add(made);
    return made;
  };

  /** The container at `path`, owned by the draft from the root on; undefined where there is none. */
  const open = (path: Path): Container | undefined => {
    let container = copy(root);
    if (container === undefined) return undefined;
    root = container as JsonObject;
    for (const step of path) {
      const child = copy(childOf(container, step));
      if (child === undefined) return undefined;
      put(container, step, child as Json);
      container = child;
    }
    return container;
  };

  return {
    get: (path) => valueAt(root, path),
    ensure(path, shape) {
      let depth = 0;
      let at: Json | undefined = root;
      while (depth < path.length) {
        const step = path[depth] ?? "";
        if (typeof step === "number" ? !isArray(at) : !isObject(at)) return undefined;
        const child: Json | undefined = valueAt(at, [step]);
        if (child === undefined || child === null) break;
        at = child;
        depth += 1;
      }
      if (depth === path.length)
        return (shape === "array" ? isArray(at) : isObject(at)) ? { count: 0, wasNull: false } : undefined;
      if (typeof path[depth] === "number" || path.slice(depth).some((step) => typeof step === "number"))
        return undefined;
      const wasNull = valueAt(root, path.slice(0, depth + 1)) === null;
      let value: Json = shape === "array" ? [] : {};
      for (let level = path.length - 1; level > depth; level -= 1) value = { [String(path[level])]: value };
      const parent = open(path.slice(0, depth));
      if (parent === undefined) return undefined;
      put(parent, path[depth] ?? "", value);
      return { count: path.length - depth, wasNull };
    },
    set(path, value) {
      const parent = open(path.slice(0, -1));
      const step = path.at(-1);
      if (parent !== undefined && step !== undefined) put(parent, step, value);
    },
    remove(path) {
      const step = path.at(-1);
      if (step === undefined || valueAt(root, path) === undefined) return;
      const parent = open(path.slice(0, -1));
      if (Array.isArray(parent) && typeof step === "number") parent.splice(step, 1);
      else if (parent !== undefined && !Array.isArray(parent)) delete parent[String(step)];
    },
    result: () => root,
  };
}

function childOf(container: Container, step: string | number): Json | undefined {
  return valueAt(container as Json, [step]);
}

function put(container: Container, step: string | number, value: Json): void {
  // Of all names this one alone is not simply set.
  if (step !== "__proto__") {
    (container as Record<string | number, Json>)[step] = value;
    return;
  }
  Object.defineProperty(container, step, { value, enumerable: true, configurable: true, writable: true });
}
