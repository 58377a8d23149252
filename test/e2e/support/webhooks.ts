import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { arrayAt, isObject, type Json, type JsonObject, stringAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";

const REGISTRATION = join(import.meta.dirname, "../../../manifests/base/webhooks.yaml");

/**
 * Registers what manifests/base registers, with a server at a loopback url in place of the Service. `ca` is PEM. The API server takes a change of its
 * webhooks in within a second or so: callers wait for the first answer.
 */
export async function registerWebhooks(
  cp: ControlPlane,
  { url, ca }: { readonly url: string; readonly ca: string },
): Promise<void> {
  const objects = parseAllDocuments(readFileSync(REGISTRATION, "utf8"))
    .map((one) => one.toJS() as unknown)
    .filter(isObject);
  const reached = objects.map((object) => atUrl(object, url, Buffer.from(ca).toString("base64")));
  const { code, stderr } = await cp.kubectl(["apply", "--server-side", "-f", "-"], {
    stdin: reached.map((one) => stringify(one)).join("---\n"),
  });
  if (code !== 0) throw new Error(`the webhooks could not be registered: ${stderr}`);
}

function atUrl(object: JsonObject, url: string, caBundle: string): JsonObject {
  const webhooks = arrayAt(object, ["webhooks"]);
  if (webhooks.length === 0) return object;
  return {
    ...object,
    webhooks: webhooks.filter(isObject).map((webhook): Json => {
      const path = stringAt(webhook, ["clientConfig", "service", "path"]) ?? "";
      return { ...webhook, clientConfig: { url: `${url}${path}`, caBundle } };
    }),
  };
}
