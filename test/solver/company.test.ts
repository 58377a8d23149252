import { describe, expect, test } from "vitest";
import { type OwnTerm, type PodShape, requirement } from "../../src/model/index.ts";
import { checkAssignment, indexTopology, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet, pool, step } from "../support/demand.ts";

const ZONE = "topology.kubernetes.io/zone";
const term = (kind: OwnTerm["kind"], extra: Partial<OwnTerm> = {}): OwnTerm => ({
  kind,
  key: ZONE,
  labels: [requirement("app", "In", ["w"])],
  namespaces: ["default"],
  ...extra,
});

/** A node in each of two zones, with a pod of others in the first. */
function two(labels: Readonly<Record<string, string>>, namespace = "default"): ClusterBuilder {
  return cluster()
    .node("a", (node) => node.cpu(4).memory("64Gi").zone("a"))
    .node("b", (node) => node.cpu(4).memory("64Gi").zone("b"))
    .pod("other", (pod) => {
      pod.namespace(namespace).on("a");
      for (const [key, value] of Object.entries(labels)) pod.label(key, value);
    });
}

function ask(builder: ClusterBuilder, required: number, pod: Partial<PodShape>, extra: { perNode?: boolean } = {}) {
  const demand = demandOf(podSet("main", { required, pod, placement: { unit: "pod" }, ...extra }));
  const topology = builder.topology();
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const { assignment } = answer.chosen ?? {};
  const rungs = { main: step().rung };
  if (assignment !== undefined) expect(checkAssignment(topology, demand, rungs, assignment, contextOf())).toEqual([]);
  const told = answer.ladder.flatMap(({ reasons }) => reasons);
  return {
    verdict: answer.verdict,
    nodes: (assignment?.placed ?? []).map(({ node }) => node).sort(),
    notJudged: told.filter(({ code }) => code === "NotJudged").map(({ message }) => message),
  };
}

const app = { app: "w" };
const hash = "pod-template-hash";
const group = "example.com/group";

describe("where the first pod of those that share a domain may stand", () => {
  const zones = () =>
    cluster()
      .node("a", (node) => node.cpu(8).zone("a"))
      .node("b", (node) => node.cpu(1).zone("b"))
      .node("c", (node) => node.cpu(8).zone("c"))
      .pod("full", (pod) => pod.namespace("other").on("c").cpu(8));
  const told = (required: number, schedulerName = "default-scheduler") => {
    const set = podSet("main", {
      required,
      pod: { labels: app, terms: [term("near")], schedulerName },
      placement: { unit: "pod" },
    });
    const answer = solve(zones().topology(), demandOf(set), contextOf({ skipSuggestions: true }));
    expect(answer.verdict).toBe("fits");
    return (answer.chosen?.reasons ?? []).flatMap(({ code, message }) => (code === "NotGuaranteed" ? [message] : []));
  };

  test("is told of the domains with room for it, where some have none for the others", () => {
    expect(told(2)).toEqual([
      `kube-scheduler places the first pod without looking ahead, and 1 of the 2 values of ${ZONE} with room for it has no room for all 2, which must share one (their own pod affinity)`,
    ]);
  });

  test("is not told of a pod by itself, nor of those that another scheduler places", () => {
    expect(told(1)).toEqual([]);
    expect(told(2, "volcano")).toEqual([]);
  });
});

describe("rules that are followed but for pods of others", () => {
  const unjudged = [
    {
      kind: "affinity" as const,
      text: "podAffinity",
      beside: { namespace: "default", labels: new Map([["app", requirement("app", "In", ["w"])]]) },
    },
  ];
  const told = (builder: ClusterBuilder) => ask(builder, 1, { unjudged }).notJudged;
  const waiting = cluster()
    .node("a")
    .pod("waits", (pod) => pod.namespace("default").label("app", "w").phase("Pending"));
  const own = cluster()
    .node("a")
    .pod("train-0", (pod) => pod.namespace("default").on("a").label("app", "w").owner("Job", "train"));

  test("are told where such pods run, of the namespace and the labels that they name", () => {
    expect(told(two({ app: "w" }))).toEqual([
      "the pods require podAffinity, which is not judged: kube-scheduler may find less room for them than is counted here",
    ]);
    for (const builder of [two({ app: "x" }), two({ app: "w" }, "other"), waiting, own])
      expect(told(builder)).toEqual([]);
  });
});

