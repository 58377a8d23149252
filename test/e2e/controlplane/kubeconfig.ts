import { stringify } from "yaml";
import type { CertificateAndKey } from "./certificates.ts";

/** A kubeconfig with one context and everything inline, so that the file can be taken elsewhere. */
export function kubeconfigText(options: {
  readonly server: string;
  readonly ca: string;
  readonly user: string;
  readonly credentials: { readonly token: string } | CertificateAndKey;
}): string {
  const { server, ca, user, credentials } = options;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "plimsoll", cluster: { server, "certificate-authority-data": base64(ca) } }],
    users: [
      {
        name: user,
        user:
          "token" in credentials
            ? { token: credentials.token }
            : {
                "client-certificate-data": base64(credentials.cert),
                "client-key-data": base64(credentials.key),
              },
      },
    ],
    contexts: [{ name: "plimsoll", context: { cluster: "plimsoll", user } }],
    "current-context": "plimsoll",
  });
}
