import { caBundle, checkKeyPair, issueKeyPair, LOCAL_HOSTS, secretYaml, writeKeyPair } from "../../certs/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";

export interface IssueFlags {
  readonly dir: string;
  readonly host?: readonly string[];
  readonly days: string;
  readonly secret?: boolean;
  readonly name: string;
  readonly namespace: string;
}

const SERVICE = "plimsoll";

export async function issueCommand(flags: IssueFlags, io: Io): Promise<number> {
  const days = /^\d{1,4}$/.test(flags.days) ? Number(flags.days) : 0;
  if (days < 1 || days > 3650) throw new UsageFault(`--days ${flags.days}: expected a whole number from 1 to 3650`);
  const service = `${SERVICE}.${flags.namespace}.svc`;
  const hosts =
    flags.host ??
    (flags.secret === true ? [service, `${service}.cluster.local`, `${SERVICE}.${flags.namespace}`] : LOCAL_HOSTS);
  const pair = await issueKeyPair({ hosts, leafDays: days, caDays: Math.max(365, days) });
  if (flags.secret === true) {
    io.out(secretYaml(flags.name, flags.namespace, pair));
    io.err(`# caBundle for the webhook configurations:\n${caBundle(pair)}\n`);
    return EXIT.ok;
  }
  await writeKeyPair(flags.dir, pair);
  io.out(
    `Wrote ${flags.dir}/tls.crt, ${flags.dir}/tls.key and ${flags.dir}/ca.crt for ${hosts.join(", ")}, good until ${checkKeyPair(pair).notAfter.toISOString()}.\n`,
  );
  return EXIT.ok;
}