describe("whom the anti-affinity of a template keeps off", () => {
  test.each<[string, Readonly<Record<string, string>>, Partial<OwnTerm>, "b" | "a" | "told"]>([
    ["pods with the label", app, {}, "b"],
    ["not those without it", { app: "x" }, {}, "a"],
    [
      "not those of another revision",
      { ...app, [hash]: "1" },
      { made: [{ key: hash, same: true, shared: true }] },
      "a",
    ],
    [
      "all but those of its revision",
      { ...app, [hash]: "1" },
      { made: [{ key: hash, same: false, shared: true }] },
      "b",
    ],
    [
      "perhaps those of a group",
      { ...app, [group]: "1" },
      { made: [{ key: group, same: true, shared: false }] },
      "told",
    ],
    ["those without a group, if other groups", app, { made: [{ key: group, same: false, shared: false }] }, "b"],
    ["every namespace", app, { namespaces: [], namespaceLabels: [] }, "b"],
    [
      "namespaces of which nothing was read",
      app,
      { namespaces: [], namespaceLabels: [requirement("tier", "Exists")] },
      "told",
    ],
  ])("%s", (_name, labels, extra, expected) => {
    const { verdict, nodes, notJudged } = ask(two(labels), 1, { terms: [term("apart", extra)] });
    expect(verdict).toBe("fits");
    expect(notJudged.length > 0).toBe(expected === "told");
    if (expected !== "told") expect(nodes).toEqual([expected]);
  });

  test("pods of its own of which it is not known whether it selects them are told of, and not kept apart", () => {
    const made = [{ key: group, same: true, shared: false }];
    const { verdict, notJudged } = ask(two({}), 3, { labels: app, terms: [term("apart", { made })] });
    expect(verdict).toBe("fits");
    expect(notJudged).toEqual([
      `the pods require podAntiAffinity over ${ZONE}, which is not judged: kube-scheduler may find less room for them than is counted here`,
    ]);
    const shared = [{ key: hash, same: true, shared: true }];
    expect(ask(two({}), 3, { labels: app, terms: [term("apart", { made: shared })] }).verdict).toBe("never");
    const mine = [requirement("job-name", "In", ["train"])];
    expect(ask(two({}), 3, { labels: app, terms: [term("apart", { labels: mine })] }).notJudged).toHaveLength(1);
  });

  test("a pod that names its node passes the scheduler by, and one for each node is made whoever stands there", () => {
    expect(ask(two(app), 1, { terms: [term("apart")], nodeName: "a" })).toMatchObject({
      verdict: "fits",
      nodes: ["a"],
    });
    const each = ask(two(app), 1, { labels: app, terms: [term("apart")] }, { perNode: true });
    expect(each).toMatchObject({ verdict: "fits", nodes: ["a", "b"] });
    expect(each.notJudged).toHaveLength(1);
  });
});

describe("whom the affinity of a template follows", () => {
  test("who only waits for its node is near to nobody yet", () => {
    const builder = cluster()
      .node("a", (node) => node.cpu(4).zone("a"))
      .pod("other", (pod) => pod.nominatedTo("a").label("app", "w"));
    expect(ask(builder, 1, { terms: [term("near")] }).verdict).toBe("busy");
    const running = builder.pod("running", (pod) => pod.on("a").label("app", "w"));
    expect(ask(running, 1, { terms: [term("near")] }).verdict).toBe("fits");
  });

  test("without a word on pods in the input the labels alone are asked for, and that is said", () => {
    const builder = cluster()
      .node("a", (node) => node.cpu(4).zone("a"))
      .node("bare", (node) => node.cpu(4));
    const { verdict, nodes, notJudged } = ask(builder, 1, { terms: [term("near")] });
    expect([verdict, nodes]).toEqual(["fits", ["a"]]);
    expect(notJudged).toHaveLength(1);
  });

  test("two labels at once: pods that share one zone share no node of it", () => {
    const builder = two({})
      .node("a2", (node) => node.cpu(4).memory("64Gi").zone("a").label("row", "1"))
      .node("b2", (node) => node.cpu(1).memory("64Gi").zone("b").label("row", "1"))
      .node("b3", (node) => node.cpu(1).memory("64Gi").zone("b").label("row", "1"));
    const terms = [term("near"), term("near", { key: "row" })];
    expect(ask(builder, 4, { labels: app, terms }).nodes).toEqual(["a2"]);
    expect(ask(builder, 5, { labels: app, terms }).verdict).toBe("never");
    expect(
      ask(builder, 2, {
        labels: app,
        terms,
        selection: [new Map([["topology.kubernetes.io/zone", requirement(ZONE, "In", ["b"])]])],
      }).nodes,
    ).toEqual(["b2", "b3"]);
  });
});

