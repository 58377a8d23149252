import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import {
  arrayAt,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  INTENT_ANNOTATION,
  isObject,
  type JsonObject,
  stringAt,
} from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { pathOf } from "./places.ts";

const FOLDER = resolve("manifests/examples");

export const examplePath = (file: string): string => join(FOLDER, file);

export function documentsOf(text: string): readonly JsonObject[] {
  return parseAllDocuments(text)
    .map((one) => one.toJS() as unknown)
    .filter(isObject);
}

/** The object of an example that names a class. */
export function exampleOf(file: string): JsonObject {
  const found = documentsOf(readFileSync(examplePath(file), "utf8")).find(
    (one) => stringAt(one, ["metadata", "annotations", CLASS_ANNOTATION]) !== undefined,
  );
  if (found === undefined) throw new Error(`no object of ${file} names a class`);
  return found;
}

const uidOf = (object: JsonObject): string => stringAt(object, ["metadata", "uid"]) ?? "";

/** As it is stored now. */
export function stored(cp: ControlPlane, object: JsonObject): Promise<JsonObject> {
  return cp.api.send("GET", pathOf(object));
}

/** What the decision annotation says, by pod set. */
export function decisionOf(object: JsonObject): Readonly<Record<string, JsonObject>> {
  const text = stringAt(object, ["metadata", "annotations", DECISION_ANNOTATION]);
  const sets = text === undefined ? undefined : (JSON.parse(text) as JsonObject)["sets"];
  if (!isObject(sets)) return {};
  // Sets that were decided alike refer to the first of them by its name.
  const entryOf = (value: unknown) => (typeof value === "string" ? sets[value] : value) as JsonObject;
  return Object.fromEntries(Object.entries(sets).map(([name, value]) => [name, entryOf(value)]));
}

/** Pods whose controller is the root, or is controlled by it. */
export function podsOf(
  pods: readonly JsonObject[],
  root: JsonObject,
  between: readonly JsonObject[],
): readonly JsonObject[] {
  const uids = new Set([uidOf(root)]);
  for (const one of between) if (controllerOf(one) === uidOf(root)) uids.add(uidOf(one));
  return pods.filter((pod) => uids.has(controllerOf(pod) ?? "") || uidOf(pod) === uidOf(root));
}

function controllerOf(object: JsonObject): string | undefined {
  const owner = arrayAt(object, ["metadata", "ownerReferences"]).find(
    (one) => isObject(one) && one["controller"] === true,
  );
  return isObject(owner) ? stringAt(owner, ["uid"]) : undefined;
}

export interface JobParts {
  readonly className: string;
  readonly intent: string;
  readonly pods: number;
  readonly requests: Readonly<Record<string, string>>;
  /** Fields of the pod's spec. */
  readonly spec?: JsonObject;
  /** Of its only container. */
  readonly claims?: readonly string[];
}

/** A Job of team-b that its class takes as it stands. */
export function jobOf(
  name: string,
  { className, intent, pods, requests, spec = {}, claims = [] }: JobParts,
): JsonObject {
  const { cpu: _, ...limits } = requests;
  const annotations = { [CLASS_ANNOTATION]: className, [INTENT_ANNOTATION]: intent };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, namespace: "team-b", annotations },
    spec: {
      completionMode: "Indexed",
      completions: pods,
      parallelism: pods,
      backoffLimit: 3,
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          restartPolicy: "Never",
          serviceAccountName: "trainer",
          ...spec,
          containers: [
            {
              name: "main",
              image: "pause:3.10",
              resources: {
                requests,
                limits,
                ...(claims.length === 0 ? {} : { claims: claims.map((one) => ({ name: one })) }),
              },
            },
          ],
        },
      },
    },
  };
}

/** What Jobs of `jobOf` need in a cluster that has only nodes: the account, and the priorities of the shipped classes. */
export async function makeTeam(cp: ControlPlane): Promise<void> {
  const priority = (name: string, value: number) => ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
  });
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "trainer", namespace: "team-b" } };
  for (const object of [priority("serving", 100_000), priority("training", 50_000), priority("batch", 1_000)])
    await cp.api.send("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", object);
  await cp.api.send("POST", "/api/v1/namespaces/team-b/serviceaccounts", account);
}
