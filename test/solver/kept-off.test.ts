import { expect, test } from "vitest";
import { type OwnTerm, requirement } from "../../src/model/index.ts";
import { boardFor } from "../../src/solver/board.ts";
import { createBudget } from "../../src/solver/budget.ts";
import { fieldFor } from "../../src/solver/field.ts";
import { keepersOf, remainder } from "../../src/solver/kept-off.ts";
import { worldFor } from "../../src/solver/world.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";

const HOST = "kubernetes.io/hostname";

/** Two racks of nodes with 2 to 7 cpus, for eight pods and for others of 3 cpus that keep off them. */
function racks() {
  const off: OwnTerm = {
    kind: "apart",
    key: HOST,
    labels: [requirement("app", "In", ["w"])],
    namespaces: ["default"],
  };
  const main = podSet("main", { required: 8, pod: { labels: { app: "w" } }, placement: { unit: "pod" } });
  const other = podSet("other", { required: 2, requests: { cpu: 3000 }, pod: { terms: [off] } });
  const topology = cluster()
    .nodes("n", 6, (node, index) => node.cpu(1 + index).rack(index < 3 ? "a" : "b"))
    .pod("idle", (pod) => pod.namespace("other").on("n-1"))
    .topology();
  const world = worldFor(topology, demandOf(main, other), contextOf());
  const shapes = [main, other].flatMap((set) => set.ladder.steps.map((step) => world.shape(set, step)));
  const field = fieldFor(world.index, world.usage, shapes, [], { nominal: false, hopeful: false });
  return boardFor(field, shapes, createBudget(1000));
}

test("who keeps off others closes the roomiest of the nodes that it can take, as many as it has pods", () => {
  const board = racks();
  const keepers = keepersOf(board, 0);
  expect(keepers).toEqual([{ shape: 1, key: HOST }]);
  const left = remainder(board, 0, keepers, board.rows);
  const roomiest = [...board.cap(0)].sort((a, b) => b - a).slice(0, 2);
  const lost = board.rows.filter((row) => left?.rows.includes(row) === false).map((row) => board.cap(0)[row]);
  expect(lost.sort((a, b) => (b ?? 0) - (a ?? 0))).toEqual(roomiest);
  expect(left?.by).toEqual([1]);
});

test("of one rack after another only its own nodes are looked at", () => {
  const board = racks();
  const keepers = keepersOf(board, 0);
  remainder(board, 0, keepers, board.rows);
  const watched = {
    ...board,
    get rows(): readonly number[] {
      throw new Error("all rows were looked at again");
    },
  };
  expect(remainder(watched, 0, keepers, [0, 1])?.rows).toEqual([0]);
  expect(remainder(watched, 0, keepers, [2, 3, 4, 5])?.rows).toEqual([2, 3]);
});