describe("new nodes", () => {
  const grown = (labels: Readonly<Record<string, string>>, terms: readonly OwnTerm[], required = 2) => {
    const set = podSet("main", {
      required,
      requests: { cpu: 3000 },
      pod: { labels: app, terms },
      placement: { unit: "pod" },
      steps: [step({ source: "new" })],
    });
    const node = { allocatable: { cpu: 4000, memory: 2 ** 36, pods: 110 }, labels, taints: [] };
    const pools = [pool("p", { accelerator: undefined, acceleratorsPerNode: 0, zones: ["a", "b"], maxNodes: 4, node })];
    const topology = two({}).topology();
    const answer = solve(topology, demandOf(set), contextOf({ pools, skipSuggestions: true }));
    const { assignment } = answer.chosen ?? {};
    if (assignment !== undefined)
      expect(checkAssignment(topology, demandOf(set), answer.rungs, assignment, contextOf({ pools }))).toEqual([]);
    return {
      verdict: answer.verdict,
      zones: (assignment?.newNodes ?? []).map(({ zone, count }) => `${zone} ${count}`),
    };
  };

  test("come to be in the one zone that the pods share, and one in each that they do not", () => {
    expect(grown({}, [term("near")], 3)).toEqual({ verdict: "scaleUp", zones: ["a 2"] });
    expect(grown({}, [term("apart")], 2).verdict).toBe("fits");
    expect(grown({}, [term("apart")], 3).verdict).toBe("never");
  });

  test("whose pool does not declare the label that counts leave the answer open", () => {
    const apart = [term("apart", { key: "row" })];
    expect(grown({ row: "1" }, apart, 4).verdict).toBe("never");
    expect(grown({}, apart, 4).verdict).toBe("unknown");
    expect(grown({}, [term("near", { key: "row" })], 2).verdict).toBe("unknown");
    expect(grown({ row: "1" }, [term("near", { key: "row" })], 2).verdict).toBe("scaleUp");
  });
});

describe("what is kept of the pods of others", () => {
  const demand = (name: string, kind: OwnTerm["kind"]) => {
    const set = podSet("main", { pod: { labels: app, terms: [term(kind)] }, placement: { unit: "pod" } });
    return { ...demandOf(set), workload: { ...demandOf(set).workload, name } };
  };

  test("a workload of which pods run does not see its own where new ones see them, whoever is asked first", () => {
    const topology = two({})
      .pod("own", (pod) => pod.on("b").label("app", "w").owner("Job", "train"))
      .topology();
    const index = indexTopology(topology);
    for (const name of ["new", "train", "newer", "train"])
      for (const kind of ["apart", "near"] as const) {
        const answer = solve(topology, demand(name, kind), contextOf({ skipSuggestions: true, index }));
        // Its own pods are placed anew: they keep it off nothing, and tie it to nothing.
        const expected = name === "train" || kind === "apart" ? ["a"] : ["b"];
        expect([name, kind, answer.chosen?.assignment?.placed.map(({ node }) => node)]).toEqual([name, kind, expected]);
      }
  });
});

