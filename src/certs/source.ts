import { type FSWatcher, watch } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CertificateFacts, checkKeyPair, issueKeyPair, type KeyPair } from "./issue.ts";

/** Where the server's certificate comes from. `start` gives the first pair or throws; later ones are announced. */
export interface CertificateSource {
  start(onChange: (pair: KeyPair, facts: CertificateFacts) => void, onFault: (fault: Error) => void): Promise<KeyPair>;
  current(): { readonly pair: KeyPair; readonly facts: CertificateFacts } | undefined;
  stop(): void;
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
}

const POLL_MS = 10_000;
const SETTLE_MS = 200;

/**
 * A pair mounted as files (a Secret volume swaps a symlink, so folders are watched, and polled where events get lost).
 * A pair that cannot be read or does not match is reported and the last good one stays.
 */
export function certificatesFromFiles(files: CertificateFiles): CertificateSource {
  let held: { pair: KeyPair; facts: CertificateFacts } | undefined;
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;

  const read = async (): Promise<{ pair: KeyPair; facts: CertificateFacts }> => {
    const [cert, key, ca] = await Promise.all([
      readFile(files.cert, "utf8"),
      readFile(files.key, "utf8"),
      files.ca === undefined ? undefined : readFile(files.ca, "utf8").catch(() => undefined),
    ]);
    const pair = { cert, key, ca };
    return { pair, facts: checkKeyPair(pair) };
  };

  return {
    async start(onChange, onFault) {
      held = await read();
      const reload = async () => {
        try {
          const next = await read();
          // Also where only the CA changed: before a certificate of a new one is served, both are to be trusted.
          if (held !== undefined && samePair(next.pair, held.pair)) return;
          held = next;
          onChange(next.pair, next.facts);
        } catch (fault) {
          onFault(fault instanceof Error ? fault : new Error(String(fault)));
        }
      };
      const settle = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void reload(), SETTLE_MS);
      };
      const folders = [files.cert, files.key, ...(files.ca === undefined ? [] : [files.ca])].map(dirname);
      watchers = [...new Set(folders)].map((folder) => watch(folder, { persistent: false }, settle));
      poll = setInterval(() => void reload(), POLL_MS);
      poll.unref();
      return held.pair;
    },
    current: () => held,
    stop() {
      for (const one of watchers) one.close();
      clearTimeout(timer);
      clearInterval(poll);
    },
  };
}

const samePair = (one: KeyPair, other: KeyPair): boolean =>
  one.cert === other.cert && one.key === other.key && one.ca === other.ca;

export const LOCAL_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "::1"];
const LOCAL_LEAF_DAYS = 90;
const RENEW_CHECK_MS = 3_600_000;

export function certificatePaths(folder: string): Required<CertificateFiles> {
  return { cert: join(folder, "tls.crt"), key: join(folder, "tls.key"), ca: join(folder, "ca.crt") };
}

/** Writes a pair as tls.crt, tls.key (mode 0600) and ca.crt, each by rename so that no reader sees half a file. */
export async function writeKeyPair(folder: string, pair: KeyPair): Promise<void> {
  await mkdir(folder, { recursive: true });
  const paths = certificatePaths(folder);
  const put = async (path: string, text: string, mode: number) => {
    await writeFile(`${path}.new`, text, { mode });
    await rename(`${path}.new`, path);
  };
  await put(paths.key, pair.key, 0o600);
  await put(paths.cert, pair.cert, 0o644);
  if (pair.ca !== undefined) await put(paths.ca, pair.ca, 0o644);
}

/**
 * For local use: a self-issued pair kept in `folder`, made when it is missing, broken, for other hosts, or past two
 * thirds of its life; checked every hour while serving.
 */
export function certificatesSelfIssued(folder: string, hosts: readonly string[] = LOCAL_HOSTS): CertificateSource {
  let held: { pair: KeyPair; facts: CertificateFacts } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const ensure = async (): Promise<boolean> => {
    const paths = certificatePaths(folder);
    try {
      const [cert, key, ca] = await Promise.all([
        readFile(paths.cert, "utf8"),
        readFile(paths.key, "utf8"),
        readFile(paths.ca, "utf8"),
      ]);
      const pair = { cert, key, ca };
      const facts = checkKeyPair(pair);
      const covered = hosts.every((host) => facts.hosts.some((known) => sameHost(known, host)));
      if (covered && Date.now() < renewalTime(facts)) {
        const changed = held?.pair.cert !== cert;
        held = { pair, facts };
        return changed;
      }
    } catch {
      // Missing or broken: made anew below.
    }
    const pair = await issueKeyPair({ hosts, leafDays: LOCAL_LEAF_DAYS, caDays: 365 });
    await writeKeyPair(folder, pair);
    held = { pair, facts: checkKeyPair(pair) };
    return true;
  };

  return {
    async start(onChange, onFault) {
      await ensure();
      timer = setInterval(() => {
        ensure().then(
          (changed) => changed && held !== undefined && onChange(held.pair, held.facts),
          (fault: unknown) => onFault(fault instanceof Error ? fault : new Error(String(fault))),
        );
      }, RENEW_CHECK_MS);
      timer.unref();
      if (held === undefined) throw new Error("no certificate was issued");
      return held.pair;
    },
    current: () => held,
    stop: () => clearInterval(timer),
  };
}

/** Two thirds of the certificate's life. */
export function renewalTime(facts: CertificateFacts): number {
  return facts.notBefore.getTime() + ((facts.notAfter.getTime() - facts.notBefore.getTime()) * 2) / 3;
}

function sameHost(known: string, wanted: string): boolean {
  if (known === wanted) return true;
  // Node prints ::1 as 0:0:0:0:0:0:0:1.
  return wanted === "::1" && /^(0:){7}1$/.test(known);
}
