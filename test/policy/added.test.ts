import { describe, expect, test } from "vitest";
import type { DeviceRequest, JsonObject, Step } from "../../src/model/index.ts";
import { buildLadder, loadCatalogue } from "../../src/policy/index.ts";
import { type CatalogueParts, catalogue, catalogueFiles } from "../support/catalogue.ts";
import { CLASS, facts, first, INTENT, job, type Parts } from "./given.ts";

const PCIE = "resource.kubernetes.io/pcieRoot";
const NUMA = "resource.kubernetes.io/numaNode";
const network = { driver: "dra.net", deviceClassName: "efa.networking.k8s.aws", alignment: { pcie: PCIE, numa: NUMA } };

interface Given {
  readonly align: JsonObject;
  readonly gpus?: number;
  readonly platform?: JsonObject;
  readonly alignment?: JsonObject;
}

function partsOf({ align, gpus = 8, platform = {}, alignment = { pcie: PCIE, numa: NUMA } }: Given): CatalogueParts {
  return {
    class: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 128, default: gpus }, align } },
    accelerators: { h100: { alignment } },
    platform: {
      kubernetes: { version: "1.37" },
      companions: { resourceClaimTemplates: true },
      network,
      ...platform,
    },
  };
}

function stepOf(given: Given, pod: Parts = {}, objects: readonly JsonObject[] = []): Step | undefined {
  const parts = catalogue(partsOf(given));
  const { workload, set, intent } = first(job({ annotations: { [CLASS]: "under-test" }, ...pod }), parts);
  return buildLadder(workload, set, intent, parts, facts(objects)).steps[0];
}

/** `claim: 2 accelerator-0, 8 nic-0 by pcieRoot(accelerator-0 nic-0)` */
function told(requests: readonly DeviceRequest[] = []): readonly string[] {
  return [...new Set(requests.map(({ claim }) => claim))].map((claim) => {
    const own = requests.filter((one) => one.claim === claim);
    const bonds = own.flatMap(({ matchAttributes }) =>
      matchAttributes.map((one) => `${one.attribute.split("/")[1]}(${one.requests.join(" ")})`),
    );
    return `${claim}: ${own.map(({ name, count }) => `${count} ${name}`).join(", ")}${[...new Set(bonds)].map((one) => ` by ${one}`).join("")}`;
  });
}

