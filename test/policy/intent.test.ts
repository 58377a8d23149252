import { describe, expect, test } from "vitest";
import { resolveIntents } from "../../src/policy/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { CLASS, deployment, first, INTENT, job, rayCluster, read } from "./given.ts";
import { intentFaults } from "./intentFaults.ts";

const minimal = catalogue();
const gpu = { "nvidia.com/gpu": 8 };

describe("what is wrong with an annotation", () => {
  test.each(intentFaults.map((one) => [one.sentence, one] as const))(
    "%s",
    (_, { object, context, code, message, hint, class: own }) => {
      const given = own === undefined ? minimal : catalogue({ class: own });
      const { diagnostics } = resolveIntents(read(object, given), given, { creating: true, ...context });
      const found = diagnostics.filter((one) => one.code === code && message.test(one.message));
      expect(found, diagnostics.map((one) => `${one.code} ${one.message}`).join("\n")).toHaveLength(1);
      expect(diagnostics).toHaveLength(1);
      if (hint !== undefined) expect(found[0]?.hint).toMatch(hint);
    },
  );

  test("a fault points at the annotation that carries it", () => {
    const onObject = resolveIntents(read(job({ annotations: { [CLASS]: "gagn" } }), minimal), minimal, {
      creating: true,
    });
    expect(onObject.diagnostics[0]?.path).toEqual(["metadata", "annotations", CLASS]);
    const onTemplate = resolveIntents(read(job({ template: { [CLASS]: "gagn" } }), minimal), minimal, {
      creating: true,
    });
    expect(onTemplate.diagnostics[0]?.path).toEqual(["spec", "template", "metadata", "annotations", CLASS]);
  });

  test("a refused override leaves the class as it is, and the others stand", () => {
    const { contract } = first(
      job({ annotations: { [CLASS]: "gang", [INTENT]: "topology: {level: zone}\ncapacity: {maxProvisioning: 45m}" } }),
      minimal,
    ).intent;
    expect(contract.topology?.level).toBe("rack");
    expect(contract.capacity.maxProvisioningMs).toBe(2_700_000);
  });
});

describe("which class a pod set has", () => {
  const classes = (object: Parameters<typeof read>[0], context: Partial<Parameters<typeof resolveIntents>[2]> = {}) => {
    const { intents } = resolveIntents(read(object, minimal), minimal, { creating: true, ...context });
    return Object.fromEntries([...intents].map(([set, { className }]) => [set, className]));
  };
  const [set = ""] = read(job(), minimal).podSets.map(({ name }) => name);

  test("none, where nothing names one", () => expect(classes(job({ limits: gpu }))).toEqual({}));
  test("that of the object", () =>
    expect(classes(job({ annotations: { [CLASS]: "gang" } }))).toEqual({ [set]: "gang" }));
  test("that of the template before that of the object", () => {
    expect(classes(job({ annotations: { [CLASS]: "gang" }, template: { [CLASS]: "elastic" } }))).toEqual({
      [set]: "elastic",
    });
  });
  test("for each set its own", () => {
    const object = rayCluster({ a: { template: { [CLASS]: "gang" } }, b: {} }, { annotations: { [CLASS]: "elastic" } });
    expect(classes(object)).toEqual({ head: "elastic", a: "gang", b: "elastic" });
  });
  test("the standing one, where no annotation says otherwise", () => {
    expect(classes(job(), { standing: { [set]: "gang" }, creating: false })).toEqual({ [set]: "gang" });
    expect(classes(job({ annotations: { [CLASS]: "elastic" } }), { standing: { [set]: "gang" } })).toEqual({
      [set]: "elastic",
    });
  });
  test("the namespace's default at creation, for what asks for a device", () => {
    const namespaceLabels = { "plimsoll.dev/default-class": "elastic" };
    expect(classes(job({ limits: gpu }), { namespaceLabels })).toEqual({ [set]: "elastic" });
    expect(
      classes(job({ spec: { resourceClaims: [{ name: "a", resourceClaimTemplateName: "b" }] } }), { namespaceLabels }),
    ).toEqual({ [set]: "elastic" });
    expect(classes(job(), { namespaceLabels })).toEqual({});
    expect(classes(job({ limits: { "devices.kubevirt.io/kvm": 1 } }), { namespaceLabels })).toEqual({});
    expect(classes(job({ limits: gpu }), { namespaceLabels, creating: false })).toEqual({});
  });
});

