import { beforeAll, describe, expect, test } from "vitest";
import { DEMO, EXAMPLES, gangJob, plimsoll, SMALL } from "./plimsoll.ts";

/** What a person reads, for a case of each sort. Written anew by `npx vitest run test/cli/explain.test.ts -u`. */
const GOLDEN = [
  "training-gang-rack",
  "training-gang-block",
  "training-jobset",
  "training-no-device",
  "inference-vllm",
  "inference-multihost",
  "inference-disaggregated",
  "streaming-spark",
  "refused-inference",
];

describe("explain on the examples and the demo cluster", () => {
  test.each(GOLDEN)("%s reads as agreed", async (name) => {
    const { out, err } = await plimsoll(["explain", `${EXAMPLES}/${name}.yaml`, "--cluster", DEMO]);
    expect(err).toBe("");
    await expect(out).toMatchFileSnapshot(`../golden/explain/${name}.txt`);
  });

  let rack: string;
  beforeAll(async () => {
    rack = (await plimsoll(["explain", `${EXAMPLES}/training-gang-rack.yaml`, "--cluster", DEMO])).out;
  });

  test("a gang that no rack can take is told how near the fullest one is", () => {
    expect(rack).toMatch(/^→ \d+\. h100\/reserved\/existing: busy$/m);
    expect(rack).toMatch(/the best rack, \S+, has 14 of the 16 nodes needed/);
  });

  test("and a change under which it fits", () => {
    const [, works = ""] = rack.split("\nWhat would work:\n");
    expect(works).toMatch(/^ {2}- fits with topology\.level: block \(16 pods/);
  });
});

describe("explain", () => {
  const explain = (text: string, ...args: readonly string[]) => plimsoll(["explain", "-", ...SMALL, ...args], text);

  test("draws the whole ladder in the class's order, and marks one rung", async () => {
    const { status, out } = await explain(gangJob("train"));
    expect(status).toBe(0);
    const rungs = [...out.matchAll(/^(→| ) (\d+)\. (\S+): (\w+)$/gm)].map(([, mark, , rung, verdict]) => [
      mark,
      rung,
      verdict,
    ]);
    expect(rungs).toEqual([
      [" ", "h100/reserved/existing", "never"],
      [" ", "h100/reserved/new", "never"],
      ["→", "h100/on-demand/existing", "fits"],
      [" ", "h100/on-demand/new", "fits"],
      [" ", "a100-80gb/reserved/existing", "never"],
      [" ", "a100-80gb/reserved/new", "never"],
      [" ", "a100-80gb/on-demand/existing", "never"],
      [" ", "a100-80gb/on-demand/new", "never"],
    ]);
  });

  test("shows the assignment by level, nodes with equal loads together", async () => {
    const { out } = await explain(gangJob("train", { pods: 3 }));
    expect(out).toContain(`Assignment:
  zone us-east-1a / block block-a1 / rack rack-a1-1
    1 pod each on p5-48xlarge-a1-r1-01, p5-48xlarge-a1-r1-02, p5-48xlarge-a1-r1-03
`);
  });

  test("tells the nodes that a rung leaves out once, and refers to them after", async () => {
    const { out } = await explain(gangJob("train"));
    expect(out.match(/label karpenter\.sh\/capacity-type = reserved does not hold/g)).toHaveLength(1);
    expect(out).toContain("nodes left out as for rung 1");
  });

  test("says what would be refused, and why", async () => {
    const { status, out } = await explain(gangJob("train", { pods: 99 }));
    expect(status).toBe(1);
    expect(out).toMatch(/has 4 of the 99 nodes needed/);
    expect(out).toMatch(/\nIt would be refused\.\n$/);
  });

  test("says the class, what is asked for, and what must hold", async () => {
    const { out } = await explain(gangJob("train"));
    expect(out).toMatch(
      /^Job team-a\/train {2}-\n {2}pod: class gang, a checkpoint every 30m, 2 pods x 8 nvidia\.com\/gpu, all needed at once, all in one rack \(required\)\n/,
    );
  });

  test("keeps lines to a width that can be read, but for tables", async () => {
    const { out } = await explain(gangJob("train", { pods: 99 }));
    const prose = out.split("\n").filter((line) => !/^ +\d+ nodes? /.test(line));
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test("as json, holds the ladder with its reasons and the decision", async () => {
    const { status, out } = await explain(gangJob("train"), "--format", "json");
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      {
        file: "-",
        workload: { kind: "Job", namespace: "team-a", name: "train" },
        refused: false,
        answer: { verdict: "fits", ladder: expect.arrayContaining([expect.objectContaining({ verdict: "never" })]) },
        decision: { pod: { className: "gang", verdict: "fits" } },
      },
    ]);
  });

  test("where nothing has a class, says which annotation was looked for", async () => {
    const { status, out, err } = await explain(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n",
    );
    expect([status, out]).toEqual([0, ""]);
    expect(err).toBe("-: no object names a workload class (annotation plimsoll.dev/workload-class)\n");
  });
});
