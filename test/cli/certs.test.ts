import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { folderOf, plimsoll } from "./plimsoll.ts";

describe("certs issue", () => {
  test("writes a certificate that a client of its CA trusts", async () => {
    const folder = folderOf({});
    const { status, out } = await plimsoll(["certs", "issue", "--dir", folder, "--host", "localhost", "--days", "2"]);
    expect(status).toBe(0);
    expect(out).toMatch(new RegExp(`^Wrote ${folder}/tls\\.crt, .* for localhost, good until \\d{4}-\\d\\d-\\d\\dT`));
    const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");
    const days = (Date.parse(new X509Certificate(read("tls.crt")).validTo) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.9);
    expect(days).toBeLessThan(2.1);
    expect(statSync(`${folder}/tls.key`).mode & 0o077).toBe(0);

    const server = createServer({ cert: read("tls.crt"), key: read("tls.key") });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const { port } = server.address() as AddressInfo;
    const trusted = await new Promise<boolean>((resolve, reject) => {
      const socket = connect({ host: "localhost", servername: "localhost", port, ca: read("ca.crt") }, () => {
        resolve(socket.authorized);
        socket.destroy();
      });
      socket.on("error", reject);
    });
    server.close();
    expect(trusted).toBe(true);
  });

  test("--secret prints a Secret, and its caBundle beside it", async () => {
    const { status, out, err } = await plimsoll([
      "certs",
      "issue",
      "--secret",
      "--name",
      "tls",
      "--namespace",
      "guard",
    ]);
    expect(status).toBe(0);
    const secret = parse(out);
    expect(secret).toMatchObject({
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/tls",
      metadata: { name: "tls", namespace: "guard" },
    });
    const decoded = (text: string) => Buffer.from(text, "base64").toString("utf8");
    const certificate = new X509Certificate(decoded(secret.data["tls.crt"]));
    expect(certificate.subjectAltName).toContain("DNS:plimsoll.guard.svc");
    const bundle = err.trim().split("\n").at(-1) ?? "";
    expect(certificate.verify(new X509Certificate(decoded(bundle)).publicKey)).toBe(true);
  });

  test.each(["0", "soon", "99999"])("--days %s is refused", async (days) => {
    expect(await plimsoll(["certs", "issue", "--secret", "--days", days])).toMatchObject({ status: 2, out: "" });
  });
});
