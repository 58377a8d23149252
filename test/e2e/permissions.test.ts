import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { RESOURCES } from "../../src/kube/index.ts";
import { loadPolicies } from "../../src/load.ts";
import { groupOf } from "../../src/workloads/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { anyKind } from "./support/crds.ts";
import { granted, leave, left, served, used } from "./support/permissions.ts";
import { type Plimsoll, startPlimsoll } from "./support/plimsoll.ts";
import { eventually } from "./support/wait.ts";

describe("what the manifests allow our service account", () => {
  let cp: ControlPlane;
  let plimsoll: Plimsoll | undefined;
  beforeAll(async () => {
    cp = await startControlPlane({ audit: true, scheduler: false, kwok: false });
  });
  afterAll(async () => {
    await plimsoll?.stop();
    await cp?.stop();
  });

  test("every kind is listed and watched where it is served, also those of projects that are not installed elsewhere", async () => {
    const { value: catalogue, diagnostics } = await loadPolicies("policies");
    if (catalogue === undefined) throw new Error(`no catalogue: ${JSON.stringify(diagnostics)}`);
    const here = await served(cp);
    const wanted = [
      ...catalogue.kinds.entries.map(({ apiVersion, kind, plural, clusterScoped = false }) => {
        const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
        return { group: groupOf(apiVersion), version, kind, plural, clusterScoped };
      }),
      ...RESOURCES.map(({ group, versions: [version = ""], kind, plural }) => {
        return { group, version, kind, plural, clusterScoped: true };
      }),
    ];
    for (const { group, version, kind, ...rest } of wanted)
      if (!here.has(`${group}/${rest.plural}`))
        await cp.api.send(
          "POST",
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          anyKind(group, version, kind, rest),
        );
    plimsoll = await startPlimsoll(cp, { controller: false });
    await eventually(
      () => {
        const did = used(cp);
        const not = wanted
          .flatMap(({ group, plural }) => [`list ${group}/${plural}`, `watch ${group}/${plural}`])
          .filter((one) => !did.has(one));
        if (not.length > 0) throw new Error(`not yet: ${not.join(", ")}`);
        return true;
      },
      { timeoutMs: 120_000 },
    );
    leave(cp, inject("run"), import.meta.filename);
  });

  test("all of it was used by the files of this run, and nothing else was asked for", ({ skip }) => {
    const all = left(inject("run"));
    skip(all.waiting.length > 0, `not the whole suite: without ${all.waiting.join(", ")}`);
    expect(all.refused).toEqual([]);
    expect(granted().filter((one) => !all.used.has(one))).toEqual([]);
  });
});
