import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Clock, connect, type Kube, SYSTEM_CLOCK } from "../../src/kube/index.ts";
import { type Asked, type Behaviour, type FakeServer, fakeServer, TOKEN } from "./fakeserver.ts";
import { until } from "./liveserver.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const SLEPT: number[] = [];
const CLOCK: Clock = {
  ...SYSTEM_CLOCK,
  random: () => 0.5,
  sleep: async (ms) => {
    SLEPT.push(ms);
  },
};

async function serve(instead: NonNullable<Behaviour["instead"]>): Promise<{ server: FakeServer; kube: Kube }> {
  const server = await fakeServer({ objects: [], served: {}, instead });
  const kube = await connect({ kubeconfig: server.kubeconfig }, CLOCK);
  SLEPT.length = 0;
  open.push(server, kube);
  return { server, kube };
}
const reply = (body: object, status = 200, headers: Record<string, string> = {}): NonNullable<Behaviour["instead"]> => {
  return (_path, response) => {
    response.writeHead(status, headers).end(JSON.stringify(body));
    return true;
  };
};

describe("writes", () => {
  const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ä" }, data: { text: "ä→\n" } };
  const PATH = "/api/v1/namespaces/a/configmaps";
  test.each<[string, (kube: Kube) => Promise<unknown>, Partial<Asked> & { readonly search: string }]>([
    ["create", (kube) => kube.create(PATH, OBJECT), { method: "POST", contentType: "application/json", search: "" }],
    [
      "create as a dry run",
      (kube) => kube.create(PATH, OBJECT, { dryRun: true }),
      { method: "POST", contentType: "application/json", search: "?dryRun=All" },
    ],
    [
      "replace",
      (kube) => kube.replace(`${PATH}/x`, OBJECT),
      { method: "PUT", contentType: "application/json", search: "" },
    ],
    [
      "apply",
      (kube) => kube.apply(`${PATH}/x`, OBJECT, { fieldManager: "plimsoll-ca", force: true, dryRun: true }),
      {
        method: "PATCH",
        contentType: "application/apply-patch+yaml",
        search: "?fieldManager=plimsoll-ca&force=true&dryRun=All",
      },
    ],
    [
      "apply without force",
      (kube) => kube.apply(`${PATH}/x`, OBJECT, { fieldManager: "plimsoll" }),
      { method: "PATCH", contentType: "application/apply-patch+yaml", search: "?fieldManager=plimsoll" },
    ],
    [
      "mergePatch",
      (kube) => kube.mergePatch(`${PATH}/x`, OBJECT),
      { method: "PATCH", contentType: "application/merge-patch+json", search: "" },
    ],
  ])("%s sends the object whole and gives what the server made of it", async (_name, write, expected) => {
    const { server, kube } = await serve(reply({ kind: "ConfigMap", made: true }, 201));
    expect(await write(kube)).toEqual({ kind: "ConfigMap", made: true });
    const [asked] = server.requests;
    expect({ ...asked, search: asked?.url.search }).toMatchObject({ ...expected, body: JSON.stringify(OBJECT) });
  });

  test("remove names the object that is meant, and how what it owns goes", async () => {
    const { server, kube } = await serve(reply({ kind: "Status", status: "Success" }));
    const options = { uid: "u", resourceVersion: "7", propagation: "Background", dryRun: true } as const;
    expect(await kube.remove(`${PATH}/x`, options)).toBe(true);
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      preconditions: { uid: "u", resourceVersion: "7" },
      propagationPolicy: "Background",
      dryRun: ["All"],
    });
  });

  test("what is not there is read as undefined and removed as false", async () => {
    const { kube } = await serve(reply({ kind: "Status", reason: "NotFound", message: "not found" }, 404));
    expect(await kube.read(`${PATH}/x`)).toBeUndefined();
    expect(await kube.remove(`${PATH}/x`)).toBe(false);
    await expect(kube.mergePatch(`${PATH}/x`, {})).rejects.toMatchObject({ status: 404, reason: "NotFound" });
  });

  test("a conflict is a fault with its reason, so that it is told from a name that is taken", async () => {
    const { kube } = await serve(reply({ kind: "Status", reason: "AlreadyExists", message: "there already" }, 409));
    await expect(kube.create(PATH, OBJECT)).rejects.toMatchObject({ status: 409, reason: "AlreadyExists" });
  });
});

