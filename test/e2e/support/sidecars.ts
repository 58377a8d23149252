import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueKeyPair } from "../../../src/certs/index.ts";
import { arrayAt, isObject, type Json, type JsonObject, stringAt, valueAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { eventually } from "./wait.ts";

/** What the other webhook adds to each pod template. */
export const SIDECAR: JsonObject = {
  name: "proxy",
  image: "istio/proxyv2:1.27.0",
  resources: { requests: { cpu: "100m" } },
};

const CONTAINERS = ["spec", "template", "spec", "containers"];

/**
 * Registers another mutating webhook, which is called after ours (in order of names) for Jobs in namespaces with these labels, and adds a container.
 * Settles when the API server calls it.
 */
export async function startSidecars(
  cp: ControlPlane,
  namespace: string,
  matchLabels: Readonly<Record<string, string>>,
): Promise<{ stop(): Promise<void> }> {
  const pair = await issueKeyPair({ hosts: ["127.0.0.1"], leafDays: 1, caDays: 1 });
  const server = createServer({ key: pair.key, cert: pair.cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer(isObject(review) ? review : {})));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  const name = "sidecars-after-plimsoll";
  await cp.api.send("POST", path, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name },
    webhooks: [
      {
        name: "sidecars.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Fail",
        clientConfig: {
          url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          caBundle: Buffer.from(pair.ca ?? "").toString("base64"),
        },
        namespaceSelector: { matchLabels },
        rules: [{ apiGroups: ["batch"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["jobs"] }],
      },
    ],
  });
  await eventually(async () => {
    const args = ["-n", namespace, "create", "job", "probe", "--image=pause:3.10", "--dry-run=server", "-o", "json"];
    return (await cp.kubectl(args)).stdout.includes("istio/proxyv2");
  });
  return {
    async stop() {
      await cp.api.send("DELETE", `${path}/${name}`);
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(review: JsonObject): JsonObject {
  const uid = stringAt(review, ["request", "uid"]) ?? "";
  const present = arrayAt(valueAt(review, ["request", "object"]), CONTAINERS);
  const patch: Json = present.some((one) => stringAt(one, ["name"]) === SIDECAR["name"])
    ? []
    : [{ op: "add", path: `/${CONTAINERS.join("/")}/-`, value: SIDECAR }];
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: {
      uid,
      allowed: true,
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
    },
  };
}