describe("pods of several sets that follow each other", () => {
  const ROW = "row";
  const set = (name: string, app: string | undefined, terms: readonly OwnTerm[], required = 1, cpu = 1000) =>
    podSet(name, {
      required,
      requests: { cpu },
      pod: { ...(app === undefined ? {} : { labels: { app } }), ...(terms.length === 0 ? {} : { terms }) },
      placement: { unit: "pod" },
    });
  const follows = (app: string, key = ZONE): OwnTerm =>
    term("near", { key, labels: [requirement("app", "In", [app])] });
  /** Zones a and b with so many cpus on each node. */
  const nodes = (...cpus: readonly (readonly [name: string, cpu: number])[]): ClusterBuilder => {
    const builder = cluster();
    for (const [name, cpu] of cpus) builder.node(name, (node) => node.cpu(cpu).zone(name.slice(0, 1)));
    return builder.pod("idle", (pod) => pod.on(cpus[0]?.[0] ?? "").label("app", "idle"));
  };
  const answerTo = (builder: ClusterBuilder, ...sets: readonly ReturnType<typeof set>[]) => {
    const [topology, demand] = [builder.topology(), demandOf(...sets)];
    const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
    const { assignment, reasons = [] } = answer.chosen ?? {};
    if (assignment !== undefined)
      expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
    expect(reasons.map(({ code }) => code)).not.toContain("NotJudged");
    return {
      verdict: answer.verdict,
      placed: (assignment?.placed ?? []).map(({ podSet, node, pods }) => `${podSet} ${pods} on ${node}`).sort(),
      warned: reasons.filter(({ code }) => code === "NotGuaranteed").map(({ message }) => message),
      reasons: reasons.map(({ message }) => message),
    };
  };

  test("a pod that follows one which keeps near to its own kind goes where that one is", () => {
    const near = [follows("w")];
    const { verdict, placed } = answerTo(
      nodes(["a", 1], ["b", 2]),
      set("head", "w", near),
      set("worker", undefined, near),
    );
    expect([verdict, placed]).toEqual(["fits", ["head 1 on b", "worker 1 on b"]]);
  });

  describe("a set of which another, that need not come at first, would be company as well", () => {
    const RACK = "rack";
    /** Four small racks and a large one in zone 1, and rack f with a node in each zone. */
    const racks = (): ClusterBuilder => {
      const builder = cluster().pod("idle", (pod) => pod.namespace("other").on("a"));
      for (const name of ["a", "b", "c", "d"]) builder.node(name, (node) => node.cpu(2).zone("1").label(RACK, name));
      builder.node("e", (node) => node.cpu(30).zone("1").label(RACK, "e"));
      for (const zone of ["1", "2"]) builder.node(`f${zone}`, (node) => node.cpu(2).zone(zone).label(RACK, "f"));
      return builder;
    };
    const side = podSet("side", { required: 0, count: 1, pod: { labels: { app: "w" } }, placement: { unit: "pod" } });
    const main = (required: number, spread: PodShape["spread"]) =>
      podSet("main", {
        required,
        pod: { labels: { app: "w" }, terms: [follows("w", RACK)], spread },
        placement: { unit: "pod" },
      });
    const zones = [{ key: ZONE, maxSkew: 1, ignoreTaints: false }];
    const ruled = (of: string) =>
      `kube-scheduler looks at one pod at a time: should those with which pods${of} have to stand (their own pod affinity) all be in a, their other rules leave room there for 1 of 2 pods`;

    test("finds the one rack that its other rules allow among nodes that are alike, and is warned of the others", () => {
      const { verdict, placed, warned } = answerTo(racks(), main(2, zones), side);
      expect([verdict, placed]).toEqual(["fits", ["main 1 on f1", "main 1 on f2"]]);
      expect(warned).toEqual([ruled(" of main")]);
      expect(answerTo(racks(), main(2, zones)).warned).toEqual([ruled("")]);
    });

    test("is warned of racks that are too small for all of it", () => {
      const small =
        "4 of the 6 values of rack with room for it have no room for all 3, which must share one (their own pod affinity)";
      expect(answerTo(racks(), main(3, []), side).warned).toEqual([
        `kube-scheduler places the first pod of main without looking ahead, and ${small}`,
      ]);
    });
  });

  test("pods that follow several of another set stand in any of their zones, also where no one zone has room", () => {
    const sets = [set("cache", "c", [], 2, 2000), set("reader", undefined, [follows("c")], 4, 1000)];
    expect(answerTo(nodes(["a", 4], ["b", 4]), ...sets)).toMatchObject({
      verdict: "fits",
      placed: ["cache 1 on a", "cache 1 on b", "reader 2 on a", "reader 2 on b"],
    });
    const far = answerTo(
      nodes(["a", 5], ["b", 3]).node("c", (node) => node.cpu(1).zone("c")),
      ...sets,
    );
    expect(far.verdict).toBe("fits");
    expect(far.placed.filter((text) => text.endsWith("on c"))).toEqual([]);
  });

  test("where those that are followed may go to a zone that is too small, that is said, with what follows them", () => {
    const sets = [set("cache", "c", [], 2), set("reader", undefined, [follows("c")], 3)];
    expect(answerTo(nodes(["a", 6], ["b", 5]), ...sets).warned).toEqual([]);
    expect(answerTo(nodes(["a", 6], ["b", 4]), ...sets).warned).toEqual([
      "kube-scheduler looks at one pod at a time: pods of cache may stand in b on 1 node with room for pods of reader, and then only 2 of the 3 pods of reader fit",
    ]);
    expect(answerTo(nodes(["a", 6], ["b", 2]), ...sets).warned).toEqual([
      `kube-scheduler places pods of cache without looking ahead, and 1 of the 2 values of ${ZONE} with room for those has no room for all 3 pods of reader, which must stand with them (their own pod affinity)`,
    ]);
    const wide = [set("cache", "c", [], 2, 2000), set("reader", undefined, [follows("c")], 6)];
    expect(answerTo(nodes(["a", 5], ["b", 5]), ...wide).warned).toContain(
      `kube-scheduler places pods of cache without looking ahead, and none of the 2 values of ${ZONE} with room for those has room for all 6 pods of reader, which must stand with them (their own pod affinity)`,
    );
    const ran = nodes(["a", 6], ["b", 2]).pod("ran", (pod) => pod.on("a").label("app", "c"));
    expect(answerTo(ran, ...sets).warned).toEqual([]);
    const near = nodes(["a", 2], ["b", 4]).pod("ran", (pod) => pod.on("b").label("app", "c"));
    expect(answerTo(near, set("cache", "c", []), set("reader", undefined, [follows("c")], 2, 2000)).warned).toEqual([
      "kube-scheduler looks at one pod at a time: pods of cache may stand in b on 1 node with room for pods of reader, and then only 1 of the 2 pods of reader fits",
    ]);
  });

  test("who keeps off others may stand where these need their room, and who is followed may go to nodes without the label", () => {
    const away = term("apart", { labels: [requirement("app", "In", ["c"])] });
    const apart = [set("cache", "c", [], 1), set("reader", "r", [away], 1, 3000)];
    expect(answerTo(nodes(["a", 6], ["b", 6]), ...apart).warned).toEqual([]);
    expect(answerTo(nodes(["a", 6], ["b", 2]), ...apart).warned).toEqual([
      "kube-scheduler looks at one pod at a time: pods of cache may stand where pods of reader have room and keep off them (required anti-affinity), and then the one pod of reader fits nowhere",
    ]);
    const bare = nodes(["a", 6]).node("nowhere", (node) => node.cpu(4));
    const led = [set("cache", "c", [], 1), set("reader", undefined, [follows("c")], 3)];
    expect(answerTo(bare, ...led).warned).toEqual([
      `kube-scheduler places pods of cache without looking ahead, and 1 node with room for those has no label ${ZONE}, where no pod of reader may follow them (their own pod affinity): have cache select nodes with the label`,
    ]);
  });

  test("where those that are followed may all be in a zone in which the rules of their followers leave too little room, that is said", () => {
    const one = (app: string, key: string): OwnTerm =>
      term("apart", { key, labels: [requirement("app", "In", [app])] });
    const sets = [set("cache", "c", [], 2), set("reader", "r", [follows("c"), one("r", ROW)], 2)];
    const known = cluster()
      .node("a", (node) => node.cpu(3).zone("a").label(ROW, "1"))
      .node("b", (node) => node.cpu(3).zone("b").label(ROW, "2"))
      .pod("idle", (pod) => pod.on("a").label("app", "idle"));
    expect(answerTo(known, ...sets).warned).toEqual([
      "kube-scheduler looks at one pod at a time: should those with which pods of reader have to stand (their own pod affinity) all be in a, their other rules leave room there for 1 of 2 pods",
    ]);
  });

  test("of nodes that look alike the one without the label of a rule may be what others take: that is said", () => {
    const one = term("apart", { key: ROW, labels: [requirement("app", "In", ["r"])] });
    const sets = [set("cache", "c", []), set("reader", "r", [follows("c"), one], 3, 2000)];
    const near = (row: string | undefined) =>
      cluster()
        .node("a-1", (node) => node.cpu(4).zone("a").label(ROW, "1"))
        .node("a-2", (node) => (row === undefined ? node.cpu(4).zone("a") : node.cpu(4).zone("a").label(ROW, row)))
        .pod("idle", (pod) => pod.on("a-1").label("app", "idle"));
    expect(answerTo(near(undefined), ...sets).warned).toEqual([
      "kube-scheduler looks at one pod at a time: pods of cache may stand on 1 node with room for pods of reader, and then only 2 of the 3 pods of reader fit",
    ]);
    expect(answerTo(near("2"), ...sets).verdict).toBe("never");
  });

  test("they count beside those that run, and no zone without either will do", () => {
    const sets = [set("cache", "c", [], 1, 3000), set("reader", undefined, [follows("c")], 3, 1000)];
    const ran = (b: number) => nodes(["a", 1], ["b", b], ["c", 9]).pod("ran", (pod) => pod.on("a").label("app", "c"));
    const pinned = [new Map([[ZONE, requirement(ZONE, "In", ["b"])]])];
    const [cache, reader] = sets;
    const held = cache === undefined ? sets[0] : { ...cache, pod: { ...cache.pod, selection: pinned } };
    if (held === undefined || reader === undefined) throw new Error("two sets");
    expect(answerTo(ran(5), held, reader)).toMatchObject({
      verdict: "fits",
      placed: ["cache 1 on b", "reader 1 on a", "reader 2 on b"],
    });
    const { verdict, reasons } = answerTo(ran(4), held, reader);
    // Who runs there may run elsewhere some day.
    expect(verdict).toBe("busy");
    expect(reasons[0]).toBe(
      `cache and reader each fit by themselves, but not all together once reader stands with cache or with pods that run over ${ZONE} (its own pod affinity): beside cache there is room for 2 of the 3 pods of reader, then cpu runs out`,
    );
  });

  test("two that each wait for the other never come", () => {
    const sets = [set("egg", "e", [follows("h")]), set("hen", "h", [follows("e")])];
    const { verdict, reasons } = answerTo(nodes(["a", 4], ["b", 4]), ...sets);
    expect(verdict).toBe("never");
    expect(reasons).toEqual([
      `egg and hen each fit by themselves, but not all together once egg stands with hen over ${ZONE} and hen stands with egg over ${ZONE} (their own pod affinity)`,
    ]);
  });

  test("a first pod on a node without the label is near to nobody, so that another one may be first too", () => {
    const builder = cluster()
      .node("n0", (node) => node.cpu(2).zone("a").label(ROW, "1"))
      .node("n1", (node) => node.cpu(2).zone("a"))
      .pod("idle", (pod) => pod.on("n0").label("app", "idle"));
    const away = term("apart", { key: ROW });
    const { verdict, placed } = answerTo(
      builder,
      set("head", "w", [follows("w", ROW)]),
      set("tail", "w", [follows("w", "kubernetes.io/hostname"), away]),
    );
    expect([verdict, placed]).toEqual(["fits", ["head 1 on n0", "tail 1 on n1"]]);
  });
});

test("nodes are not alike where one has the wider level that another set asks for", () => {
  const builder = cluster()
    .node("n0", (node) => node.cpu(4).zone("a").block("k").rack("r1"))
    .node("n1", (node) => node.cpu(4).zone("a").block("k"));
  const worker = podSet("worker", { placement: { level: "host", within: "rack", separate: true } });
  const demand = demandOf(podSet("head", { placement: { unit: "pod" } }), worker);
  const { verdict, chosen } = solve(builder.topology(), demand, contextOf({ skipSuggestions: true }));
  expect(verdict).toBe("fits");
  expect(chosen?.assignment?.placed.map(({ podSet, node }) => `${podSet} on ${node}`)).toEqual([
    "head on n1",
    "worker on n0",
  ]);
});
