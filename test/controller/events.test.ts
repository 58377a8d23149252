import { describe, expect, test } from "vitest";
import { createEvents, type EventsOptions } from "../../src/controller/events.ts";
import type { Note } from "../../src/controller/types.ts";
import { KubeFault } from "../../src/kube/index.ts";
import { integerAt, objectAt, stringAt } from "../../src/model/index.ts";
import { manualClock, settle } from "../support/clock.ts";
import { fakeKube } from "../support/kube.ts";

const regarding = { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "train", uid: "u1" };
const note = (text: string, uid = "u1"): Note => ({
  regarding: { ...regarding, uid },
  type: "Warning",
  reason: "CapacityUnavailable",
  action: "Judge",
  note: text,
});
const PATH = "/apis/events.k8s.io/v1/namespaces/default/events";

function telling(more: Partial<EventsOptions> = {}) {
  const kube = fakeKube();
  const clock = manualClock();
  const lines: string[] = [];
  const events = createEvents({ kube, clock, instance: "one", log: (_, line) => lines.push(line), ...more });
  const told = async () => {
    await settle();
    return (await kube.listFrom(PATH, (one) => one)).items;
  };
  return { kube, clock, lines, events, told };
}

describe("events", () => {
  test("are of events.k8s.io/v1, about the root with its uid", async () => {
    const world = telling();
    world.events.event(note("No node has 8 free GPUs."));
    const [event] = await world.told();
    expect(objectAt(event, ["regarding"])).toEqual(regarding);
    expect([
      event?.["reportingController"],
      event?.["reportingInstance"],
      event?.["reason"],
      event?.["action"],
    ]).toEqual(["plimsoll.dev/controller", "one", "CapacityUnavailable", "Judge"]);
    expect(stringAt(event, ["eventTime"])).toMatch(/^2026-01-01T00:00:\d\d\.\d{6}Z$/);
  });

  test("that are told again are one event with a count, written once in a while", async () => {
    const world = telling();
    for (let times = 0; times < 50; times += 1) world.events.event(note("busy"));
    await settle();
    expect(world.kube.calls.map(({ verb }) => verb)).toEqual(["create"]);
    await world.clock.advance(300_000);
    expect(world.kube.calls.map(({ verb }) => verb)).toEqual(["create", "patch"]);
    expect(integerAt((await world.told())[0], ["series", "count"])).toBe(50);
    await world.clock.advance(3_000_000);
    expect(world.kube.calls.filter(({ verb }) => verb !== "list").length).toBe(2);
  });

  test("another note, another uid or a long silence is another event", async () => {
    const world = telling();
    world.events.event(note("busy"));
    world.events.event(note("never"));
    world.events.event(note("busy", "u2"));
    expect((await world.told()).length).toBe(3);
    await world.clock.advance(3_600_000);
    world.events.event(note("busy"));
    expect((await world.told()).length).toBe(4);
  });

  test("whose first telling the server has forgotten are told anew, with their count", async () => {
    const world = telling();
    world.events.event(note("busy"));
    const [event] = await world.told();
    world.kube.drop(`${PATH}/${stringAt(event, ["metadata", "name"])}`);
    world.events.event(note("busy"));
    await world.clock.advance(300_000);
    expect((await world.told()).map((one) => integerAt(one, ["series", "count"]))).toEqual([2]);
  });

  test("are bounded for one root and for all, and what is left out is counted", async () => {
    const world = telling({ overall: { burst: 15, everyMs: 1_000 } });
    for (let number = 0; number < 30; number += 1) world.events.event(note(`note ${number}`));
    expect([(await world.told()).length, world.events.dropped]).toEqual([10, 20]);
    for (let number = 0; number < 30; number += 1) world.events.event(note("busy", `root ${number}`));
    expect((await world.told()).length).toBe(15);
    await world.clock.advance(60_000);
    world.events.event(note("again"));
    expect((await world.told()).length).toBe(16);
  });

  test("have notes of one line and at most 1,024 bytes, cut between characters", async () => {
    const world = telling();
    world.events.event(note(`several\nlines ${"€🚀".repeat(400)}`));
    const text = stringAt((await world.told())[0], ["note"]) ?? "";
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(1015);
    expect(text.startsWith("several lines €")).toBe(true);
    expect(text.endsWith("…")).toBe(true);
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  test("that cannot be told are logged once and hold nothing up", async () => {
    const world = telling();
    world.kube.before = () => {
      throw new KubeFault("events.events.k8s.io is forbidden", 403);
    };
    world.events.event(note("one"));
    world.events.event(note("two"));
    await settle();
    expect(world.lines).toEqual([
      "Events are not told: Missing permission: create and patch on events.events.k8s.io. It stands in manifests/base/rbac.yaml.",
    ]);
    await world.events.stop();
    world.events.event(note("three"));
    await settle();
    expect(world.kube.calls.length).toBe(2);
  });
});
