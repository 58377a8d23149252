/** Keeps the one value that stands for all equal ones. Bounded, since what is pooled comes from users: what has not been asked for lately is forgotten. */
export interface Pool {
  /** The first object with the same JSON. Order of keys counts. */
  same<T extends object>(value: T): T;
  text(value: string): string;
}

const KEPT = 8192;

export function createPool(): Pool {
  const objects = recent<object>();
  const texts = recent<string>();
  return {
    same<T extends object>(value: T): T {
      // Values of one form of JSON are of one type, as every caller pools what it reads from one kind of field.
      const key = JSON.stringify(value);
      return (objects.get(key) ?? objects.set(key, value)) as T;
    },
    text: (value) => texts.get(value) ?? texts.set(value, value),
  };
}

/** A map of at least the latest `KEPT` keys that were asked for or set, and at most twice as many. */
export function recent<T>(): { get(key: string): T | undefined; set(key: string, value: T): T } {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  const set = (key: string, value: T): T => {
    if (young.size >= KEPT) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
  return {
    set,
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found;
      const older = old.get(key);
      return older === undefined ? undefined : set(key, older);
    },
  };
}
