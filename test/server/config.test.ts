import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MIN_STALE_SECONDS, type ServeFlags, serveConfig, VERSION, wantsColour } from "../../src/config.ts";
import { TIMINGS } from "../../src/kube/reflector.ts";

test("the version is the package's", () => {
  expect(VERSION).toBe((JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version);
});

describe("serveConfig", () => {
  test("has defaults for everything", () => {
    expect(serveConfig({}, {})).toEqual({
      host: "0.0.0.0",
      port: 8443,
      probePort: 8080,
      policies: "policies",
      platform: undefined,
      cluster: [],
      live: undefined,
      certificate: { kind: "local", folder: "certs" },
      maxSteps: 200_000,
      drainMs: 8_000,
      logLevel: "info",
    });
  });

  test("a flag wins over its variable, a variable over the default", () => {
    const environment = { PLIMSOLL_PORT: "9443", PLIMSOLL_HOST: "::", PLIMSOLL_CLUSTER: "a.yaml,b.yaml" };
    expect(serveConfig({ port: "7443" }, environment)).toMatchObject({
      port: 7443,
      host: "::",
      cluster: ["a.yaml", "b.yaml"],
    });
  });

  test("a kubeconfig means a live cluster; the pod tells namespace and name by the environment", () => {
    const environment = { PLIMSOLL_NAMESPACE: "plimsoll", PLIMSOLL_IDENTITY: "plimsoll-abc" };
    expect(serveConfig({ kubeconfig: "admin.conf" }, environment).live).toEqual({
      kubeconfig: "admin.conf",
      context: undefined,
      controller: true,
      namespace: "plimsoll",
      identity: "plimsoll-abc",
      companionGraceMs: 600_000,
      staleMs: 120_000,
    });
    expect(serveConfig({ live: true, controller: false, staleAfter: "90" }, environment).live).toMatchObject({
      kubeconfig: undefined,
      controller: false,
      staleMs: 90_000,
    });
  });

  test("what contradicts itself, or would do nothing, is refused", () => {
    expect(() => serveConfig({ live: true, cluster: ["a.yaml"] }, {})).toThrow(/--cluster names files and --live/);
    expect(() => serveConfig({ staleAfter: "5" }, {})).toThrow("--stale-after is of use only with --live");
  });

  test("less patience than a quiet watch needs is refused, with the reason", () => {
    expect(() => serveConfig({ live: true, staleAfter: "60" }, {})).toThrow(
      "--stale-after 60: expected at least 90 seconds, since the watches of a quiet cluster may rightly be silent",
    );
    expect(1000 * MIN_STALE_SECONDS).toBeGreaterThanOrEqual(TIMINGS.idleMs + 10_000);
  });

  test("a certificate and key together are files", () => {
    expect(serveConfig({ tlsCert: "a", tlsKey: "b" }, {}).certificate).toEqual({
      kind: "files",
      cert: "a",
      key: "b",
      ca: undefined,
    });
  });

  test.each<[ServeFlags, string]>([
    [{ port: "eighty" }, "--port eighty: expected a whole number from 0 to 65535"],
    [{ port: "65536" }, "--port 65536: expected a whole number from 0 to 65535"],
    [{ maxSteps: "0" }, "--max-steps 0: expected a whole number from 1"],
    [{ drain: "-1" }, "--drain -1: expected"],
    [{ logLevel: "loud" }, "--log-level loud: expected one of trace"],
    [{ tlsCert: "a" }, "--tls-key is missing"],
    [{ tlsKey: "a" }, "--tls-cert is missing"],
  ])("%j is refused: %s", (flags, message) => {
    expect(() => serveConfig(flags, {})).toThrow(message);
  });
});

describe("wantsColour", () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
  ])("terminal %s, environment %j: %s", (isTTY, environment, expected) => {
    expect(wantsColour({ isTTY }, environment)).toBe(expected);
  });
});
