import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { registration as generated } from "../../src/admission/registration.ts";
import { createRegistration } from "../../src/controller/registration.ts";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { loadedCatalogue } from "../support/catalogue.ts";
import { manualClock } from "../support/clock.ts";
import { fakeKube, managersOf } from "../support/kube.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MUTATING = `${GROUP}/mutatingwebhookconfigurations/plimsoll`;
const VALIDATING = `${GROUP}/validatingwebhookconfigurations/plimsoll`;
const CLOSED = "enrolled.validate.plimsoll.dev";
const PEM = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
const BASE64 = Buffer.from(PEM).toString("base64");

const shipped = parseAllDocuments(
  readFileSync(join(import.meta.dirname, "../../manifests/base/webhooks.yaml"), "utf8"),
).map((one) => one.toJS() as JsonObject);
const ofKind = (kind: string): JsonObject => shipped.find((one) => one["kind"] === kind) ?? {};
const hooks = (object: JsonObject | undefined) => arrayAt(object, ["webhooks"]);
const named = (object: JsonObject | undefined, name: string) =>
  hooks(object).find((one) => stringAt(one, ["name"]) === name);

function registering() {
  const kube = fakeKube();
  const clock = manualClock();
  const lines: string[] = [];
  const state = { ready: false, bundle: PEM };
  const registration = createRegistration({
    kube,
    clock,
    name: "plimsoll",
    caBundle: () => state.bundle,
    ready: () => state.ready,
    tell: { event: () => {}, log: (_, line) => lines.push(line) },
  });
  /** kubectl's own fields, as `kubectl apply -k` leaves them. */
  const install = async () => {
    for (const [path, kind] of [
      [MUTATING, "MutatingWebhookConfiguration"],
      [VALIDATING, "ValidatingWebhookConfiguration"],
    ] as const)
      await kube.apply(path, ofKind(kind), { fieldManager: "kubectl", force: true });
    kube.calls.length = 0;
  };
  const control = new AbortController();
  const done = registration.lead(control.signal);
  return {
    kube,
    clock,
    lines,
    state,
    registration,
    install,
    async stop() {
      control.abort();
      await clock.advance(0);
      await done;
    },
  };
}

describe("registration", () => {
  test("what is shipped fails open and has no caBundle, so nothing is refused before a replica is ready", () => {
    for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"])
      for (const one of hooks(ofKind(kind))) {
        expect(stringAt(one, ["failurePolicy"])).toBe("Ignore");
        expect(valueAt(one, ["clientConfig", "caBundle"])).toBeUndefined();
      }
  });

  test("waits for a replica that is ready", async () => {
    const world = registering();
    await world.install();
    await world.clock.advance(120_000);
    expect(world.kube.calls).toEqual([]);
    world.state.ready = true;
    world.registration.poke();
    await world.clock.advance(0);
    expect(world.registration.registered).toBe(true);
    await world.stop();
  });

  test("sets caBundle on every shipped webhook and nothing else of them", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    await world.clock.advance(30_000);
    const applied = world.kube.calls.filter(({ verb }) => verb === "patch").map(({ object }) => object);
    expect(applied[0]?.["webhooks"]).toEqual(
      hooks(ofKind("MutatingWebhookConfiguration")).map((one) => ({
        name: stringAt(one, ["name"]),
        clientConfig: { caBundle: BASE64 },
      })),
    );
    const live = world.kube.find(MUTATING);
    expect(managersOf(live)).toEqual(["kubectl", "plimsoll-ca"]);
    expect(hooks(live)).toEqual(
      hooks(ofKind("MutatingWebhookConfiguration")).map((one) => ({
        ...objectAt(one, []),
        clientConfig: { ...objectAt(one, ["clientConfig"]), caBundle: BASE64 },
      })),
    );
    await world.stop();
  });

  test("adds the webhook that fails closed, as it is generated, at the place where its sibling is reached", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    await world.clock.advance(30_000);
    const options = { name: "plimsoll", namespace: "plimsoll-system", service: "plimsoll" };
    const wanted = named(generated(loadedCatalogue().kinds, options).validating, CLOSED);
    expect(wanted).toBeDefined();
    expect(named(world.kube.find(VALIDATING), CLOSED)).toEqual({
      ...objectAt(wanted, []),
      clientConfig: { ...objectAt(wanted, ["clientConfig"]), caBundle: BASE64 },
    });
    await world.stop();
  });

  test("what is as it should be costs two reads, and a new certificate one write for each entry's owner", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    await world.clock.advance(30_000);
    world.kube.calls.length = 0;
    await world.clock.advance(30_000);
    expect(world.kube.calls.map(({ verb }) => verb)).toEqual(["get", "get"]);
    world.state.bundle = `${PEM}${PEM}`;
    await world.clock.advance(30_000);
    const both = Buffer.from(`${PEM}${PEM}`).toString("base64");
    for (const path of [MUTATING, VALIDATING])
      for (const one of hooks(world.kube.find(path))) expect(valueAt(one, ["clientConfig", "caBundle"])).toBe(both);
    await world.stop();
  });

  test("survives that the manifests are applied again, and follows what they changed", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    await world.clock.advance(30_000);
    const changed = hooks(ofKind("ValidatingWebhookConfiguration")).map((one) => ({
      ...objectAt(one, []),
      timeoutSeconds: 9,
    }));
    const again = { ...ofKind("ValidatingWebhookConfiguration"), webhooks: changed };
    await world.kube.apply(VALIDATING, again, { fieldManager: "kubectl", force: true });
    expect(hooks(world.kube.find(VALIDATING)).length).toBe(2);
    await world.clock.advance(30_000);
    expect(hooks(world.kube.find(VALIDATING)).map((one) => valueAt(one, ["timeoutSeconds"]))).toEqual([9, 9]);
    for (const one of hooks(world.kube.find(VALIDATING)))
      expect(valueAt(one, ["clientConfig", "caBundle"])).toBe(BASE64);
    await world.stop();
  });

  test("what was deleted is not made again, and that is told once", async () => {
    const world = registering();
    world.state.ready = true;
    await world.clock.advance(120_000);
    expect(world.kube.calls.filter(({ verb }) => verb !== "get")).toEqual([]);
    expect(world.lines).toEqual([
      "There is no MutatingWebhookConfiguration plimsoll, so the API server does not call us. Apply manifests/base to have it.",
      "There is no ValidatingWebhookConfiguration plimsoll, so the API server does not call us. Apply manifests/base to have it.",
    ]);
    expect(world.registration.registered).toBe(false);
    await world.stop();
  });

  test("what is deleted between the look and the write is not made again", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    world.kube.before = ({ verb, path }) => {
      if (verb === "patch") world.kube.drop(path);
    };
    await world.clock.advance(30_000);
    expect([world.kube.find(MUTATING), world.kube.find(VALIDATING)]).toEqual([undefined, undefined]);
    await world.stop();
  });

  test("what was registered stays when no replica is ready any more", async () => {
    const world = registering();
    await world.install();
    world.state.ready = true;
    await world.clock.advance(30_000);
    world.state.ready = false;
    await world.clock.advance(120_000);
    expect(named(world.kube.find(VALIDATING), CLOSED)).toBeDefined();
    await world.stop();
  });
});
