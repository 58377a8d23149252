import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { commands } from "../../src/cli/program.ts";
import { folderOf, gangJob, plimsoll, SMALL } from "./plimsoll.ts";

const MIN = ["--policies", "test/fixtures/policies-min"];

describe("the exit status", () => {
  const files = folderOf({
    "good.yaml": gangJob("good"),
    "large.yaml": gangJob("large", { pods: 99 }),
    "broken.yaml": "kind: [\n",
    "values.yaml": "replicas: 3\n",
    "other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n",
    "empty.yaml": "# nothing\n",
    "no-nodes.yaml": "apiVersion: v1\nkind: NodeList\nitems: []\n",
    "not-yaml.yaml": "a: b: c: [\n",
    "class.yaml": "apiVersion: plimsoll.dev/v1alpha1\nkind: WorkloadClass\nmetadata: {name: a}\nspec: {latncy: none}\n",
  });
  const file = (name: string) => `${files}/${name}`;
  const cluster = ["--cluster", SMALL[3] ?? ""];

  test.each<[string, number, string[]]>([
    ["nothing would be refused", 0, [file("good.yaml"), ...SMALL]],
    ["no workload is there", 0, [file("other.yaml"), file("empty.yaml"), ...SMALL]],
    ["something would be refused", 1, [file("good.yaml"), file("large.yaml"), ...SMALL]],
    ["a manifest cannot be parsed", 1, [file("broken.yaml"), ...SMALL]],
    ["a document is no object", 1, [file("values.yaml"), ...SMALL]],
    ["a manifest is not there", 2, [file("absent.yaml"), ...SMALL]],
    ["the cluster file is not there", 2, [file("good.yaml"), ...MIN, "--cluster", file("absent.yaml")]],
    ["the cluster has no node", 2, [file("good.yaml"), ...MIN, "--cluster", file("no-nodes.yaml")]],
    ["the cluster file is empty", 2, [file("good.yaml"), ...MIN, "--cluster", file("empty.yaml")]],
    ["the cluster file is no cluster", 2, [file("good.yaml"), ...MIN, "--cluster", file("not-yaml.yaml")]],
    ["the policy folder is not there", 2, [file("good.yaml"), "--policies", file("absent"), ...cluster]],
    ["the catalogue does not load", 2, [file("good.yaml"), "--policies", files, ...cluster]],
    ["a number is none", 2, [file("good.yaml"), ...SMALL, "--max-steps", "many"]],
    ["an option is unknown", 2, [file("good.yaml"), "--clutser", "x"]],
    ["no file is given", 2, []],
  ])("when %s: %i, in text and in json", async (_name, status, args) => {
    const text = await plimsoll(["check", ...args]);
    const json = await plimsoll(["check", ...args, "--format", "json"]);
    expect([text.status, json.status]).toEqual([status, status]);
    // A fault of usage is told on standard error and leaves standard output to results.
    if (status === 2) expect([text.out, text.err === "" ? "silent" : "told"]).toEqual(["", "told"]);
    else expect(JSON.parse(json.out)).toMatchObject({ refused: status === 1 });
  });

  test("--fail-on warning makes warnings fail", async () => {
    const args = ["check", file("good.yaml"), ...SMALL];
    expect((await plimsoll(args)).out).toContain(" warning ");
    expect((await plimsoll([...args, "--fail-on", "warning"])).status).toBe(1);
    expect((await plimsoll([...args, "--fail-on", "error"])).status).toBe(0);
  });

  test("the same for explain and expand", async () => {
    for (const command of ["explain", "expand"]) {
      expect((await plimsoll([command, file("good.yaml"), ...SMALL])).status).toBe(0);
      expect((await plimsoll([command, file("large.yaml"), ...SMALL])).status).toBe(1);
      expect((await plimsoll([command, file("absent.yaml"), ...SMALL])).status).toBe(2);
    }
  });

  test("a fault of ours is 3, and asks to be reported", async () => {
    let err = "";
    const status = await run(["check", "-", ...MIN], {
      out: () => undefined,
      err: (text) => {
        err += text;
      },
      readStandardInput: () => Promise.reject(new TypeError("boom")),
      colour: false,
    });
    expect(status).toBe(3);
    expect(err).toMatch(/internal fault, please report it: TypeError: boom/);
  });
});

