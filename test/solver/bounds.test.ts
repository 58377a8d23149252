import { describe, expect, test } from "vitest";
import { requirement } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { ask, gang, racks } from "../support/asking.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet } from "../support/demand.ts";

const RACK_KEY = "example.com/rack";
const numbers = (count: number): readonly number[] => [...Array(count).keys()];

/** Rules over one label that all say the same, but for how far the pods may lean. */
const spread = (count: number, key = "kubernetes.io/hostname") =>
  numbers(count).map((number) => ({ key, maxSkew: 1 + number, ignoreTaints: false }));

describe("what a manifest may make the solver do is bounded", () => {
  test("of many spread rules over one label the tightest decides, at no cost for the others", () => {
    for (const [pods, verdict] of [
      [4, "fits"],
      [13, "never"],
    ] as const) {
      const many = ask(racks(), gang(pods, { pod: { spread: spread(200) } }));
      const one = ask(racks(), gang(pods, { pod: { spread: spread(1) } }));
      expect(many.verdict).toBe(verdict);
      expect(many.chosen?.assignment).toEqual(one.chosen?.assignment);
      expect(many.steps).toBe(one.steps);
    }
  });

  test("rules over one label that differ in more than their skew are all kept", () => {
    const rules = [
      { key: "kubernetes.io/hostname", maxSkew: 5, ignoreTaints: false, minDomains: 99 },
      { key: "kubernetes.io/hostname", maxSkew: 1, ignoreTaints: false },
    ];
    const set = { requests: { "nvidia.com/gpu": 1 }, placement: { mode: "preferred" } } as const;
    const loose = ask(racks(), gang(24, { ...set, pod: { spread: rules } }));
    const tight = ask(racks(), gang(24, { ...set, pod: { spread: rules.map((one) => ({ ...one, maxSkew: 1 })) } }));
    expect([loose.verdict, tight.verdict]).toEqual(["fits", "never"]);
  });

  test("where no node takes a pod, however many rules have nothing to spread, it is never and not undecided", () => {
    const rules = numbers(60).flatMap((number) => [
      { key: RACK_KEY, maxSkew: 1, minDomains: 1 + number, ignoreTaints: false },
      { key: `no-such-label-${number}`, maxSkew: 1, ignoreTaints: false },
    ]);
    const answer = ask(racks(), gang(4, { pod: { spread: rules } }));
    expect(answer.verdict).toBe("never");
    expect(answer.steps).toBeLessThan(10_000);
  });

  test("a node affinity over very many labels is left undecided, and the words say how many are looked at", () => {
    const over = (labels: number) =>
      gang(4, {
        pod: {
          selection: numbers(labels).map(
            (number) => new Map([[`l${number}`, requirement(`l${number}`, "DoesNotExist")]]),
          ),
        },
      });
    expect(ask(racks(), over(256)).verdict).toBe("fits");
    const answer = ask(racks(), over(257));
    expect(answer.verdict).toBe("undecided");
    expect(answer.chosen?.reasons.map(({ message }) => message)).toEqual([
      "the node affinity of main names 257 labels, and no more than 256 are looked at: select by a label that these nodes share",
    ]);
  });

  test("hundreds of pod sets with a ladder each are left undecided at once, and as many as may be are looked at", () => {
    const sets = (count: number, rungs: number) =>
      demandOf(
        ...numbers(count).map((number) =>
          podSet(`s${number}`, { steps: numbers(rungs).map((one) => gpuStep(0, { accelerator: `none${one}` })) }),
        ),
      );
    const answer = ask(racks(), sets(400, 12));
    expect([answer.verdict, answer.steps]).toEqual(["undecided", 0]);
    expect(answer.chosen?.reasons[0]?.message).toMatch(
      /^400 pod sets have 4800 rungs together, and no more than 1024 are looked at: /,
    );
    expect(answer.suggestions).toEqual([]);
    expect(ask(racks(), sets(100, 1)).verdict).toBe("fits");
  });

  test("suggestions are looked for as long as the rungs of all changes are not too many", () => {
    const steps = numbers(20).map((one) => gpuStep(1, { accelerator: `a${one}` }));
    const placement = { unit: "workload", level: "rack" } as const;
    const large = podSet("s0", {
      required: 5,
      requests: { "nvidia.com/gpu": 8 },
      placement: { level: "rack" },
      steps: [gpuStep(8)],
    });
    const beside = (sets: number) =>
      demandOf(large, ...numbers(sets).map((one) => podSet(`t${one}`, { placement, steps })));
    expect(ask(racks(), beside(1)).suggestions.map(({ change }) => change)).toContain("topology.level: block");
    const many = ask(racks(), beside(24));
    expect(many.suggestions).toEqual([]);
    expect(many.steps).toBe(ask(racks(), beside(24), { skipSuggestions: true }).steps);
  });

  test("what several nodes share is given out as long as there are steps, and each of these takes no longer than others", () => {
    const driver = "fabric.example.com";
    const devices = numbers(64).map((number) => ({ name: `f${number}` }));
    const builder = cluster().nodes("n", 64, (node, index) => node.cpu(16).label(RACK_KEY, `r${index % 4}`));
    for (const rack of ["r0", "r1", "r2", "r3"])
      builder.object({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        metadata: { name: rack },
        spec: {
          driver,
          pool: { name: rack, generation: 1, resourceSliceCount: 1 },
          nodeSelector: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: RACK_KEY, operator: "In", values: [rack] }] }],
          },
          devices,
        },
      });
    const requests = numbers(12).map((number) =>
      deviceRequest(`nic-${number}`, 1, { deviceClassName: driver, selectors: [`device.driver == "${driver}"`] }),
    );
    const set = podSet("main", { required: 128, pod: { devices: requests }, placement: { unit: "pod" } });
    const answer = solve(builder.topology(), demandOf(set), contextOf({ skipSuggestions: true }));
    expect(answer.verdict).toBe("undecided");
  });
});
