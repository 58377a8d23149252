import { expect, test } from "vitest";
import { follow } from "../../src/server/follow.ts";
import { createLogger } from "../../src/server/index.ts";
import { catalogueOf, classFile, gpuNode } from "../support/world.ts";

test("policies that are loaded anew with the same kinds and layout leave the topology as it is", () => {
  const following = follow({
    catalogue: catalogueOf({ classes: [classFile("batch")] }),
    maxSteps: 1_000,
    logger: createLogger("silent"),
    stale: () => undefined,
  });
  following.take([{ type: "relisted", apiVersion: "v1", kind: "Node", objects: [gpuNode("n1")] }]);
  const before = following.topology();
  following.takeCatalogue(catalogueOf({ classes: [classFile("batch"), classFile("other")] }));
  expect(following.topology()).toBe(before);
  expect(following.topology().nodes.map(({ name }) => name)).toEqual(["n1"]);
  following.stop();
});
