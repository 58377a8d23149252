/** Values by text, the latest of them: `set` after `get` found nothing. */
export interface Kept<Value> {
  get(text: string): Value | undefined;
  set(text: string, value: Value): Value;
  /** Those that are kept, each once. */
  entries(): Iterable<readonly [string, Value]>;
}

/**
 * Keeps the values that were used last, between `most` and twice `most` of them: a full generation becomes the old one, whose
 * values come back when they are asked for and otherwise go with the next.
 */
export function keep<Value extends NonNullable<unknown>>(most: number): Kept<Value> {
  let recent = new Map<string, Value>();
  let older: ReadonlyMap<string, Value> = new Map();
  const set = (text: string, value: Value): Value => {
    if (recent.size >= most) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, value);
    return value;
  };
  return {
    get(text) {
      const known = recent.get(text);
      if (known !== undefined) return known;
      const value = older.get(text);
      return value === undefined ? undefined : set(text, value);
    },
    set,
    entries: () => new Map([...older, ...recent]),
  };
}

/** The function with its latest results kept. Only for functions of the text alone, so that sharing changes no answer. */
export function memo<Value extends NonNullable<unknown>>(
  most: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const kept = keep<Value>(most);
  return (text) => kept.get(text) ?? kept.set(text, make(text));
}

/**
 * The function with its results kept for as long as their subject lives. Only for functions of values that never change, so that
 * sharing changes no answer.
 */
export function once<Subject extends object, Value extends NonNullable<unknown>>(
  make: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const known = new WeakMap<Subject, Value>();
  return (subject) => {
    const found = known.get(subject);
    if (found !== undefined) return found;
    const value = make(subject);
    known.set(subject, value);
    return value;
  };
}
