import type { CapacityPool, NodeNuma, NumaPolicy, NumaScope } from "../model/index.ts";

/** A Topology Manager as it may be configured. */
export interface NumaSetting {
  readonly policy: NumaPolicy;
  readonly scope: NumaScope;
}

/** What is known of the Topology Manager of a node, and of what it hands out. */
export interface NumaRule {
  /** More than one where it is not told which. */
  readonly settings: readonly NumaSetting[];
  /** What a doubt says of the nodes `%` where there are several. */
  readonly doubt: string;
  /** As its NodeResourceTopology tells; absent: devices lie on so many NUMA nodes in equal parts, as the pool declares. */
  readonly told?: NodeNuma;
  readonly parts: number;
  /** Of the pods for which what is told was written, where it can be compared. */
  readonly fingerprint?: string;
}

/** The kubelet starts with no more of them, unless it is told to. */
export const MOST_ZONES = 8;

const ADMITS_ALL: ReadonlySet<NumaPolicy> = new Set(["none", "best-effort"]);
const SCOPES: readonly NumaScope[] = ["container", "pod"];

/** Of a pool that declares one: its new nodes follow it, and those that exist where nothing else is told. */
export function ruleOfPool({ node }: CapacityPool): NumaRule | undefined {
  if (node.numa === undefined) return undefined;
  const { nodes, policy, scope } = node.numa;
  return { settings: [{ policy, scope }], parts: nodes, doubt: "" };
}

/** The object wins; what it leaves out the pool may say. `activeOnly`: kubelets list no pods that have ended. */
export function ruleTold(told: NodeNuma, declared: NumaRule | undefined, activeOnly: boolean): NumaRule | undefined {
  const [own] = declared?.settings ?? [];
  const policy = told.policy ?? own?.policy;
  const scope = told.scope ?? own?.scope;
  if (policy !== undefined && ADMITS_ALL.has(policy)) return undefined;
  const policies: readonly NumaPolicy[] = policy === undefined ? ["none", "restricted", "single-numa-node"] : [policy];
  const scopes = scope === undefined ? SCOPES : [scope];
  return {
    settings: policies.flatMap((one) => scopes.map((other) => ({ policy: one, scope: other }))),
    parts: told.zones.length,
    told,
    ...(told.pods === undefined || (told.pods.ended && !activeOnly) ? {} : { fingerprint: told.pods.fingerprint }),
    doubt: `the NodeResourceTopology of % does not say the ${policy === undefined ? "policy" : "scope"} of its Topology Manager (attribute ${policy === undefined ? "topologyManagerPolicy" : "topologyManagerScope"})`,
  };
}

/** Does it let every pod in. */
export const admitsAll = ({ policy }: NumaSetting): boolean => ADMITS_ALL.has(policy);
