import { isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import type { JsonObject } from "../../../src/model/index.ts";
import { checkTree, type Grammar } from "./grammar.ts";

/** Nodes that are alike: `count` of them in each domain that `at` stands for. */
export interface NodeGroup {
  readonly name: string;
  readonly count?: number;
  /** A machine of the table of shapes; without one, a plain node. */
  readonly shape?: string;
  /** Domain by level, outermost first: `zone-1/block-1/rack-{1..4}`; `-` for a label that is missing. */
  readonly at?: string;
  readonly capacityType?: "reserved" | "on-demand" | "spot";
  readonly pool?: string;
  readonly mechanism?: "device-plugin" | "dra";
  readonly network?: "device-plugin" | "dra";
  readonly gpus?: number;
  readonly allocatable?: Readonly<Record<string, string | number>>;
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly taints?: readonly string[];
  readonly ready?: boolean;
  readonly cordoned?: boolean;
  /** Patches of devices by name, `*` for each; null removes a device or a field. */
  readonly devices?: Readonly<Record<string, JsonObject | null>>;
  /** Merged over the node's ResourceSlices. */
  readonly slice?: JsonObject;
}

/** Pods that run: one on each node that `on` names (a node or a group). */
export interface BusyPods {
  readonly on: string | readonly string[];
  readonly name?: string;
  readonly count?: number;
  readonly namespace?: string;
  readonly gpus?: number;
  readonly requests?: Readonly<Record<string, string | number>>;
  /** Devices of the node's own pool, held by a claim of its own. */
  readonly devices?: readonly string[];
  readonly priority?: number;
  readonly terminating?: boolean;
  readonly nominated?: boolean;
  readonly owner?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Over its spec. */
  readonly pod?: JsonObject;
}

export interface ClusterDoc {
  readonly like?: string;
  readonly nodes?: readonly NodeGroup[];
  readonly busy?: readonly BusyPods[];
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly quotas?: Readonly<Record<string, { readonly hard: JsonObject; readonly used?: JsonObject }>>;
  readonly deviceClasses?: Readonly<Record<string, readonly string[]>>;
  readonly priorities?: Readonly<Record<string, number>>;
  readonly objects?: readonly JsonObject[];
  /** Kinds that were not asked for (Pod, ResourceSlice, ResourceClaim), so that none of them says nothing. */
  readonly lacks?: readonly string[];
}

export interface WorkloadDoc {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly pods?: number;
  /** LeaderWorkerSet: groups, and pods of each with its leader. */
  readonly groups?: number;
  readonly size?: number;
  readonly gpus?: number;
  readonly requests?: JsonObject;
  readonly claims?: Readonly<Record<string, string | JsonObject>>;
  readonly pod?: JsonObject;
  readonly sets?: Readonly<Record<string, SetDoc>>;
  readonly intent?: JsonObject;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly spec?: JsonObject;
  readonly manifest?: JsonObject;
}

export interface SetDoc extends Pick<WorkloadDoc, "pods" | "gpus" | "requests" | "claims" | "pod"> {
  readonly class?: string;
  readonly intent?: JsonObject;
}

/** Text that must stand in a message, or texts by code. */
export type Said = string | Readonly<Record<string, string | readonly string[]>>;

export interface RungExpectation {
  readonly verdict: string;
  readonly reasons?: readonly Said[];
}

export interface Expectation {
  readonly verdict: string;
  readonly rung?: string | Readonly<Record<string, string>>;
  readonly reasons?: readonly Said[];
  readonly silent?: readonly string[];
  readonly excluded?: Readonly<Record<string, number>>;
  readonly ladder?: Readonly<Record<string, string | RungExpectation>>;
  readonly warnings?: readonly Said[];
  readonly denials?: readonly Said[];
  readonly without?: readonly string[];
  readonly refused?: boolean;
  readonly nodes?: readonly string[] | number;
  readonly domains?: Readonly<Record<string, number | readonly string[]>>;
  readonly newNodes?: Readonly<Record<string, number>>;
  readonly devices?: Readonly<Record<string, readonly string[]>>;
  readonly holds?: Readonly<Record<string, number>>;
  readonly suggestions?: readonly string[];
  readonly noSuggestion?: readonly string[];
  /** What the choice of the rung gives up; an empty list: nothing. */
  readonly choice?: readonly Said[];
  readonly silentChoice?: readonly string[];
}

export interface ScenarioDoc {
  readonly about: string;
  readonly cluster: string | ClusterDoc;
  readonly platform?: JsonObject;
  readonly layout?: string | Readonly<Record<string, string>>;
  readonly accelerators?: Readonly<Record<string, JsonObject>>;
  readonly pools?: Readonly<Record<string, JsonObject>>;
  readonly class: string | JsonObject;
  readonly classes?: Readonly<Record<string, JsonObject>>;
  readonly workload: WorkloadDoc;
  readonly holds?: readonly JsonObject[];
  readonly steps?: number;
  readonly now?: string;
  readonly golden?: boolean;
  readonly expect: string | Expectation;
}

export interface Scenario extends Omit<ScenarioDoc, "cluster" | "class" | "expect"> {
  readonly name: string;
  /** `levels.yaml:12` */
  readonly where: string;
  readonly cluster: ClusterDoc;
  /** Name of a shipped class, or fields over a minimal one. */
  readonly class: string | JsonObject;
  /** What the workload calls it. */
  readonly className: string;
  readonly expect: Expectation;
}

const said: Grammar = { list: { a: ["text", { named: { a: ["text", { list: "text" }] } }] } };
const texts: Grammar = { list: "text" };
const amounts: Grammar = { named: "amount" };
const NODE: Grammar = {
  needs: ["name"],
  fields: {
    name: "text",
    count: "number",
    shape: "text",
    at: "text",
    capacityType: "text",
    pool: "text",
    network: "text",
    mechanism: "text",
    gpus: "number",
    allocatable: amounts,
    labels: "anything",
    taints: texts,
    ready: "flag",
    cordoned: "flag",
    devices: "anything",
    slice: "anything",
  },
};
const BUSY: Grammar = {
  needs: ["on"],
  fields: {
    on: { a: ["text", texts] },
    name: "text",
    count: "number",
    namespace: "text",
    gpus: "number",
    requests: amounts,
    devices: texts,
    priority: "number",
    terminating: "flag",
    nominated: "flag",
    owner: "text",
    labels: amounts,
    pod: "anything",
  },
};
const CLUSTER: Grammar = {
  fields: {
    like: "text",
    nodes: { list: NODE },
    busy: { list: BUSY },
    namespaces: { named: amounts },
    quotas: { named: { needs: ["hard"], fields: { hard: amounts, used: amounts } } },
    deviceClasses: { named: texts },
    priorities: { named: "number" },
    objects: { list: "anything" },
    lacks: texts,
  },
};
const POD: Readonly<Record<string, Grammar>> = {
  pods: "number",
  gpus: "number",
  requests: amounts,
  claims: { named: "anything" },
  pod: "anything",
  intent: "anything",
};
const WORKLOAD: Grammar = {
  fields: {
    kind: "text",
    name: "text",
    namespace: "text",
    ...POD,
    groups: "number",
    size: "number",
    sets: { named: { fields: { class: "text", ...POD } } },
    labels: amounts,
    annotations: amounts,
    spec: "anything",
    manifest: "anything",
  },
};
const EXPECT: Grammar = {
  needs: ["verdict"],
  fields: {
    verdict: "text",
    rung: { a: ["text", { named: "text" }] },
    reasons: said,
    silent: texts,
    excluded: { named: "number" },
    ladder: { named: { a: ["text", { needs: ["verdict"], fields: { verdict: "text", reasons: said } }] } },
    warnings: said,
    denials: said,
    without: texts,
    refused: "flag",
    nodes: { a: ["number", texts] },
    domains: { named: { a: ["number", texts] } },
    newNodes: { named: "number" },
    devices: { named: texts },
    holds: { named: "number" },
    suggestions: texts,
    noSuggestion: texts,
    choice: said,
    silentChoice: texts,
  },
};
const SCENARIO: Grammar = {
  needs: ["about", "cluster", "class", "workload", "expect"],
  fields: {
    about: "text",
    cluster: { a: ["text", CLUSTER] },
    platform: "anything",
    layout: { a: ["text", amounts] },
    accelerators: { named: "anything" },
    pools: { named: "anything" },
    class: { a: ["text", "anything"] },
    classes: { named: "anything" },
    workload: WORKLOAD,
    holds: { list: "anything" },
    steps: "number",
    now: "text",
    golden: "flag",
    expect: { a: ["text", EXPECT] },
  },
};
const FILE: Grammar = {
  needs: ["topic", "scenarios"],
  fields: {
    topic: "text",
    clusters: { named: CLUSTER },
    classes: { named: "anything" },
    scenarios: { named: SCENARIO },
  },
};
const VERDICTS = new Set(["fits", "scaleUp", "busy", "never", "unknown", "undecided"]);
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** The scenarios of one file, and what is wrong with it, each fault as `FILE:LINE: message`. A file with faults has no scenarios. */
export function readScenarios(
  file: string,
  text: string,
): { readonly scenarios: readonly Scenario[]; readonly faults: readonly string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const faults = document.errors.map(({ pos, message }) => at(pos[0], message.split("\n")[0] ?? ""));
  if (faults.length > 0) return { scenarios: [], faults };
  const report = (node: unknown, message: string) => {
    faults.push(at((isNode(node) ? node.range?.[0] : undefined) ?? 0, message));
  };
  checkTree(document.contents, FILE, "file", report, (alias) => document.contents && resolved(alias, document));
  if (faults.length > 0) return { scenarios: [], faults };
  const doc: FileDoc = document.toJS();
  const listed = document.get("scenarios");
  const scenarios: Scenario[] = [];
  for (const pair of isMap(listed) ? listed.items : []) {
    const name = String(isScalar(pair.key) ? pair.key.value : "");
    const one = doc.scenarios[name];
    if (one === undefined) continue;
    const place = { node: pair.key, name };
    const fail = (message: string) => report(place.node, `${name}: ${message}`);
    const expect = typeof one.expect === "string" ? { verdict: one.expect } : one.expect;
    if (!NAME.test(name)) fail("a name is lower-case words, digits, dots and dashes");
    if (!VERDICTS.has(expect.verdict)) fail(`${expect.verdict} is no verdict; there are ${[...VERDICTS].join(", ")}`);
    const cluster = clusterOf(one.cluster, doc.clusters ?? {}, fail);
    const own = typeof one.class === "string" ? doc.classes?.[one.class] : undefined;
    const where = `${file}:${lines.linePos((isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? 0).line}`;
    const className = typeof one.class === "string" ? one.class : "own";
    scenarios.push({ ...one, name, where, cluster, class: own ?? one.class, className, expect });
  }
  return faults.length > 0 ? { scenarios: [], faults } : { scenarios, faults };

  function at(offset: number, message: string): string {
    return `${file}:${lines.linePos(offset).line}: ${message}`;
  }
}

interface FileDoc {
  readonly topic: string;
  readonly clusters?: Readonly<Record<string, ClusterDoc>>;
  readonly classes?: Readonly<Record<string, JsonObject>>;
  readonly scenarios: Readonly<Record<string, ScenarioDoc>>;
}

function resolved(alias: unknown, document: ReturnType<typeof parseDocument>): unknown {
  const one = alias as { resolve?: (of: typeof document) => unknown };
  return one.resolve?.(document);
}

/** Lists of a cluster stand after those of the one that it is like. */
function clusterOf(
  given: string | ClusterDoc,
  known: Readonly<Record<string, ClusterDoc>>,
  fail: (message: string) => void,
): ClusterDoc {
  const name = typeof given === "string" ? given : given.like;
  const own: ClusterDoc = typeof given === "string" ? {} : given;
  if (name === undefined) return own;
  const base = Object.hasOwn(known, name) ? known[name] : undefined;
  if (base === undefined) {
    fail(`there is no cluster ${name} in this file; there are ${Object.keys(known).join(", ")}`);
    return own;
  }
  return {
    nodes: [...(base.nodes ?? []), ...(own.nodes ?? [])],
    busy: [...(base.busy ?? []), ...(own.busy ?? [])],
    namespaces: { ...base.namespaces, ...own.namespaces },
    quotas: { ...base.quotas, ...own.quotas },
    deviceClasses: { ...base.deviceClasses, ...own.deviceClasses },
    priorities: { ...base.priorities, ...own.priorities },
    objects: [...(base.objects ?? []), ...(own.objects ?? [])],
    lacks: [...(base.lacks ?? []), ...(own.lacks ?? [])],
  };
}
