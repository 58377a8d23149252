/** Devices of one row that nothing tells apart. One that several claims may use at once stands by itself. */
export interface Group {
  /** By option number: do its selectors and tolerations take these devices. */
  readonly serves: readonly boolean[];
  /** Options of which a selector fails on these devices. */
  readonly faulty: readonly number[];
  /** By `Stock.attributes`; undefined: not published, so a constraint on it never holds. */
  readonly values: readonly (string | undefined)[];
  readonly devices: readonly string[];
  /** What each device takes of `Stock.counters`. */
  readonly counters: readonly { readonly at: number; readonly amount: bigint }[];
  /** Several claims may use it: what each option takes of `Stock.capacities`; its counters are taken once. */
  readonly shares: Shares | undefined;
}

export interface Shares {
  /** Its first place in `Stock.capacities`. */
  readonly at: number;
  readonly uses: readonly (readonly bigint[] | undefined)[];
  /** Others use it already, so its counters are taken. */
  readonly charged: boolean;
}

/** What `all` means for one option on the row. */
export interface All {
  /** In the allocator's order; -1 for a device that is in use or tainted, so that all cannot be had. */
  readonly groups: readonly number[];
  readonly blocked: boolean;
}

export interface Stock {
  readonly groups: readonly Group[];
  readonly attributes: readonly string[];
  /** What is left at first. */
  readonly counters: readonly bigint[];
  readonly capacities: readonly bigint[];
  readonly alls: ReadonlyMap<number, All>;
  /** Why a request for all devices aborts the pod's attempt here, whatever is free. */
  readonly broken: string | undefined;
  /** Options that devices of a pool serve of which slices are missing: what those bring is not known, and may be enough for any number of pods. */
  readonly open?: ReadonlySet<number>;
  /** Groups that share counters, directly or by way of others; parts of equal type are interchangeable. */
  readonly parts: readonly Part[];
  /** Group -> part. */
  readonly partOf: readonly number[];
  /** Rows with equal signatures allow the same. */
  readonly signature: string;
}

export interface Part {
  readonly type: string;
  readonly groups: readonly number[];
  readonly counters: readonly number[];
}

export interface Draft extends Omit<Stock, "parts" | "partOf" | "signature"> {
  /** What tells this row from others beyond its groups. */
  readonly extra: string;
}

const NOTHING_OPEN: ReadonlySet<number> = new Set();

export function finish(draft: Draft): Stock {
  const { groups, counters, capacities } = draft;
  const owner = groups.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (owner[at] !== undefined && owner[at] !== at) at = owner[at] ?? at;
    return at;
  };
  const firstWith = new Map<number, number>();
  for (const [index, group] of groups.entries())
    for (const { at } of group.counters) {
      const other = firstWith.get(at);
      if (other === undefined) firstWith.set(at, index);
      else owner[root(index)] = root(other);
    }
  const members = new Map<number, number[]>();
  for (const index of groups.keys()) {
    const list = members.get(root(index)) ?? [];
    list.push(index);
    members.set(root(index), list);
  }
  const partOf: number[] = groups.map(() => 0);
  const parts = [...members.values()].map((list, number): Part => {
    const local: number[] = [];
    const texts = list.map((index) => {
      partOf[index] = number;
      const group = groups[index];
      if (group === undefined) return "";
      const uses = group.counters.map(({ at, amount }) => {
        if (!local.includes(at)) local.push(at);
        return `${local.indexOf(at)}=${amount}`;
      });
      return `${groupText(group, capacities)}[${uses.sort().join(",")}]`;
    });
    return { type: texts.join(";"), groups: list, counters: local };
  });
  const texts = parts.map(
    ({ type, groups: list, counters: own }) =>
      `${type}*${list.map((index) => groups[index]?.devices.length ?? 0).join(",")}<${own.map((at) => counters[at]).join(",")}`,
  );
  const alls = [...draft.alls].map(([option, { groups: list, blocked }]) => `${option}:${blocked ? "x" : list.length}`);
  return {
    groups,
    attributes: draft.attributes,
    counters,
    capacities,
    alls: draft.alls,
    broken: draft.broken,
    open: draft.open ?? NOTHING_OPEN,
    parts,
    partOf,
    signature: `${texts.sort().join(";")}!${alls.join(",")}!${draft.broken ?? ""}!${[...(draft.open ?? NOTHING_OPEN)].join(",")}!${draft.extra}`,
  };
}

