import { describe, expect, test } from "vitest";
import { arrayAt, type Json, objectAt, valueAt } from "../../src/model/index.ts";
import { deployment, job } from "../support/manifests.ts";
import { withValue } from "../support/review.ts";
import { catalogueOf, gpuNode, namespace, poolFile, serverOf } from "../support/world.ts";
import {
  accepted,
  BATCH,
  baseOf,
  CLUSTER,
  GANG,
  isStamped,
  ONLY_H200,
  podsText,
  refusedBecause,
  rungsOf,
  TEMPLATE,
  unpatched,
} from "./stand.ts";

const catalogue = catalogueOf({ classes: [BATCH, GANG] });
const SPEC = [...TEMPLATE, "spec"];
const OURS = { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" };

/** The node selection that the class writes into a pod spec without any: [key, value] pairs. */
function selectionOf(spec: Json | undefined): readonly [string, string][] {
  const selector = Object.entries(objectAt(spec, ["nodeSelector"])).map(([key, value]): [string, string] => [
    key,
    String(value),
  ]);
  const terms = arrayAt(spec, [
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  ]);
  const expressions = terms
    .flatMap((term) => arrayAt(term, ["matchExpressions"]))
    .map((one): [string, string] => [String(valueAt(one, ["key"])), String(valueAt(one, ["values", 0]))]);
  return [...selector, ...expressions];
}

describe("what the user writes is the user's", () => {
  test("case 5: a toleration equal to ours, applied by the user, outlives the class", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "batch" })));
    const ours = arrayAt(first, [...SPEC, "tolerations"]);
    expect(ours.length).toBeGreaterThan(0);
    const own = { spec: { tolerations: ours } };
    const second = accepted(server.apply(deployment({ class: "batch", ...own })));
    expect(arrayAt(second, [...SPEC, "tolerations"])).toEqual(ours);
    const third = accepted(server.apply(deployment(own)));
    expect(isStamped(third)).toBe(false);
    expect(arrayAt(third, [...SPEC, "tolerations"])).toEqual(ours);
    expect(selectionOf(valueAt(third, SPEC))).toEqual([]);
  });

  test("case 6: our selector's value by the user is theirs; another value is a finding with both", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "batch" })));
    const [key, value] = selectionOf(valueAt(first, SPEC)).find(([, one]) => one === "h100") ?? ["", ""];
    expect(value).toBe("h100");
    const same = accepted(server.apply(deployment({ class: "batch", spec: { nodeSelector: { [key]: value } } })));
    expect(objectAt(baseOf(same), [...SPEC, "nodeSelector"])).toEqual({ [key]: value });
    refusedBecause(
      server.apply(deployment({ class: "batch", spec: { nodeSelector: { [key]: "t4" } } })),
      /t4[\s\S]*h100|h100[\s\S]*t4/,
    );
  });

  test("case 7: a term that the user inserts before ours keeps its place, and ours is still found", () => {
    const server = serverOf(catalogue, CLUSTER);
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    const theirs = { matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] };
    const first = accepted(server.apply(deployment({ class: "batch" })));
    const path = [...SPEC, "affinity", "nodeAffinity", required, "nodeSelectorTerms"];
    const second = accepted(
      server.change(deployment(), (live) => withValue(live, path, [theirs, ...arrayAt(live, path)])),
    );
    // Terms are ORed: each one has to carry what the class selects, and undoing leaves the user's alone.
    expect(arrayAt(baseOf(second), path)).toEqual([theirs]);
    expect(valueAt(second, [...path, 0, "matchExpressions", 0])).toEqual(theirs.matchExpressions[0]);
    for (const [key] of selectionOf(valueAt(first, SPEC)))
      expect(selectionOf(valueAt(second, SPEC)).map(([name]) => name)).toContain(key);
    const tolerations = [{ key: "team", operator: "Exists" }, ...arrayAt(second, [...SPEC, "tolerations"])];
    const third = accepted(
      server.change(deployment(), (live) => withValue(live, [...SPEC, "tolerations"], tolerations)),
    );
    expect(arrayAt(third, [...SPEC, "tolerations"])).toEqual(tolerations);
    expect(arrayAt(baseOf(third), [...SPEC, "tolerations"])).toEqual([{ key: "team", operator: "Exists" }]);
    expect(OURS.key).toBe(valueAt(tolerations, [1, "key"]));
  });
});

