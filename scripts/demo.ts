/**
 * Starts the webhook over TLS on the shipped policies and a bundled cluster, sends it the example workloads as the API
 * server would (mutate, then validate what came of it), prints what a person would see, and exits.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyPatch } from "rfc6902";
import { readManifests } from "../src/cli/manifests.ts";
import { styleFor } from "../src/cli/render/style.ts";
import { serveConfig, wantsColour } from "../src/config.ts";
import { readInputs } from "../src/files.ts";
import { loadPolicies } from "../src/load.ts";
import { type Json, type JsonObject, objectAt, stringAt } from "../src/model/index.ts";
import { createLogger, serve } from "../src/server/index.ts";

const style = styleFor(wantsColour(process.stdout));
const say = (text = "") => process.stdout.write(`${text}\n`);

interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly patch?: string;
  readonly warnings?: readonly string[];
  readonly status?: { readonly code: number; readonly message: string };
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

const certs = await mkdtemp(join(tmpdir(), "plimsoll-demo-"));
const serving = await serve(
  serveConfig({
    host: "127.0.0.1",
    port: "0",
    probePort: "0",
    certs,
    drain: "0",
    cluster: ["test/fixtures/demo-cluster.yaml", "manifests/examples/training-dra.yaml"],
  }),
  createLogger("error"),
);
say(`Plimsoll serves ${serving.url}/mutate and /validate on policies/ and test/fixtures/demo-cluster.yaml.`);
say(
  "Each example is sent as the API server would on kubectl apply --dry-run=server: mutate, then validate the result. So none takes\ncapacity from the next. (The cluster also holds the claim template that training-dra.yaml brings.)",
);

// A kind that a policy file adds is registered too.
const kinds = (await loadPolicies("policies")).value?.kinds;
const agent = new Agent({ keepAlive: true, ca: serving.ca });
let failures = 0;
try {
  const { manifests } = readManifests(await readInputs(["manifests/examples"], async () => ""));
  for (const { file, object } of manifests) await apply(file, object);
} finally {
  agent.destroy();
  await serving.stop();
  await rm(certs, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** What `kubectl apply` would set off for one object. */
async function apply(file: string, manifest: JsonObject): Promise<void> {
  const apiVersion = stringAt(manifest, ["apiVersion"]) ?? "";
  const kind = stringAt(manifest, ["kind"]) ?? "";
  const entry = kinds?.find(apiVersion, kind);
  if (entry === undefined) return;
  const namespace = stringAt(manifest, ["metadata", "namespace"]) ?? "default";
  const generateName = stringAt(manifest, ["metadata", "generateName"]);
  const name = stringAt(manifest, ["metadata", "name"]);
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const review = (object: Json, known: JsonObject) => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: randomUUID(),
      kind: { group, version, kind },
      resource: { group, version, resource: entry.plural },
      requestKind: { group, version, kind },
      requestResource: { group, version, resource: entry.plural },
      namespace,
      operation: "CREATE",
      userInfo: { username: "kubernetes-admin", groups: ["system:authenticated"] },
      object,
      oldObject: null,
      dryRun: true,
      options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
      ...known,
    },
  });

  const object = { ...manifest, metadata: { ...objectAt(manifest, ["metadata"]), namespace } } as JsonObject;
  say();
  say(`${style("bold", `${kind} ${namespace}/${name ?? `${generateName}*`}`)}  ${style("dim", file)}`);
  const mutated = await post("/mutate", review(object, name === undefined ? {} : { name }));
  const operations =
    mutated.patch === undefined
      ? []
      : (JSON.parse(Buffer.from(mutated.patch, "base64").toString("utf8")) as Operation[]);
  const result = structuredClone(object);
  const faults = applyPatch(result, operations as Parameters<typeof applyPatch>[1]).filter((fault) => fault !== null);
  if (faults.length > 0) {
    failures += 1;
    say(`  the patch does not apply: ${faults.map(String).join(", ")}`);
    return;
  }

  // Between the two calls the API server gives the object its uid and draws a generated name.
  const finalName = name ?? `${generateName}x7k2p`;
  const final = {
    ...result,
    metadata: { ...objectAt(result, ["metadata"]), name: finalName, uid: randomUUID() },
  } as JsonObject;
  const validated = await post("/validate", review(final, { name: finalName }));

  for (const [set, entryOfSet] of decisions(final))
    say(`  ${set}: ${style("cyan", entryOfSet.verdict)} on ${entryOfSet.rung} (class ${entryOfSet.className})`);
  for (const operation of operations) for (const line of additions(operation)) say(`  ${style("green", "+")} ${line}`);
  for (const warning of new Set([...(mutated.warnings ?? []), ...(validated.warnings ?? [])]))
    say(`  ${style("yellow", "Warning:")} ${warning}`);
  if (validated.allowed) say(`  ${style("green", "admitted")}`);
  else {
    say(`  ${style("red", "denied")}, as kubectl prints it:`);
    say(
      `    Error from server: admission webhook "classed.validate.plimsoll.dev" denied the request: ${validated.status?.message.replaceAll("\n", "\n      ")}`,
    );
  }
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: Json;
}

function decisions(object: JsonObject): [string, { className: string; rung: string; verdict: string }][] {
  const text = stringAt(object, ["metadata", "annotations", "plimsoll.dev/decision"]);
  if (text === undefined) return [];
  const sets = (JSON.parse(text) as { sets: Record<string, { class: string; rung: string; verdict: string }> }).sets;
  return Object.entries(sets).map(([set, { class: className, rung, verdict }]) => [set, { className, rung, verdict }]);
}

/** A patch operation in words; the stamps are left out, since the lines above say what they hold. */
function additions({ op, path, value }: Operation): string[] {
  const place = path
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const where = place.join(".");
  if (where.startsWith("metadata.annotations.plimsoll.dev/")) return [];
  if (op === "remove") return [`${where} removed`];
  if (where === "metadata.annotations" && typeof value === "object" && value !== null) {
    return Object.entries(value as JsonObject)
      .filter(([key]) => !key.startsWith("plimsoll.dev/"))
      .map(([key, one]) => `${where}.${key}: ${JSON.stringify(one)}`);
  }
  return [`${where}: ${JSON.stringify(value)}`];
}

async function post(path: string, body: unknown): Promise<Response> {
  const text = JSON.stringify(body);
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(
      `${serving.url}${path}?timeout=10s`,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
      },
    );
    call.on("error", reject);
    call.end(text);
  });
  const { response } = JSON.parse(answer) as { response: Response };
  const asked = (body as { request: { uid: string } }).request.uid;
  if (response.uid !== asked) throw new Error(`asked about ${asked}, was answered about ${response.uid}`);
  return response;
}