describe("what an intent changes", () => {
  test("accelerators within the class's list, in the workload's own order", () => {
    const { contract } = first(
      job({ annotations: { [CLASS]: "gang", [INTENT]: "accelerator: {classes: [a100-80gb, h100]}" } }),
      minimal,
    ).intent;
    expect(contract.accelerator).toMatchObject({ classes: ["a100-80gb", "h100"], perPod: { default: 8 } });
  });

  test("the template's intent stands in for the object's", () => {
    const object = job({
      annotations: { [CLASS]: "gang", [INTENT]: "topology: {level: zone}" },
      template: { [INTENT]: "topology: {level: block}" },
    });
    expect(first(object, minimal).intent.contract.topology?.level).toBe("block");
  });

  test("a topology that the class does not have at all", () => {
    const given = catalogue({
      class: {
        topology: undefined,
        overrides: { "topology.level": ["rack"], "topology.spread.maxSkew": "any", "topology.spread.level": "any" },
      },
    });
    const object = job({
      annotations: { [CLASS]: "under-test", [INTENT]: "topology: {spread: {maxSkew: 2, level: host}, level: rack}" },
    });
    expect(first(object, given).intent.contract.topology).toEqual({
      unit: "podSet",
      mode: "required",
      pin: "none",
      level: "rack",
      spread: { level: "host", maxSkew: 2, mode: "required" },
    });
  });

  test("its digest, exactly where the contract changes", () => {
    const digestOf = (intent?: string) =>
      first(job({ annotations: { [CLASS]: "gang", ...(intent === undefined ? {} : { [INTENT]: intent }) } }), minimal)
        .intent.intentDigest;
    expect(digestOf("")).toBe(digestOf());
    expect(digestOf("topology: {level: rack}")).toBe(digestOf());
    expect(digestOf("topology: {level: block}")).not.toBe(digestOf());
  });

  test("a role by the set's role, else by its name", () => {
    const given = catalogue({
      class: {
        topology: undefined,
        roles: { worker: { startup: { cost: "7m" } }, a: { startup: { cost: "9m" } }, head: { accelerator: "none" } },
        accelerator: "any",
        overrides: undefined,
      },
    });
    const { intents } = resolveIntents(
      read(rayCluster({ a: {} }, { annotations: { [CLASS]: "under-test" } }), given),
      given,
      { creating: true },
    );
    expect(intents.get("a")?.contract.startup.costMs).toBe(420_000);
    expect(intents.get("head")?.contract.accelerator).toEqual({ kind: "none" });
    const byName = catalogue({
      class: {
        topology: undefined,
        roles: { a: { startup: { cost: "9m" } } },
        accelerator: "any",
        overrides: undefined,
      },
    });
    const named = resolveIntents(
      read(rayCluster({ a: {} }, { annotations: { [CLASS]: "under-test" } }), byName),
      byName,
      { creating: true },
    );
    expect(named.intents.get("a")?.contract.startup.costMs).toBe(540_000);
  });

  test("keys that look like prototypes change nothing", () => {
    const object = deployment({
      annotations: { [CLASS]: "gang", [INTENT]: '{"__proto__": {"level": "rack"}, "constructor": {}}' },
    });
    const { diagnostics } = resolveIntents(read(object, minimal), minimal, { creating: true });
    expect(diagnostics.map(({ code }) => code)).toEqual(["UnknownField", "UnknownField"]);
    expect(({} as { level?: string }).level).toBeUndefined();
    const proto = resolveIntents(read(job({ annotations: { [CLASS]: "__proto__" } }), minimal), minimal, {
      creating: true,
    });
    expect(proto.diagnostics.map(({ code }) => code)).toEqual(["UnknownClass"]);
  });
});
