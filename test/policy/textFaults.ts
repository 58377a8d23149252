import { add, change, type Faulty } from "./faulty.ts";

const GANG = "classes/gang.yaml";
const ONLINE = "classes/online.yaml";
const POOL = "pools/p5.yaml";
const bomb = Array.from({ length: 9 }, (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`);

/** What the text of one document decides: syntax and schema. */
export const textFaults: readonly Faulty[] = [
  add("a file that is not YAML", "classes/broken.yaml", "a: [1, 2\nb: 3\n", {
    code: "YamlSyntax",
    at: "b: 3",
    message: /not valid YAML/,
  }),
  add("a file that is nested without end", "classes/deep.yaml", "[".repeat(200_000), {
    code: "YamlSyntax",
    at: "[",
    message: /nested too deeply|not valid YAML/,
  }),
  change("a field written twice", GANG, "  latency: none", "  latency: none\n  latency: none", {
    code: "DuplicateKey",
    at: "latency: none",
    after: "latency: none\n",
    message: /latency is written twice/,
  }),
  add("a billion laughs", "classes/bomb.yaml", ["l0: &l0 lol", ...bomb].join("\n"), {
    code: "TooLarge",
    at: "l0",
    message: /aliases/,
  }),
  add("a file larger than is read", "classes/big.yaml", `# ${"x".repeat(1024 * 1024)}\n`, {
    code: "TooLarge",
    at: "#",
    message: /at most 1048576/,
  }),
  add("a document that is a list", "classes/list.yaml", "- a\n- b\n", {
    code: "NotADocument",
    at: "- a",
    message: /not an object/,
    hint: /WorkloadClass/,
  }),
  add("a document without a kind", "classes/none.yaml", "apiVersion: plimsoll.dev/v1alpha1\nspec: {}\n", {
    code: "NotADocument",
    at: "apiVersion",
    message: /does not say its kind/,
  }),
  change("a misspelt kind", GANG, "kind: WorkloadClass", "kind: WorkLoadClas", {
    code: "UnknownKind",
    at: "WorkLoadClas",
    message: /WorkLoadClas is not a kind/,
    hint: /WorkloadClass/,
  }),
  change("another apiVersion", GANG, "plimsoll.dev/v1alpha1", "plimsoll.dev/v1", {
    code: "UnknownValue",
    at: "plimsoll.dev/v1",
    message: /apiVersion is the text "plimsoll.dev\/v1"; expected plimsoll.dev\/v1alpha1/,
  }),
  change("a misspelt field", GANG, "  latency: none", "  latncy: none", {
    code: "UnknownField",
    at: "latncy",
    message: /spec has no field latncy/,
    hint: /Did you mean latency\?/,
  }),
  change("a misspelt field inside a role", ONLINE, "{accelerator: none}", "{accelerater: none}", {
    code: "UnknownField",
    at: "accelerater",
    message: /spec\.roles\.head has no field accelerater/,
    hint: /accelerator/,
  }),
  change("a misspelt field inside a choice", GANG, "perPod: {min: 1,", "perpod: {min: 1,", {
    code: "UnknownField",
    at: "perpod",
    message: /spec\.accelerator has no field perpod/,
    hint: /perPod/,
  }),
  change("an AcceleratorClass without memory", "accelerators/h100.yaml", "  memory: 81152Mi\n", "", {
    code: "MissingField",
    at: "vendor: nvidia",
    message: /spec\.memory is missing/,
    hint: /DRA driver/,
  }),
  change("a version that YAML reads as a number", "platform.yaml", 'version: "1.36"', "version: 1.36", {
    code: "WrongType",
    at: "1.36",
    message: /spec\.kubernetes\.version must be text, not the number 1\.36/,
    hint: /quotes: "1\.36"/,
  }),
  change(
    "an object where a word is expected",
    GANG,
    "accelerator: {classes: [h100, a100-80gb], perPod: {min: 1, max: 8, default: 8}}",
    "accelerator: 3",
    {
      code: "WrongType",
      at: "3",
      after: "accelerator:",
      message: /spec\.accelerator cannot be the number 3/,
      hint: /none, any/,
    },
  ),
  change("a misspelt value", GANG, "shape: gang", "shape: gnag", {
    code: "UnknownValue",
    at: "gnag",
    message: /spec\.demand\.shape is gnag/,
    hint: /gang/,
  }),
  change("a misspelt word of a choice", ONLINE, "{accelerator: none}", "{accelerator: noone}", {
    code: "UnknownValue",
    at: "noone",
    message: /spec\.roles\.head\.accelerator is noone, which is not one of none, any/,
    hint: /none/,
  }),
  change("a duration in days", GANG, "minLifetime: 12h", "minLifetime: 2d", {
    code: "InvalidValue",
    at: "2d",
    message: /minLifetime is the text "2d", which is not a duration such as 12h/,
  }),
  change("a negative count", GANG, "min: 1, max: 8", "min: 0, max: 8", {
    code: "InvalidValue",
    at: "0",
    after: "perPod: {min: ",
    message: /spec\.accelerator\.perPod\.min is 0; it must be at least 1/,
  }),
  change("a label key that is none", POOL, "karpenter.sh/nodepool: p5\n", "'not a key': p5\n", {
    code: "InvalidValue",
    at: "'not a key'",
    message: /has the key "not a key"/,
  }),
  change("a driver that no driver can be called", POOL, "    taints:", "    device: {driver: DRA NET}\n    taints:", {
    code: "InvalidValue",
    at: "DRA NET",
    message: /device\.driver is the text "DRA NET", which is not a name such as gpu\.example\.com, in lower case/,
  }),
  change("a capacity type named twice", GANG, "[reserved, on-demand]", "[reserved, reserved]", {
    code: "InvalidValue",
    at: "[reserved, reserved]",
    message: /spec\.capacity\.types names "reserved" twice/,
  }),
  change(
    "a selector without values",
    POOL,
    "members: {matchLabels: {karpenter.sh/nodepool: p5}}",
    "members: {matchExpressions: [{key: a, operator: In}]}",
    {
      code: "InvalidValue",
      at: "{matchExpressions",
      message: /members is not a selector/,
    },
  ),
];
