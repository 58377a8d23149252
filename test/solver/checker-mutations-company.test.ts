import { describe } from "vitest";
import { type OwnTerm, type PodSetDemand, type PodShape, requirement } from "../../src/model/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { podSet } from "../support/demand.ts";
import { type Case, refuses } from "../support/refusal.ts";

const ZONE = "topology.kubernetes.io/zone";
const HOST = "kubernetes.io/hostname";
const term = (kind: OwnTerm["kind"], app: string, extra: Partial<OwnTerm> = {}): OwnTerm => ({
  kind,
  key: ZONE,
  labels: [requirement("app", "In", [app])],
  namespaces: ["default"],
  ...extra,
});
const set = (name: string, required: number, terms: readonly OwnTerm[], pod: Partial<PodShape> = {}): PodSetDemand =>
  podSet(name, { required, pod: { labels: { app: name }, ...(terms.length === 0 ? {} : { terms }), ...pod } });
const put = (podSet: string, node: string, pods = 1) => ({ podSet, node, pods });

/** Two nodes in each of two zones, and one without a zone; pods of others by node, of the label `app`, and one that nobody asks for. */
function zones(...others: readonly (readonly [node: string, app: string, namespace?: string])[]): ClusterBuilder {
  const builder = cluster();
  for (const name of ["a-1", "a-2", "b-1", "b-2"])
    builder.node(name, (node) => node.cpu(8).memory("64Gi").zone(name.slice(0, 1)));
  builder.node("bare", (node) => node.cpu(8).memory("64Gi"));
  for (const [node, app, namespace = "default"] of [["b-2", "idle"] as const, ...others])
    builder.pod(`${app}-${node}`, (pod) => pod.namespace(namespace).on(node).label("app", app));
  return builder;
}

describe("anti-affinity of the pods themselves", () => {
  const right: Case = {
    cluster: zones(["a-2", "db", "other"]),
    sets: [set("web", 2, [term("apart", "web"), term("apart", "db")])],
    placed: [put("web", "a-1"), put("web", "b-1")],
  };
  refuses([
    [
      "two in one zone",
      right,
      { placed: [put("web", "a-1"), put("web", "a-2")] },
      /web on a-[12]: it keeps off web over/,
    ],
    ["two on one node", right, { placed: [put("web", "a-1", 2)] }, /keeps off web over topology.kubernetes.io\/zone/],
    [
      "where a pod of others runs that it keeps off",
      right,
      { cluster: zones(["a-2", "db"]) },
      /^web on a-1: it keeps off db-a-2$/,
    ],
    [
      "over a label that a node lacks any number may stand there",
      { ...right, placed: [put("web", "bare", 2)] },
      { placed: [put("web", "b-1", 2)] },
      /web on b-1: it keeps off web/,
    ],
  ]);
  const pair: Case = {
    cluster: zones(),
    sets: [set("web", 1, []), set("db", 1, [term("apart", "web")])],
    placed: [put("web", "a-1"), put("db", "b-1")],
  };
  refuses([
    [
      "beside another set of the workload that it keeps off",
      pair,
      { placed: [put("web", "a-1"), put("db", "a-2")] },
      /db on a-2: it keeps off web/,
    ],
  ]);
});

describe("affinity of the pods themselves", () => {
  const beside: Case = {
    cluster: zones(["a-2", "cache"], ["b-1", "cache", "other"]),
    sets: [set("web", 2, [term("near", "cache")])],
    placed: [put("web", "a-1"), put("web", "a-2")],
  };
  refuses([
    [
      "where none of those runs",
      beside,
      { placed: [put("web", "a-1"), put("web", "b-1")] },
      /no pod that it asks for is near/,
    ],
    [
      "on a node without the label",
      beside,
      { placed: [put("web", "a-1"), put("web", "bare")] },
      /web on bare: it has no label/,
    ],
    [
      "where some run that match one term and others another",
      {
        ...beside,
        sets: [set("web", 2, [term("near", "cache"), term("near", "cache", { key: HOST })])],
        placed: [put("web", "a-2", 2)],
      },
      {
        cluster: zones(["a-2", "cache"], ["a-1", "db"]),
        sets: [set("web", 2, [term("near", "cache"), term("near", "db", { key: HOST })])],
      },
      /no pod that it asks for runs/,
    ],
    [
      "while none runs at all",
      beside,
      { cluster: zones(["b-1", "cache", "other"]) },
      /^web on a-[12]: no pod that it asks for runs$/,
    ],
  ]);
  const own: Case = {
    cluster: zones(),
    sets: [set("web", 2, [term("near", "web")])],
    placed: [put("web", "a-1"), put("web", "a-2")],
  };
  refuses([
    [
      "in two zones",
      own,
      { placed: [put("web", "a-1"), put("web", "b-1")] },
      /web shares no topology.kubernetes.io\/zone/,
    ],
    [
      "in another zone than those that run",
      own,
      { cluster: zones(["b-1", "web"]) },
      /^web on a-[12]: no pod that it asks for is near/,
    ],
  ]);
  const both = [term("near", "x", { labels: [requirement("app", "In", ["head", "work"])] })];
  const whole: Case = {
    cluster: zones(),
    sets: [set("head", 1, both), set("work", 2, both)],
    placed: [put("head", "a-1"), put("work", "a-1"), put("work", "a-2")],
  };
  refuses([
    [
      "sets with one term for all of them in two zones",
      whole,
      { placed: [put("head", "b-1"), put("work", "a-1"), put("work", "a-2")] },
      /shares no topology/,
    ],
    [
      "away from the one pod that it follows",
      { ...whole, sets: [set("head", 1, []), set("work", 2, [term("near", "head")])] },
      { placed: [put("head", "b-1"), put("work", "a-1"), put("work", "a-2")] },
      /work shares no topology/,
    ],
  ]);
  const led: Case = {
    cluster: zones(),
    sets: [set("cache", 2, []), set("reader", 2, [term("near", "cache")])],
    placed: [put("cache", "a-1"), put("cache", "b-1"), put("reader", "a-2"), put("reader", "b-2")],
  };
  refuses([
    [
      "in a zone where none of several stands that it follows",
      led,
      { placed: [put("cache", "a-1", 2), put("reader", "a-2"), put("reader", "b-2")] },
      /^reader: in no order do its pods find those that they ask for over topology.kubernetes.io\/zone$/,
    ],
    [
      "each waiting for the other",
      { ...led, placed: [put("cache", "a-1", 2), put("reader", "a-2", 2)] },
      { sets: [set("cache", 2, [term("near", "reader")]), set("reader", 2, [term("near", "cache")])] },
      /in no order do its pods find/,
    ],
    [
      "on two nodes besides that of another set, of which only one can be where the first of them went",
      {
        ...led,
        sets: [
          set("cache", 1, []),
          set("both", 2, [term("near", "x", { key: HOST, labels: [requirement("app", "In", ["cache", "both"])] })]),
        ],
        placed: [put("cache", "b-1"), put("both", "a-1"), put("both", "b-1")],
      },
      { placed: [put("cache", "b-1"), put("both", "a-1"), put("both", "a-2")] },
      /both: in no order do its pods find those that they ask for over kubernetes.io\/hostname/,
    ],
  ]);
});
