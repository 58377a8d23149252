import { describe, expect, test } from "vitest";
import { readManifests } from "../../src/cli/manifests.ts";

const read = (text: string) => readManifests([{ path: "k8s.yaml", text }]);
const job = (name: string) => `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\nspec:\n  parallelism: 2\n`;

describe("manifests", () => {
  test("documents, lists and reviews are flattened to objects", () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n- {apiVersion: v1, kind: Pod, metadata: {name: c}}\n`;
    const review = JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { object: { apiVersion: "v1", kind: "Pod", metadata: { name: "d" } } },
    });
    const { manifests, diagnostics } = read(`${job("a")}---\n${list}---\n${review}\n---\n# nothing here\n`);
    expect(diagnostics).toEqual([]);
    expect(manifests.map(({ object }) => (object["metadata"] as { name: string }).name)).toEqual(["a", "b", "c", "d"]);
  });

  test("a field is found at its line and column, an absent one at its parent", () => {
    const { manifests } = read(`---\n${job("a")}---\n${job("b")}`);
    expect(manifests[1]?.position(["spec", "parallelism"])).toEqual({ file: "k8s.yaml", line: 14, column: 3 });
    expect(manifests[1]?.position(["spec", "template", "spec"])).toEqual({ file: "k8s.yaml", line: 13, column: 1 });
    expect(manifests[0]?.position([])).toEqual({ file: "k8s.yaml", line: 2, column: 1 });
  });

  test("fields of the many items of a JSON list are found in one pass over it", () => {
    const pods = Array.from({ length: 20_000 }, (_, index) => ({
      apiVersion: "v1",
      kind: "Pod",
      spec: { priority: index },
    }));
    const text = JSON.stringify({ apiVersion: "v1", kind: "PodList", items: pods }).replaceAll(
      '{"apiVersion":"v1","kind":"Pod",',
      "\n$&",
    );
    const { manifests } = read(text);
    const places = manifests.map(({ position }) => position(["spec", "priority"]));
    expect(places.map(({ line }) => line)).toEqual(pods.map((_, index) => index + 2));
    expect(new Set(places.map(({ column }) => column))).toEqual(new Set([52]));
  });

  test("a document that goes deeper than can be followed is refused in our words, at its place", () => {
    const { manifests, diagnostics } = read(`${job("a")}---\n${"[".repeat(20_000)}${"]".repeat(20_000)}\n`);
    expect(manifests).toHaveLength(1);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["UnreadableManifest", "The document cannot be read: the document nests too deep to be read."],
    ]);
  });

  test("positions inside a list are those of the item", () => {
    const { manifests } = read(
      "apiVersion: v1\nkind: PodList\nitems:\n- apiVersion: v1\n  kind: Pod\n  spec:\n    priority: 3\n",
    );
    expect(manifests[0]?.position(["spec", "priority"])).toMatchObject({ line: 7, column: 5 });
  });

  test("an aliased field is found where it is written", () => {
    const { manifests } = read("apiVersion: v1\nkind: Pod\nx: &x {a: 1}\nspec: *x\n");
    expect(manifests[0]?.position(["spec", "a"])).toMatchObject({ line: 3 });
  });

  test("a broken document is reported at its place and hides no neighbour", () => {
    const { manifests, diagnostics } = read(`a: [1\n---\n${job("a")}---\n- 1\n---\na: 1\na: 2\n`);
    expect(manifests).toHaveLength(1);
    expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
      ["UnreadableManifest", 2],
      ["NotAnObject", 10],
      ["UnreadableManifest", 13],
    ]);
  });

  test("aliases that would multiply are refused", () => {
    const layers = Array.from(
      { length: 9 },
      (_, index) => `l${index + 1}: &l${index + 1} [${Array.from({ length: 9 }, () => `*l${index}`).join(", ")}]`,
    );
    const { manifests, diagnostics } = read(`apiVersion: v1\nkind: Pod\nl0: &l0 [1, 2]\n${layers.join("\n")}\n`);
    expect(manifests).toEqual([]);
    expect(diagnostics[0]?.message).toMatch(/alias/i);
  });
});
