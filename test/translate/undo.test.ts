import { describe, expect, test } from "vitest";
import { arrayAt, type Json, type JsonObject, objectAt, type Path, stringAt, valueAt } from "../../src/model/index.ts";
import { draft } from "../../src/translate/draft.ts";
import { undo } from "../../src/translate/index.ts";
import { decodeRecords, type EditRecord, encodeRecords, supersede } from "../../src/translate/records.ts";
import { ANNOTATIONS_LIMIT } from "../../src/translate/stamp.ts";
import { catalogue } from "../support/catalogue.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { job, rayCluster, statefulSet } from "../support/workloads.ts";

const small = catalogue();
const POD = ["spec", "template", "spec"] as const;
const TOLERATIONS = [...POD, "tolerations"] as const;
const SELECTOR = [...POD, "nodeSelector"] as const;
const GPU_KEY = "karpenter.k8s.aws/instance-gpu-name";
const TAINT = { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" };

const service = () => statefulSet("s").replicas(3).gpus(1).className("online");
const wide = catalogue({ classes: { online: { accelerator: { classes: ["h100", "a100-80gb"] } } } });
const expandOn = (object: JsonObject, name: string, old?: JsonObject) =>
  expandAs(object, { catalogue: wide, rung: rung(name), ...(old === undefined ? {} : { old }) }).object;
const edited = (object: JsonObject, path: Path, value: Json | undefined): JsonObject => {
  const document = draft(object);
  if (value === undefined) document.remove(path);
  else document.set(path, value);
  return document.result();
};
/** As client-side `kubectl apply` leaves it: the manifest that was applied stands in the annotation. */
const applied = (live: JsonObject, manifest: JsonObject): JsonObject =>
  edited(
    live,
    ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"],
    JSON.stringify(manifest),
  );

describe("what the user did to our edits since", () => {
  const manifest = service().toleration({ key: "own", operator: "Exists" }).build();
  const live = expandOn(manifest, "h100");

  test("another value under our key is theirs", () => {
    const { base, sets } = undo(edited(live, [...SELECTOR, GPU_KEY], "l4"), wide.kinds);
    expect(valueAt(base, SELECTOR)).toEqual({ [GPU_KEY]: "l4" });
    expect(sets.get("pod")?.missing.map(({ key }) => key)).toEqual([GPU_KEY]);
  });
  test("an element put before ours does not hide it", () => {
    const more = edited(live, TOLERATIONS, [{ key: "new", operator: "Exists" }, ...arrayAt(live, TOLERATIONS)]);
    expect(arrayAt(undo(more, wide.kinds).base, TOLERATIONS)).toEqual([
      { key: "new", operator: "Exists" },
      { key: "own", operator: "Exists" },
    ]);
  });
  test("a second copy of ours is theirs: one removal a record", () => {
    const more = edited(live, TOLERATIONS, [...arrayAt(live, TOLERATIONS), TAINT]);
    expect(arrayAt(undo(more, wide.kinds).base, TOLERATIONS)).toEqual([{ key: "own", operator: "Exists" }, TAINT]);
  });
  test("ours taken out leaves nothing to undo there", () => {
    const less = edited(live, TOLERATIONS, [{ key: "own", operator: "Exists" }]);
    expect(undo(less, wide.kinds).base).toEqual(manifest);
  });
  test("a parent that we made goes although the edit that made it was taken out first", () => {
    const parts = expandAs(job("j").gpus(8).replicas(2).className("gang").build(), {
      catalogue: small,
      rung: rung("h100"),
    }).object;
    expect(undo(edited(parts, [...SELECTOR, GPU_KEY], undefined), small.kinds).base).toEqual(
      job("j").gpus(8).replicas(2).className("gang").build(),
    );
  });
  test("a parent that the user needs by now stays", () => {
    const more = edited(live, [...SELECTOR, "disk"], "ssd");
    expect(valueAt(undo(more, wide.kinds).base, SELECTOR)).toEqual({ disk: "ssd" });
  });
});

describe("kubectl apply", () => {
  test("of a toleration equal to ours makes it the user's, for good", () => {
    const manifest = service().build();
    const live = expandOn(manifest, "h100");
    const theirs = service().toleration(TAINT).build();
    const after = applied(live, theirs);
    expect(arrayAt(undo(after, wide.kinds).base, TOLERATIONS)).toEqual([TAINT]);
    const again = expandOn(after, "h100", live);
    expect(stringAt(again, ["metadata", "annotations", "plimsoll.dev/applied"])).not.toContain('"toleration"');
  });
  test("of our selector key with our value makes it the user's", () => {
    const live = expandOn(service().build(), "h100");
    const after = applied(live, service().nodeSelector(GPU_KEY, "h100").build());
    expect(valueAt(undo(after, wide.kinds).base, [...SELECTOR, GPU_KEY])).toBe("h100");
  });
  test("of an export undoes what the export carried, since its stamps came along", () => {
    const manifest = service().build();
    const exported = expandOn(manifest, "h100");
    const { base } = undo(applied(exported, exported), wide.kinds);
    expect(base["spec"]).toEqual(manifest["spec"]);
  });
  test.each(["{", "[]", "null", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "x".repeat(300_000)])(
    "with a damaged record (%#) changes nothing",
    (text) => {
      const manifest = service().build();
      const live = edited(
        expandOn(manifest, "h100"),
        ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"],
        text,
      );
      expect(undo(live, wide.kinds).base["spec"]).toEqual(manifest["spec"]);
    },
  );
});

describe("an older template under newer stamps", () => {
  const manifest = service().build();
  const first = expandOn(manifest, "h100");
  const second = expandOn(first, "a100-80gb", first);

  test("is undone by the records of its own generation", () => {
    const back = edited(second, ["spec", "template"], valueAt(first, ["spec", "template"]));
    expect(undo(back, wide.kinds).base).toEqual(manifest);
    expect(undo(second, wide.kinds).base).toEqual(manifest);
  });
  test("is so after nine more decisions, and no longer after ten", () => {
    let live = second;
    for (let turn = 0; turn < 8; turn += 1) live = expandOn(live, turn % 2 === 0 ? "h100" : "a100-80gb", live);
    const back = (now: JsonObject) =>
      undo(edited(now, ["spec", "template"], valueAt(first, ["spec", "template"])), wide.kinds).base;
    expect(back(live)).toEqual(manifest);
    const records = undo(live, wide.kinds).records.sets.get("pod");
    expect(records?.generation).toBe(10);
    expect(records?.old.every(({ until }) => until > 0)).toBe(true);
  });
  test("a value that was ours once is the user's where it stands alone", () => {
    const plain = service().nodeSelector(GPU_KEY, "h100").build();
    const live = edited(plain, ["metadata", "annotations"], valueAt(second, ["metadata", "annotations"]));
    expect(undo(live, wide.kinds).base).toEqual(plain);
  });
  test("an unchanged expansion starts no generation", () => {
    expect(undo(expandOn(second, "a100-80gb", second), wide.kinds).records).toEqual(undo(second, wide.kinds).records);
  });
});

describe("pod sets", () => {
  test("that were renamed are undone by the records of the old name", () => {
    const manifest = rayCluster("r").replicas(2).gpus(8).className("gang").build();
    const live = expandAs(manifest, { catalogue: small, rung: { head: "none", workers: rung("h100") } }).object;
    const renamed = edited(live, ["spec", "workerGroupSpecs", 0, "groupName"], "renamed");
    expect(undo(renamed, small.kinds).base).toEqual(
      edited(manifest, ["spec", "workerGroupSpecs", 0, "groupName"], "renamed"),
    );
  });
  test("that are equal share one record", () => {
    const record: Omit<EditRecord, "from"> = {
      slot: "label",
      key: "plimsoll.dev/class",
      hash: "0123456789ab",
      made: 0,
      was: undefined,
    };
    const set = supersede(undefined, [record]);
    const text = encodeRecords({
      sets: new Map([
        ["b", set],
        ["a", set],
        ["c", set],
      ]),
      child: undefined,
      made: 0,
      madeFromNull: false,
    });
    expect(JSON.parse(text)).toEqual({
      v: 1,
      sets: { a: { g: 1, e: [["label", "plimsoll.dev/class", "0123456789ab", 1, ""]] }, b: "a", c: "a" },
    });
    expect(decodeRecords(text)?.sets.get("c")).toEqual(set);
  });
});

describe("the size of stamps", () => {
  const filled = (bytes: number) => service().annotation("note", "x".repeat(bytes)).build();
  const stampBytes = (object: JsonObject) =>
    Object.entries(objectAt(object, ["metadata", "annotations"])).reduce(
      (sum, [key, value]) => sum + key.length + String(value).length,
      0,
    );

  test("thirty worker groups with a history fit beside a manifest of 100 KiB", () => {
    const groups = Array.from({ length: 30 }, (_, index) => ({
      groupName: `g${index}`,
      replicas: 2,
      template: {
        spec: { containers: [{ name: "w", image: "ray:2", resources: { limits: { "nvidia.com/gpu": "8" } } }] },
      },
    }));
    let live = rayCluster("r").className("gang").spec({ workerGroupSpecs: groups }).build();
    const note = "x".repeat(100 * 1024);
    live = edited(live, ["metadata", "annotations", "note"], note);
    for (const name of ["h100", "a100-80gb", "h100"]) {
      const of = Object.fromEntries([
        ["head", "none" as const],
        ...groups.map(({ groupName }) => [groupName, rung(name)] as const),
      ]);
      live = expandAs(live, { catalogue: small, rung: of, old: live }).object;
    }
    expect(stampBytes(live)).toBeLessThan(ANNOTATIONS_LIMIT);
    expect(undo(live, small.kinds).records.sets.get("g7")?.old.length).toBeGreaterThan(0);
  });
  test("the history goes first where they would not fit", () => {
    let live = filled(1000);
    for (const name of ["h100", "a100-80gb"]) live = expandOn(live, name, live);
    const history = undo(live, wide.kinds).records.sets.get("pod")?.old.length ?? 0;
    expect(history).toBeGreaterThan(0);
    const room = ANNOTATIONS_LIMIT - stampBytes(live) + 1000 - "note".length;
    const full = edited(live, ["metadata", "annotations", "note"], "x".repeat(room + 10));
    const next = expandAs(full, { catalogue: wide, rung: rung("a100-80gb"), old: live });
    expect(next.tooLarge).toBe(false);
    expect(undo(next.object, wide.kinds).records.sets.get("pod")?.old).toEqual([]);
    expect(stampBytes(next.object)).toBeLessThanOrEqual(ANNOTATIONS_LIMIT);
  });
  test("then nothing is expanded, and it is said", () => {
    const manifest = filled(ANNOTATIONS_LIMIT - 500);
    const result = expandAs(manifest, { catalogue: wide, rung: rung("h100") });
    expect(result.tooLarge).toBe(true);
    expect(result.object).toEqual(manifest);
    expect(result.diagnostics.map(({ code }) => code)).toContain("StampsTooLarge");
    expect(result.diagnostics.at(-1)?.hint).toContain("--server-side");
  });
});

describe("stamps that are damaged or forged", () => {
  const manifest = job("j")
    .gpus(8)
    .replicas(2)
    .className("gang")
    .toleration({ key: "own", operator: "Exists" })
    .build();
  const live = expandAs(manifest, { catalogue: small, rung: rung("h100") }).object;
  const stamped = (text: Json) => edited(live, ["metadata", "annotations", "plimsoll.dev/applied"], text);
  const record = (...parts: Json[]) => JSON.stringify({ v: 1, sets: { pod: { g: 1, e: [parts] } } });
  const HASH = "0123456789ab";

  const damaged: readonly (readonly [string, string])[] = [
    ["text that is no JSON", "{"],
    ["JSON of another shape", "[1,2]"],
    ["another version", JSON.stringify({ v: 2, sets: {} })],
    ["a slot that there is not", record("command", "", HASH, 1, "")],
    ["a path in place of a slot", record("spec.template", "", HASH, 1, "")],
    ["a hash that is none", record("toleration", "", "zz", 1, "")],
    ["a reference to nothing", JSON.stringify({ v: 1, sets: { pod: "other" } })],
    ["a reference to itself", JSON.stringify({ v: 1, sets: { pod: "pod" } })],
    ["more text than all annotations may have", `"${"x".repeat(300_000)}"`],
  ];
  test.each(damaged)("%s undoes nothing", (_, text) => {
    const { base, damaged: is } = undo(stamped(text), small.kinds);
    expect(is).toBe(true);
    expect(base["spec"]).toEqual(live["spec"]);
  });
  test("the stamp as a number is no stamp", () => {
    expect(undo(stamped(7), small.kinds).base["spec"]).toEqual(live["spec"]);
  });
  test("a record for a label of the user's does not remove it, though its hash is right", () => {
    const own = job("j").podLabel("app", "web").build();
    const hash = undo(live, small.kinds).records.sets.get("pod")?.edits[0]?.hash ?? "";
    const labelled = edited(
      edited(own, ["spec", "template", "metadata", "labels", "app"], "gang"),
      ["metadata", "annotations"],
      {
        "plimsoll.dev/applied": record("label", "app", hash, 1, ""),
      },
    );
    expect(valueAt(undo(labelled, small.kinds).base, ["spec", "template", "metadata", "labels", "app"])).toBe("gang");
  });
  test("a decision that is forged is only read, never trusted to be ours", () => {
    const forged = edited(
      live,
      ["metadata", "annotations", "plimsoll.dev/decision"],
      '{"v":1,"sets":{"__proto__":{"class":"x"}}}',
    );
    const { decision, damaged: is } = undo(forged, small.kinds);
    expect(decision).toBeUndefined();
    expect(is).toBe(true);
    expect(Object.hasOwn(Object.prototype, "class")).toBe(false);
  });
});
