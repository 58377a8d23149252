import { describe, expect, test } from "vitest";
import type { AcceleratorClass } from "../../src/model/index.ts";
import { compileSelector } from "../../src/solver/index.ts";
import { type DeviceFacts, generateCluster, inventoryFrom, shapeNames } from "../../src/topology/index.ts";
import { shippedCatalogue } from "./shipped.ts";

const accelerators = [...shippedCatalogue().accelerators.values()];

/** What each machine carries, by the first part of its name; machines that are not listed carry nothing that is shipped. */
const CARRIES: readonly (readonly [RegExp, string])[] = [
  [/^(p5\.|a3-highgpu|a3-megagpu|Standard_ND96isr_H100)/, "h100"],
  [/^(p5e\.|p5en\.)/, "h200"],
  [/^p6-b200\./, "b200"],
  [/^p6e-gb200\./, "gb200"],
  [/^(p4d\.|a2-highgpu)/, "a100-40gb"],
  [/^(p4de\.|a2-ultragpu)/, "a100-80gb"],
  [/^g6e\./, "l40s"],
  [/^g6\./, "l4"],
  [/^g4dn\./, "t4"],
  [/MI300X/, "mi300x"],
];
const MACHINES = shapeNames().map((shape) => ({
  shape,
  carries: CARRIES.filter(([name]) => name.test(shape)).map(([, one]) => one),
}));

function recognised(
  labels: Readonly<Record<string, string>>,
  which: (label: AcceleratorClass["labels"][number]) => boolean,
): string[] {
  return accelerators
    .filter((one) => one.labels.some((label) => which(label) && label.values.includes(labels[label.key] ?? "")))
    .map(({ name }) => name);
}

describe("accelerators by node label", () => {
  test.each(MACHINES)("$shape is recognised as $carries, before its node is up and after", ({ shape, carries }) => {
    const labels = inventoryFrom(generateCluster({ shape })).value?.nodes[0]?.labels ?? {};
    expect(recognised(labels, ({ beforeNode }) => beforeNode)).toEqual(carries);
    expect(recognised(labels, ({ beforeNode }) => !beforeNode)).toEqual(carries);
  });

  test.each(MACHINES.filter(({ carries }) => carries.length > 0))(
    "no label of $shape contradicts another",
    ({ shape, carries }) => {
      const labels = inventoryFrom(generateCluster({ shape })).value?.nodes[0]?.labels ?? {};
      const own = accelerators.find(({ name }) => name === carries[0]);
      for (const { key, values } of own?.labels ?? [])
        if (labels[key] !== undefined) expect(values).toContain(labels[key]);
    },
  );

  test.each([
    ["NVIDIA-H100-PCIe", []],
    ["NVIDIA-H100-NVL", []],
    ["NVIDIA-A100-80GB-PCIe", []],
    ["NVIDIA-H100-80GB-HBM3-SHARED", []],
    ["NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", []],
    ["NVIDIA-A10G", []],
    ["NVIDIA-H100-80GB-HBM3", ["h100"]],
  ])("a card that calls itself %s is %j", (product, names) => {
    expect(recognised({ "nvidia.com/gpu.product": product }, () => true)).toEqual(names);
  });

  test("slices of the same profile are told apart by the card that they are of", () => {
    const key = "nvidia.com/mig-1g.10gb.product";
    expect(recognised({ [key]: "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb" }, () => true)).toEqual(["h100-mig-1g10gb"]);
    expect(recognised({ [key]: "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb" }, () => true)).toEqual(["a100-80gb-mig-1g10gb"]);
  });

  test("no label value stands in two accelerator classes", () => {
    const seen = new Map<string, string>();
    for (const { name, labels } of accelerators) {
      for (const { key, values } of labels) {
        for (const value of values) {
          expect(seen.get(`${key}=${value}`), `${key}=${value} of ${name}`).toBeUndefined();
          seen.set(`${key}=${value}`, name);
        }
      }
    }
  });

  test("the platform's dialect has a key for every accelerator of a declared pool, known before the node is", () => {
    const { pools, platform } = shippedCatalogue();
    for (const pool of pools.filter(({ accelerator }) => accelerator !== undefined)) {
      const one = accelerators.find(({ name }) => name === pool.accelerator);
      const key = platform.dialect.acceleratorKeys.find((wanted) => one?.labels.some((label) => label.key === wanted));
      expect(one?.labels.find((label) => label.key === key)?.beforeNode, pool.name).toBe(true);
    }
  });
});

