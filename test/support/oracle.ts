import highsLoader from "highs";

/** A pod set for the oracle: its pods, what each needs by resource, on which nodes it may stand, and whose domain it shares. */
export interface OracleSet {
  readonly pods: number;
  readonly needs: readonly number[];
  readonly nodes: readonly number[];
  /** Sets with one name stand in one domain of `level` together; undefined: anywhere. */
  readonly shares: { readonly name: string; readonly level: number } | undefined;
}

export interface OracleNode {
  readonly free: readonly number[];
  /** By level. */
  readonly domains: readonly number[];
}

export type Oracle = (nodes: readonly OracleNode[], sets: readonly OracleSet[]) => boolean;

/** Is there a place for all pods, by HiGHS as an integer program: it shares no idea with our search. */
export async function startOracle(): Promise<Oracle> {
  // Its types describe the CommonJS build, in which the loader is a member.
  const load = highsLoader as unknown as (typeof highsLoader)["default"];
  const highs = await load();
  return (nodes, sets) => {
    const { Status } = highs.solve(program(nodes, sets), { output_flag: false });
    if (Status === "Optimal") return true;
    if (Status === "Infeasible") return false;
    throw new Error(`HiGHS ends with ${Status}`);
  };
}

/**
 * x_S_N pods of set S on node N; y_NAME_D: the sets that share NAME stand in domain D.
 * All pods stand; no node gives more than it has; pods stand only where their domain was chosen.
 */
function program(nodes: readonly OracleNode[], sets: readonly OracleSet[]): string {
  const rows: string[] = [];
  const whole: string[] = [];
  const chosen = new Map<string, Set<string>>();
  for (const [s, set] of sets.entries()) {
    const own = set.nodes.map((n) => `x_${s}_${n}`);
    whole.push(...own);
    rows.push(own.length === 0 ? `none_${s}: 0 zero = ${set.pods}` : `all_${s}: ${own.join(" + ")} = ${set.pods}`);
    if (set.shares === undefined) continue;
    const { name, level } = set.shares;
    const byDomain = new Map<number, string[]>();
    for (const n of set.nodes) {
      const domain = nodes[n]?.domains[level] ?? -1;
      byDomain.set(domain, [...(byDomain.get(domain) ?? []), `x_${s}_${n}`]);
    }
    for (const [domain, members] of byDomain) {
      const y = `y_${name}_${domain}`;
      chosen.set(name, (chosen.get(name) ?? new Set()).add(y));
      rows.push(`in_${s}_${domain}: ${members.join(" + ")} - ${set.pods} ${y} <= 0`);
    }
  }
  for (const [name, ys] of chosen) rows.push(`one_${name}: ${[...ys].join(" + ")} = 1`);
  for (const [n, { free }] of nodes.entries())
    for (const [r, have] of free.entries()) {
      const terms = sets.flatMap(({ needs, nodes: on }, s) =>
        on.includes(n) && (needs[r] ?? 0) > 0 ? [`${needs[r]} x_${s}_${n}`] : [],
      );
      if (terms.length > 0) rows.push(`cap_${n}_${r}: ${terms.join(" + ")} <= ${have}`);
    }
  const binaries = [...chosen.values()].flatMap((ys) => [...ys]);
  return [
    "Minimize",
    " cost: zero",
    "Subject To",
    ...rows.map((row) => ` ${row}`),
    "Bounds",
    " zero = 0",
    "General",
    ` ${whole.join(" ")}`,
    ...(binaries.length > 0 ? ["Binary", ` ${binaries.join(" ")}`] : []),
    "End",
  ].join("\n");
}
