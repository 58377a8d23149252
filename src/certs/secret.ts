import { stringify } from "yaml";
import type { KeyPair } from "./issue.ts";

const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

/** A kubernetes.io/tls Secret that the shipped manifests mount. */
export function secretYaml(name: string, namespace: string, pair: KeyPair): string {
  return stringify(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      type: "kubernetes.io/tls",
      data: {
        "tls.crt": base64(pair.cert),
        "tls.key": base64(pair.key),
        ...(pair.ca === undefined ? {} : { "ca.crt": base64(pair.ca) }),
      },
    },
    { lineWidth: 0 },
  );
}

/** The value for clientConfig.caBundle of the webhook configurations. */
export function caBundle(pair: KeyPair): string {
  return base64(pair.ca ?? pair.cert);
}