describe("messages about usage", () => {
  test.each([
    [["chekc"], "Did you mean check?"],
    [["check"], "missing required argument 'file'"],
    [["check", "x", "--format", "xml"], "Allowed choices are text, json."],
    [["check", "x", "--fail-on", "info"], "Allowed choices are error, warning."],
    [["explain", "x"], "required option '--cluster <file>' not specified"],
    [["topology", "show"], "required option '--cluster <file>' not specified"],
    [["lint", "a", "b"], "too many arguments"],
  ])("%j: %s, and where the help is", async (args, expected) => {
    const { status, out, err } = await plimsoll(args);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain(expected);
    expect(err).toContain("--help");
  });

  test("an empty cluster says what was expected", async () => {
    const folder = folderOf({ "nodes.yaml": "apiVersion: v1\nkind: NodeList\nitems: []\n" });
    const { err } = await plimsoll(["check", "-", ...MIN, "--cluster", `${folder}/nodes.yaml`], gangJob("a"));
    expect(err).toBe(`${folder}/nodes.yaml holds no Node; expected output of kubectl get nodes,pods,... -A -o yaml.\n`);
  });

  test("a broken catalogue is told with file, line and column, and what was meant", async () => {
    const folder = folderOf({
      "class.yaml":
        "apiVersion: plimsoll.dev/v1alpha1\nkind: WorkloadClass\nmetadata: {name: a}\nspec:\n  latncy: none\n",
    });
    const { status, err } = await plimsoll(["check", "-", "--policies", folder], gangJob("a"));
    expect(status).toBe(2);
    expect(err).toMatch(new RegExp(`^${folder}/class\\.yaml:5:3: error \\w+: .*latncy.*latency`, "m"));
    expect(err).toMatch(/does not load: \d+ errors\.$/m);
  });

  test("standard input is read once", async () => {
    const { status, err } = await plimsoll(["check", "-", ...MIN, "--cluster", "-"], gangJob("a"));
    expect(status).toBe(2);
    expect(err).toContain("standard input, which can be read only once");
  });

  test("an output file that cannot be written is named", async () => {
    const { status, err } = await plimsoll(["rules", "--output", "/nowhere/at/all"]);
    expect(status).toBe(2);
    expect(err).toContain("--output /nowhere/at/all");
  });
});

describe("help", () => {
  /** The words of a shell line up to the first pipe or redirection. */
  const words = (line: string) => (line.split(/ [|<>] /)[0] ?? "").split(" ").slice(1);

  function every(command: Command): Command[] {
    return [command, ...command.commands.flatMap(every)];
  }
  const io = { out: () => undefined, err: () => undefined, readStandardInput: async () => "", colour: false };
  const names = every(commands(io, () => undefined)).map(pathOf);
  function pathOf(command: Command): string {
    return command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
  }

  test("names every command of the design", () => {
    expect(names).toEqual(
      expect.arrayContaining(
        "serve,check,expand,explain,lint,rules,admit,topology,topology show,topology generate,certs,certs issue,schema".split(
          ",",
        ),
      ),
    );
  });

  test.each(names.filter((name) => name !== ""))("of %s shows an example that parses", async (name) => {
    const { status, out } = await plimsoll([...name.split(" "), "--help"]);
    expect(status).toBe(0);
    const example = /\nExample:\n {2}(plimsoll .*)\n/.exec(out)?.[1] ?? "";
    expect(example.startsWith(`plimsoll ${name}`)).toBe(true);
    let ran: string | undefined;
    const program = commands(io, () => undefined);
    for (const command of every(program).filter(({ commands: children }) => children.length === 0))
      command.action(() => {
        ran = pathOf(command);
      });
    await program.parseAsync(words(example), { from: "user" });
    expect(ran?.startsWith(name)).toBe(true);
  });

  test("goes to standard output when asked for, to standard error when nothing is", async () => {
    expect(await plimsoll(["--help"])).toMatchObject({ status: 0, err: "" });
    expect(await plimsoll([])).toMatchObject({ status: 2, out: "" });
  });
});
