import { generateKeyPairSync } from "node:crypto";
import { generate } from "selfsigned";

const LIFE_MS = 7 * 86_400_000;
const EC = { keyType: "ec", curve: "P-256", algorithm: "sha256" } as const;

export interface CertificateAndKey {
  readonly cert: string;
  readonly key: string;
}

/** Signs everything in one control plane, and lives no longer than it. */
export interface Authority {
  /** PEM. */
  readonly ca: string;
  /** A TLS server on the loopback interface. */
  server(): Promise<CertificateAndKey>;
  /** A user of the API server: its name and groups are in the certificate's subject. */
  client(user: string, groups: readonly string[]): Promise<CertificateAndKey>;
}

export async function createAuthority(): Promise<Authority> {
  const dates = { notBeforeDate: new Date(Date.now() - 300_000), notAfterDate: new Date(Date.now() + LIFE_MS) };
  const own = await generate([{ name: "commonName", value: "plimsoll-test-ca" }], {
    ...EC,
    ...dates,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const issue = async (
    subject: Parameters<typeof generate>[0],
    extensions: NonNullable<NonNullable<Parameters<typeof generate>[1]>["extensions"]>,
  ) => {
    const { cert, private: key } = await generate(subject, {
      ...EC,
      ...dates,
      ca: { key: own.private, cert: own.cert },
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, critical: true },
        ...extensions,
      ],
    });
    return { cert, key };
  };
  return {
    ca: own.cert,
    server: () =>
      issue(
        [{ name: "commonName", value: "kube-apiserver" }],
        [
          { name: "extKeyUsage", serverAuth: true },
          {
            name: "subjectAltName",
            altNames: [
              { type: 7, ip: "127.0.0.1" },
              { type: 2, value: "localhost" },
            ],
          },
        ],
      ),
    client: (user, groups) =>
      issue(
        [{ name: "commonName", value: user }, ...groups.map((value) => ({ name: "organizationName", value }))],
        [{ name: "extKeyUsage", clientAuth: true }],
      ),
  };
}

/** Signs the tokens of service accounts. */
export function serviceAccountKeys(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
  return { publicKey, privateKey };
}
