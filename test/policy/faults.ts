import { add, change, documentOf, edited, type Faulty } from "./faulty.ts";
import { textFaults } from "./textFaults.ts";

const GANG = "classes/gang.yaml";
const ONLINE = "classes/online.yaml";
const POOL = "pools/p5.yaml";

/** The pool with a reservation that says this. */
function window(sentence: string, text: string, expected: Parameters<typeof change>[4]): Faulty {
  const files = edited(POOL, "capacityType: on-demand", "capacityType: reserved");
  const pool = files.find(({ path }) => path === POOL);
  const other = files.filter((file) => file !== pool);
  const edit = (pool?.text ?? "").replace("  maxNodes: 4\n", `  maxNodes: 4\n  reservation: {name: r, ${text}}\n`);
  return { sentence, files: [...other, { path: POOL, text: edit }], file: POOL, ...expected };
}

/** Every mistake that is tried: those of text, and those of meaning. */
export const faults: readonly Faulty[] = [
  ...textFaults,
  add("two classes of one name", "classes/second.yaml", documentOf("WorkloadClass", "gang", "  extends: online\n"), {
    code: "DuplicateName",
    at: "gang",
    message: /WorkloadClass gang is declared here and at classes\/gang\.yaml:3:18/,
  }),
  add(
    "an accelerator with a reserved name",
    "accelerators/any.yaml",
    documentOf(
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
    `${documentOf("WorkloadClass", "a", "  extends: b\n")}---\n${documentOf("WorkloadClass", "b", "  extends: c\n")}---\n${documentOf("WorkloadClass", "c", "  extends: a\n")}`,
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
    documentOf("WorkloadClass", "child", "  extends: gagn\n"),
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
        text: documentOf("TopologyLayout", "other", "  levels: [{name: nvlink, key: a/b}, {name: host, key: c/d}]\n"),
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
  change(
    "accelerators in groups that do not make as many as there are",
    POOL,
    "    labels:\n",
    "    mechanism: dra\n    device: {driver: gpu.x.com, groups: [{count: 7, attributes: {a: 1}}]}\n    labels:\n",
    { code: "Contradiction", at: "[{count: 7", message: /groups make 7 devices, but acceleratorsPerNode is 8/ },
  ),
  change(
    "network devices in groups that do not make as many as there are",
    POOL,
    "    labels:\n",
    "    network: {driver: dra.net, count: 2, groups: [{attributes: {a: 1}}]}\n    labels:\n",
    { code: "Contradiction", at: "[{attributes", message: /groups make 1 device, but node\.network\.count is 2/ },
  ),
  change(
    "one driver for accelerators and network devices",
    POOL,
    "    labels:\n",
    "    mechanism: dra\n    device: {driver: dra.net}\n    network: {driver: dra.net, count: 2}\n    labels:\n",
    {
      code: "Contradiction",
      at: "dra.net",
      after: "network: {driver: ",
      message: /node\.network\.driver is dra\.net, which publishes the accelerators/,
    },
  ),
  change(
    "a class that wants network devices of a platform without any",
    GANG,
    "perPod: {min: 1, max: 8, default: 8}}",
    "perPod: {min: 1, max: 8, default: 8}, align: {nics: {level: pcie}}}",
    {
      code: "NetworkMissing",
      at: "{level: pcie}",
      message:
        /accelerator\.align\.nics asks for network devices, and the platform declares none, so none of its rungs can be taken/,
    },
  ),
  change("a reservation of on-demand capacity", POOL, "  maxNodes: 4\n", "  maxNodes: 4\n  reservation: {name: r}\n", {
    code: "Contradiction",
    at: "{name: r}",
    message: /reservation is given, but capacityType is on-demand/,
  }),
  window("a reservation that begins on no day", 'start: "2026-13-01T00:00:00Z"', {
    code: "InvalidValue",
    at: '"2026-13-01',
    message: /2026-13-01T00:00:00Z is no moment in time/,
  }),
  window("a reservation that ends before it begins", 'start: "2026-02-01T00:00:00Z", end: "2026-01-01T00:00:00Z"', {
    code: "Contradiction",
    at: '"2026-01-01',
    message: /end 2026-01-01T00:00:00Z is not after its start 2026-02-01T00:00:00Z/,
  }),
  window("a reservation that is taken back from an end that it lacks", "reclaim: 40m", {
    code: "Contradiction",
    at: "40m",
    message: /counts back from an end, but no end is given/,
  }),
  window(
    "a reservation that is taken back as soon as it begins",
    'start: "2026-01-01T00:00:00Z", end: "2026-01-01T01:00:00Z", reclaim: 70m',
    { code: "Contradiction", at: "70m", message: /reclaim is 1h10m, as long as the whole reservation \(1h\)/ },
  ),
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
    documentOf("Platform", "second", '  {kubernetes: {version: "1.36"}, dialect: gfd, layout: racks}\n'),
    {
      code: "SeveralPlatforms",
      at: "{kubernetes",
      message: /there is a Platform already, at platform\.yaml:3/,
    },
  ),
  add(
    "a kind whose path is none",
    "kinds/run.yaml",
    documentOf(
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
    documentOf(
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