describe("a Job that runs, and one that waits", () => {
  const running = (object: ReturnType<typeof job>) => ({
    ...object,
    status: { startTime: "2026-01-01T00:00:00Z", active: 1 },
  });

  test("case 8: a running Job's plain manifest again, and its finalizer after the class changed", () => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = job({ class: "batch" });
    const first = running(accepted(server.apply(manifest)));
    server.put(first);
    const again = server.apply(manifest);
    expect(podsText(accepted(again))).toBe(podsText(first));
    refusedBecause(server.replace(manifest), /^spec.selector: Required value$/);
    server.context = { ...server.context, catalogue: catalogueOf({ classes: [GANG] }) };
    const finalizer = server.change(manifest, (live) =>
      withValue(live, ["metadata", "finalizers"], ["batch.kubernetes.io/job-tracking"]),
    );
    accepted(finalizer);
    unpatched(finalizer);
    const deleting = withValue(first, ["metadata", "deletionTimestamp"], "2026-01-01T01:00:00Z");
    server.put(deleting);
    const released = server.change(manifest, (live) => withValue(live, ["metadata", "finalizers"], undefined));
    accepted(released);
    unpatched(released);
  });

  test("case 9: a running Job's class cannot change; taking it away drops the stamps and nothing else", () => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = job({ class: "batch" });
    const first = running(accepted(server.apply(manifest)));
    server.put(first);
    refusedBecause(server.apply(job({ class: "gang" })), /ClassImmutable.*Delete and create the Job again/);
    const removed = accepted(server.apply(job()));
    expect(isStamped(removed)).toBe(false);
    expect(podsText(removed)).toBe(podsText(first));
  });

  test("case 10: a suspended Job that starts without a queue is decided again, while it can still change", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(job({ class: "batch", suspend: true })));
    expect(rungsOf(first)["pod"]).toBe("h100/on-demand/existing");
    server.context = serverOf(catalogue, ONLY_H200).context;
    const started = accepted(server.change(job(), (live) => withValue(live, ["spec", "suspend"], false)));
    expect(rungsOf(started)["pod"]).toBe("h200/on-demand/existing");
    expect(selectionOf(valueAt(started, SPEC)).map(([, value]) => value)).not.toContain("h100");
  });

  describe("a deadline", () => {
    const block = poolFile("h100-reserved", { accelerator: "h100", capacityType: "reserved", maxNodes: 1 });
    const ending = {
      path: block.path,
      text: block.text.replace('"startup"', '"reservation":{"name":"cb-1","end":"1970-01-01T02:00:00Z"},"startup"'),
    };
    const windowed = catalogueOf({ classes: [BATCH, GANG], pools: [ending] });
    const nodes = [...CLUSTER, gpuNode("r-1", { capacityType: "reserved" })];
    const runs = (seconds: number, suspend: boolean) =>
      withValue(job({ class: "batch", suspend }), ["spec", "activeDeadlineSeconds"], seconds);

    test("that grows past the window of a reservation is a change of demand: a suspended Job is decided again", () => {
      const server = serverOf(windowed, nodes);
      const first = accepted(server.apply(runs(3600, true)));
      expect(rungsOf(first)["pod"]).toBe("h100/reserved/existing");
      const longer = accepted(server.apply(runs(86_400, true)));
      expect(rungsOf(longer)["pod"]).toBe("h100/on-demand/existing");
      unpatched(server.apply(runs(86_400, true)));
    });

    test("that stays within it moves nothing", () => {
      const server = serverOf(windowed, nodes);
      const first = accepted(server.apply(runs(3600, true)));
      const other = accepted(server.apply(runs(3000, true)));
      expect(rungsOf(other)).toEqual(rungsOf(first));
      expect(podsText(other)).toBe(podsText(first));
    });

    test("of a Job that runs moves nothing, and one that its nodes do not last for is refused", () => {
      const server = serverOf(windowed, nodes);
      const first = accepted(server.apply(runs(3600, false)));
      const other = accepted(server.apply(runs(3000, false)));
      expect(podsText(other)).toBe(podsText(first));
      refusedBecause(server.apply(runs(86_400, false)), /reservation cb-1 ends at 1970-01-01T02:00:00Z/);
    });
  });
});

describe("case 11: Kueue", () => {
  const queued = (fields: { suspend: boolean }) =>
    job({
      class: "gang",
      count: 2,
      ...fields,
      metadata: {
        labels: { "kueue.x-k8s.io/queue-name": "team-a" },
        annotations: { "plimsoll.dev/workload-class": "gang" },
      },
    });

  test("case 11: starts it with selector and toleration, later stops it: it passes and nothing of ours moves", () => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = queued({ suspend: true });
    const first = accepted(server.apply(manifest));
    // The cluster can hold nothing of it any more: not our affair once the queue has it.
    server.context = serverOf(catalogue, [namespace("default")]).context;
    const started = server.change(manifest, (live) => {
      const selected = withValue(live, [...SPEC, "nodeSelector", "cloud.example.com/flavor"], "h100-on-demand");
      const tolerations = [
        ...arrayAt(live, [...SPEC, "tolerations"]),
        { key: "flavor", operator: "Exists", effect: "NoSchedule" },
      ];
      return withValue(withValue(selected, [...SPEC, "tolerations"], tolerations), ["spec", "suspend"], false);
    });
    const live = accepted(started);
    unpatched(started);
    expect(objectAt(live, ["metadata", "annotations"])["plimsoll.dev/decision"]).toBe(
      objectAt(first, ["metadata", "annotations"])["plimsoll.dev/decision"],
    );
    // It stops the Job first, and then restores from the Workload what the template had when it was queued.
    const stopped = server.change(manifest, (now) => withValue(now, ["spec", "suspend"], true));
    accepted(stopped);
    unpatched(stopped);
    const restored = server.change(manifest, (now) => withValue(now, TEMPLATE, valueAt(first, TEMPLATE)));
    expect(podsText(accepted(restored))).toBe(podsText(first));
    unpatched(restored);
  });

  test("case 11: the plain manifest again gets back what it lacks, and no new decision", () => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = queued({ suspend: true });
    const first = accepted(server.apply(manifest));
    server.context = serverOf(catalogue, ONLY_H200).context;
    const bare = withValue(withValue(manifest, ["spec", "selector"], valueAt(first, ["spec", "selector"])), TEMPLATE, {
      ...objectAt(manifest, TEMPLATE),
      metadata: {
        labels: Object.fromEntries(
          Object.entries(objectAt(first, [...TEMPLATE, "metadata", "labels"])).filter(
            ([key]) => !key.startsWith("plimsoll.dev/"),
          ),
        ),
      },
    });
    const again = accepted(server.replace(bare));
    expect(rungsOf(again)).toEqual(rungsOf(first));
    expect(valueAt(again, TEMPLATE)).toEqual(valueAt(first, TEMPLATE));
  });
});
