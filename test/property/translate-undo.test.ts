import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLASS_LABEL, type Json, type JsonObject, type Path, TENANT_LABEL } from "../../src/model/index.ts";
import { draft } from "../../src/translate/draft.ts";
import { type Edit, placeEdits } from "../../src/translate/edit.ts";
import { termHash } from "../../src/translate/expressions.ts";
import { supersede } from "../../src/translate/records.ts";
import { locate, type SlotName, slotOf } from "../../src/translate/slots.ts";
import { writeStamps } from "../../src/translate/stamp.ts";
import { undo } from "../../src/translate/undo.ts";
import { builtinKinds, containerPath, type PodSet, readWorkload } from "../../src/workloads/index.ts";
import { everyKind as manifests } from "../support/everykind.ts";
import { runs } from "../support/runs.ts";
import * as build from "../support/workloads.ts";

const table = builtinKinds();
const decision = {
  any: {
    className: "c",
    classDigest: "1",
    intentDigest: "2",
    demandDigest: "3",
    rung: "none" as const,
    verdict: "unknown" as const,
  },
};

const MAPS: readonly (readonly [SlotName, string, string])[] = [
  ["label", CLASS_LABEL, "c"],
  ["label", TENANT_LABEL, "team"],
  ["annotation", "karpenter.sh/do-not-disrupt", "true"],
  ["nodeSelector", "karpenter.k8s.aws/instance-gpu-name", "h100"],
  ["nodeSelector", "z", "1"],
];
const ITEMS: readonly (readonly [SlotName, Json])[] = [
  ["toleration", { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
  ["toleration", { key: "spot", operator: "Exists" }],
  ["spread", { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }],
  ["podTerm", { topologyKey: "rack", labelSelector: { matchLabels: { a: "b" } } }],
  ["podPreference", { weight: 100, podAffinityTerm: { topologyKey: "rack" } }],
  ["podAntiTerm", { topologyKey: "rack", mismatchLabelKeys: ["group"] }],
  ["podAntiPreference", { weight: 100, podAffinityTerm: { topologyKey: "rack" } }],
  ["nodePreference", { weight: 100, preference: { matchExpressions: [] } }],
  ["claim", { name: "devices", resourceClaimTemplateName: "plimsoll-1" }],
];
const VALUES: readonly (readonly [SlotName, Json])[] = [
  ["priority", "training"],
  ["grace", 600],
  ["group", { podGroupName: "g" }],
];

/** Every edit that the set's kind can carry. */
function editsFor(object: JsonObject, set: PodSet): readonly Edit[] {
  const edits: Edit[] = [];
  const add = (slot: SlotName, key: string, value: Json) => {
    if (locate(object, set, slot, key) !== undefined) edits.push({ slot, key, value, text: slot });
  };
  for (const [slot, key, value] of MAPS) add(slot, key, value);
  for (const [slot, value] of ITEMS) add(slot, "", value);
  for (const [slot, value] of VALUES) add(slot, "", value);
  const terms = locate(object, set, "nodeTerm", "");
  const theirs = terms === undefined ? [] : valuesAt(object, terms.container);
  if (theirs.length === 0)
    add("nodeTerm", "", { matchExpressions: [{ key: "k", operator: "In", values: ["a", "b"] }] });
  else
    for (const term of theirs)
      add("nodeExpression", termHash(term) ?? "", { key: "k", operator: "In", values: ["a", "b"] });
  const container = (set.pod.spec["containers"] as JsonObject[] | undefined)?.[0]?.["name"] as string | undefined;
  if (container !== undefined && containerPath(object, set, container) !== undefined) {
    add("request", `${container}/nvidia.com/gpu`, "8");
    add("limit", `${container}/nvidia.com/gpu`, "8");
    add("containerClaim", container, { name: "devices" });
  }
  return edits;
}

function valuesAt(object: JsonObject, path: Path): readonly Json[] {
  const value = path.reduce<Json | undefined>(
    (at, step) => (typeof at === "object" && at !== null ? (at as Record<string | number, Json>)[step] : undefined),
    object,
  );
  return Array.isArray(value) ? (value as Json[]) : [];
}

type State = "absent" | "null" | "empty" | "present";
const USERS: Readonly<Record<"key" | "item" | "value", Json>> = {
  key: { user: "theirs" },
  item: [{ user: "theirs" }, { user: "more" }],
  value: {},
};

/** Brings the parents of a slot into one state, at one depth below the part of the path that stands. */
function withParents(
  object: JsonObject,
  set: PodSet,
  slot: SlotName,
  key: string,
  state: State,
  depth: number,
): JsonObject {
  const place = locate(object, set, slot, key);
  if (place === undefined || state === "absent") return object;
  const document = draft(object);
  const standing = place.container.findIndex(
    (_, index) => document.get(place.container.slice(0, index + 1)) === undefined,
  );
  if (standing < 0) return object;
  const at = Math.min(place.container.length, standing + 1 + depth);
  const path = place.container.slice(0, at);
  const shape = slotOf(slot).shape;
  const whole = at === place.container.length;
  if (document.ensure(path.slice(0, -1), "object") === undefined) return object;
  const value =
    state === "null" ? null : state === "empty" || !whole ? (whole && shape === "item" ? [] : {}) : USERS[shape];
  document.set(path, value);
  return document.result();
}

const TERM_STATES: readonly (readonly Json[])[] = [
  [],
  [{ matchExpressions: [{ key: "user", operator: "Exists" }] }],
  [
    { matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] },
    { matchExpressions: null },
    { matchExpressions: [] },
  ],
  [{ matchExpressions: [{ key: "a", operator: "Exists" }] }, { matchExpressions: [{ key: "a", operator: "Exists" }] }],
];

function withTerms(object: JsonObject, set: PodSet, terms: readonly Json[]): JsonObject {
  const place = locate(object, set, "nodeTerm", "");
  if (place === undefined || terms.length === 0) return object;
  const document = draft(object);
  if (document.ensure(place.container, "array") === undefined) return object;
  document.set(place.container, terms);
  return document.result();
}

const setsOf = (object: JsonObject): readonly PodSet[] => readWorkload(object, table)?.podSets ?? [];

function expanded(base: JsonObject): JsonObject {
  const document = draft(base);
  const sets = new Map(
    setsOf(base).map((set) => {
      const { records, diagnostics } = placeEdits(document, set, editsFor(base, set), () => undefined);
      expect(diagnostics).toEqual([]);
      return [set.name, supersede(undefined, records)] as const;
    }),
  );
  expect(writeStamps(document, decision, { sets, child: undefined, made: 0, madeFromNull: false })).toBe(true);
  return document.result();
}

describe.each(Object.keys(manifests))("undo of edits to a %s", (kind) => {
  const manifest = manifests[kind] ?? (() => ({}));
  const slots: readonly SlotName[] = [
    "label",
    "annotation",
    "nodeSelector",
    "toleration",
    "spread",
    "podTerm",
    "podAntiTerm",
    "nodePreference",
    "claim",
    "limit",
    "containerClaim",
  ];

  test.each(["absent", "null", "empty", "present"] as const)(
    "gives the object back byte for byte, with parents %s",
    (state) => {
      fc.assert(
        fc.property(
          fc.subarray([...slots]),
          fc.nat(3),
          fc.constantFrom(...TERM_STATES),
          fc.constantFrom<"kept" | "dropped" | "null">("kept", "dropped", "null"),
          (chosen, depth, terms, annotations) => {
            let base: JsonObject = manifest();
            for (const set of setsOf(base)) {
              base = withTerms(base, set, terms);
              for (const slot of chosen) {
                const container = (set.pod.spec["containers"] as JsonObject[] | undefined)?.[0]?.["name"] as
                  | string
                  | undefined;
                base = withParents(
                  base,
                  set,
                  slot,
                  slot === "limit" ? `${container}/x` : (container ?? ""),
                  state,
                  depth,
                );
              }
            }
            if (annotations !== "kept") {
              const { annotations: _, ...metadata } = base["metadata"] as JsonObject;
              base = { ...base, metadata: annotations === "null" ? { ...metadata, annotations: null } : metadata };
            }
            const text = JSON.stringify(base);
            const result = expanded(base);
            expect(JSON.stringify(base)).toBe(text);
            expect(result).not.toEqual(base);
            const undone = undo(result, table);
            expect(JSON.stringify(undone.base)).toBe(text);
            expect(undone.damaged).toBe(false);
            expect([...undone.sets.values()].flatMap((set) => set.missing)).toEqual([]);
            expect(JSON.stringify(expanded(undone.base))).toBe(JSON.stringify(result));
            expect(JSON.stringify(undo(JSON.parse(JSON.stringify(result)) as JsonObject, table).base)).toBe(text);
          },
        ),
        runs(6),
      );
    },
  );
});

describe("undo of stamps that nobody wrote", () => {
  const base = build.job("w").toleration({ key: "own", operator: "Exists" }).nodeSelector("disk", "ssd").build();
  const good = expanded(base);
  const stamps = (good["metadata"] as JsonObject)["annotations"] as JsonObject;

  test("never throws and never changes more than the stamps and our own values", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const mutated = fc.tuple(fc.nat(400), fc.string({ maxLength: 6 })).map(([at, text]) => {
      const applied = String(stamps["plimsoll.dev/applied"]);
      return `${applied.slice(0, at % applied.length)}${text}${applied.slice((at % applied.length) + text.length)}`;
    });
    const forged = fc.oneof(
      fc.string(),
      json.map((value) => JSON.stringify(value)),
      mutated,
      json.map((sets) => JSON.stringify({ v: 1, sets })),
    );
    fc.assert(
      fc.property(forged, forged, (applied, decided) => {
        const object = {
          ...good,
          metadata: {
            ...(good["metadata"] as JsonObject),
            annotations: { "plimsoll.dev/applied": applied, "plimsoll.dev/decision": decided },
          },
        };
        const { base: result } = undo(object, table);
        const spec = (result["spec"] as JsonObject)["template"] as JsonObject;
        const pod = spec["spec"] as JsonObject;
        expect(pod["tolerations"]).toContainEqual({ key: "own", operator: "Exists" });
        expect((pod["nodeSelector"] as JsonObject)["disk"]).toBe("ssd");
        expect(pod["containers"]).toHaveLength(1);
      }),
      runs(500),
    );
  });
});
