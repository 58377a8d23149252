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