describe("a server that is busy", () => {
  test.each([429, 503])("with %i and Retry-After is asked again for reads, after that time", async (status) => {
    let times = 0;
    const { server, kube } = await serve((path, response, asked) => {
      times += 1;
      return reply({ times }, times < 3 ? status : 200, times < 3 ? { "retry-after": "2" } : {})(path, response, asked);
    });
    expect(await kube.get("/version")).toEqual({ times: 3 });
    expect(server.requests).toHaveLength(3);
    expect(SLEPT).toEqual([2000, 2000]);
  });

  test("is asked four times at most, and waited for ten seconds at most", async () => {
    const { server, kube } = await serve(reply({ message: "later" }, 429, { "retry-after": "3600" }));
    await expect(kube.get("/version")).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(4);
    expect(SLEPT).toEqual([10_000, 10_000, 10_000]);
  });

  test.each<[string, (kube: Kube) => Promise<unknown>]>([
    ["create", (kube) => kube.create("/x", {})],
    ["replace", (kube) => kube.replace("/x", {})],
    ["apply", (kube) => kube.apply("/x", {}, { fieldManager: "m" })],
    ["mergePatch", (kube) => kube.mergePatch("/x", {})],
    ["remove", (kube) => kube.remove("/x")],
  ])("is not sent a write twice: %s", async (_name, write) => {
    const { server, kube } = await serve(reply({ message: "later" }, 503, { "retry-after": "1" }));
    await expect(write(kube)).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  test("without Retry-After is not asked again", async () => {
    const { server, kube } = await serve(reply({ message: "down" }, 503));
    await expect(kube.get("/version")).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a token in a file", () => {
  test("that was replaced is read again at the first refusal, for writes too", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "plimsoll-kube-")), "token");
    await writeFile(file, `${TOKEN}\n`);
    let token = TOKEN;
    const server = await fakeServer({ objects: [], served: {}, token: () => token, instead: reply({ ok: true }) });
    const user = { "auth-provider": { name: "tokenFile", config: { tokenFile: file } } };
    const kube = await connect({ kubeconfig: await server.writeKubeconfig({ user }) });
    open.push(server, kube);
    expect(await kube.get("/version")).toEqual({ ok: true });
    token = "the-next-token";
    await expect(kube.get("/version")).rejects.toMatchObject({ status: 401 });
    await writeFile(file, "the-next-token");
    expect(await kube.create("/x", {})).toEqual({ ok: true });
    expect(await kube.get("/version")).toEqual({ ok: true });
    expect(server.requests.length).toBe(6);
  });
});

test("requests run beside watches that stay open", async () => {
  const held: string[] = [];
  const { kube } = await serve((path, response, asked) => {
    if (!asked.url.searchParams.has("watch")) return reply({ path })(path, response, asked);
    held.push(path);
    response.writeHead(200).flushHeaders();
    return true;
  });
  let opened = 0;
  const cuts = Array.from({ length: 40 }, () => new AbortController());
  const watches = cuts.map(async ({ signal }, index) => {
    const watch = { resourceVersion: "1", timeoutSeconds: 60, idleMs: 60_000, signal };
    const note = () => {
      opened += 1;
    };
    for await (const event of kube.watch(`/w${index}`, { ...watch, opened: note })) expect(event).toBeUndefined();
  });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => kube.get(`/r${index}`)));
  expect(answers.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, index) => `/r${index}`));
  await until(() => opened === 40, "all watches are open");
  for (const cut of cuts) cut.abort();
  await Promise.all(watches);
  expect(held).toHaveLength(40);
});
