import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKeyPair, writeKeyPair } from "../../src/certs/index.ts";
import { arrayAt, type JsonObject, stringAt } from "../../src/model/index.ts";
import { deployment } from "../support/manifests.ts";
import { classFile, gpuNode, plainNode } from "../support/world.ts";
import { type Balancer, startBalancer } from "./support/balancer.ts";
import { isStamped, makeSpace, rolledOut, type Space, startWorld, type World } from "./support/lifecycle.ts";
import type { Replica } from "./support/plimsoll.ts";
import { eventually, itemsOf } from "./support/wait.ts";

const NODES = [gpuNode("h-0"), gpuNode("h-1"), plainNode("c-1")];
/** `makeSpace` asks about a pod of class gang. */
const CLASSES = [classFile("batch"), classFile("gang")];
const SLOW = { timeoutMs: 120_000 };
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/plimsoll-system/leases/plimsoll";
const OUR_WORDS = "the Plimsoll webhook did not answer. Nothing was changed; apply it again when the webhook is back.";
const IMAGE = "vllm/vllm-openai:v0.12.0";

let world: World;
let first: Replica;
/** Reaches the API server through `wire`. */
let second: Replica;
let wire: Balancer;
/** Its connections pass nothing on from shortly after its start, and it gets no new ones; a minute and a half of that is too much for it. */
let deaf: Replica;
let deafWire: Balancer;
let open: Space;
let enrolled: Space;
beforeAll(async () => {
  world = await startWorld({ nodes: NODES, catalogue: { classes: CLASSES } });
  const { cp, plimsoll } = world;
  [first] = plimsoll.replicas as readonly [Replica];
  [wire, deafWire] = await Promise.all([startBalancer(), startBalancer()]);
  const by = (balancer: Balancer): string => {
    balancer.route([Number(new URL(cp.server).port)]);
    const path = join(cp.dir, `kubeconfig-${balancer.port}`);
    const text = readFileSync(plimsoll.kubeconfig, "utf8").replace(cp.server, `https://127.0.0.1:${balancer.port}`);
    writeFileSync(path, text, { mode: 0o600 });
    return `--kubeconfig=${path}`;
  };
  deaf = await plimsoll.start(undefined, [by(deafWire), "--stale-after=90", "--no-controller"]);
  await plimsoll.ready(deaf);
  deafWire.hang();
  // A silent watch alone is given up and begun anew in less time than makes a replica stale.
  deafWire.route([]);
  second = await plimsoll.start(undefined, [by(wire)]);
  await plimsoll.ready(second);
  open = await makeSpace(world, "open");
  enrolled = await makeSpace(world, "enrolled", { "plimsoll.dev/enrolled": "true" });
});
afterAll(async () => {
  try {
    await world?.stop();
  } finally {
    await Promise.all([wire?.close(), deafWire?.close()]);
  }
});

let routed = "";
const routeTo = async (...replicas: readonly Replica[]): Promise<void> => {
  const names = replicas.map(({ name }) => name).join();
  if (names === routed) return;
  routed = names;
  await world.plimsoll.switchTo(replicas);
};
const pathIn = (space: Space) => `/apis/apps/v1/namespaces/${space.name}/deployments`;
let serial = 0;
const classed = (space: Space, name: string, gpus = 1, count = 1): JsonObject =>
  deployment({ name, namespace: space.name, class: "batch", gpus, count, labels: { root: name } });

/** What a replica says now of a workload of this size, which is not made. */
async function verdictAt(replica: Replica, gpus = 4): Promise<string> {
  serial += 1;
  const name = `asked-${serial}`;
  await routeTo(replica);
  await world.cp.api.ask("POST", `${pathIn(open)}?dryRun=All`, classed(open, name, gpus));
  // Its log is written a moment later.
  return eventually(() => {
    const lines = replica.process
      .logs()
      .split("\n")
      .filter((line) => line.includes(`"name":"${name}"`));
    const reviews = lines.map((line) => JSON.parse(line) as JsonObject);
    return stringAt(
      reviews.find((one) => one["webhook"] === "validate"),
      ["verdict"],
    );
  });
}
const says = (replica: Replica, verdict: string, gpus?: number) =>
  eventually(
    async () => {
      const found = await verdictAt(replica, gpus);
      if (found !== verdict) throw new Error(`${replica.name} says ${found}, and not ${verdict}`);
      return true;
    },
    { timeoutMs: 150_000 },
  );

