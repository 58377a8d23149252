import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { arrayAt, isObject, type JsonObject, objectAt, stringAt, toPointer, valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { builtinKinds, readWorkload } from "../../src/workloads/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { CRDS, installCrds } from "./support/crds.ts";
import { makeDemoCluster } from "./support/demo.ts";
import { decisionOf, exampleOf, examplePath, stored } from "./support/examples.ts";
import { changes, missing, mutatedBy } from "./support/mutated.ts";
import { leave, used } from "./support/permissions.ts";
import { collectionFor, nameOf } from "./support/places.ts";
import { type Plimsoll, type Replica, startPlimsoll } from "./support/plimsoll.ts";
import { eventually, itemsOf } from "./support/wait.ts";

const KINDS = builtinKinds();
/** Installed when Plimsoll runs already. */
const LATE = "provisioningrequests.autoscaling.x-k8s.io";
const placeOf = (crd: string) => `${crd.slice(crd.indexOf(".") + 1)}/${crd.split(".")[0]}`;

interface Case {
  readonly file: string;
  /** Codes of what is said. */
  readonly warnings: readonly string[];
}

const CASES: readonly Case[] = [
  { file: "training-jobset.yaml", warnings: ["GangNotGuaranteed", "FallbackFits", "NotGuaranteed"] },
  { file: "inference-multihost.yaml", warnings: ["BudgetNotQuantised", "NotGuaranteed"] },
  { file: "streaming-raycluster.yaml", warnings: [] },
  { file: "tuning-pytorchjob.yaml", warnings: ["GangNotGuaranteed"] },
  { file: "tuning-rayjob.yaml", warnings: ["GangNotGuaranteed"] },
  { file: "inference-rayservice.yaml", warnings: ["BudgetNotQuantised", "BudgetNotQuantised"] },
];

/** A node of H200 has to be made first, and nobody makes it here: what is asked of the autoscaler is looked at. */
const NEEDS_A_NODE: JsonObject = {
  ...exampleOf("training-single.yaml"),
  metadata: {
    name: "needs-a-node",
    namespace: "team-b",
    annotations: {
      "plimsoll.dev/workload-class": "training-single",
      "plimsoll.dev/intent": "accelerator: {classes: [h200]}",
    },
  },
};

function suspended(job: JsonObject, cpu: string): JsonObject {
  const copy = structuredClone(job) as unknown as {
    metadata: { name: string };
    spec: {
      suspend: boolean;
      template: { spec: { containers: { resources: { requests: Record<string, string> } }[] } };
    };
  };
  copy.metadata.name = "waiting";
  copy.spec.suspend = true;
  for (const { resources } of copy.spec.template.spec.containers) resources.requests["cpu"] = cpu;
  return copy as unknown as JsonObject;
}

/** What the API server and its clients write into every object. */
const THEIRS =
  /^\/metadata\/(uid|creationTimestamp|generation|resourceVersion|managedFields\b.*|annotations\/kubectl.kubernetes.io~1last-applied-configuration)$/;
const STAMPS = ["/metadata/annotations/plimsoll.dev~1applied", "/metadata/annotations/plimsoll.dev~1decision"];

describe("kinds of custom resources, with the definitions that their projects publish", () => {
  let cp: ControlPlane;
  let plimsoll: Plimsoll;
  let replica: Replica;
  const plain = new Map<string, JsonObject>();
  beforeAll(async () => {
    cp = await startControlPlane({ audit: true });
    await makeDemoCluster(
      cp,
      CASES.map(({ file }) => exampleOf(file)),
    );
    await installCrds(
      cp,
      CRDS.filter((crd) => crd !== LATE),
    );
    // As they are stored where nobody expands them.
    for (const { file } of CASES) {
      const object = exampleOf(file);
      plain.set(file, await eventually(() => cp.api.send("POST", `${collectionFor(object)}?dryRun=All`, object)));
    }
    plimsoll = await startPlimsoll(cp, {
      platform: "test/e2e/fixtures/platform-provisioning.yaml",
      args: ["--companion-grace=1"],
    });
    replica = plimsoll.replicas[0] as Replica;
    await installCrds(cp, [LATE]);
  });
  afterAll(async () => {
    if (cp !== undefined) leave(cp, inject("run"), import.meta.filename);
    await plimsoll?.stop();
    await cp?.stop();
  });

  test("a kind that appears while we run is listed and watched", async () => {
    await eventually(
      () => {
        const did = used(cp);
        const not = ["list", "watch"].filter((verb) => !did.has(`${verb} ${placeOf(LATE)}`));
        if (not.length > 0) throw new Error(`not yet: ${not.join(", ")}`);
        return true;
      },
      { timeoutMs: 120_000 },
    );
  });

  test.each(CASES)(
    "$file: templates are expanded, nothing is pruned, nothing else is changed",
    async ({ file, warnings }) => {
      const object = exampleOf(file);
      const made = await mutatedBy(replica, object);
      const { code, stdout, stderr } = await cp.kubectl(["apply", "-f", examplePath(file)]);
      const said = [...stderr.matchAll(/^Warning: (\w+): .*$/gm)].map(([, one]) => one);
      expect({ code, stdout, said, rest: stderr.replace(/^Warning: .*\n/gm, "") }).toEqual({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`/${nameOf(object)} created\n$`)),
        said: warnings,
        rest: "",
      });
      const now = await stored(cp, object);
      expect(missing(made, now)).toEqual([]);
      const sets = readWorkload(now, KINDS)?.podSets ?? [];
      expect(Object.keys(decisionOf(now)).sort()).toEqual(sets.map(({ name }) => name).sort());
      for (const { verdict } of Object.values(decisionOf(now))) expect(["fits", "scaleUp"]).toContain(verdict);

      const templates = sets.map((set) => toPointer(set.path));
      const changed = changes(plain.get(file), now).filter((path) => !THEIRS.test(path));
      expect(changed).toEqual(expect.arrayContaining(STAMPS));
      const outside = changed.filter((path) => !templates.some((template) => path.startsWith(`${template}/`)));
      expect(outside.filter((path) => !STAMPS.includes(path))).toEqual([]);
      for (const template of templates)
        expect(
          changed.some((path) => path.startsWith(`${template}/`)),
          `${template} is expanded`,
        ).toBe(true);
      const { base } = undo(now, KINDS);
      expect(changes(plain.get(file), base).filter((path) => !THEIRS.test(path))).toEqual([]);
    },
  );

  test("a ProvisioningRequest and its PodTemplate are stored as we wrote them", async () => {
    const { code, stderr } = await cp.kubectl(["apply", "-f", "-"], { stdin: stringify(NEEDS_A_NODE) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const root = await stored(cp, NEEDS_A_NODE);
    expect(decisionOf(root)["pod"]).toMatchObject({ verdict: "scaleUp", rung: "h200/reserved/new" });
    const annotations = objectAt(root, ["spec", "template", "metadata", "annotations"]) ?? {};
    const name = String(annotations["autoscaling.x-k8s.io/consume-provisioning-request"]);
    const request = await eventually(async () => {
      const all = await itemsOf(cp, "/apis/autoscaling.x-k8s.io/v1/namespaces/team-b/provisioningrequests");
      return all.find((one) => nameOf(one) === name);
    });
    const [podSet] = arrayAt(request, ["spec", "podSets"]);
    expect(valueAt(isObject(podSet) ? podSet : {}, ["count"])).toBe(1);
    const podTemplate = stringAt(isObject(podSet) ? podSet : {}, ["podTemplateRef", "name"]);
    const template = (await itemsOf(cp, "/api/v1/namespaces/team-b/podtemplates")).find(
      (one) => nameOf(one) === podTemplate,
    );
    expect(valueAt(template, ["template", "spec", "nodeSelector"])).toEqual(
      valueAt(root, ["spec", "template", "spec", "nodeSelector"]),
    );
    // One that has not started yet may still be edited: the request that it needs no more is ours to remove.
    const waiting = (cpu: string) => stringify(suspended(NEEDS_A_NODE, cpu));
    const requests = async () =>
      (await itemsOf(cp, "/apis/autoscaling.x-k8s.io/v1/namespaces/team-b/provisioningrequests"))
        .map(nameOf)
        .filter((one) => one.startsWith("waiting-"));
    const seen = new Set<string>();
    for (const cpu of ["32", "33"]) {
      expect(await cp.kubectl(["apply", "-f", "-"], { stdin: waiting(cpu) })).toMatchObject({ code: 0, stderr: "" });
      const [only = ""] = await eventually(
        async () => {
          const found = await requests();
          return found.length === 1 && !seen.has(found[0] ?? "") && found;
        },
        { timeoutMs: 60_000, what: `with ${cpu} cpu there is not one new request` },
      );
      seen.add(only);
    }
    expect((await cp.kubectl(["delete", "job", "-n", "team-b", "waiting", "--wait=false"])).code).toBe(0);
    expect((await cp.kubectl(["delete", "job", "-n", "team-b", "needs-a-node", "--wait=false"])).code).toBe(0);
    await eventually(
      async () => {
        const left = [
          ...(await itemsOf(cp, "/apis/autoscaling.x-k8s.io/v1/namespaces/team-b/provisioningrequests")),
          ...(await itemsOf(cp, "/api/v1/namespaces/team-b/podtemplates")),
        ].map(nameOf);
        if (left.length > 0) throw new Error(`left: ${left.join(", ")}`);
        return true;
      },
      { timeoutMs: 120_000 },
    );
  });
});