function groupText(group: Group, capacities: readonly bigint[]): string {
  const bits = group.serves.map((one) => (one ? "1" : "0")).join("");
  const { shares } = group;
  const width = shares?.uses.find((one) => one !== undefined)?.length ?? 0;
  const shared =
    shares === undefined
      ? ""
      : `${shares.charged}/${capacities.slice(shares.at, shares.at + width).join(",")}/${shares.uses.map((one) => one?.join("+") ?? "").join(",")}`;
  return `${bits}|${group.faulty.join(",")}|${group.values.map((one) => one ?? "").join("|")}|${shared}`;
}

/** What an allocation moves; `give` undoes `take` exactly. */
export interface State {
  /** Is one more device of the group there, with its counters and (for shared ones) the option's capacity. */
  can(group: number, option: number): boolean;
  counted(group: number): boolean;
  take(group: number, option: number): void;
  give(group: number, option: number): void;
  /** So many devices of the group are there once more, or no longer, though what they take of counters stays taken. */
  lend(group: number, devices: number): void;
  /** Of one part, equal where what is left of it is equal. */
  key(part: number): string;
}

export function stateOf(stock: Stock): State {
  const left = stock.groups.map(({ devices }) => devices.length);
  const shares: number[] = stock.groups.map(({ shares: one }) => (one?.charged === true ? 1 : 0));
  const counters = [...stock.counters];
  const capacities = [...stock.capacities];
  const counted = (index: number): boolean => {
    const group = stock.groups[index];
    if (group === undefined) return false;
    if (group.shares !== undefined && (shares[index] ?? 0) > 0) return true;
    return group.counters.every(({ at, amount }) => (counters[at] ?? 0n) >= amount);
  };
  const move = (index: number, option: number, sign: 1 | -1): void => {
    const group = stock.groups[index];
    if (group === undefined) return;
    const step = BigInt(sign);
    const one = group.shares;
    if (one === undefined) left[index] = (left[index] ?? 0) - sign;
    else {
      for (const [offset, amount] of (one.uses[option] ?? []).entries())
        capacities[one.at + offset] = (capacities[one.at + offset] ?? 0n) - step * amount;
      const before = shares[index] ?? 0;
      shares[index] = before + sign;
      if ((sign === 1 ? before : before - 1) > 0) return;
    }
    for (const { at, amount } of group.counters) counters[at] = (counters[at] ?? 0n) - step * amount;
  };
  return {
    counted,
    can(index, option) {
      const group = stock.groups[index];
      if (group === undefined || group.serves[option] !== true) return false;
      const one = group.shares;
      if (one === undefined) return (left[index] ?? 0) > 0 && counted(index);
      const uses = one.uses[option];
      return uses?.every((amount, offset) => (capacities[one.at + offset] ?? 0n) >= amount) === true && counted(index);
    },
    take: (index, option) => move(index, option, 1),
    give: (index, option) => move(index, option, -1),
    lend(index, devices) {
      if (stock.groups[index]?.shares === undefined) left[index] = (left[index] ?? 0) + devices;
    },
    key(part) {
      const { groups = [], counters: own = [] } = stock.parts[part] ?? {};
      let text = "";
      for (const index of groups) {
        const one = stock.groups[index]?.shares;
        text += `${left[index]}`;
        if (one !== undefined) {
          const width = one.uses.find((uses) => uses !== undefined)?.length ?? 0;
          text += `/${(shares[index] ?? 0) > 0 ? 1 : 0}/${capacities.slice(one.at, one.at + width).join("+")}`;
        }
        text += ",";
      }
      for (const at of own) text += `<${counters[at]}`;
      return text;
    },
  };
}

/** What is left, with parts of one type that share counters in any order. */
export function leftText(stock: Stock, state: State): string {
  const keys = stock.parts.map(({ type, counters }, part) =>
    counters.length === 0 ? `${part}=${state.key(part)}` : `${type}:${state.key(part)}`,
  );
  return keys.some((_, part) => (stock.parts[part]?.counters.length ?? 0) > 0) ? keys.sort().join(";") : keys.join(";");
}
