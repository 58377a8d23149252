import { createCompanions } from "../../src/controller/companions.ts";
import { COMPANION_KINDS } from "../../src/controller/kinds.ts";
import { createStore } from "../../src/controller/store.ts";
import type { Note } from "../../src/controller/types.ts";
import { basePath } from "../../src/kube/index.ts";
import { type JsonObject, type ObjectKey, objectAt, stringAt } from "../../src/model/index.ts";
import type { Catalogue } from "../../src/policy/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { manualClock } from "../support/clock.ts";
import { expandAs } from "../support/expansion.ts";
import { fakeKube } from "../support/kube.ts";
import { deployment, job } from "../support/workloads.ts";

export const GRACE_MS = 60_000;
const PLURALS: Readonly<Record<string, string>> = {
  Deployment: "deployments",
  Job: "jobs",
  ReplicaSet: "replicasets",
  Pod: "pods",
};

/** A platform on which claim templates and budgets are made here; `classes` as for `catalogue`. */
export const policies = (classes: Readonly<Record<string, JsonObject>> = {}): Catalogue =>
  catalogue({
    platform: {
      kubernetes: { version: "1.37" },
      companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
    },
    classes,
  });

/** Jobs of class gang, which get a claim from a template. */
export const training = (name: string, own: Catalogue): JsonObject =>
  stored(expandAs(job(name).replicas(2).className("gang").build(), { catalogue: own }).object);

/** Deployments of class online, which get a disruption budget. */
export const serving = (name: string, own: Catalogue): JsonObject =>
  stored(expandAs(deployment(name).replicas(2).gpus(1).className("online").build(), { catalogue: own }).object);

export const stored = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: {
    namespace: "default",
    ...objectAt(object, ["metadata"]),
    uid: `uid-of-${stringAt(object, ["metadata", "name"])}`,
  },
});

/** A leader's reconciler over the imitated API server; what is stored is seen by its watch at once. */
export function leading(own: Catalogue = policies()) {
  const kube = fakeKube();
  const clock = manualClock();
  const notes: Note[] = [];
  const lines: string[] = [];
  const roots = new Map<string, JsonObject>();
  let known = { catalogue: own, topology: undefined };
  const store = createStore((kind, namespace, name) => companions.companionChanged(kind, namespace, name));
  const companions = createCompanions({
    kube,
    clock,
    random: () => 0.5,
    graceMs: GRACE_MS,
    resyncMs: 3_600_000,
    roots: { all: () => roots.values(), get: (key) => roots.get(idOf(key)) },
    companied: store,
    known: () => known,
    tell: { event: (note) => notes.push(note), log: (_level, line) => lines.push(line) },
  });
  kube.changed = (path, object) => {
    for (const { apiVersion, kind, plural } of COMPANION_KINDS) {
      const match = new RegExp(`^${basePath(apiVersion)}/namespaces/([^/]+)/${plural}/([^/]+)$`).exec(path);
      if (match === null) continue;
      const [, namespace = "", name = ""] = match;
      const isOurs = stringAt(object, ["metadata", "labels", "app.kubernetes.io/managed-by"]) === "plimsoll";
      if (object === undefined || !isOurs) store.take([{ type: "deleted", apiVersion, kind, namespace, name }]);
      else store.take([{ type: "set", object: { ...object, apiVersion, kind } }]);
    }
  };
  const pathOf = ({ apiVersion, kind, namespace, name }: ObjectKey): string =>
    `${basePath(apiVersion)}/namespaces/${namespace}/${PLURALS[kind] ?? kind}/${name}`;

  return {
    kube,
    clock,
    notes,
    lines,
    companions,
    /** The workload is there, and the watch shows it. */
    apply(object: JsonObject): void {
      const key = keyOf(object);
      roots.set(idOf(key), kube.put(pathOf(key), object));
      companions.rootChanged(key);
    },
    remove(object: JsonObject): void {
      const key = keyOf(object);
      roots.delete(idOf(key));
      kube.drop(pathOf(key));
      companions.rootChanged(key);
    },
    /** Something that the leader does not watch whole. */
    put(object: JsonObject): void {
      kube.put(pathOf(keyOf(object)), object);
    },
    drop(object: JsonObject): void {
      kube.drop(pathOf(keyOf(object)));
    },
    policies(next: Catalogue): void {
      known = { catalogue: next, topology: undefined };
      companions.allChanged();
    },
    async run(work: () => Promise<void>): Promise<void> {
      const control = new AbortController();
      const done = companions.lead(control.signal);
      await clock.advance(0);
      await work();
      control.abort();
      await done;
    },
  };
}

export const pathOfTemplate = (name: string): string =>
  `/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates/${name}`;

const idOf = ({ apiVersion, kind, namespace, name }: ObjectKey): string => `${apiVersion} ${kind} ${namespace} ${name}`;

function keyOf(object: JsonObject): ObjectKey {
  return {
    apiVersion: stringAt(object, ["apiVersion"]) ?? "",
    kind: stringAt(object, ["kind"]) ?? "",
    namespace: stringAt(object, ["metadata", "namespace"]) ?? "",
    name: stringAt(object, ["metadata", "name"]) ?? "",
  };
}
