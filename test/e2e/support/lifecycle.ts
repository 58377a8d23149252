import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  jsonEqual,
  objectAt,
  type Path,
  rungText,
  stringAt,
  valueAt,
} from "../../../src/model/index.ts";
import type { PolicyFile } from "../../../src/policy/index.ts";
import { undo } from "../../../src/translate/index.ts";
import { builtinKinds } from "../../../src/workloads/index.ts";
import { pod } from "../../support/manifests.ts";
import { catalogueFiles, type WorldOptions } from "../../support/world.ts";
import { type ControlPlane, type ControlPlaneOptions, type Output, startControlPlane } from "../controlplane/index.ts";
import { makeGpuCluster } from "./cluster.ts";
import { collectionOf } from "./places.ts";
import { type Plimsoll, type PlimsollOptions, startPlimsoll } from "./plimsoll.ts";
import { eventually } from "./wait.ts";

export const TEMPLATE: Path = ["spec", "template"];

/** A folder of policy files that a running server follows. */
export interface Policies {
  readonly folder: string;
  /** Writes the whole catalogue anew. */
  write(options: WorldOptions): void;
}

export function policiesAt(folder: string): Policies {
  return {
    folder,
    write(options) {
      const files = catalogueFiles(options);
      for (const kind of ["classes", "pools"]) rmSync(join(folder, kind), { recursive: true, force: true });
      for (const { path, text } of files as readonly PolicyFile[]) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
  };
}

/** A control plane with nodes, and Plimsoll in front of it with a catalogue that may be edited while it serves. */
export interface World {
  readonly cp: ControlPlane;
  readonly plimsoll: Plimsoll;
  readonly policies: Policies;
  /** Edits the catalogue, and settles when every replica serves it. */
  edit(options: WorldOptions): Promise<void>;
  /** What Plimsoll logged about reviews in a namespace that were no dry runs, oldest first. */
  reviews(namespace: string): readonly JsonObject[];
  stop(): Promise<void>;
}

export interface LifecycleWorldOptions {
  readonly nodes: readonly JsonObject[];
  readonly catalogue: WorldOptions;
  /** CustomResourceDefinitions that are there before Plimsoll is. */
  readonly crds?: readonly JsonObject[];
  readonly controlPlane?: ControlPlaneOptions;
  readonly plimsoll?: Omit<PlimsollOptions, "policies">;
}

export async function startWorld(options: LifecycleWorldOptions): Promise<World> {
  const cp = await startControlPlane(options.controlPlane);
  try {
    const policies = policiesAt(join(cp.dir, "policies"));
    policies.write(options.catalogue);
    for (const crd of options.crds ?? [])
      await cp.api.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
    await makeGpuCluster(cp, options.nodes);
    const plimsoll = await startPlimsoll(cp, { ...options.plimsoll, policies: policies.folder });
    return {
      cp,
      plimsoll,
      policies,
      async edit(catalogue) {
        const running = plimsoll.replicas.filter(({ process }) => process.running);
        const before = await Promise.all(running.map(revisionOf));
        policies.write(catalogue);
        for (const [index, replica] of running.entries())
          await eventually(async () => (await revisionOf(replica)) !== before[index], {
            what: `${replica.name} did not take the edited catalogue`,
          });
      },
      reviews: (namespace) =>
        plimsoll.replicas.flatMap(({ process }) =>
          process
            .logs()
            .split("\n")
            .filter((line) => line.startsWith("{") && line.includes(`"namespace":"${namespace}"`))
            .map((line) => JSON.parse(line) as JsonObject)
            .filter((line) => line["msg"] === "decision" && line["dryRun"] === false),
        ),
      async stop() {
        const faults = plimsoll.replicas.flatMap(({ process }) =>
          process
            .logs()
            .split("\n")
            .filter((line) => line.startsWith("{") && line.includes('"fault":')),
        );
        await plimsoll.stop();
        await cp.stop();
        expect(faults, "faults of ours that were caught").toEqual([]);
      },
    };
  } catch (fault) {
    await cp.stop();
    throw fault;
  }
}

async function revisionOf(replica: Plimsoll["replicas"][number]): Promise<string | undefined> {
  return stringAt((await replica.readyz()).body, ["revision"]);
}

/** One namespace, where one case plays. */
export interface Space {
  readonly name: string;
  kubectl(args: readonly string[], stdin?: JsonObject | string): Promise<Output>;
  /** kubectl that has to succeed; what it printed, warnings and all. */
  does(args: readonly string[], stdin?: JsonObject | string): Promise<string>;
  /** kubectl that has to fail; what it printed. */
  fails(args: readonly string[], stdin?: JsonObject | string): Promise<string>;
  /** `kubectl apply -f -`, and the object as it stands then. */
  apply(manifest: JsonObject, ...flags: readonly string[]): Promise<JsonObject>;
  get(kind: string, name?: string): Promise<JsonObject>;
  find(kind: string, name?: string): Promise<JsonObject | undefined>;
  list(kind: string): Promise<readonly JsonObject[]>;
  /** POST as somebody's controller would; throws unless it was made. */
  create(object: JsonObject): Promise<JsonObject>;
  /** JSON merge patch as the administrator. */
  patch(kind: string, name: string, patch: JsonObject): Promise<JsonObject>;
  /** Settles when the namespace and all that was in it are gone. */
  remove(): Promise<void>;
}

export async function makeSpace(
  world: World,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<Space> {
  const { cp } = world;
  await cp.api.send("POST", "/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
  });
  await eventually(
    async () => (await cp.api.ask("GET", `/api/v1/namespaces/${name}/serviceaccounts/default`)).status === 200,
  );
  // What is made before our watch shows its namespace is decided as unknown.
  const probe = pod({ class: "gang", namespace: name, name: "probe" });
  await eventually(async () => {
    const { body } = await cp.api.ask("POST", `/api/v1/namespaces/${name}/pods?dryRun=All`, probe);
    const verdict = decisionOf(body)["pod"]?.verdict;
    return verdict !== undefined && verdict !== "unknown";
  });
  const place = (kind: string) => collectionOf(kind, name);
  const kubectl: Space["kubectl"] = (args, stdin) =>
    cp.kubectl(["-n", name, ...args], {
      ...(stdin === undefined ? {} : { stdin: typeof stdin === "string" ? stdin : JSON.stringify(stdin) }),
    });
  const printed = ({ stdout, stderr }: Output) => `${stdout}${stderr}`;
  const space: Space = {
    name,
    kubectl,
    async does(args, stdin) {
      const output = await kubectl(args, stdin);
      if (output.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${printed(output)}`);
      return printed(output);
    },
    async fails(args, stdin) {
      const output = await kubectl(args, stdin);
      if (output.code === 0) throw new Error(`kubectl ${args.join(" ")} was let through: ${printed(output)}`);
      return printed(output);
    },
    async apply(manifest, ...flags) {
      await space.does(["apply", "-f", "-", ...flags], manifest);
      return space.get(stringAt(manifest, ["kind"]) ?? "", stringAt(manifest, ["metadata", "name"]) ?? "");
    },
    get: (kind, object = "w") => cp.api.send("GET", `${place(kind)}/${object}`),
    async find(kind, object = "w") {
      const { status, body } = await cp.api.ask("GET", `${place(kind)}/${object}`);
      return status === 404 ? undefined : body;
    },
    list: async (kind) => arrayAt(await cp.api.send("GET", place(kind)), ["items"]).filter(isObject),
    create: (object) => cp.api.send("POST", place(stringAt(object, ["kind"]) ?? ""), object),
    patch: (kind, object, patch) =>
      cp.api.send("PATCH", `${place(kind)}/${object}`, patch, "application/merge-patch+json"),
    async remove() {
      await cp.api.send("DELETE", `/api/v1/namespaces/${name}`);
      await eventually(async () => (await cp.api.ask("GET", `/api/v1/namespaces/${name}`)).status === 404, {
        timeoutMs: 60_000,
        what: `namespace ${name} is not gone`,
      });
    },
  };
  return space;
}

/** Plays a case in a namespace of its own. Deleting that is part of the case: nothing of ours may hold it up. */
export async function inSpace(
  world: World,
  name: string,
  play: (space: Space) => Promise<void>,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  const space = await makeSpace(world, name, labels);
  try {
    await play(space);
  } catch (fault) {
    // What failed first is what is told; the next case still gets an empty cluster.
    await space.remove().catch(() => undefined);
    throw fault;
  }
  await space.remove();
}

/** Spec and records. */
export const lookOf = (object: JsonObject) => ({
  spec: object["spec"],
  generation: generationOf(object),
  decision: annotationsOf(object)["plimsoll.dev/decision"],
  applied: annotationsOf(object)["plimsoll.dev/applied"],
});

export const annotationsOf = (object: JsonObject): Readonly<Record<string, Json | undefined>> =>
  objectAt(object, ["metadata", "annotations"]);

export const decisionOf = (object: JsonObject) => undo(object, builtinKinds()).decision ?? {};

/** The user's own object, without our edits. */
export const baseOf = (object: JsonObject): JsonObject => undo(object, builtinKinds()).base;

/** What the stamp records: `set: rung`. */
export const rungsOf = (object: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(decisionOf(object)).map(([name, { rung }]) => [name, rung === "none" ? "none" : rungText(rung)]),
  );

export const isStamped = (object: JsonObject): boolean =>
  "plimsoll.dev/decision" in annotationsOf(object) || "plimsoll.dev/applied" in annotationsOf(object);

export const generationOf = (object: JsonObject): Json | undefined => valueAt(object, ["metadata", "generation"]);

/** Everything but the status and what each write changes by itself. */
export function lasting({ status: _, ...object }: JsonObject): JsonObject {
  const { managedFields: _m, resourceVersion: _r, ...metadata } = objectAt(object, ["metadata"]);
  return { ...object, metadata };
}

/** What of the templates that controllers copied is their own: hashes. */
const COPIED_LABELS = ["pod-template-hash", "controller-revision-hash", "pod-template-generation"];

/** The ReplicaSets of a Deployment, oldest first, and which of their templates is the root's own. */
export async function replicaSetsOf(space: Space, root: JsonObject): Promise<readonly JsonObject[]> {
  const uid = stringAt(root, ["metadata", "uid"]);
  const all = await space.list("ReplicaSet");
  return all
    .filter((one) => arrayAt(one, ["metadata", "ownerReferences"]).some((owner) => stringAt(owner, ["uid"]) === uid))
    .sort((a, b) => revision(a) - revision(b));
}

const revision = (object: JsonObject): number =>
  Number(stringAt(object, ["metadata", "annotations", "deployment.kubernetes.io/revision"]) ?? 0);

/** A template without what its controller writes into its copy. */
export function plainTemplate(object: JsonObject): Json | undefined {
  const template = objectAt(object, TEMPLATE);
  const labels = Object.fromEntries(
    Object.entries(objectAt(template, ["metadata", "labels"])).filter(([key]) => !COPIED_LABELS.includes(key)),
  );
  const { creationTimestamp: _c, ...metadata } = objectAt(template, ["metadata"]);
  return { ...template, metadata: { ...metadata, labels } } as JsonObject;
}

/** The Deployment's controller has seen it as it stands, and every pod that it wants is of its newest template. */
export async function rolledOut(space: Space, name = "w"): Promise<JsonObject> {
  return eventually(
    async () => {
      const live = await space.get("Deployment", name);
      const wanted = valueAt(live, ["spec", "replicas"]);
      const seen = valueAt(live, ["status", "observedGeneration"]) === generationOf(live);
      const status = objectAt(live, ["status"]);
      if (!seen || (status["updatedReplicas"] ?? 0) !== wanted || (status["replicas"] ?? 0) !== wanted)
        throw new Error(`Deployment ${name} is not rolled out: ${JSON.stringify(status)}`);
      return live;
    },
    { timeoutMs: 60_000 },
  );
}

/** A ReplicaSet of the Deployment is its copy: the template is the root's, and our records stand where the controller put them, unchanged. */
export function expectCopied(replicaSet: JsonObject | undefined, root: JsonObject): void {
  expect(replicaSet).toBeDefined();
  expect(plainTemplate(replicaSet ?? {})).toEqual(plainTemplate(root));
}

/**
 * The manifest as it was applied, again and in every way: kubectl diff finds nothing, and client-side apply, a server-side dry run, server-side
 * apply by another manager and replace leave the object as it is. `atomic`: a list that the manifest names and that merges as a whole. It is longer in
 * the cluster by what we added, so a manager that takes it over from another is told of that one conflict, and has to force it once.
 */
export async function expectCalm(
  space: Space,
  manifest: JsonObject,
  options: { readonly replace?: boolean; readonly atomic?: string } = {},
): Promise<void> {
  const kind = stringAt(manifest, ["kind"]) ?? "";
  const name = stringAt(manifest, ["metadata", "name"]) ?? "";
  const before = await space.get(kind, name);
  const same = (now: JsonObject, how: string, since: JsonObject) => {
    expect(now["spec"], how).toEqual(before["spec"]);
    // A Deployment's generation counts its annotations too, of which one is kubectl's and one its controller's: replace takes both away.
    if (kind !== "Deployment" || (!how.includes("replace") && jsonEqual(annotationsOf(now), annotationsOf(since))))
      expect(generationOf(now), how).toBe(generationOf(since));
    for (const key of ["decision", "workload-class", "intent"])
      expect(annotationsOf(now)[`plimsoll.dev/${key}`], `${how}: ${key}`).toBe(
        annotationsOf(before)[`plimsoll.dev/${key}`],
      );
    expect(editsOf(now), how).toBe(editsOf(before));
  };
  const diff = await space.kubectl(["diff", "-f", "-"], manifest);
  expect(diff.stdout, "kubectl diff").toBe("");
  expect(diff.code, "kubectl diff").toBe(0);
  // Where the manifest names an atomic list that is longer in the cluster, kubectl sends a patch, and says so.
  await space.does(["apply", "-f", "-"], manifest);
  same(await space.get(kind, name), "apply", before);
  const serverSide = ["apply", "--server-side", "--field-manager=gitops", "-f", "-"];
  const takeover = await space.kubectl(serverSide, manifest);
  if (takeover.code !== 0 && options.atomic !== undefined) {
    expect(takeover.stderr).toMatch(/Apply failed with 1 conflict: conflict with "kubectl[a-z-]*"/);
    expect(takeover.stderr).toContain(options.atomic);
    await space.does([...serverSide, "--force-conflicts"], manifest);
  } else expect(takeover, "server-side apply by another manager").toMatchObject({ code: 0 });
  const taken = await space.get(kind, name);
  // kubectl hands the fields of its client-side applies over to the new manager, which unsets and so defaults again what the manifest lacks:
  // of some kinds that alone raises the generation, with or without a webhook.
  same(taken, "server-side apply by another manager", taken);
  const dry = JSON.parse((await space.kubectl([...serverSide, "--dry-run=server", "-o", "json"], manifest)).stdout);
  expect(lasting(dry), "server-side dry run").toEqual(lasting(await space.get(kind, name)));
  await space.does(serverSide, manifest);
  same(await space.get(kind, name), "server-side apply again", taken);
  if (options.replace === false) return;
  await space.does(["replace", "-f", "-"], manifest);
  same(await space.get(kind, name), "replace", taken);
  await space.does(["apply", "-f", "-"], manifest);
  same(await space.get(kind, name), "apply after replace", taken);
}

/** The record of edits, but for who made the map of annotations: after a replace that may be another. */
const editsOf = (object: JsonObject): string | undefined =>
  stringAt(object, ["metadata", "annotations", "plimsoll.dev/applied"])?.replace('"made":1,', "");
