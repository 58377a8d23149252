import { describe, expect, test } from "vitest";
import { readInventory } from "../../src/topology/index.ts";
import { processorMs } from "../support/processor.ts";

const node = (name: string) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { allocatable: { cpu: "4" } },
});
const yamlNode = (name: string) => `apiVersion: v1\nkind: Node\nmetadata:\n  name: ${name}\n`;
const list = (...items: readonly string[]) =>
  `apiVersion: v1\nitems:\n${items.join("")}kind: List\nmetadata:\n  resourceVersion: ""\n`;
const item = (name: string) => `- apiVersion: v1\n  kind: Node\n  metadata:\n    name: ${name}\n`;

function read(text: string, file = "cluster.txt") {
  const { value, diagnostics } = readInventory([{ file, text }]);
  return {
    nodes: value?.nodes.map((one) => one.name),
    known: value?.known,
    faults: diagnostics.map((one) => `${one.code} ${one.source?.file}:${one.source?.line} ${one.message}`),
  };
}

describe("text in every form that kubectl prints", () => {
  test.each([
    ["one JSON object", JSON.stringify(node("a")), ["a"]],
    ["a JSON List", JSON.stringify({ apiVersion: "v1", kind: "List", items: [node("a"), node("b")] }), ["a", "b"]],
    ["a pretty JSON List", JSON.stringify({ kind: "List", items: [node("a")] }, null, 4), ["a"]],
    ["a JSON array", JSON.stringify([node("a"), node("b")]), ["a", "b"]],
    [
      "JSON Lists one after the other",
      `${JSON.stringify({ kind: "List", items: [node("a")] })}\n${JSON.stringify(node("b"))}\n`,
      ["a", "b"],
    ],
    [
      "a typed list whose items carry no kind",
      JSON.stringify({ apiVersion: "v1", kind: "NodeList", items: [{ metadata: { name: "a" } }] }),
      ["a"],
    ],
    ["Lists inside a List", JSON.stringify({ kind: "List", items: [{ kind: "List", items: [node("a")] }] }), ["a"]],
    [
      "YAML documents",
      `${yamlNode("a")}---\n${yamlNode("b")}...\n---\n# only a comment\n---\n${yamlNode("c")}`,
      ["a", "b", "c"],
    ],
    ["a YAML List", list(item("a"), item("b")), ["a", "b"]],
    [
      "a YAML List with indented items",
      "kind: List\nitems:\n  - {apiVersion: v1, kind: Node, metadata: {name: a}}\n  - apiVersion: v1\n    kind: Node\n    metadata: {name: b}\n",
      ["a", "b"],
    ],
    ["a YAML List in flow style", "kind: List\nitems: [{apiVersion: v1, kind: Node, metadata: {name: a}}]\n", ["a"]],
    ["flow style YAML that looks like JSON", "{apiVersion: v1, kind: Node, metadata: {name: a}}\n", ["a"]],
    [
      "a byte order mark and Windows line ends",
      `\uFEFF${list(item("a"), item("b")).replaceAll("\n", "\r\n")}`,
      ["a", "b"],
    ],
    [
      "anchors between items",
      "kind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: a, labels: &l {x: y}}\n- apiVersion: v1\n  kind: Node\n  metadata: {name: b, labels: *l}\n",
      ["a", "b"],
    ],
    [
      "a block scalar with a dash at its start",
      "kind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n    annotations:\n      note: |\n        - apiVersion: v1\n        ---x\n- apiVersion: v1\n  kind: Node\n  metadata: {name: b}\n",
      ["a", "b"],
    ],
    ["nothing", "", []],
    ["only comments", "# nothing here\n", []],
    ["a List without items", "apiVersion: v1\nkind: List\nitems: []\n", []],
    ["a List with null items", "apiVersion: v1\nkind: List\nitems:\n", []],
  ])("%s", (_name, text, names) => {
    const found = read(text);
    expect(found.nodes).toEqual(names);
    expect(found.faults).toEqual([]);
  });

  test("an empty typed List still tells that the kind was asked for", () => {
    expect([...(read('{"apiVersion":"v1","kind":"PodList","items":[]}').known ?? [])]).toEqual(["Pod"]);
    expect([...(read('{"apiVersion":"v1","kind":"ConfigMapList","items":[]}').known ?? [])]).toEqual([]);
  });

  test("several files are one inventory", () => {
    const { value } = readInventory([
      { file: "a.yaml", text: yamlNode("a") },
      { file: "b.json", text: JSON.stringify(node("b")) },
    ]);
    expect(value?.nodes.map((one) => one.name)).toEqual(["a", "b"]);
  });
});