describe("network devices beside accelerators", () => {
  test.each<[string, Given, readonly string[]]>([
    [
      "one for one accelerator: a pair",
      { align: { nics: { level: "pcie" } }, gpus: 1 },
      ["accelerator: 1 accelerator, 1 nic by pcieRoot(accelerator nic)"],
    ],
    [
      "one for each of two: two pairs",
      { align: { nics: { level: "pcie" } }, gpus: 2 },
      [
        "accelerator: 1 accelerator-0, 1 nic-0, 1 accelerator-1, 1 nic-1 by pcieRoot(accelerator-0 nic-0) by pcieRoot(accelerator-1 nic-1)",
      ],
    ],
    [
      "as many in all as there are accelerators: pairs as well",
      { align: { nics: { level: "numa", count: 2, per: "pod" } }, gpus: 2 },
      [
        "accelerator: 1 accelerator-0, 1 nic-0, 1 accelerator-1, 1 nic-1 by numaNode(accelerator-0 nic-0) by numaNode(accelerator-1 nic-1)",
      ],
    ],
    [
      "fewer than accelerators: several share one",
      { align: { nics: { level: "pcie", count: 2, per: "pod" } }, gpus: 4 },
      [
        "accelerator: 2 accelerator-0, 1 nic-0, 2 accelerator-1, 1 nic-1 by pcieRoot(accelerator-0 nic-0) by pcieRoot(accelerator-1 nic-1)",
      ],
    ],
    [
      "all of them in one place, where the accelerators must be so too",
      { align: { gpus: { level: "numa" }, nics: { level: "numa" } }, gpus: 4 },
      ["accelerator: 4 accelerator, 4 nic by numaNode(accelerator nic)"],
    ],
    [
      "pairs by one attribute, accelerators by another",
      { align: { gpus: { level: "numa" }, nics: { level: "pcie" } }, gpus: 2 },
      [
        "accelerator: 1 accelerator-0, 1 nic-0, 1 accelerator-1, 1 nic-1 by pcieRoot(accelerator-0 nic-0) by numaNode(accelerator-0 accelerator-1) by pcieRoot(accelerator-1 nic-1)",
      ],
    ],
    [
      "preferred: near each other first, else anywhere",
      { align: { nics: { level: "pcie", mode: "preferred", count: 2 } }, gpus: 2 },
      [
        "accelerator: 1 accelerator-0, 2 nic-0, 1 accelerator-1, 2 nic-1 by pcieRoot(accelerator-0/near nic-0/near) by pcieRoot(accelerator-1/near nic-1/near)",
      ],
    ],
    [
      "preferred, beside accelerators that must be in one place",
      { align: { gpus: { level: "numa" }, nics: { level: "pcie", mode: "preferred" } }, gpus: 2 },
      [
        "accelerator: 1 accelerator-0, 1 nic-0, 1 accelerator-1, 1 nic-1 by pcieRoot(accelerator-0/near nic-0/near) by numaNode(accelerator-0 accelerator-1) by pcieRoot(accelerator-1/near nic-1/near)",
      ],
    ],
    [
      "preferred, by the attribute that accelerators must share: these share it also where network devices do not",
      { align: { gpus: { level: "numa" }, nics: { level: "numa", mode: "preferred" } }, gpus: 4 },
      ["accelerator: 4 accelerator, 4 nic by numaNode(accelerator/near nic/near) by numaNode(accelerator)"],
    ],
    [
      "preferred, and no group fits a claim: wherever they are",
      { align: { nics: { level: "pcie", mode: "preferred", count: 32 } }, gpus: 2 },
      ["accelerator-0: 2 accelerator", "accelerator-1: 32 nic", "accelerator-2: 32 nic"],
    ],
    [
      "preferred, and alternatives are off: wherever they are",
      {
        align: { nics: { level: "pcie", mode: "preferred", count: 2 } },
        gpus: 2,
        platform: { kubernetes: { version: "1.35", featureGates: { DRAPrioritizedList: false } } },
      },
      ["accelerator: 2 accelerator, 4 nic"],
    ],
    [
      "preferred and more than one claim holds: claims of their own, and accelerators still aligned",
      { align: { gpus: { level: "numa" }, nics: { level: "pcie", mode: "preferred", count: 4 } }, gpus: 8 },
      ["accelerator-0: 8 accelerator by numaNode(accelerator)", "accelerator-1: 32 nic"],
    ],
  ])("%s", (_, given, expected) => {
    expect(told(stepOf(given)?.addedDevices)).toEqual(expected);
  });

  test("in as many claims as it takes, none of more than 32 devices or requests, all of equal content where that is so", () => {
    const all = stepOf({ align: { nics: { level: "pcie", count: 4 } }, gpus: 8 })?.addedDevices ?? [];
    const claims = [...new Set(all.map(({ claim }) => claim))];
    expect(claims).toEqual(["accelerator-0", "accelerator-1"]);
    const contents = claims.map((claim) => told(all.filter((one) => one.claim === claim))[0]?.split(": ")[1]);
    expect(new Set(contents).size).toBe(1);
    for (const gpus of [3, 16, 17, 40, 64]) {
      const many = stepOf({ align: { nics: { level: "pcie", count: 3 } }, gpus })?.addedDevices ?? [];
      const sum = (list: readonly DeviceRequest[]) => list.reduce((total, { count }) => total + Number(count), 0);
      expect(sum(many)).toBe(gpus * 4);
      for (const claim of new Set(many.map((one) => one.claim))) {
        const own = many.filter((one) => one.claim === claim);
        expect(sum(own)).toBeLessThanOrEqual(32);
        expect(own.length).toBeLessThanOrEqual(32);
        for (const { matchAttributes } of own) expect(matchAttributes).toHaveLength(1);
      }
    }
  });

  test("are no accelerators of the pod, and carry their own class's selectors", () => {
    const deviceClass = {
      apiVersion: "resource.k8s.io/v1",
      kind: "DeviceClass",
      metadata: { name: "efa.networking.k8s.aws" },
      spec: { selectors: [{ cel: { expression: 'device.driver == "dra.net"' } }] },
    };
    const step = stepOf({ align: { nics: { level: "pcie" } }, gpus: 2 }, {}, [deviceClass]);
    expect(step?.devicesPerPod).toBe(2);
    expect(step?.addedDevices.find(({ name }) => name === "nic-0")).toMatchObject({
      deviceClassName: "efa.networking.k8s.aws",
      selectors: ['device.driver == "dra.net"'],
    });
  });

  test.each<[string, Given, Parts, RegExp]>([
    [
      "the platform declares none",
      { align: { nics: { level: "pcie" } }, platform: { network: undefined } },
      {},
      /the platform declares no network devices \(network\), which the class asks for/,
    ],
    [
      "the accelerator tells no such position",
      { align: { nics: { level: "numa" } }, alignment: { numa: undefined, pcie: PCIE } },
      {},
      /no driver publishes the numa position of h100/,
    ],
    [
      "network devices tell no such position",
      { align: { nics: { level: "numa" } }, platform: { network: { ...network, alignment: { pcie: PCIE } } } },
      {},
      /dra\.net publishes no numa position of network devices/,
    ],
    [
      "the two tell it under two names",
      {
        align: { nics: { level: "numa" } },
        platform: { network: { ...network, alignment: { numa: "dra.net/numaNode" } } },
      },
      {},
      /h100 tells its numa position as resource\.kubernetes\.io\/numaNode and dra\.net as dra\.net\/numaNode, and attributes of two names never match/,
    ],
    [
      "the manifest asks a device plugin",
      { align: { nics: { level: "pcie" } } },
      { limits: { "nvidia.com/gpu": 8 } },
      /network devices that the class requires beside its accelerators can only be asked for in a resource claim, and \S+ asks for nvidia\.com\/gpu/,
    ],
    [
      "nobody creates claims",
      { align: { nics: { level: "pcie" } }, platform: { companions: { resourceClaimTemplates: false } } },
      {},
      /can only be asked for in a resource claim, and nobody here creates the template for one/,
    ],
    [
      "one group is more than a claim holds",
      { align: { nics: { level: "pcie", count: 32 } }, gpus: 2 },
      {},
      /1 accelerator with 32 network devices are more than the 32 devices of one claim, and no pcie alignment spans claims/,
    ],
    [
      "accelerators that must be aligned among each other take several claims with their network devices",
      { align: { gpus: { level: "numa" }, nics: { level: "pcie", count: 4 } }, gpus: 8 },
      {},
      /8 devices and 32 network devices take several claims of 32 at most, and no numa alignment spans claims/,
    ],
  ])("required, they are not to be had where %s", (_, given, pod, reason) => {
    expect(stepOf(given, pod)?.skipped?.message).toMatch(reason);
  });

  test.each<[string, JsonObject, Parts, boolean]>([
    ["Kubernetes alone", {}, {}, true],
    ["a queue, which takes no claim with alternatives", {}, { labels: { "kueue.x-k8s.io/queue-name": "q" } }, false],
    ["another scheduler", {}, { spec: { schedulerName: "volcano" } }, false],
    [
      "another profile of kube-scheduler",
      { scheduler: { profiles: ["default-scheduler", "packing"] } },
      { spec: { schedulerName: "packing" } },
      true,
    ],
  ])(
    "preferred, they are asked for with alternatives where all that read the claim know them: %s",
    (_, platform, pod, known) => {
      const align = { nics: { level: "pcie", mode: "preferred" } };
      const added = stepOf({ align, gpus: 1, platform }, pod)?.addedDevices ?? [];
      expect(added.map(({ firstAvailable }) => firstAvailable?.map(({ name }) => name))).toEqual(
        [0, 1].map(() => (known ? ["near", "any"] : undefined)),
      );
    },
  );

  test("preferred, nodes of Karpenter are asked for with alternatives from 1.15 on", () => {
    const align = { nics: { level: "pcie", mode: "preferred" } };
    const onNew = (version: string) => {
      const parts = catalogue(
        partsOf({ align, gpus: 1, platform: { autoscaler: { kind: "karpenter", version, claims: true } } }),
      );
      const { workload, set, intent } = first(job({ annotations: { [CLASS]: "under-test" } }), parts);
      const { steps } = buildLadder(workload, set, intent, parts, facts([]));
      return steps
        .find(({ rung }) => rung.source === "new")
        ?.addedDevices.map(({ firstAvailable }) => firstAvailable?.length);
    };
    expect(onNew("1.14.1")).toEqual([undefined, undefined]);
    expect(onNew("1.15.0")).toEqual([2, 2]);
  });

  test("preferred, nothing stands in the way", () => {
    const align = { nics: { level: "numa", mode: "preferred" } };
    for (const platform of [{ network: undefined }, { network: { ...network, alignment: {} } }, { companions: {} }])
      expect(stepOf({ align, platform })?.skipped).toBeUndefined();
    expect(stepOf({ align }, { limits: { "nvidia.com/gpu": 8 } })?.skipped).toBeUndefined();
  });

  test("what cannot be dealt in equal parts is refused when the class is read", () => {
    const given = { align: { nics: { level: "pcie", count: 3, per: "pod" } }, gpus: 8 };
    const { diagnostics } = loadCatalogue(catalogueFiles(partsOf(given)));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
      expect.stringMatching(
        /^Contradiction WorkloadClass under-test: accelerator\.align\.nics asks for 3 network devices a pod, which cannot be dealt in equal parts to the 8 accelerators/,
      ),
    );
  });
});

