/** What a message of room says of what runs out. */
export interface Named {
  /** More of any one of them would be enough. */
  readonly single: readonly string[];
  /** More of all of them together would be, and of fewer would not. */
  readonly together: readonly string[];
  /** More of any one of them would be enough in another domain than the one that is told of. */
  readonly elsewhere: readonly string[];
  /** What is named would be enough but for these rules among the pods. */
  readonly rules: string;
}

const names = (text = ""): readonly string[] => (text === "" ? [] : text.split(/, | and /));

/** `room for 1 of the 3 pods, one on each node for host port 80, then cpu and memory run out, elsewhere pod slots` */
export function namedIn(message: string): Named {
  const [counted = "", free] = message.split(", and without that ");
  const [text = "", rules = free === undefined ? "" : counted] =
    free === undefined ? message.split(", and more would not do while ") : [`: ${free}`];
  const [here = "", elsewhere] = text.split(/(?:, |: )elsewhere /);
  const ports = names(/, one on each node for (.+?)(?:, then .+)?$/.exec(here)?.[1]);
  const last = here.split(/, then |: /).at(-1) ?? "";
  const out = / runs? out$/.test(last) ? last : (/, for want of (.+)$/.exec(here)?.[1] ?? "");
  const things = names(out.replace(/^both /, "").replace(/ together$|(?: all)? runs? out$/, ""));
  const together = /^both | together$| all run out$/.test(out);
  return {
    single: [...ports, ...(together ? [] : things)],
    together: together ? things : [],
    elsewhere: names(elsewhere?.replace(/ runs? out$/, "")),
    rules,
  };
}
