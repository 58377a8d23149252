import { describe, expect, test } from "vitest";
import { readScenarios } from "../support/scenario/index.ts";

const scenario = (name: string, extra = "", expected = "fits") => `  ${name}:
    about: A pod.
    cluster: {nodes: [{name: a}]}
    class: {}
    workload: {pods: 1}
${extra}    expect: ${expected}
`;
const file = (...scenarios: readonly string[]) => `topic: Tests.\nscenarios:\n${scenarios.join("")}`;
const faults = (text: string) => readScenarios("t.yaml", text).faults;

describe("a file of scenarios", () => {
  test("reads scenarios, with where each stands", () => {
    const { scenarios } = readScenarios("t.yaml", file(scenario("one"), scenario("two")));
    expect(scenarios.map(({ name, where }) => [name, where])).toEqual([
      ["one", "t.yaml:3"],
      ["two", "t.yaml:9"],
    ]);
  });

  test.each([
    [
      "a key that it does not know",
      scenario("one", "    clas: x\n"),
      "t.yaml:8: unknown key clas in file.scenarios.one",
    ],
    [
      "such a key in a node",
      scenario("one").replace("{name: a}", "{name: a, rack: r}"),
      "t.yaml:5: unknown key rack in",
    ],
    ["a name given twice", scenario("one") + scenario("one"), "t.yaml:9: Map keys must be unique"],
    [
      "an expectation without a verdict",
      scenario("one", "", "{rung: none}"),
      "t.yaml:8: file.scenarios.one.expect needs the key verdict",
    ],
    ["a verdict that there is not", scenario("one", "", "maybe"), "t.yaml:3: one: maybe is no verdict"],
    [
      "a cluster that is not in the file",
      scenario("one").replace("{nodes: [{name: a}]}", "none"),
      "t.yaml:3: one: there is no cluster none",
    ],
    [
      "text where a number belongs",
      scenario("one").replace("pods: 1", "pods: one"),
      "t.yaml:7: file.scenarios.one.workload.pods must be a number",
    ],
    [
      "no expectation at all",
      scenario("one").replace(/ +expect.*\n/, ""),
      "t.yaml:4: file.scenarios.one needs the key expect",
    ],
  ])("is refused for %s", (_, text, message) => {
    expect(faults(file(text)).join("\n")).toContain(message);
  });

  test("lets a cluster of the file grow in a scenario", () => {
    const text = file(scenario("one").replace("{nodes: [{name: a}]}", "{like: base, nodes: [{name: b}]}"));
    const { scenarios, faults: none } = readScenarios("t.yaml", `clusters: {base: {nodes: [{name: a}]}}\n${text}`);
    expect(none).toEqual([]);
    expect(scenarios[0]?.cluster.nodes?.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});
