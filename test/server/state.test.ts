import { expect, test } from "vitest";
import { createState, type Followed } from "../../src/server/state.ts";
import { catalogueOf, contextOf, namespace } from "../support/world.ts";

const catalogue = catalogueOf();

/** A cluster in which the namespace appears when it is told to. */
function cluster(): { readonly followed: Followed; show(): void } {
  let objects = [namespace("default")];
  const now = () => {
    const { topology, index } = contextOf(catalogue, objects);
    if (topology === undefined || index === undefined) throw new Error("no topology");
    return { topology, index };
  };
  return {
    followed: { topology: () => now().topology, index: () => now().index, stale: () => undefined, takeCatalogue() {} },
    show() {
      objects = [...objects, namespace("new")];
    },
  };
}

test("a review that is here before its namespace waits for it", async () => {
  const state = createState();
  const { followed, show } = cluster();
  state.takeCatalogue(catalogue);
  state.follow(followed);
  let settled = false;
  const waiting = state.arrival("new").then(() => {
    settled = true;
  });
  await state.arrival("default");
  await state.arrival(undefined);
  expect(settled).toBe(false);
  show();
  await waiting;
  expect(state.served()?.topology?.facts.namespace("new")).toBeDefined();
});

test("a namespace that never shows is waited for a second, and one of a cluster from files not at all", async () => {
  const state = createState();
  state.takeCatalogue(catalogue);
  const began = performance.now();
  await state.arrival("never");
  expect(performance.now() - began).toBeLessThan(500);
  state.follow(cluster().followed);
  await state.arrival("never");
  expect(performance.now() - began).toBeGreaterThan(900);
});
