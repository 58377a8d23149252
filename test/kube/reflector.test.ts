import { describe, expect, test } from "vitest";
import { type Clock, type Kube, KubeFault, type WatchEvent } from "../../src/kube/index.ts";
import { projectPod } from "../../src/kube/project.ts";
import { type Reflector, startReflector, TIMINGS } from "../../src/kube/reflector.ts";
import type { JsonObject } from "../../src/model/index.ts";
import type { Change } from "../../src/topology/index.ts";

const POD = { apiVersion: "v1", kind: "Pod" } as const;
const pod = (name: string, version: number, phase = "Running"): JsonObject => ({
  metadata: { name, namespace: "a", resourceVersion: String(version) },
  spec: { nodeName: "n" },
  status: { phase },
});
const event = (type: WatchEvent["type"], object: JsonObject): WatchEvent => ({ type, object });
const bookmark = (version: number) => event("BOOKMARK", { metadata: { resourceVersion: String(version) } });

/** What one list or watch comes to. */
type Step =
  | { readonly list: readonly JsonObject[]; readonly at: string }
  | { readonly watch: readonly WatchEvent[]; readonly lasts?: number; readonly fails?: KubeFault }
  | KubeFault;

/** A port that answers by a script, and a clock that stands still but for what the script lets pass. The script's end stops the reflector. */
async function follow(steps: readonly Step[], sink?: (changes: readonly Change[], now: () => Reflector) => void) {
  const asked: string[] = [];
  const slept: number[] = [];
  const batches: (readonly Change[])[] = [];
  const left = [...steps];
  let nowMs = 1_000;
  let finish = () => undefined as unknown;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const next = async (what: string): Promise<Exclude<Step, KubeFault>> => {
    // Lets what was told before arrive.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const step = left.shift();
    if (step === undefined) {
      finish();
      return await new Promise<never>(() => undefined);
    }
    asked.push(what);
    if (step instanceof KubeFault) throw step;
    return step;
  };
  const kube: Pick<Kube, "listFrom" | "watch"> = {
    async listFrom(_path, read) {
      const step = await next("list");
      if (!("list" in step)) throw new Error("the script has a watch where a list is asked for");
      return { items: step.list.map(read), resourceVersion: step.at };
    },
    async *watch(_path, { resourceVersion, opened, signal }) {
      const step = await next(`watch ${resourceVersion}`);
      if (!("watch" in step)) throw new Error("the script has a list where a watch is asked for");
      opened?.();
      for (const one of step.watch) {
        if (signal.aborted) return;
        yield one;
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
      nowMs += step.lasts ?? 0;
      if (step.fails !== undefined) throw step.fails;
    },
  };
  const clock: Clock = {
    now: () => nowMs,
    random: () => 0.5,
    async sleep(ms) {
      slept.push(ms);
      nowMs += ms;
    },
  };
  const reflector: Reflector = startReflector({
    kube: kube as Kube,
    ...POD,
    path: "/api/v1/pods",
    keep: (object) => projectPod(object, POD),
    emit(changes) {
      sink?.(changes, () => reflector);
      batches.push(changes);
    },
    clock,
  });
  await finished;
  const status = reflector.status();
  reflector.stop();
  return { asked, slept, batches, changes: batches.flat(), status };
}
const names = (changes: readonly Change[]) =>
  changes.map((change) => {
    if (change.type === "relisted") return `all: ${change.objects.map(nameOf).join(" ")}`;
    if (change.type === "set") return `set ${nameOf(change.object)}`;
    return change.type === "deleted" ? `gone ${change.namespace}/${change.name}` : change.type;
  });
const nameOf = (object: JsonObject) => String((object["metadata"] as JsonObject)["name"]);
const EXPIRED = new KubeFault("too old resource version", { status: 410, reason: "Expired" });
const CUT = new KubeFault("broke off");

describe("a reflector", () => {
  test("lists, then tells what changes, each object with its type and nothing that is not used", async () => {
    const { asked, changes, status } = await follow([
      { list: [pod("a", 3)], at: "9" },
      { watch: [event("ADDED", pod("b", 10)), event("DELETED", pod("a", 11))], lasts: 60_000 },
    ]);
    expect(asked).toEqual(["list", "watch 9"]);
    expect(names(changes)).toEqual(["all: a", "set b", "gone a/a"]);
    expect(changes[1]).toEqual({
      type: "set",
      object: {
        ...POD,
        metadata: { name: "b", namespace: "a" },
        spec: { nodeName: "n" },
        status: { phase: "Running" },
      },
    });
    expect(status).toMatchObject({ synced: true, lists: 1, events: 2, faults: 0, lastSignMs: 1_000 });
  });

  test("tells together what arrived together", async () => {
    const { batches } = await follow([
      { list: [], at: "9" },
      { watch: [event("ADDED", pod("a", 10)), event("MODIFIED", pod("a", 11)), event("ADDED", pod("b", 12))] },
    ]);
    expect(batches.map((batch) => batch.length)).toEqual([1, 3]);
  });

  test("goes on from the last bookmark or event after an end and after a break, without a list", async () => {
    const { asked, status } = await follow([
      { list: [], at: "9" },
      { watch: [event("ADDED", pod("a", 10)), bookmark(40)], lasts: 60_000 },
      { watch: [event("ADDED", pod("b", 41))], lasts: 60_000, fails: CUT },
      { watch: [], lasts: 60_000 },
    ]);
    expect(asked).toEqual(["list", "watch 9", "watch 40", "watch 41"]);
    expect(status.lists).toBe(1);
  });

  test.each<[string, Step]>([
    ["in the stream", { watch: [], lasts: 60_000, fails: EXPIRED }],
    ["as the answer", EXPIRED],
  ])(
    "lists again when its place has expired (%s); what was known stands until the new list is whole",
    async (_name, step) => {
      const down = new KubeFault("down", 500);
      const { asked, changes } = await follow([
        { list: [pod("a", 3), pod("b", 4)], at: "9" },
        step,
        down,
        { list: [pod("b", 4), pod("c", 50)], at: "60" },
        { watch: [] },
      ]);
      expect(asked).toEqual(["list", "watch 9", "list", "list", "watch 60"]);
      expect(names(changes)).toEqual(["all: a b", "all: b c"]);
    },
  );

  test("a pod that has ended is not listed, and one that ends is gone", async () => {
    const { changes } = await follow([
      { list: [pod("a", 3), pod("old", 4, "Succeeded")], at: "9" },
      { watch: [event("MODIFIED", pod("a", 10, "Failed")), event("ADDED", pod("b", 11, "Pending"))] },
    ]);
    expect(names(changes)).toEqual(["all: a", "gone a/a", "set b"]);
  });

  test("a sink that fails is given everything anew", async () => {
    let failed = false;
    const { asked, changes, status } = await follow(
      [
        { list: [pod("a", 3)], at: "9" },
        { watch: [event("ADDED", pod("b", 10))], lasts: 60_000 },
        { list: [pod("a", 3), pod("b", 10)], at: "11" },
        { watch: [] },
      ],
      (batch) => {
        if (failed || batch[0]?.type !== "set") return;
        failed = true;
        throw new Error("no room");
      },
    );
    expect(asked).toEqual(["list", "watch 9", "list", "watch 11"]);
    expect(names(changes)).toEqual(["all: a", "all: a b"]);
    expect(status).toMatchObject({ faults: 1, lists: 2 });
  });
});

describe("pauses of a reflector", () => {
  test("double from 0.8 s to 30 s while the server cannot be listed, and say why", async () => {
    const { slept, asked, status } = await follow(Array.from({ length: 8 }, () => CUT));
    expect(asked).toEqual(Array.from({ length: 8 }, () => "list"));
    expect(slept).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(status).toMatchObject({ synced: false, fault: "broke off", faults: 8 });
  });

  test("grow where the server ends each watch at once, and begin anew after a good watch", async () => {
    const short: Step = { watch: [] };
    const { slept, status } = await follow([
      { list: [], at: "9" },
      short,
      short,
      short,
      short,
      { watch: [], lasts: TIMINGS.settledMs },
      short,
    ]);
    // None after the watch that lasted.
    expect(slept).toEqual([800, 1600, 3200, 6400, 800]);
    expect(status.lists).toBe(1);
  });

  test("stay short where each watch that ends at once has brought something", async () => {
    const busy = (version: number): Step => ({ watch: [event("ADDED", pod("a", version))] });
    const { slept, asked } = await follow([{ list: [], at: "9" }, busy(10), busy(11), busy(12)]);
    expect(slept).toEqual([800, 800, 800]);
    expect(asked).toEqual(["list", "watch 9", "watch 10", "watch 11"]);
  });

  test("grow where every list expires before it can be watched from", async () => {
    const list: Step = { list: [], at: "9" };
    const { slept } = await follow([list, EXPIRED, list, EXPIRED, list, EXPIRED]);
    expect(slept).toEqual([800, 1600, 3200]);
  });

  test("are as long as the server asks", async () => {
    const { slept } = await follow([
      new KubeFault("later", { status: 429, retryAfterMs: 7000 }),
      { list: [], at: "9" },
    ]);
    expect(slept).toEqual([7000]);
  });

  test("a place that the server refuses three times for another reason is given up", async () => {
    const odd = new KubeFault("too large resource version", 504);
    const { asked } = await follow([{ list: [], at: "9" }, odd, odd, odd, { list: [], at: "3" }, { watch: [] }]);
    expect(asked).toEqual(["list", "watch 9", "watch 9", "watch 9", "list", "watch 3"]);
  });

  test("a server that cannot be reached does not cost the place", async () => {
    const { asked } = await follow([{ list: [], at: "9" }, CUT, CUT, CUT, CUT, CUT, { watch: [] }]);
    expect(asked).toEqual(["list", ...Array.from({ length: 6 }, () => "watch 9")]);
  });
});

describe("a kind that cannot be read", () => {
  test("because it is forbidden is tried again each minute, and read once it is granted", async () => {
    const no = new KubeFault("pods is forbidden", 403);
    const seen: boolean[] = [];
    const { asked, slept, changes, status } = await follow(
      [no, no, { list: [pod("a", 3)], at: "9" }, { watch: [] }],
      (_changes, now) => seen.push(now().status().forbidden),
    );
    expect(asked).toEqual(["list", "list", "list", "watch 9"]);
    expect(slept).toEqual([60_000, 60_000, 800]);
    expect(names(changes)).toEqual(["all: a"]);
    expect(seen).toEqual([true]);
    expect(status).toMatchObject({ forbidden: false, synced: true, fault: undefined });
  });

  test("because it is not served is told once, looked for each minute, and listed when it is there again", async () => {
    const none = new KubeFault("the server could not find the requested resource", 404);
    const { asked, slept, changes, status } = await follow([
      { list: [pod("a", 3)], at: "9" },
      { watch: [], lasts: 60_000, fails: none },
      none,
      none,
      { list: [], at: "70" },
      { watch: [] },
    ]);
    expect(asked).toEqual(["list", "watch 9", "list", "list", "list", "watch 70"]);
    expect(slept.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
    expect(names(changes)).toEqual(["all: a", "unserved", "all: "]);
    expect(status).toMatchObject({ unserved: false, synced: true });
  });
});

test("of a pod's affinity its required anti-affinity is kept, which others fall under", () => {
  const term = { topologyKey: "zone", labelSelector: {}, namespaceSelector: {}, namespaces: ["a"] };
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const affinity = {
    podAntiAffinity: { [required]: [{ ...term, matchLabelKeys: ["x"] }] },
    podAffinity: { [required]: [] },
  };
  const pod = { metadata: { name: "p" }, spec: { affinity, nodeSelector: { a: "b" } } };
  expect(projectPod(pod, POD)?.["spec"]).toEqual({ affinity: { podAntiAffinity: { [required]: [term] } } });
});
