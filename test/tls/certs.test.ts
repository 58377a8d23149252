import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import {
  type CertificateSource,
  caBundle,
  certificatePaths,
  certificatesFromFiles,
  certificatesSelfIssued,
  checkKeyPair,
  issueKeyPair,
  renewalTime,
  secretYaml,
  writeKeyPair,
} from "../../src/certs/index.ts";

const hosts = ["plimsoll.plimsoll-system.svc", "127.0.0.1"];
const open: CertificateSource[] = [];
afterEach(() => {
  for (const source of open.splice(0)) source.stop();
});
const folder = () => mkdtemp(join(tmpdir(), "plimsoll-certs-"));

describe("an issued pair", () => {
  test("is a server certificate signed by its own CA, EC with SHA-256, for the hosts asked", async () => {
    const pair = await issueKeyPair({ hosts, leafDays: 90, caDays: 365 });
    const leaf = new X509Certificate(pair.cert);
    const authority = new X509Certificate(pair.ca ?? "");
    expect(leaf.checkIssued(authority)).toBe(true);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(authority.ca).toBe(true);
    expect(leaf.publicKey.asymmetricKeyType).toBe("ec");
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(checkKeyPair(pair).hosts).toEqual(hosts);
    const days = (checkKeyPair(pair).notAfter.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThanOrEqual(90);
  });

  test("is refused with another pair's key", async () => {
    const [one, other] = await Promise.all([
      issueKeyPair({ hosts, leafDays: 1, caDays: 1 }),
      issueKeyPair({ hosts, leafDays: 1, caDays: 1 }),
    ]);
    expect(() => checkKeyPair({ ...one, key: other.key })).toThrow("does not belong");
  });

  test("becomes a Secret whose data is the pair, and a caBundle that is the CA", async () => {
    const pair = await issueKeyPair({ hosts, leafDays: 1, caDays: 1 });
    const secret = parse(secretYaml("plimsoll-tls", "plimsoll-system", pair));
    expect(secret.type).toBe("kubernetes.io/tls");
    expect(Buffer.from(secret.data["tls.crt"], "base64").toString()).toBe(pair.cert);
    expect(Buffer.from(secret.data["tls.key"], "base64").toString()).toBe(pair.key);
    expect(Buffer.from(caBundle(pair), "base64").toString()).toBe(pair.ca);
  });
});

describe("certificates from files", () => {
  test("a new pair is announced, a broken one is reported and the last good one stays", async () => {
    const dir = await folder();
    const paths = certificatePaths(dir);
    const first = await issueKeyPair({ hosts, leafDays: 1, caDays: 1 });
    await writeKeyPair(dir, first);
    const source = certificatesFromFiles(paths);
    open.push(source);
    const changed = vi.fn();
    const failed = vi.fn();
    expect((await source.start(changed, failed)).cert).toBe(first.cert);

    await writeFile(paths.cert, "not a certificate");
    await vi.waitFor(() => expect(failed).toHaveBeenCalled(), 5_000);
    expect(source.current()?.pair.cert).toBe(first.cert);

    const second = await issueKeyPair({ hosts, leafDays: 1, caDays: 1 });
    await writeKeyPair(dir, second);
    await vi.waitFor(
      () => expect(changed).toHaveBeenCalledWith(expect.objectContaining({ cert: second.cert }), expect.anything()),
      5_000,
    );
    expect(source.current()?.pair.cert).toBe(second.cert);
  });

  test("a CA that comes before its certificate is announced, so that both are trusted when the certificate changes", async () => {
    const dir = await folder();
    const paths = certificatePaths(dir);
    const first = await issueKeyPair({ hosts, leafDays: 1, caDays: 1 });
    const second = await issueKeyPair({ hosts, leafDays: 1, caDays: 1 });
    await writeKeyPair(dir, first);
    const source = certificatesFromFiles(paths);
    open.push(source);
    const changed = vi.fn();
    await source.start(changed, vi.fn());
    const both = `${first.ca}${second.ca}`;
    await writeFile(paths.ca, both);
    await vi.waitFor(
      () =>
        expect(changed).toHaveBeenCalledWith(
          expect.objectContaining({ cert: first.cert, ca: both }),
          expect.anything(),
        ),
      5_000,
    );
    expect(source.current()?.pair.ca).toBe(both);
  });

  test("a missing file fails the start", async () => {
    const source = certificatesFromFiles(certificatePaths(join(await folder(), "nothing")));
    await expect(source.start(vi.fn(), vi.fn())).rejects.toThrow("ENOENT");
  });
});

describe("self-issued certificates", () => {
  test("are kept between starts, with a key that only the owner reads", async () => {
    const dir = await folder();
    const start = async () => {
      const source = certificatesSelfIssued(dir);
      open.push(source);
      return source.start(vi.fn(), vi.fn());
    };
    const first = await start();
    expect((await stat(certificatePaths(dir).key)).mode & 0o777).toBe(0o600);
    expect((await start()).cert).toBe(first.cert);
  });

  test("are made anew when broken, for other hosts, or past two thirds of their life", async () => {
    const dir = await folder();
    const start = async (names: readonly string[]) => {
      const source = certificatesSelfIssued(dir, names);
      open.push(source);
      return source.start(vi.fn(), vi.fn());
    };
    const first = await start(["localhost"]);
    const second = await start(["localhost", "other.example"]);
    expect(second.cert).not.toBe(first.cert);
    await writeFile(certificatePaths(dir).cert, "broken");
    const third = await start(["localhost"]);
    expect(third.cert).not.toBe(second.cert);
    vi.useFakeTimers({ now: renewalTime(checkKeyPair(third)) + 1, toFake: ["Date"] });
    try {
      const fourth = await start(["localhost"]);
      expect(fourth.cert).not.toBe(third.cert);
      expect(await readFile(certificatePaths(dir).cert, "utf8")).toBe(fourth.cert);
    } finally {
      vi.useRealTimers();
    }
  });
});