/** Calls that failed and were let pass, or refused for that, since the API server began. */
async function failedCalls(): Promise<readonly string[]> {
  const { text } = await world.cp.api.ask("GET", "/metrics");
  return text
    .split("\n")
    .filter(
      (line) =>
        line.startsWith("apiserver_admission_webhook_fail_open_count{") ||
        (line.startsWith("apiserver_admission_webhook_rejection_count{") && !line.includes('error_type="no_error"')),
    );
}
const failed = { before: [] as readonly string[] };
const noCallFailed = async () => expect(await failedCalls()).toEqual(failed.before);

async function podsOf(space: Space, root: string): Promise<readonly JsonObject[]> {
  return (await space.list("Pod")).filter((pod) => stringAt(pod, ["metadata", "labels", "root"]) === root);
}

describe("the webhook is down", () => {
  beforeAll(async () => {
    await routeTo(first, second);
    for (const space of [open, enrolled]) {
      await space.apply(classed(space, "live"));
      await rolledOut(space, "live");
    }
    await routeTo();
  });
  afterAll(async () => {
    await routeTo(first, second);
    failed.before = await failedCalls();
  });

  test("unclassed work goes on everywhere", async () => {
    for (const space of [open, enrolled]) {
      const made = await space.apply(deployment({ name: "plain", namespace: space.name, gpus: 0, count: 1 }));
      expect(isStamped(made)).toBe(false);
      await rolledOut(space, "plain");
    }
  });

  test("classed work is refused with our words in an enrolled namespace, and admitted as it stands elsewhere", async () => {
    const said = await enrolled.fails(["create", "-f", "-"], classed(enrolled, "late"));
    expect(said).toContain(OUR_WORDS);
    expect(await enrolled.find("Deployment", "late")).toBeUndefined();
    const made = await open.apply(classed(open, "late"));
    expect(isStamped(made)).toBe(false);
    expect(stringAt(made, ["metadata", "annotations", "plimsoll.dev/workload-class"])).toBe("batch");
  });

  test("an edit of classed work is refused in an enrolled namespace only", async () => {
    const edit = ["set", "image", "deployment/live", `main=${IMAGE}`];
    expect(await enrolled.fails(edit)).toContain('failed calling webhook "enrolled.validate.plimsoll.dev"');
    await open.does(edit);
    await rolledOut(open, "live");
  });

  test("scaling, children and deletes go on", async () => {
    for (const space of [open, enrolled]) {
      await space.does(["scale", "deployment/live", "--replicas=2"]);
      await rolledOut(space, "live");
      const [pod] = await podsOf(space, "live");
      const name = stringAt(pod, ["metadata", "name"]) ?? "";
      await space.does(["delete", "pod", name, "--wait=false"]);
      await eventually(async () => {
        const pods = await podsOf(space, "live");
        return pods.length === 2 && pods.every((one) => stringAt(one, ["metadata", "name"]) !== name);
      }, SLOW);
    }
    await enrolled.does(["delete", "deployment", "live", "--wait=false"]);
    await eventually(async () => (await podsOf(enrolled, "live")).length === 0, SLOW);
  });

  test("our own pods come and go", async () => {
    const path = "/api/v1/namespaces/plimsoll-system/pods";
    const before = await itemsOf(world.cp, path);
    const { code, stderr } = await world.cp.kubectl([
      "-n",
      "plimsoll-system",
      "delete",
      "pods",
      "-l",
      "app.kubernetes.io/name=plimsoll",
      "--wait=false",
    ]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const uids = new Set(before.map((pod) => stringAt(pod, ["metadata", "uid"])));
    expect(uids.size).toBe(2);
    await eventually(async () => {
      const pods = await itemsOf(world.cp, path);
      return pods.length === 2 && pods.every((pod) => !uids.has(stringAt(pod, ["metadata", "uid"])));
    }, SLOW);
  });

  test("what was refused is applied again when the webhook is back", async () => {
    await routeTo(first, second);
    expect(isStamped(await enrolled.apply(classed(enrolled, "late")))).toBe(true);
  });
});

describe("a replica that hears nothing any more", () => {
  test("says unknown and why, once that lasts longer than it may", async () => {
    await routeTo(deaf);
    await says(deaf, "unknown");
    const { stderr } = await open.kubectl(["create", "--dry-run=server", "-f", "-"], classed(open, "asked", 8));
    expect(stderr).toMatch(
      /Warning: DataMissing: the cluster was last heard of \d+ s ago, so where this can run is not known/,
    );
    expect((await deaf.readyz()).status).toBe(200);
    await noCallFailed();
  });
});

describe("the leader is paused", () => {
  test("the other replica takes over and answers; what wakes up has lost the lease, and does nothing more", async () => {
    const holder = async () => stringAt(await world.cp.api.send("GET", LEASE), ["spec", "holderIdentity"]);
    expect(await holder()).toBe(first.name);
    first.process.pause();
    try {
      await routeTo(second);
      expect(isStamped(await enrolled.apply(classed(enrolled, "led")))).toBe(true);
      await eventually(async () => (await holder()) === second.name, SLOW);
      // Beyond capacity, so there is something to tell.
      await enrolled.apply(classed(enrolled, "waits", 4, 5));
    } finally {
      first.process.resume();
    }
    await eventually(
      () => first.logs().some((line) => stringAt(line, ["msg"])?.startsWith("Lost the lease plimsoll-system/plimsoll")),
      SLOW,
    );
    const events = async () =>
      (await itemsOf(world.cp, `/apis/events.k8s.io/v1/namespaces/${enrolled.name}/events`)).filter(
        (event) =>
          stringAt(event, ["reportingController"]) === "plimsoll.dev/controller" &&
          stringAt(event, ["regarding", "name"]) === "waits",
      );
    await eventually(async () => (await events()).length > 0, SLOW);
    // It follows the cluster again, which is what it would tell from.
    await says(first, "busy");
    const renewed = stringAt(await world.cp.api.send("GET", LEASE), ["spec", "renewTime"]);
    await eventually(
      async () => stringAt(await world.cp.api.send("GET", LEASE), ["spec", "renewTime"]) !== renewed,
      SLOW,
    );
    expect(await holder()).toBe(second.name);
    expect(new Set((await events()).map((event) => stringAt(event, ["reportingInstance"])))).toEqual(
      new Set([second.name]),
    );
    expect(first.logs().filter((line) => stringAt(line, ["msg"])?.startsWith("Leading:"))).toHaveLength(1);
    await enrolled.does(["delete", "deployment", "waits"]);
    await says(first, "fits");
    await noCallFailed();
  });
});

describe("certificates are rotated, to another CA too", () => {
  test("no review fails where the CA comes before its certificate", async () => {
    const { cp, plimsoll } = world;
    await routeTo(first, second);
    const file = join(plimsoll.folder, "ca.crt");
    const trust = async (text: string): Promise<void> => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
      const wanted = Buffer.from(text).toString("base64");
      for (const kind of ["mutating", "validating"])
        await eventually(async () => {
          const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/plimsoll`;
          const webhooks = arrayAt(await cp.api.send("GET", path), ["webhooks"]);
          return webhooks.every((one) => stringAt(one, ["clientConfig", "caBundle"]) === wanted);
        }, SLOW);
      // The API server follows its own configurations through a watch.
      await new Promise((settle) => setTimeout(settle, 1_000));
    };
    let isOver = false;
    let made = 0;
    const wrong: string[] = [];
    const load = async () => {
      while (!isOver) {
        made += 1;
        const { status, body, text } = await cp.api.ask(
          "POST",
          `${pathIn(enrolled)}?dryRun=All`,
          classed(enrolled, `rotated-${made}`),
        );
        if (status !== 201 || !isStamped(body)) wrong.push(`${status} ${text.slice(0, 500)}`);
      }
    };
    const loads = [load(), load()];
    try {
      const before = readFileSync(file, "utf8");
      const after = await issueKeyPair({ hosts: ["127.0.0.1", "localhost"], leafDays: 1, caDays: 1 });
      const both = `${before.trimEnd()}\n${after.ca}`;
      await trust(both);
      await writeKeyPair(plimsoll.folder, { ...after, ca: both });
      for (const { port } of [first, second])
        await eventually(
          async () => (await servedBy(port)) === after.cert.replaceAll(/-----[A-Z ]+-----|\s/g, ""),
          SLOW,
        );
      await trust(after.ca ?? "");
    } finally {
      isOver = true;
      await Promise.all(loads);
    }
    // Connections from before the change are gone, and new ones are trusted.
    await routeTo(second);
    await routeTo(first, second);
    expect(isStamped(await enrolled.apply(classed(enrolled, "trusted")))).toBe(true);
    expect(wrong).toEqual([]);
    expect(made).toBeGreaterThan(10);
    await noCallFailed();
  });
});

/** The certificate that a server shows, base64 of its DER. */
function servedBy(port: number): Promise<string> {
  return new Promise((settle, reject) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      settle(socket.getPeerCertificate().raw.toString("base64"));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

describe("the cluster is away for a while", () => {
  test("etcd stands still: what was asked meanwhile is answered, and no review of ours fails", async () => {
    await routeTo(first, second);
    const etcd = world.cp.process("etcd");
    etcd.pause();
    const asked = world.cp.api.ask("POST", pathIn(open), classed(open, "frozen"));
    await new Promise((settle) => setTimeout(settle, 5_000));
    etcd.resume();
    await asked;
    // Whatever became of it while nothing could be written.
    const made = await eventually(async () => {
      await open.kubectl(["apply", "-f", "-"], classed(open, "frozen"));
      return open.find("Deployment", "frozen");
    }, SLOW);
    expect(isStamped(made)).toBe(true);
    for (const replica of [first, second]) await says(replica, "fits");
    await noCallFailed();
  });

  test("a replica whose watches were silent has given them up by itself, and knows again once it may connect", async () => {
    // Nothing passes on its old connections; those that are hung stay so.
    deafWire.route([Number(new URL(world.cp.server).port)]);
    await says(deaf, "fits");
    await noCallFailed();
  });

  test("watches that are cut go on where they were, and what happens then is known", async () => {
    await open.does(["delete", "deployment", "late", "frozen", "live"]);
    await enrolled.does(["delete", "deployment", "late", "led", "trusted"]);
    await says(second, "fits", 8);
    wire.cut();
    await open.apply(classed(open, "cut", 8, 2));
    await rolledOut(open, "cut");
    await says(second, "busy", 8);
    await open.does(["delete", "deployment", "cut"]);
    await says(second, "fits", 8);
    await noCallFailed();
  });

  test("the API server is restarted: it is answered right from its first request on", async () => {
    const leaseHolder = async () => stringAt(await world.cp.api.send("GET", LEASE), ["spec", "holderIdentity"]);
    await routeTo(first, second);
    await world.cp.process("kube-apiserver").restart();
    failed.before = [];
    const made = await eventually(async () => {
      await enrolled.kubectl(["apply", "-f", "-"], classed(enrolled, "after", 8, 2));
      return enrolled.find("Deployment", "after");
    }, SLOW);
    expect(isStamped(made)).toBe(true);
    await rolledOut(enrolled, "after");
    for (const replica of [first, second]) await says(replica, "busy", 8);
    await enrolled.does(["delete", "deployment", "after"]);
    for (const replica of [first, second]) await says(replica, "fits", 8);
    await eventually(async () => [first.name, second.name].includes((await leaseHolder()) ?? ""), SLOW);
    await noCallFailed();
  });
});
