import { describe, expect, test } from "vitest";
import type { JsonObject, SetDecision } from "../../src/model/index.ts";
import { valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { facts } from "../policy/given.ts";
import { catalogue } from "../support/catalogue.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { job } from "../support/workloads.ts";

const PCIE = "resource.kubernetes.io/pcieRoot";
const network = { driver: "dra.net", deviceClassName: "efa.networking.k8s.aws", alignment: { pcie: PCIE } };
const claimed = { kubernetes: { version: "1.37" }, companions: { resourceClaimTemplates: true } };

function expanded(align: JsonObject, platform: JsonObject, manifest: JsonObject, entry: Partial<SetDecision> = {}) {
  const parts = catalogue({
    classes: { gang: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 8, default: 2 }, align } } },
    platform,
  });
  const { object, companions, diagnostics } = expandAs(manifest, {
    catalogue: parts,
    rung: rung("h100"),
    entry,
    facts: facts([TWO]),
  });
  expect(undo(object, parts.kinds).base).toEqual(manifest);
  return {
    constraints: companions.map((one) => valueAt(one, ["spec", "spec", "devices", "constraints"])),
    said: diagnostics
      .filter(({ message }) => message.startsWith("alignment"))
      .map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
  };
}

const TWO: JsonObject = {
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceClaimTemplate",
  metadata: { name: "two", namespace: "default" },
  spec: {
    spec: {
      devices: {
        requests: [
          { name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com", count: 2 } },
          { name: "nic", exactly: { deviceClassName: "efa.networking.k8s.aws", count: 8 } },
        ],
      },
    },
  },
};

const plain = () => job("t").replicas(1).className("gang").build();
const counted = () => job("t").replicas(1).gpus(2).className("gang").build();
const withClaim = () =>
  job("t")
    .replicas(1)
    .podSpec({ resourceClaims: [{ name: "own", resourceClaimTemplateName: "two" }] })
    .className("gang")
    .build();
const nics = (fields: JsonObject = {}) => ({ nics: { level: "pcie", ...fields } });
const WHAT = "alignment of 2 network devices with 2 accelerators by pcie";

describe("what is said of network devices that a class wants near its accelerators", () => {
  test("nothing, where constraints say it to the scheduler: one for each pair", () => {
    const { constraints, said } = expanded(nics(), { ...claimed, network }, plain());
    expect(said).toEqual([]);
    expect(constraints).toEqual([
      [0, 1].map((pair) => ({ requests: [`accelerator-${pair}`, `nic-${pair}`], matchAttribute: PCIE })),
    ]);
  });

  test.each<[string, JsonObject, JsonObject, JsonObject, string]>([
    [
      "preferred, and alternatives are off",
      nics({ mode: "preferred" }),
      { ...claimed, network, kubernetes: { version: "1.35", featureGates: { DRAPrioritizedList: false } } },
      plain(),
      `warning BackendCannotExpress: ${WHAT} cannot be expressed: it would take a claim with alternatives, and DRAPrioritizedList is off here; they are asked for wherever they are`,
    ],
    [
      "preferred, and the platform has none",
      nics({ mode: "preferred" }),
      claimed,
      plain(),
      `warning BackendCannotExpress: ${WHAT} cannot be expressed: the platform declares no network devices (network), which the class asks for`,
    ],
    [
      "preferred, on a device plugin",
      nics({ mode: "preferred" }),
      { ...claimed, network },
      counted(),
      `warning BackendCannotExpress: ${WHAT} cannot be expressed: a device plugin is asked for a count only`,
    ],
    [
      "in a manifest with a claim of its own",
      nics(),
      { ...claimed, network },
      withClaim(),
      `warning NotGuaranteed: ${WHAT} is left to the claim that the manifest names`,
    ],
  ])("%s", (_, align, platform, manifest, expected) => {
    const { said, constraints } = expanded(align, platform, manifest);
    expect(said).toEqual([expected]);
    expect(constraints.filter((one) => one !== undefined)).toEqual([]);
  });

  test("nothing, where alternatives say that it is preferred; where all devices are in one place, neither those nor constraints are written", () => {
    const parts = catalogue({
      classes: {
        gang: {
          accelerator: {
            classes: ["h100"],
            perPod: { min: 1, max: 8, default: 1 },
            align: nics({ mode: "preferred" }),
          },
        },
      },
      platform: { ...claimed, network },
    });
    const written = (entry: Partial<SetDecision>) => {
      const { companions, diagnostics } = expandAs(plain(), { catalogue: parts, rung: rung("h100"), entry });
      const said = diagnostics.filter(({ message }) => message.startsWith("alignment")).map(({ code }) => code);
      return { devices: valueAt(companions[0], ["spec", "spec", "devices"]), said };
    };
    const exactly = (deviceClassName: string) => ({ deviceClassName, allocationMode: "ExactCount", count: 1 });
    const either = (name: string, deviceClassName: string) => ({
      name,
      firstAvailable: ["near", "any"].map((one) => expect.objectContaining({ name: one, ...exactly(deviceClassName) })),
    });
    const { devices, said } = written({});
    expect(devices).toEqual({
      requests: [either("accelerator", "gpu.nvidia.com"), either("nic", "efa.networking.k8s.aws")],
      constraints: [{ requests: ["accelerator/near", "nic/near"], matchAttribute: PCIE }],
    });
    expect(said).toEqual([]);
    const idle = written({ alignedAnyhow: ["nics"] });
    expect(idle.devices).toEqual({
      requests: [
        { name: "accelerator", exactly: expect.objectContaining(exactly("gpu.nvidia.com")) },
        { name: "nic", exactly: expect.objectContaining(exactly("efa.networking.k8s.aws")) },
      ],
    });
    expect(idle.said).toEqual(["NotGuaranteed"]);
  });

  test("that it means nothing, where all devices of each node carry one value; accelerators keep a constraint of their own", () => {
    const align = { ...nics(), gpus: { level: "numa" } };
    const NUMA = "resource.kubernetes.io/numaNode";
    const parts = catalogue({
      classes: { gang: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 8, default: 2 }, align } } },
      accelerators: { h100: { alignment: { pcie: PCIE, numa: NUMA } } },
      platform: { ...claimed, network },
    });
    const { companions, diagnostics } = expandAs(plain(), {
      catalogue: parts,
      rung: rung("h100"),
      entry: { alignedAnyhow: ["nics"] },
    });
    expect(valueAt(companions[0], ["spec", "spec", "devices", "constraints"])).toEqual([
      { requests: ["accelerator-0", "accelerator-1"], matchAttribute: NUMA },
    ]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "NotGuaranteed",
        message: `${WHAT} means nothing here: all devices of each node carry the same ${PCIE}, so no constraint is written`,
      }),
    );
  });
});
