import type { PolicyFile } from "../../src/policy/index.ts";
import { policyFiles } from "../support/catalogue.ts";

/** A mistake in a policy folder, and what has to be said about it. */
export interface Faulty {
  readonly sentence: string;
  readonly files: readonly PolicyFile[];
  readonly code: string;
  /** File, and the text at which the finding must point (its first occurrence after `after`). */
  readonly file: string;
  readonly at: string;
  readonly after?: string | undefined;
  readonly message: RegExp;
  readonly hint?: RegExp | undefined;
}

export const minimal = (): PolicyFile[] => policyFiles("test/fixtures/policies-min");

/** The minimal catalogue with one passage replaced; the passage must be there. */
export function edited(file: string, from: string, to: string): PolicyFile[] {
  return minimal().map((one) => {
    if (one.path !== file) return one;
    if (!one.text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    return { path: file, text: one.text.replace(from, () => to) };
  });
}

type Rest = Pick<Faulty, "code" | "at" | "message"> & Partial<Pick<Faulty, "hint" | "after">>;

const change = (sentence: string, file: string, from: string, to: string, rest: Rest): Faulty => ({
  sentence,
  files: edited(file, from, to),
  file,
  ...rest,
});

const add = (sentence: string, file: string, text: string, rest: Rest): Faulty => ({
  sentence,
  files: [...minimal(), { path: file, text }],
  file,
  ...rest,
});

const document = (kind: string, name: string, spec: string) =>
  `apiVersion: plimsoll.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec:\n${spec}`;

const GANG = "classes/gang.yaml";
const ONLINE = "classes/online.yaml";
const POOL = "pools/p5.yaml";
const bomb = Array.from({ length: 9 }, (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index},`.repeat(9)}]`);

export const faults: readonly Faulty[] = [
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
  add("two classes of one name", "classes/second.yaml", document("WorkloadClass", "gang", "  extends: online\n"), {
    code: "DuplicateName",
    at: "gang",
    message: /WorkloadClass gang is declared here and at classes\/gang\.yaml:3:18/,
  }),
  add(
    "an accelerator with a reserved name",
    "accelerators/any.yaml",
    document(
      "AcceleratorClass",
      "any",
      "  {vendor: x, architecture: y, memory: 1Gi, resourceName: x.com/gpu, labels: []}\n",
    ),
    {
      code: "ReservedName",
      at: "{vendor",
      message: /cannot be called any/,
    },
  ),
  change("a class without a latency", GANG, "  latency: none\n", "", {
    code: "MissingDeclaration",
    at: "description",
    message: /spec\.latency is not declared/,
    hint: /latency, demand, state, interruption, accelerator, tenancy, startup/,
  }),
  change("a class that declares demand without a shape", GANG, "demand: {shape: gang}", "demand: {}", {
    code: "MissingField",
    at: "{}",
    message: /spec\.demand\.shape is missing/,
  }),
  add(
    "a class that extends itself in a circle",
    "classes/circle.yaml",
    `${document("WorkloadClass", "a", "  extends: b\n")}---\n${document("WorkloadClass", "b", "  extends: c\n")}---\n${document("WorkloadClass", "c", "  extends: a\n")}`,
    {
      code: "CircularExtends",
      at: "b\n",
      after: "extends: ",
      message: /a -> b -> c -> a/,
    },
  ),
  add(
    "a class that extends a misspelt one",
    "classes/child.yaml",
    document("WorkloadClass", "child", "  extends: gagn\n"),
    {
      code: "UnknownClass",
      at: "gagn",
      message: /extends gagn, which no document declares/,
      hint: /gang/,
    },
  ),
  change("a class that names a misspelt accelerator", GANG, "[h100, a100-80gb]", "[h100, a100-80g]", {
    code: "UnknownAccelerator",
    at: "a100-80g",
    message: /a100-80g is not a declared AcceleratorClass/,
    hint: /a100-80gb/,
  }),
  change("a pool that names a misspelt accelerator", POOL, "accelerator: h100", "accelerator: h10", {
    code: "UnknownAccelerator",
    at: "h10",
    after: "accelerator: ",
    message: /h10 is not a declared AcceleratorClass/,
    hint: /h100/,
  }),
  change("a level that no layout has", GANG, "{level: rack}", "{level: rackk}", {
    code: "UnknownLevel",
    at: "rackk",
    message: /rackk is not a level of any layout/,
    hint: /rack/,
  }),
  {
    sentence: "a level of another platform's layout",
    files: [
      ...edited(GANG, "{level: rack}", "{level: nvlink}"),
      {
        path: "layouts/other.yaml",
        text: document("TopologyLayout", "other", "  levels: [{name: nvlink, key: a/b}, {name: host, key: c/d}]\n"),
      },
    ],
    code: "UnknownLevel",
    file: GANG,
    at: "nvlink",
    message: /nvlink is not a level of layout racks, which the platform uses/,
    hint: /zone, block, rack, host/,
  },
  change(
    "an override to a level that no layout has",
    GANG,
    "topology.level: [rack, block]",
    "topology.level: [rack, blok]",
    {
      code: "UnknownLevel",
      at: "[rack, blok]",
      message: /blok/,
    },
  ),
  change("a pool whose nodes share an unknown level", POOL, "  maxNodes: 4\n", "  maxNodes: 4\n  together: [shelf]\n", {
    code: "UnknownLevel",
    at: "shelf",
    message: /shelf is not a level/,
  }),
  change(
    "an interconnect of an unknown level",
    "accelerators/h100.yaml",
    "interconnect: {level: host",
    "interconnect: {level: nvswitch",
    {
      code: "UnknownLevel",
      at: "nvswitch",
      message: /nvswitch is not a level/,
    },
  ),
  change("a platform with an unknown layout", "platform.yaml", "layout: racks", "layout: rakcs", {
    code: "UnknownLayout",
    at: "rakcs",
    message: /spec\.layout is rakcs/,
    hint: /racks/,
  }),
  change("a severity for an unknown rule", GANG, "  overrides:", "  admission: {rules: {ZZ99: warn}}\n  overrides:", {
    code: "UnknownRule",
    at: "warn",
    message: /admission\.rules names ZZ99/,
  }),
  change("spot: never with spot among the types", GANG, "[reserved, on-demand]", "[reserved, spot]", {
    code: "Contradiction",
    at: "[reserved, spot]",
    message: /capacity\.types is reserved, spot, but interruption\.spot is never/,
  }),
  change("spot: allowed without spot among the types", GANG, "spot: never", "spot: allowed", {
    code: "Contradiction",
    at: "allowed",
    message: /interruption\.spot is allowed, but capacity\.types is reserved, on-demand/,
  }),
  change("more devices at least than at most", GANG, "{min: 1, max: 8, default: 8}", "{min: 9, max: 8}", {
    code: "Contradiction",
    at: "{min: 9",
    message: /perPod\.min is 9, more than max 8/,
  }),
  change("a default outside its bounds", GANG, "default: 8", "default: 9", {
    code: "Contradiction",
    at: "9",
    after: "default: ",
    message: /perPod\.default is 9, outside 1 to 8/,
  }),
  change("more replicas at least than at most", ONLINE, "replicas: {min: 2}", "replicas: {min: 2, max: 1}", {
    code: "Contradiction",
    at: "{min: 2, max: 1}",
    message: /replicas\.min is 2, more than max 1/,
  }),
  change("a group size without groups", GANG, "topology: {level: rack}", "topology: {level: rack, groupSize: 4}", {
    code: "Contradiction",
    at: "4",
    after: "groupSize: ",
    message: /groupSize is 4, but topology\.unit is podSet/,
  }),
  change("scale to zero with a floor", ONLINE, "replicas: {min: 2}", "replicas: {min: 2}, scaleToZero: true", {
    code: "Contradiction",
    at: "true",
    message: /scaleToZero is true, but demand\.replicas\.min is 2/,
  }),
  change(
    "scale to zero under a latency objective",
    ONLINE,
    "replicas: {min: 2}",
    "replicas: {min: 0}, scaleToZero: true",
    {
      code: "Contradiction",
      at: "true",
      message: /a start of 3m, but the latency objective is ttft within 500ms/,
    },
  ),
  change(
    "a signal allowed and forbidden",
    ONLINE,
    "replicas: {min: 2}",
    "replicas: {min: 2}, signals: {allowed: [cpu], forbidden: [cpu]}",
    {
      code: "Contradiction",
      at: "{allowed",
      message: /both allows and forbids cpu/,
    },
  ),
  change("consolidation of protected pods", GANG, "minLifetime: 12h", "minLifetime: 12h, consolidation: true", {
    code: "Contradiction",
    at: "true",
    message: /minLifetime protects them for 12h/,
  }),
  change("a budget that allows nothing", ONLINE, "maxUnavailable: 1", "maxUnavailable: 0", {
    code: "Contradiction",
    at: "0",
    after: "maxUnavailable: ",
    message: /never allows a disruption/,
  }),
  change("a budget of all", ONLINE, "maxUnavailable: 1", "minAvailable: 100%", {
    code: "Contradiction",
    at: "100%",
    message: /minAvailable is 100%/,
  }),
  change("a budget that allows nothing at the minimum", ONLINE, "maxUnavailable: 1", "minAvailable: 2", {
    code: "NeverAtFloor",
    at: "2",
    after: "minAvailable: ",
    message: /at its minimum nothing can be drained/,
  }),
  change("a strictness without a level", GANG, "topology: {level: rack}", "topology: {mode: required}", {
    code: "Contradiction",
    at: "required",
    message: /topology\.mode is required, but there is no topology\.level/,
  }),
  change(
    "a spread over what the unit shares",
    GANG,
    "topology: {level: rack}",
    "topology: {level: rack, spread: {level: zone}}",
    {
      code: "Contradiction",
      at: "{level: zone}",
      message: /each podSet into one rack, but topology\.spread demands several zone domains/,
    },
  ),
  change("an override of a field that is none", GANG, "accelerator.classes: subset", "accelerator.klasses: subset", {
    code: "OverrideUnsuitable",
    at: "subset",
    message: /accelerator\.klasses, which is not a field/,
    hint: /accelerator\.classes/,
  }),
  change("a subset of what is no list", GANG, "topology.level: [rack, block]", "topology.level: subset", {
    code: "OverrideUnsuitable",
    at: "subset",
    after: "topology.level: ",
    message: /subset, but topology\.level takes text/,
  }),
  change("a range of what is no amount", GANG, "accelerator.classes: subset", "accelerator.classes: {max: 2}", {
    code: "OverrideUnsuitable",
    at: "{max: 2}",
    message: /a range, but accelerator\.classes takes a list/,
  }),
  change("a range in the wrong unit", GANG, "{max: 1h}", "{max: 60}", {
    code: "OverrideUnsuitable",
    at: "{max: 60}",
    message: /takes a duration/,
  }),
  change(
    "an override of the class's own guard",
    GANG,
    "accelerator.classes: subset",
    "tenancy.limits.accelerators: {max: 99}",
    {
      code: "OverrideUnsuitable",
      at: "{max: 99}",
      message: /tenancy\.limits protects others/,
    },
  ),
  change(
    "a layout that does not end with host",
    "layouts/racks.yaml",
    "    - {name: host, key: kubernetes.io/hostname}\n",
    "",
    {
      code: "LayoutIncomplete",
      at: "rack",
      after: "name: block",
      message: /the last level is not host/,
      hint: /kubernetes\.io\/hostname/,
    },
  ),
  change("two levels with one label", "layouts/racks.yaml", "network-node-layer-3", "network-node-layer-2", {
    code: "LayoutIncomplete",
    at: "topology.k8s.aws/network-node-layer-2}\n    - {name: host",
    message: /two levels have the key topology\.k8s\.aws\/network-node-layer-2/,
  }),
  change("a pool that no label tells", POOL, "      karpenter.k8s.aws/instance-gpu-name: h100\n", "", {
    code: "PoolUnrecognised",
    at: "karpenter.sh/nodepool: p5\n",
    message: /no label in node\.labels tells h100/,
  }),
  change("a pool that counts other devices than it says", POOL, "nvidia.com/gpu: 8}", "nvidia.com/gpu: 4}", {
    code: "Contradiction",
    at: "4}",
    message: /counts 4 nvidia\.com\/gpu, but acceleratorsPerNode is 8/,
  }),
  change("a pool without the resource of its accelerator", POOL, ", nvidia.com/gpu: 8}", "}", {
    code: "Contradiction",
    at: "{cpu",
    message: /has no nvidia\.com\/gpu/,
  }),
  change("a reservation of on-demand capacity", POOL, "  maxNodes: 4\n", "  maxNodes: 4\n  reservation: {name: r}\n", {
    code: "Contradiction",
    at: "{name: r}",
    message: /reservation is given, but capacityType is on-demand/,
  }),
  change(
    "devices of a driver on device-plugin nodes",
    POOL,
    "    taints:",
    "    mechanism: device-plugin\n    device: {driver: gpu.nvidia.com}\n    taints:",
    {
      code: "Contradiction",
      at: "{driver",
      message: /node\.mechanism is device-plugin/,
    },
  ),
  change(
    "ProvisioningRequests that nothing serves",
    "platform.yaml",
    "{podDisruptionBudgets: true}",
    "{provisioningRequests: true, podTemplates: true}",
    {
      code: "Contradiction",
      at: "true",
      message: /the autoscaler \(karpenter\) is not said to serve them/,
    },
  ),
  add(
    "a second platform",
    "platform2.yaml",
    document("Platform", "second", '  {kubernetes: {version: "1.36"}, dialect: gfd, layout: racks}\n'),
    {
      code: "SeveralPlatforms",
      at: "{kubernetes",
      message: /there is a Platform already, at platform\.yaml:3/,
    },
  ),
  add(
    "a kind whose path is none",
    "kinds/run.yaml",
    document(
      "WorkloadKind",
      "run",
      "  {apiVersion: a.io/v1, kind: Run, plural: runs, life: runOnce, templates: [{role: worker, path: 'spec..x', count: '1'}]}\n",
    ),
    {
      code: "KindInvalid",
      at: "'spec..x'",
      message: /spec\.\.x is not a template path/,
    },
  ),
  add(
    "a kind whose count does not compile",
    "kinds/run.yaml",
    document(
      "WorkloadKind",
      "run",
      "  {apiVersion: a.io/v1, kind: Run, plural: runs, life: runOnce, templates: [{role: worker, path: spec.template, count: 'object.'}]}\n",
    ),
    {
      code: "KindInvalid",
      at: "'object.'",
      message: /does not compile/,
    },
  ),
];