describe("accelerators by DRA attribute", () => {
  const selectors = accelerators.map((one) => ({
    one,
    compiled: (one.device?.selectors ?? []).map((expression) => compileSelector(expression)),
  }));
  const device = (attributes: DeviceFacts["attributes"], driver = "gpu.nvidia.com") => ({
    driver,
    attributes,
    capacity: {},
    allowMultipleAllocations: false,
  });
  const matching = (facts: Parameters<typeof matches>[1]) =>
    selectors.filter((entry) => matches(entry, facts)).map(({ one }) => one.name);

  function matches(
    { one, compiled }: (typeof selectors)[number],
    facts: Pick<DeviceFacts, "driver" | "attributes" | "capacity" | "allowMultipleAllocations">,
  ) {
    const answers = compiled.map(({ value }) => value?.matches(facts));
    // A fault would end a pod's whole scheduling attempt, whatever other devices there are.
    for (const answer of answers) expect(typeof answer, one.name).toBe("boolean");
    return answers.length > 0 && answers.every((answer) => answer === true);
  }

  test.each(selectors)("$one.name has selectors that compile", ({ compiled }) => {
    expect(compiled.length).toBeGreaterThan(0);
    for (const { value, diagnostics } of compiled) {
      expect(diagnostics).toEqual([]);
      expect(value).toBeDefined();
    }
  });

  test.each(MACHINES.filter(({ carries }) => carries.length > 0))(
    "the devices of $shape are $carries and nothing else",
    ({ shape, carries }) => {
      const { value } = inventoryFrom(generateCluster({ shape, mechanism: "dra" }));
      const devices = value?.devicePools.flatMap((pool) => pool.devices) ?? [];
      expect(devices.length).toBeGreaterThan(0);
      for (const facts of devices) expect(matching(facts)).toEqual(carries);
      const own = accelerators.find(({ name }) => name === carries[0]);
      const memory = devices[0]?.capacity[own?.device?.driver ?? ""]?.["memory"]?.nano;
      expect(own?.memoryBytes).toBe(Number((memory ?? 0n) / 1_000_000_000n));
    },
  );

  const mig = (productName: string, profile: string) =>
    device({ "gpu.nvidia.com": { type: "mig", productName, profile, architecture: "Hopper" } });
  test.each([
    ["a 1g.10gb slice of an H100", mig("NVIDIA H100 80GB HBM3", "1g.10gb"), ["h100-mig-1g10gb"]],
    ["a 3g.40gb slice of an H100", mig("NVIDIA H100 80GB HBM3", "3g.40gb"), []],
    ["a 1g.10gb slice of an A100 80 GB", mig("NVIDIA A100-SXM4-80GB", "1g.10gb"), ["a100-80gb-mig-1g10gb"]],
    ["a 1g.10gb slice of an A100 40 GB", mig("NVIDIA A100-SXM4-40GB", "1g.10gb"), []],
    ["a fraction of an L4", device({ "gpu.nvidia.com": { type: "gpu", productName: "NVIDIA L4-3Q" } }), []],
    [
      "an H100 for pass-through",
      device({ "gpu.nvidia.com": { type: "vfio", productName: "NVIDIA H100 80GB HBM3" } }),
      [],
    ],
    [
      "a partition of an MI300X",
      device({ "gpu.amd.com": { type: "amdgpu-partition", deviceID: "0x74a1" } }, "gpu.amd.com"),
      [],
    ],
    ["a network card", device({ "dra.net": { rdma: true } }, "dra.net"), []],
    ["a device without attributes", device({}), []],
  ])("%s", (_, facts, names) => {
    expect(matching(facts)).toEqual(names);
  });
});
