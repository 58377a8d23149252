import { afterAll, beforeAll, expect, test } from "vitest";
import { arrayAt, isObject, type JsonObject, stringAt } from "../../src/model/index.ts";
import { job } from "../support/manifests.ts";
import { classFile, gpuNode, plainNode } from "../support/world.ts";
import { isStamped, makeSpace, startWorld, type World } from "./support/lifecycle.ts";
import type { Replica } from "./support/plimsoll.ts";
import { eventually } from "./support/wait.ts";

/** `PLIMSOLL_E2E_CREATES=10000` is what issue 4 asks for; the suite makes do with fewer. */
const CREATES = Number(process.env["PLIMSOLL_E2E_CREATES"] ?? 1_000);
const CLIENTS = 16;
/** Creates between the beginnings of two rollouts, and there is always load until one is over. */
const ROLLOUT_EVERY = 2_500;
/** Every tenth create asks for more nodes than there are. */
const OVERSIZED_EVERY = 10;
const SPACES = ["open", "enrolled"];
const CLASSES = [classFile("gang", { demand: { shape: "gang" } })];
const NODES = [...Array.from({ length: 4 }, (_, index) => gpuNode(`h-${index}`)), plainNode("c-1")];

let world: World;
beforeAll(async () => {
  world = await startWorld({
    nodes: NODES,
    catalogue: { classes: CLASSES },
    plimsoll: { replicas: 2, args: ["--drain=3"] },
  });
  await makeSpace(world, "open");
  await makeSpace(world, "enrolled", { "plimsoll.dev/enrolled": "true" });
});
afterAll(() => world?.stop());

/** Suspended, so that nothing but the reviews makes work: all of them fit one by one. */
const workload = (index: number): JsonObject =>
  job({
    name: `w-${index}`,
    namespace: SPACES[index % 2] ?? "",
    class: "gang",
    gpus: 8,
    count: isOversized(index) ? 5 : 1 + (index % 4),
    suspend: true,
  });
const isOversized = (index: number): boolean => index % OVERSIZED_EVERY === OVERSIZED_EVERY - 1;
const pathOf = (space: string) => `/apis/batch/v1/namespaces/${space}/jobs`;

/** As a Deployment's rollout does it: a new one, ready and routed to, then SIGTERM for an old one, whose endpoint goes about then. */
async function replace(old: Replica): Promise<void> {
  const { plimsoll } = world;
  await plimsoll.ready(await plimsoll.start());
  plimsoll.route(plimsoll.replicas.filter(({ process: one }) => one.running));
  const { pid } = old.process;
  if (pid === undefined) throw new Error(`${old.name} has ended by itself:\n${old.process.logs().slice(-2_000)}`);
  process.kill(pid, "SIGTERM");
  plimsoll.route(plimsoll.replicas.filter((one) => one !== old && one.process.running));
  await eventually(() => !old.process.running, { timeoutMs: 60_000, what: `${old.name} did not end` });
}

/** Samples of one metric of the API server. */
async function samples(name: string): Promise<readonly { readonly labels: string; readonly value: number }[]> {
  const { text } = await world.cp.api.ask("GET", "/metrics");
  return text.split("\n").flatMap((line) => {
    const match = /^([a-z_]+)(\{.*\})? (\S+)$/.exec(line);
    return match?.[1] === name ? [{ labels: match[2] ?? "", value: Number(match[3]) }] : [];
  });
}

test(`${CREATES} creates while every replica of the webhook is replaced: no review fails, and none is answered wrongly`, async () => {
  const { cp, plimsoll } = world;
  const wrong: string[] = [];
  const latencies: number[] = [];
  let begun = 0;
  let replaced = 0;
  let isOver = false;
  const client = async () => {
    while (begun < CREATES || !isOver) {
      const index = begun++;
      const sentMs = performance.now();
      const { status, text } = await cp.api.ask("POST", pathOf(SPACES[index % 2] ?? ""), workload(index));
      latencies.push(performance.now() - sentMs);
      const isRight = isOversized(index) ? status === 403 && text.includes("CapacityNever") : status === 201;
      if (!isRight) wrong.push(`${index}: ${status} ${text.slice(0, 500)}`);
    }
  };
  const rollout = async () => {
    for (let due = CREATES / 10; due < CREATES; due += ROLLOUT_EVERY) {
      await eventually(() => begun >= due, { timeoutMs: 600_000 });
      for (const old of plimsoll.replicas.filter(({ process: one }) => one.running)) {
        await replace(old);
        replaced += 1;
      }
    }
  };
  const startedMs = performance.now();
  await Promise.all([
    rollout().finally(() => {
      isOver = true;
    }),
    ...Array.from({ length: CLIENTS }, client),
  ]);
  const seconds = (performance.now() - startedMs) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => Math.round(latencies[Math.floor(share * (latencies.length - 1))] ?? 0);
  console.log(
    `${begun} creates in ${seconds.toFixed(0)} s while ${replaced} replicas were replaced; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
  expect(wrong).toEqual([]);
  expect(replaced).toBeGreaterThanOrEqual(2);

  const expected = Array.from({ length: begun }, (_, index) => index).filter((index) => !isOversized(index));
  const stored: JsonObject[] = [];
  for (const space of SPACES)
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page: JsonObject = await cp.api.send("GET", `${pathOf(space)}?limit=500&continue=${token}`);
      stored.push(...arrayAt(page, ["items"]).filter(isObject));
      token = stringAt(page, ["metadata", "continue"]) || undefined;
    }
  expect(stored).toHaveLength(expected.length);
  expect(stored.filter((one) => !isStamped(one)).map((one) => stringAt(one, ["metadata", "name"]))).toEqual([]);

  // The API server counts calls that failed, also those that it let pass.
  const called = (await samples("apiserver_admission_webhook_request_total")).filter(({ labels }) =>
    labels.includes("plimsoll.dev"),
  );
  expect(called.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(2 * expected.length);
  expect(await samples("apiserver_admission_webhook_fail_open_count")).toEqual([]);
  const errors = (await samples("apiserver_admission_webhook_rejection_count")).filter(
    ({ labels }) => !labels.includes('error_type="no_error"'),
  );
  expect(errors).toEqual([]);
}, 1_200_000);
