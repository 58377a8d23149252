import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { inventoryFrom } from "../../src/topology/index.ts";

const sliceOf = (driver: string, pool: string): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name: `${pool}-${driver}` },
  spec: {
    driver,
    nodeName: pool,
    pool: { name: pool, generation: 1, resourceSliceCount: 1 },
    devices: [{ name: "gpu-0", taints: [{ key: "own", effect: "NoSchedule" }] }, { name: "gpu-1" }],
  },
});
const xid = { key: "example.com/xid", value: "79", effect: "NoExecute" };
const ruleOf = (spec: JsonObject, apiVersion = "resource.k8s.io/v1"): JsonObject => ({
  apiVersion,
  kind: "DeviceTaintRule",
  metadata: { name: "rule" },
  spec: { taint: xid, ...spec },
});

/** `driver/pool/device: keys of its taints`, of those that have any but their own. */
function marked(...rules: readonly JsonObject[]) {
  const slices = [sliceOf("gpu.nvidia.com", "a"), sliceOf("gpu.nvidia.com", "b"), sliceOf("dra.net", "a")];
  const { value, diagnostics } = inventoryFrom([...rules, ...slices]);
  const devices = (value?.devicePools ?? []).flatMap((pool) => pool.devices);
  return {
    marked: devices.flatMap(({ driver, pool, name, taints }) =>
      taints.some(({ key }) => key !== "own")
        ? [`${driver}/${pool}/${name}: ${taints.map(({ key, effect }) => `${key}:${effect}`).join(" ")}`]
        : [],
    ),
    faults: diagnostics.map(({ message }) => message),
  };
}

describe("taints that a DeviceTaintRule gives", () => {
  test("go to the devices that it names by driver, pool and device, beside what they have", () => {
    const deviceSelector = { driver: "gpu.nvidia.com", pool: "a", device: "gpu-0" };
    expect(marked(ruleOf({ deviceSelector }))).toEqual({
      marked: ["gpu.nvidia.com/a/gpu-0: own:NoSchedule example.com/xid:NoExecute"],
      faults: [],
    });
  });

  test("what is not named is any: a pool name of several drivers, a driver, everything", () => {
    expect(marked(ruleOf({ deviceSelector: { pool: "a", device: "gpu-1" } })).marked).toEqual([
      "dra.net/a/gpu-1: example.com/xid:NoExecute",
      "gpu.nvidia.com/a/gpu-1: example.com/xid:NoExecute",
    ]);
    expect(marked(ruleOf({ deviceSelector: { driver: "gpu.nvidia.com" } })).marked).toHaveLength(4);
    expect(marked(ruleOf({ deviceSelector: {} })).marked).toHaveLength(6);
  });

  test("a rule without a selector marks nothing, nor does one of effect None", () => {
    expect(marked(ruleOf({})).marked).toEqual([]);
    expect(marked(ruleOf({ deviceSelector: {}, taint: { ...xid, effect: "None" } })).marked).toEqual([]);
  });

  test.each(["resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3"])("%s is read as well", (apiVersion) => {
    expect(marked(ruleOf({ deviceSelector: { pool: "b" } }, apiVersion)).marked).toHaveLength(2);
  });

  test("selection by class, which is gone, is reported and the rule left out", () => {
    const found = marked(ruleOf({ deviceSelector: { deviceClassName: "gpu" } }, "resource.k8s.io/v1alpha3"));
    expect(found.marked).toEqual([]);
    expect(found.faults[0]).toContain("spec.deviceSelector.deviceClassName is not read");
    expect(marked(ruleOf({ deviceSelector: {} }, "resource.k8s.io/v1beta1")).faults[0]).toContain(
      "the versions read are v1, v1beta2, v1alpha3",
    );
  });
});