describe("one field of such a part", () => {
  const given: Given = { align: { nics: { level: "pcie", count: 4 } }, gpus: 2 };
  const nics = (step: Step | undefined) => step?.addedDevices.filter(({ name }) => name.startsWith("nic"));

  test("may be changed by an intent and by a class that extends another, without the rest", () => {
    const parts = partsOf(given);
    const overrides = { "accelerator.align.nics.count": "any" };
    const child = { extends: "under-test", accelerator: { align: { nics: { count: 2 } } } };
    const all = catalogue({
      ...parts,
      class: { ...parts.class, overrides },
      classes: { child },
    });
    const counts = (annotations: Record<string, string>) => {
      const { workload, set, intent } = first(job({ annotations }), all);
      return nics(buildLadder(workload, set, intent, all, facts([])).steps[0])?.map(({ count }) => count);
    };
    expect(counts({ [CLASS]: "under-test" })).toEqual([4, 4]);
    const intent = "accelerator: {align: {nics: {count: 1}}}";
    expect(counts({ [CLASS]: "under-test", [INTENT]: intent })).toEqual([1, 1]);
    expect(counts({ [CLASS]: "child" })).toEqual([2, 2]);
  });

  test.each<[string, JsonObject]>([
    ["accelerator.align.nics.level", { accelerator: { align: { nics: { count: 2 } } } }],
    ["accelerator.align.gpus.level", { accelerator: { align: { gpus: { mode: "preferred" } } } }],
    ["topology.spread.level", { topology: { spread: { maxSkew: 2 } } }],
    ["latency.objective.target", { latency: { objective: { metric: "ttft", percentile: 99 } } }],
  ])("does not stand alone: %s is missed where nothing gives it", (field, spec) => {
    const { diagnostics } = loadCatalogue(catalogueFiles({ class: { topology: undefined, ...spec } }));
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toContain(
      `MissingField WorkloadClass under-test: spec.${field} is missing.`,
    );
  });
});
