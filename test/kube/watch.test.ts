import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { connect, KubeFault, type WatchEvent, type WatchOptions } from "../../src/kube/index.ts";
import { type Behaviour, type FakeServer, fakeServer } from "./fakeserver.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Watched {
  readonly server: FakeServer;
  readonly events: WatchEvent[];
  readonly fault: unknown;
  readonly opened: number;
  readonly lastedMs: number;
}

/** One watch to its end, against a server that answers it so. */
async function watch(answer: (response: ServerResponse) => void, asked: Partial<WatchOptions> = {}): Promise<Watched> {
  const instead: NonNullable<Behaviour["instead"]> = (_path, response) => {
    answer(response);
    return true;
  };
  const server = await fakeServer({ objects: [], served: {}, instead });
  const kube = await connect({ kubeconfig: server.kubeconfig });
  open.push(server, kube);
  const events: WatchEvent[] = [];
  let fault: unknown;
  let opened = 0;
  const begun = performance.now();
  try {
    const options = {
      resourceVersion: "5",
      timeoutSeconds: 300,
      idleMs: 30_000,
      signal: new AbortController().signal,
      opened: () => {
        opened += 1;
      },
      ...asked,
    };
    for await (const event of kube.watch("/api/v1/pods", options)) events.push(event);
  } catch (thrown) {
    fault = thrown;
  }
  return { server, events, fault, opened, lastedMs: performance.now() - begun };
}
const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const pod = (name: string) => ({ kind: "Pod", metadata: { name, resourceVersion: "6" } });
const EXPIRED = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version: 5 (90)" };

describe("a watch", () => {
  test("asks for bookmarks, a time limit, and its selectors from where it stands", async () => {
    const { server } = await watch((response) => response.end(), {
      fieldSelector: "status.phase!=Failed",
      timeoutSeconds: 299.6,
      metadataOnly: true,
    });
    const [asked] = server.requests;
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: "5",
      timeoutSeconds: "300",
      fieldSelector: "status.phase!=Failed",
    });
    // A list's form is refused for a watch.
    expect(asked?.accept).toBe("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  });

  test("gives events in order, however they are cut, until the server ends it", async () => {
    const bytes = Buffer.from(
      line("ADDED", pod("→ä𝄞")) + line("BOOKMARK", { metadata: {} }) + line("DELETED", pod("b")),
    );
    const { events, fault, opened } = await watch((response) => {
      response.writeHead(200);
      const next = (at: number) => {
        if (at >= bytes.length) return response.end();
        return response.write(bytes.subarray(at, at + 7), () => setImmediate(next, at + 7));
      };
      next(0);
    });
    expect(fault).toBeUndefined();
    expect(opened).toBe(1);
    expect(events).toEqual([
      { type: "ADDED", object: pod("→ä𝄞") },
      { type: "BOOKMARK", object: { metadata: {} } },
      { type: "DELETED", object: pod("b") },
    ]);
  });

  test("that the server ends in band is a fault of that status, after the events before it", async () => {
    const { events, fault } = await watch((response) =>
      response.writeHead(200).end(line("ADDED", pod("a")) + line("ERROR", EXPIRED) + line("ADDED", pod("b"))),
    );
    expect(events.map(({ object }) => object)).toEqual([pod("a")]);
    expect(fault).toMatchObject({ status: 410, reason: "Expired" });
    expect(String(fault)).toContain("too old resource version: 5 (90)");
  });

  test("that is refused is a fault of that status, and was never open", async () => {
    const { fault, opened } = await watch((response) => response.writeHead(410).end(JSON.stringify(EXPIRED)));
    expect(fault).toMatchObject({ status: 410 });
    expect(opened).toBe(0);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["from the start", () => undefined],
    ["after its head", (response) => response.writeHead(200).flushHeaders()],
    ["after an event", (response) => response.writeHead(200).write(line("ADDED", pod("a")))],
    ["in the middle of an event", (response) => response.writeHead(200).write('{"type":"ADD')],
  ])("on which nothing comes %s is broken off after idleMs", async (_name, answer) => {
    const { fault, lastedMs } = await watch(answer, { idleMs: 150 });
    expect(fault).toBeInstanceOf(KubeFault);
    expect(String(fault)).toContain("was silent for 0.15 s");
    expect(lastedMs).toBeGreaterThan(140);
    expect(lastedMs).toBeLessThan(20_000);
  });

  test("lives as long as something comes within idleMs", async () => {
    const { events, fault, lastedMs } = await watch(
      (response) => {
        response.writeHead(200).flushHeaders();
        let left = 8;
        const timer = setInterval(() => {
          response.write(line("BOOKMARK", {}));
          left -= 1;
          if (left > 0) return;
          clearInterval(timer);
          response.end();
        }, 250);
      },
      { idleMs: 1500 },
    );
    expect(fault).toBeUndefined();
    expect(events).toHaveLength(8);
    expect(lastedMs).toBeGreaterThan(1500);
  });

  test("whose connection breaks is a fault without status", async () => {
    const { events, fault } = await watch((response) => {
      response.writeHead(200).write(line("ADDED", pod("a")), () => setTimeout(() => response.destroy(), 50));
    });
    expect(events).toHaveLength(1);
    expect(fault).toBeInstanceOf(KubeFault);
    expect(fault).toMatchObject({ status: undefined });
    expect(String(fault)).toContain("broke off");
  });

  test.each<[string, string]>([
    ["a page of a proxy", "<html>Sign in</html>\n"],
    ["JSON that is no event", '{"type":"ADDED"}\n'],
    ["an event of no known type", line("SURPRISE", {})],
  ])("that sends %s is a fault", async (_name, text) => {
    const { fault } = await watch((response) => response.writeHead(200).end(text));
    expect(fault).toBeInstanceOf(KubeFault);
  });

  test.each([0, 100])("that is aborted ends without a fault (after %i ms)", async (ms) => {
    const cut = new AbortController();
    if (ms === 0) cut.abort();
    else setTimeout(() => cut.abort(), ms);
    const { fault } = await watch((response) => response.writeHead(200).flushHeaders(), { signal: cut.signal });
    expect(fault).toBeUndefined();
  });
});
