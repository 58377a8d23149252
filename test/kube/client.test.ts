import { afterEach, describe, expect, test } from "vitest";
import { issueKeyPair } from "../../src/certs/index.ts";
import { connect, KubeFault } from "../../src/kube/index.ts";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import { type Behaviour, type FakeServer, fakeServer } from "./fakeserver.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
const nodes = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ kind: "Node", metadata: { name: `n${index}`, uid: "u".repeat(40) } }));
async function serve(behaviour: Partial<Behaviour>): Promise<FakeServer> {
  const server = await fakeServer({ objects: [], served: { "/api/v1": { nodes: "Node" } }, ...behaviour });
  servers.push(server);
  return server;
}
async function listNodes(server: FakeServer, change: { kubeconfig?: string; timeoutMs?: number } = {}) {
  const kube = await connect({ kubeconfig: server.kubeconfig, ...change });
  try {
    return await kube.list("/api/v1/nodes", (item) => stringAt(item, ["metadata", "name"]));
  } finally {
    kube.close();
  }
}
async function faultOf(promise: Promise<unknown>): Promise<KubeFault> {
  const fault = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(fault instanceof KubeFault)) throw new Error(`expected a KubeFault, got ${String(fault)}`);
  return fault;
}

describe("a list", () => {
  test("is asked for in pages of 500, and every object comes once, in order", async () => {
    const server = await serve({ objects: nodes(1201) });
    expect(await listNodes(server)).toEqual(Array.from({ length: 1201 }, (_, index) => `n${index}`));
    expect(server.requests.map(({ url }) => url.search)).toEqual([
      "?limit=500",
      "?limit=500&continue=500",
      "?limit=500&continue=1000",
    ]);
  });

  test("that expires between two pages starts anew, without what it had", async () => {
    const server = await serve({ objects: nodes(9), pageSize: 4, expires: 1 });
    expect(await listNodes(server)).toEqual(nodes(9).map((_, index) => `n${index}`));
    expect(server.requests).toHaveLength(2 + 3);
  });

  test("that expires again is a fault of status 410", async () => {
    const fault = await faultOf(listNodes(await serve({ objects: nodes(9), pageSize: 4, expires: 2 })));
    expect(fault.status).toBe(410);
    expect(fault.message).toContain("expired twice");
  });

  test("whose page names itself as the next one ends", async () => {
    const server = await serve({
      instead: (path, response) => {
        response.end(JSON.stringify({ kind: "NodeList", metadata: { continue: "again" }, items: [] }));
        return path !== "";
      },
    });
    expect((await faultOf(listNodes(server))).message).toContain("does not end");
    expect(server.requests).toHaveLength(2);
  });
});

describe("what goes wrong is a KubeFault with the status and words for a person", () => {
  test("a token that is not taken", async () => {
    const server = await serve({});
    const fault = await faultOf(listNodes(server, { kubeconfig: await server.writeKubeconfig({ token: "other" }) }));
    expect(fault.status).toBe(401);
    expect(fault.message).toContain("does not take the credentials of context test");
  });

  test.each<[number, Partial<Behaviour>, string]>([
    [403, { forbidden: ["/api/v1/nodes"] }, 'User "tester" cannot list it'],
    [404, { served: {} }, "could not find the requested resource"],
  ])("a Status of %i", async (status, behaviour, words) => {
    const fault = await faultOf(listNodes(await serve(behaviour)));
    expect(fault.status).toBe(status);
    expect(fault.message).toContain(words);
  });

  test.each<[string, number, string, string]>([
    ["a page of a proxy", 502, "<html>Bad gateway</html>", "no Status of the Kubernetes API"],
    ["a login page", 200, "<html>Sign in</html>", "no Status of the Kubernetes API"],
    ["an object that is no list", 200, '{"kind":"Node"}', "something that is no list"],
    ["a list whose items are none", 200, '{"kind":"NodeList","items":{}}', "something that is no list"],
  ])("%s", async (_name, status, body, words) => {
    const server = await serve({
      instead: (_path, response) => {
        response.writeHead(status).end(body);
        return true;
      },
    });
    expect((await faultOf(listNodes(server))).message).toContain(words);
  });

  test("a server that does not answer in time", async () => {
    const server = await serve({ instead: () => true });
    const fault = await faultOf(listNodes(server, { timeoutMs: 200 }));
    expect(fault.message).toContain("did not answer within 0.2 s to GET /api/v1/nodes");
    expect(fault.status).toBeUndefined();
  });

  test("a server that stops in the middle of its answer", async () => {
    const server = await serve({
      instead: (_path, response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"kind":', () => response.destroy());
        return true;
      },
    });
    expect((await faultOf(listNodes(server))).message).toContain("cannot be reached");
  });

  test("a certificate that another authority signed", async () => {
    const server = await serve({});
    const { ca } = await issueKeyPair({ hosts: ["127.0.0.1"], leafDays: 1, caDays: 1 });
    const kubeconfig = await server.writeKubeconfig(ca === undefined ? {} : { ca });
    const fault = await faultOf(listNodes(server, { kubeconfig }));
    expect(fault.message).toMatch(/cannot be reached: .*(certificate|signature)/);
    expect(server.requests).toEqual([]);
  });

  test("nobody at the address", async () => {
    const server = await serve({});
    const kubeconfig = await server.writeKubeconfig({ server: "https://127.0.0.1:1" });
    expect((await faultOf(listNodes(server, { kubeconfig }))).message).toMatch(
      /127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
    );
  });
});
