import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";

/** A certificate chain and its key, as PEM text. `ca` is what a client must trust (the webhook's caBundle). */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  readonly ca: string | undefined;
}

export interface IssueOptions {
  /** DNS names and IP addresses the server is reached under. The first is the common name. */
  readonly hosts: readonly string[];
  readonly leafDays: number;
  readonly caDays: number;
}

const DAY_MS = 86_400_000;

/** Issues a CA and a server certificate signed by it: EC P-256, SHA-256, key usages for a TLS server only. */
export async function issueKeyPair(options: IssueOptions): Promise<KeyPair> {
  // Loaded on use: the library takes 200 ms to import.
  const generate = await loadGenerate();
  const now = Date.now();
  const notBeforeDate = new Date(now - 5 * 60_000);
  const shared = { keyType: "ec", curve: "P-256", algorithm: "sha256", notBeforeDate } as const;
  const authority = await generate([{ name: "commonName", value: "plimsoll-ca" }], {
    ...shared,
    notAfterDate: new Date(now + options.caDays * DAY_MS),
    extensions: [
      { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: "commonName", value: options.hosts[0] ?? "localhost" }], {
    ...shared,
    notAfterDate: new Date(now + options.leafDays * DAY_MS),
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: options.hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })),
      },
    ],
  });
  return { cert: leaf.cert, key: leaf.private, ca: authority.cert };
}

/** A bundler keeps the library's CommonJS exports together under `default`; Node also names them one by one. */
async function loadGenerate(): Promise<typeof import("selfsigned").generate> {
  const library: Partial<typeof import("selfsigned")> & { readonly default?: typeof import("selfsigned") } =
    await import("selfsigned");
  const generate = library.generate ?? library.default?.generate;
  if (generate === undefined) throw new Error("the certificate library has no generate");
  return generate;
}

export interface CertificateFacts {
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly hosts: readonly string[];
}

/** Throws where the certificate cannot be read or does not belong to the key. */
export function checkKeyPair(pair: KeyPair): CertificateFacts {
  const certificate = new X509Certificate(pair.cert);
  if (!certificate.checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error("the private key does not belong to the certificate");
  const hosts = (certificate.subjectAltName ?? "")
    .split(", ")
    .map((name) => name.replace(/^(DNS|IP Address):/, ""))
    .filter((name) => name !== "");
  return { notBefore: new Date(certificate.validFrom), notAfter: new Date(certificate.validTo), hosts };
}
