import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Authority } from "./certificates.ts";
import { serviceAccountKeys } from "./certificates.ts";
import { kubeconfigText } from "./kubeconfig.ts";

/** Who the parts of the control plane are; the API server's own bootstrap roles give the first two what they need. */
const MEMBERS = {
  "kube-scheduler": { user: "system:kube-scheduler", groups: [] },
  "kube-controller-manager": { user: "system:kube-controller-manager", groups: [] },
  kwok: { user: "kwok", groups: ["system:masters"] },
} as const;

export const ADMIN = { user: "plimsoll-admin", groups: ["system:masters"] } as const;

const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

/** Paths of what the processes read, below the data folder. */
export interface Files {
  readonly serverCert: string;
  readonly serverKey: string;
  readonly ca: string;
  readonly serviceAccountPublic: string;
  readonly serviceAccountPrivate: string;
  readonly tokens: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
  readonly admin: string;
  readonly kubeconfigOf: (member: keyof typeof MEMBERS) => string;
}

/** Certificates, keys, tokens and kubeconfigs of a control plane that will be reached at `server`. */
export async function writeFiles(dir: string, server: string, authority: Authority, token: string): Promise<Files> {
  const at = (name: string) => join(dir, name);
  await mkdir(at("kubeconfigs"));
  const files: Files = {
    serverCert: at("apiserver.crt"),
    serverKey: at("apiserver.key"),
    ca: at("ca.crt"),
    serviceAccountPublic: at("service-accounts.pub"),
    serviceAccountPrivate: at("service-accounts.key"),
    tokens: at("tokens.csv"),
    auditPolicy: at("audit-policy.json"),
    auditLog: at("audit.log"),
    admin: at("admin.kubeconfig"),
    kubeconfigOf: (member) => at(`kubeconfigs/${member}`),
  };
  const { cert, key } = await authority.server();
  const keys = serviceAccountKeys();
  const { ca } = authority;
  const secret = (path: string, text: string) => writeFile(path, text, { mode: 0o600 });
  const members = Object.entries(MEMBERS).map(async ([member, { user, groups }]) => {
    const credentials = await authority.client(user, groups);
    await secret(at(`kubeconfigs/${member}`), kubeconfigText({ server, ca, user, credentials }));
  });
  await Promise.all([
    ...members,
    secret(files.serverCert, cert),
    secret(files.serverKey, key),
    secret(files.ca, ca),
    secret(files.serviceAccountPublic, keys.publicKey),
    secret(files.serviceAccountPrivate, keys.privateKey),
    secret(files.tokens, `${token},${ADMIN.user},${ADMIN.user},"${ADMIN.groups.join(",")}"\n`),
    secret(files.auditPolicy, JSON.stringify(AUDIT_POLICY)),
    secret(files.admin, kubeconfigText({ server, ca, user: ADMIN.user, credentials: { token } })),
  ]);
  return files;
}
