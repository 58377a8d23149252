import pino from "pino";
import { expect, test } from "vitest";
import { createMetrics } from "../../src/server/metrics.ts";
import { createSoundness } from "../../src/server/soundness.ts";
import { webhookServer } from "../../src/server/webhooks.ts";
import { job } from "../support/manifests.ts";
import { createReview } from "../support/review.ts";
import { boundPod, catalogueOf, classFile, contextOf, gpuNode, namespace } from "../support/world.ts";

const catalogue = catalogueOf({ classes: [classFile("batch")] });

/** A server whose ledger has lost what stands on the only node, so that the search is misled and the checker is not. */
function misled() {
  const {
    topology,
    index: _index,
    ...context
  } = contextOf(catalogue, [namespace("default"), gpuNode("n1"), boundPod("theirs", "n1", 8)]);
  if (topology === undefined) throw new Error("no topology");
  const ledger = { ...topology.ledger, used: new Float64Array(topology.ledger.used.length) };
  const lines: string[] = [];
  const metrics = createMetrics(() => 0);
  const app = webhookServer({
    tls: { key: "", cert: "" },
    logger: pino({ level: "error" }, { write: (line: string) => void lines.push(line) }),
    state: {
      served: () => ({ ...context, topology: { ...topology, ledger } }),
      arrival: async () => {},
      revisions: () => [],
      faults: () => [],
      takeCatalogue() {},
      takeInventory() {},
      follow() {},
      fail() {},
      clear() {},
    },
    holds: { list: () => [], take: () => {} },
    metrics,
    maxSteps: 200_000,
    draining: () => false,
    received: () => {},
  });
  return { app, metrics, lines };
}

test("an answer that fails its check is counted and logged with names and amounts alone, and is no fit", async () => {
  const { app, metrics, lines } = misled();
  const object = job({ class: "batch", name: "train", count: 1, gpus: 8 });
  const secret = { ...object, metadata: { ...(object["metadata"] as object), labels: { token: "s3cr3t" } } };
  const reply = await app.inject({ method: "POST", url: "/mutate", payload: createReview(secret) });
  expect(reply.json().response.allowed).toBe(true);
  const counts = await metrics.registry.metrics();
  expect(counts).toMatch(/plimsoll_check_failures_total\{asker="mutate"\} [1-9]/);
  expect(counts).toContain('plimsoll_decisions_total{webhook="mutate",class="batch",verdict="undecided"} 1');
  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    asker: "mutate",
    kind: "Job",
    namespace: "default",
    name: "train",
    verdict: "undecided",
    violations: expect.stringContaining("n1 has 0 nvidia.com/gpu left, and 8 are placed there"),
  });
  expect(lines.join()).not.toContain("s3cr3t");
  await app.close();
});

test("an answer that holds is not", async () => {
  const metrics = createMetrics(() => 0);
  const told = createSoundness(metrics, pino({ level: "silent" }));
  told(
    "inflight",
    { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "a" },
    {
      verdict: "fits",
      rungs: {},
      chosen: undefined,
      ladder: [
        {
          rungs: {},
          verdict: "fits",
          reasons: [{ code: "Fits", message: "1 pod fits" }],
          exclusions: [],
          holds: {},
          steps: 1,
        },
      ],
      suggestions: [],
      choice: [],
      steps: 1,
    },
  );
  expect((await metrics.refusals.get()).values).toEqual([]);
});