describe("damage is reported where it stands and hides no neighbour", () => {
  test("a faulty YAML document between two good ones", () => {
    const found = read(`${yamlNode("a")}---\nkind: [unclosed\nx: {\n---\n${yamlNode("b")}`, "c.yaml");
    expect(found.nodes).toEqual(["a", "b"]);
    expect(found.faults).toHaveLength(1);
    expect(found.faults[0]).toMatch(/^ClusterSyntax c\.yaml:[678] this document is not valid YAML/);
  });

  test("a faulty item of a YAML List", () => {
    const found = read(list(item("a"), "- kind: Node\n  metadata: {name: broken\n", item("b")), "c.yaml");
    expect(found.nodes).toEqual(["a", "b"]);
    expect(found.faults[0]).toMatch(/^ClusterSyntax c\.yaml:[789] /);
  });

  test("a faulty JSON document between two good ones", () => {
    const found = read(`${JSON.stringify(node("a"))}\n{"kind": nonsense}\n${JSON.stringify(node("b"))}`, "c.json");
    expect(found.nodes).toEqual(["a", "b"]);
    expect(found.faults[0]).toMatch(/^ClusterSyntax c\.json:2 this document is not valid JSON/);
  });

  test("an object without a name is named by file, line and index", () => {
    const yaml = read(list(item("a"), "- apiVersion: v1\n  kind: Node\n  metadata: {}\n", item("b")), "c.yaml");
    expect(yaml.nodes).toEqual(["a", "b"]);
    expect(yaml.faults).toEqual(["ClusterObject c.yaml:7 Node (items[1]) has no metadata.name; it is left out."]);
    const json = read(
      JSON.stringify({ kind: "List", items: [node("a"), { apiVersion: "v1", kind: "Node" }, node("b")] }, null, 1),
      "c.json",
    );
    expect(json.nodes).toEqual(["a", "b"]);
    expect(json.faults).toEqual(["ClusterObject c.json:16 Node (items[1]) has no metadata.name; it is left out."]);
  });

  test.each([
    ["a key that stands twice", "kind: Node\nkind: Pod\n", "the key kind stands twice"],
    ["an alias without anchor", "kind: *nothing\n", "alias"],
    ["a bomb of aliases", bomb(9), "aliases"],
    ["aliases without end", `x: &a [1]\ny: [${"*a, ".repeat(200)}*a]\n`, "more than 100 aliases"],
    ["nesting without end", `${"[".repeat(5000)}`, ""],
    ["deep block nesting", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"), "deeper"],
    ["text that is no object", "just words\n", "not an object"],
    ["a number that JSON lacks", "kind: Node\nvalue: .inf\n", "not a value"],
  ])("%s", (_name, text, words) => {
    const found = read(text);
    expect(found.nodes).toEqual([]);
    expect(found.faults.length).toBeGreaterThan(0);
    expect(found.faults.join("\n")).toContain(words);
  });

  test("a JSON document that has lost its balance between two good ones", () => {
    const found = read(`${JSON.stringify(node("a"))}\n{"kind": [}\n${JSON.stringify(node("b"))}`, "c.json");
    expect(found.nodes).toEqual(["a", "b"]);
    expect(found.faults[0]).toMatch(/^ClusterSyntax c\.json:2 /);
  });

  test("a large broken JSON file is reported at once, at the place of the fault", () => {
    const text = `{"kind": "List",\n"items": [${'{"a": 1},'.repeat(600_000)}`;
    const before = processorMs();
    expect(read(text, "c.json").faults).toHaveLength(1);
    expect(read(text, "c.json").faults[0]).toMatch(/^ClusterSyntax c\.json:2 this document is not valid JSON/);
    expect(processorMs() - before).toBeLessThan(5000);
  });

  test("keys of the object prototype are plain keys", () => {
    const { value, diagnostics } = readInventory([
      {
        file: "c.json",
        text: '{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}}}',
      },
    ]);
    expect(diagnostics).toEqual([]);
    expect(Object.keys(value?.nodes[0]?.labels ?? {})).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

/** Every level doubles the one before. */
function bomb(levels: number): string {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= levels; level += 1) {
    const refs = Array(9)
      .fill(`*a${level - 1}`)
      .join(", ");
    lines.push(`a${level}: &a${level} [${refs}]`);
  }
  return `${lines.join("\n")}\n`;
}
