import type { JsonObject } from "../../src/model/index.ts";
import type { IntentContext } from "../../src/policy/index.ts";
import { CLASS, deployment, INTENT, job, rayCluster } from "./given.ts";

/** An annotation that does not hold under the minimal catalogue (or with `class` merged over class gang as `under-test`), and what is said. */
export interface IntentFault {
  readonly sentence: string;
  readonly object: JsonObject;
  readonly code: string;
  readonly message: RegExp;
  readonly hint?: RegExp;
  readonly context?: Partial<IntentContext>;
  readonly class?: JsonObject;
}

const gang = (intent: string) =>
  job({ annotations: { [CLASS]: "gang", [INTENT]: intent }, limits: { "nvidia.com/gpu": 8 } });

export const intentFaults: readonly IntentFault[] = [
  {
    sentence: "a misspelt class",
    object: job({ annotations: { [CLASS]: "gagn" } }),
    code: "UnknownClass",
    message: /There is no workload class gagn\./,
    hint: /Did you mean gang\?/,
  },
  {
    sentence: "a class that is nothing like any",
    object: job({ annotations: { [CLASS]: "zzzzzzzz" } }),
    code: "UnknownClass",
    message: /zzzzzzzz/,
    hint: /Classes are: elastic, gang, online/,
  },
  {
    sentence: "an empty class",
    object: job({ annotations: { [CLASS]: " " } }),
    code: "UnknownClass",
    message: /is empty/,
  },
  {
    sentence: "a default class that is gone",
    object: job({ limits: { "nvidia.com/gpu": 1 } }),
    context: { namespaceLabels: { "plimsoll.dev/default-class": "old" } },
    code: "UnknownClass",
    message: /old \(from the namespace's default/,
  },
  {
    sentence: "a standing class that is gone",
    object: job(),
    context: { standing: { pod: "old", worker: "old", train: "old", main: "old" }, creating: false },
    code: "UnknownClass",
    message: /old \(from the namespace's default, or the standing decision\)/,
  },
  {
    sentence: "an intent of ten kilobytes",
    object: gang(`# ${"x".repeat(10_000)}`),
    code: "IntentTooLarge",
    message: /at most 8192/,
  },
  {
    sentence: "an intent that is not YAML",
    object: gang("a: [1"),
    code: "IntentSyntax",
    message: /cannot be read: line 1/,
  },
  {
    sentence: "an intent that is a word",
    object: gang("fast"),
    code: "IntentSyntax",
    message: /must be a YAML object, not the text "fast"/,
  },
  {
    sentence: "an intent of two documents",
    object: gang("a: 1\n---\nb: 2"),
    code: "IntentSyntax",
    message: /must be one YAML object/,
  },
  {
    sentence: "an intent with aliases",
    object: gang("topology: &t {level: rack}\ncapacity: *t"),
    code: "IntentSyntax",
    message: /alias/,
  },
  {
    sentence: "an intent nested without end",
    object: gang("[".repeat(5000)),
    code: "IntentSyntax",
    message: /nested too deeply/,
  },
  {
    sentence: "an intent with a misspelt field",
    object: gang("topology: {levle: rack}"),
    code: "UnknownField",
    message: /The intent is not well formed: topology has no field levle\./,
    hint: /level/,
  },
  {
    sentence: "an intent that sets what the class keeps",
    object: gang("interruption: {spot: allowed}"),
    code: "OverrideNotAllowed",
    message:
      /sets interruption\.spot, but class gang lets workloads set accelerator\.classes, capacity\.maxProvisioning or topology\.level/,
  },
  {
    sentence: "an intent under a class without overrides",
    object: deployment({ annotations: { [CLASS]: "elastic", [INTENT]: "topology: {level: rack}" } }),
    code: "OverrideNotAllowed",
    message: /class elastic lets workloads set nothing/,
  },
  {
    sentence: "an accelerator that the class does not list",
    object: gang("accelerator: {classes: [h100, b200]}"),
    code: "OverrideOutOfBound",
    message: /sets accelerator\.classes to h100, b200, but under class gang it may name h100 or a100-80gb/,
  },
  {
    sentence: "a level outside the list",
    object: gang("topology: {level: zone}"),
    code: "OverrideOutOfBound",
    message: /sets topology\.level to zone, but under class gang it may be rack or block/,
  },
  {
    sentence: "a wait beyond the bound",
    object: gang("capacity: {maxProvisioning: 2h}"),
    code: "OverrideOutOfBound",
    message: /sets capacity\.maxProvisioning to 2h, but under class gang it may be at most 1h/,
  },
  {
    sentence: "overrides that cannot hold together",
    object: job({
      annotations: { [CLASS]: "under-test", [INTENT]: "interruption: {spot: allowed}" },
      limits: { "nvidia.com/gpu": 8 },
    }),
    class: { overrides: { "interruption.spot": "any" } },
    code: "Contradiction",
    message:
      /class under-test cannot hold: interruption\.spot is allowed, but capacity\.types is reserved, on-demand, without spot/,
  },
  {
    sentence: "an override with a level that the platform lacks",
    object: job({ annotations: { [CLASS]: "under-test", [INTENT]: "topology: {level: shelf}" } }),
    class: { overrides: { "topology.level": "any" } },
    code: "UnknownLevel",
    message: /shelf is not a level of any layout/,
  },
  {
    sentence: "an override with an unknown accelerator",
    object: job({ annotations: { [CLASS]: "under-test", [INTENT]: "accelerator: {classes: [h10]}" } }),
    class: { overrides: { "accelerator.classes": "any" } },
    code: "UnknownAccelerator",
    message: /h10 is not a declared AcceleratorClass/,
    hint: /h100/,
  },
  {
    sentence: "an accelerator for a whole cluster whose head has none",
    object: rayCluster(
      { small: { limits: { "nvidia.com/gpu": 1 } } },
      { annotations: { [CLASS]: "under-test", [INTENT]: "accelerator: {classes: [h100]}" } },
    ),
    class: { roles: { head: { accelerator: "none" } }, topology: undefined },
    code: "OverrideWithoutEffect",
    message: /accelerator\.classes has no meaning for head/,
  },
  {
    sentence: "an accelerator on the template of a head that has none",
    object: rayCluster(
      { small: {} },
      { annotations: { [CLASS]: "under-test" }, template: { [INTENT]: "accelerator: {classes: [h100]}" } },
    ),
    class: { roles: { head: { accelerator: "none" } }, topology: undefined },
    code: "OverrideOutOfBound",
    message: /sets accelerator\.classes, which class under-test does not have for head/,
  },
  {
    sentence: "overflow in a kind with one pod set",
    object: deployment({ annotations: { [CLASS]: "under-test" } }),
    class: { interruption: { spot: "overflow" }, capacity: { types: ["on-demand", "spot"] } },
    code: "SpotOverflow",
    message: /gets none, since a Deployment has only one pod set/,
  },
  {
    sentence: "groups of unknown size",
    object: job({ annotations: { [CLASS]: "under-test" } }),
    class: { topology: { unit: "group" } },
    code: "GroupSizeUnknown",
    message: /neither the class nor the kind says how large a group is/,
  },
];
