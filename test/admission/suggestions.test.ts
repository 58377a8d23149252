import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge } from "../../src/admission/index.ts";
import type { JsonObject, Suggestion } from "../../src/model/index.ts";
import type { Catalogue } from "../../src/policy/index.ts";
import { deployment, job } from "../support/manifests.ts";
import { runs, tally } from "../support/runs.ts";
import { boundPod, catalogueOf, classFile, contextOf, gpuNode, poolFile } from "../support/world.ts";

/** What a class of this test says; everything else is the least that the schema lets it. */
interface Spec {
  readonly level: string | undefined;
  readonly preferred: boolean;
  readonly spread: "required" | "preferred" | undefined;
  readonly types: string;
  readonly accelerators: string;
  readonly wait: string;
  /** Of a service; undefined: a gang. */
  readonly minimum?: number | undefined;
  /** Of a gang. */
  readonly least: number;
}

interface Asked {
  readonly spec: Spec;
  readonly pods: number;
}

const catalogues = new Map<string, Catalogue>();
/** Pools start in 5 minutes. */
function catalogueFor(spec: Spec, maxNodes: number): Catalogue {
  const { level, preferred, spread, types, accelerators, wait, minimum, least } = spec;
  const key = JSON.stringify([level, preferred, spread, types, accelerators, wait, minimum, least, maxNodes]);
  const known = catalogues.get(key);
  if (known !== undefined) return known;
  const topology = {
    ...(level === undefined ? {} : { level, unit: "podSet", mode: preferred ? "preferred" : "required" }),
    ...(spread === undefined ? {} : { spread: { level: "zone", mode: spread, maxSkew: 1 } }),
  };
  const fresh = catalogueOf({
    classes: [
      classFile("asked", {
        demand:
          minimum === undefined
            ? { shape: "gang", replicas: { min: least } }
            : { shape: "online", replicas: { min: minimum } },
        accelerator: { classes: accelerators.split(", "), perPod: { min: 1, max: 8, default: 1 } },
        capacity: { types: types.split(", "), maxProvisioning: wait },
        ...(Object.keys(topology).length === 0 ? {} : { topology }),
      }),
    ],
    pools: [poolFile("grows", { accelerator: "h100", capacityType: "on-demand", maxNodes })],
  });
  catalogues.set(key, fresh);
  return fresh;
}

const listOf = (text: string): string => text.slice(text.indexOf("[") + 1, text.indexOf("]"));

/** The change as a person would write it. */
function apply({ spec, pods }: Asked, { change }: Suggestion): Asked {
  const [field = "", value = ""] = change.split(": ");
  const fewer = /^(\d+) instead of \d+ pods(?: and demand.replicas.min: (\d+))?$/.exec(change);
  if (fewer !== null) return { spec: { ...spec, least: Number(fewer[2] ?? spec.least) }, pods: Number(fewer[1]) };
  switch (field) {
    case "topology.level":
      return { spec: { ...spec, level: value }, pods };
    case "topology.mode":
      return { spec: { ...spec, preferred: true }, pods };
    case "topology.spread.mode":
      return { spec: { ...spec, spread: "preferred" }, pods };
    case "capacity.types":
      return { spec: { ...spec, types: listOf(change) }, pods };
    case "accelerator.classes":
      return { spec: { ...spec, accelerators: listOf(change) }, pods };
    case "capacity.maxProvisioning":
      return { spec: { ...spec, wait: value }, pods };
    case "demand.replicas.min":
      return { spec: { ...spec, minimum: Number(value) }, pods };
    default:
      throw new Error(`nobody knows how to write ${change}`);
  }
}

const nodeCase = fc.record({
  zone: fc.constantFrom("zone-a", "zone-a", "zone-a", "zone-b"),
  block: fc.constantFrom("1", "1", "2"),
  rack: fc.constantFrom("1", "2"),
  accelerator: fc.constantFrom("h100", "h100", "h100", "h200"),
  capacityType: fc.constantFrom("on-demand", "on-demand", "on-demand", "spot", "reserved"),
  busy: fc.constantFrom(0, 0, 0, 4),
});
type NodeCase = typeof nodeCase extends fc.Arbitrary<infer T> ? T : never;

function objectsOf(nodes: readonly NodeCase[]): readonly JsonObject[] {
  return nodes.flatMap(({ zone, block, rack, accelerator, capacityType, busy }, index) => {
    const name = `n${index}`;
    const place = { zone, block: `${zone}-${block}`, rack: `${zone}-${block}-${rack}` };
    const node = gpuNode(name, { ...place, accelerator, capacityType });
    return busy === 0 ? [node] : [node, boundPod(`busy-${index}`, name, busy)];
  });
}

const specCase: fc.Arbitrary<Spec> = fc
  .record({
    level: fc.constantFrom("rack", "rack", "block", undefined),
    preferred: fc.constant(false),
    spread: fc.constantFrom("required" as const, undefined, undefined),
    types: fc.constantFrom("on-demand", "on-demand", "reserved"),
    accelerators: fc.constantFrom("h100", "h100", "h200"),
    wait: fc.constantFrom("1m", "1m", "30m"),
    minimum: fc.constantFrom(undefined, undefined, 2, 3, 4),
    least: fc.constantFrom(0, 0, 2),
  })
  // Who shares a rack cannot spread over zones.
  .map((one) => (one.level === undefined ? one : { ...one, spread: undefined }));

const seen = tally();

describe("suggestions", () => {
  test("who writes a class or a manifest as one says gets the verdict that it promises", () => {
    const verdictOf = ({ spec, pods }: Asked, objects: readonly JsonObject[], maxNodes: number) => {
      const context = { ...contextOf(catalogueFor(spec, maxNodes), objects), holds: [], nowMs: 0 };
      const manifest = spec.minimum === undefined ? job : deployment;
      const judged = judge(manifest({ class: "asked", count: pods, gpus: 8 }), context);
      if (!judged.judged || judged.answer === undefined) throw new Error("it is judged");
      return { answer: judged.answer, denials: judged.denials.map(({ code }) => code) };
    };
    fc.assert(
      fc.property(
        fc.array(nodeCase, { minLength: 3, maxLength: 8 }),
        specCase,
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0, 2, 6),
        (nodes, spec, pods, maxNodes) => {
          const objects = objectsOf(nodes);
          const before = verdictOf({ spec, pods }, objects, maxNodes);
          for (const one of before.answer.suggestions) {
            seen.add(one.change.split(":")[0]?.replace(/\d+ instead of \d+/, "fewer") ?? "");
            const after = verdictOf(apply({ spec, pods }, one), objects, maxNodes);
            expect(after.answer.verdict, one.change).toBe(one.verdict);
            // Within what the class allows: no rule stands against it that did not before.
            expect(
              after.denials.filter((code) => !before.denials.includes(code)),
              one.change,
            ).toEqual([]);
            if (one.change.includes("instead of"))
              expect(one.who).toBe(one.change.includes("demand.replicas.min") ? "platform" : "workload");
          }
        },
      ),
      runs(130),
    );
    expect(seen.least("topology.level", "capacity.types", "accelerator.classes", "fewer pods")).toBeGreaterThan(0);
    expect(seen.least("demand.replicas.min", "fewer pods and demand.replicas.min")).toBeGreaterThan(0);
    expect(seen.least("capacity.maxProvisioning")).toBeGreaterThan(0);
  });
});
