import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { arrayAt, type JsonObject, stringAt } from "../../src/model/index.ts";
import { DEMO, EXAMPLES, folderOf, plimsoll } from "./plimsoll.ts";

describe("topology show", () => {
  test("draws the demo cluster as agreed", async () => {
    const { status, out, err } = await plimsoll(["topology", "show", "--cluster", DEMO]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    await expect(out).toMatchFileSnapshot("../golden/explain/topology-show.txt");
  });

  test.each(["training-gang-block", "training-jobset", "training-gang-rack"])(
    "marks what %s would take",
    async (name) => {
      const args = ["topology", "show", "--cluster", DEMO, "--for", `${EXAMPLES}/${name}.yaml`];
      const { status, out, err } = await plimsoll(args);
      expect({ status, err }).toEqual({ status: 0, err: "" });
      await expect(out).toMatchFileSnapshot(`../golden/explain/topology-for-${name}.txt`);
    },
  );

  test("draws the tree all the same where nothing of the file has a class", async () => {
    const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n";
    const { status, out, err } = await plimsoll(["topology", "show", "--cluster", DEMO, "--for", "-"], pod);
    expect(status).toBe(0);
    expect(out).not.toContain("TAKES");
    expect(err).toBe("-: no object names a workload class (annotation plimsoll.dev/workload-class)\n");
  });

  test("counts another resource, down to another level", async () => {
    const args = ["topology", "show", "--cluster", DEMO];
    const zones = await plimsoll([...args, "--level", "zone", "--resource", "cpu"]);
    expect(zones.out).toMatch(/^DOMAIN +NODES +WHOLLY FREE +FREE cpu +TOTAL$/m);
    expect(zones.out).not.toMatch(/^ +block/m);
    const hosts = await plimsoll([...args, "--level", "host"]);
    expect(hosts.out).toMatch(/^ {6}host p5-a1-r1-01 /m);
  });

  test("says which levels there are", async () => {
    const { status, err } = await plimsoll(["topology", "show", "--cluster", DEMO, "--level", "row"]);
    expect(status).toBe(2);
    expect(err).toMatch(/^--level row: expected a level of layout \S+: zone, block, rack, host\n$/);
  });

  test("says that nothing offers a resource", async () => {
    const { out } = await plimsoll(["topology", "show", "--cluster", DEMO, "--resource", "example.com/none"]);
    expect(out).toMatch(/^63 nodes, none with example\.com\/none$/m);
  });
});

describe("topology generate", () => {
  const args = ["topology", "generate", "--racks", "2", "--nodes-per-rack", "3", "--fill", "0.5", "--seed", "7"];

  test("prints the same cluster for the same seed, another for another", async () => {
    const { status, out } = await plimsoll(args);
    expect(status).toBe(0);
    expect((await plimsoll(args)).out).toBe(out);
    expect((await plimsoll([...args, "--seed", "8"])).out).not.toBe(out);
  });

  test("prints the same objects as json", async () => {
    expect(JSON.parse((await plimsoll([...args, "--format", "json"])).out)).toEqual(parse((await plimsoll(args)).out));
  });

  test.each(["device-plugin", "dra", "both"])("what it prints with mechanism %s is read back", async (mechanism) => {
    const folder = folderOf({});
    writeFileSync(`${folder}/cluster.yaml`, (await plimsoll([...args, "--mechanism", mechanism])).out);
    const { status, out, err } = await plimsoll(["topology", "show", "--cluster", `${folder}/cluster.yaml`]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/^6 nodes, 24 of 48 nvidia\.com\/gpu free$/m);
    expect(out.match(/^ +rack /gm)).toHaveLength(2);
  });

  test("network cards that a driver publishes come with their class, their roots and the claims of who holds them", async () => {
    const list = parse((await plimsoll([...args, "--mechanism", "dra", "--network", "dra"])).out).items;
    const of = (kind: string) => list.filter((one: JsonObject) => one["kind"] === kind);
    expect(of("DeviceClass").map((one: JsonObject) => stringAt(one, ["metadata", "name"]))).toContain(
      "efa.networking.k8s.aws",
    );
    const cards = of("ResourceSlice").filter((one: JsonObject) => stringAt(one, ["spec", "driver"]) === "dra.net");
    expect(cards.map((one: JsonObject) => arrayAt(one, ["spec", "devices"]).length)).toEqual(Array(6).fill(32));
    expect(of("ResourceClaim").some((one: JsonObject) => JSON.stringify(one).includes('"driver":"dra.net"'))).toBe(
      true,
    );
  });

  test.each([
    [["--shape", "p5.48xlrage"], /p5\.48xlarge/],
    [["--racks", "none"], /racks/],
    [["--fill", "2"], /fill/],
    [["--nodes-per-rack", "-1"], /nodes/i],
  ])("%j is refused, and says what was expected", async (wrong, message) => {
    const { status, out, err } = await plimsoll(["topology", "generate", ...wrong]);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(message);
  });
});
