import {
  type AcceleratorClass,
  allows,
  type CapacityPool,
  digest,
  durationText,
  type JsonObject,
  type Path,
  parseDuration,
  parseQuantity,
  type Resources,
  requirement,
  schedulerUnits,
  type TopologyLayout,
  unitsText,
} from "../model/index.ts";
import { given, selectorOf } from "./contract.ts";
import type { Declared, Report } from "./documents.ts";
import { plainJson } from "./plain.ts";
import { checkPublished, publishedOf } from "./published.ts";
import type { AcceleratorClassSpec } from "./schema/accelerator.ts";
import type { TopologyLayoutSpec } from "./schema/layout.ts";
import type { CapacityPoolSpec } from "./schema/pool.ts";

/** The accelerator class of a sound document. */
export function acceleratorOf({ name, spec: json }: Declared): AcceleratorClass {
  const spec = json as AcceleratorClassSpec;
  const { device, interconnect } = spec;
  return withDigest({
    name,
    description: spec.description ?? "",
    vendor: spec.vendor,
    architecture: spec.architecture,
    memoryBytes: amountOf("memory", spec.memory),
    sharing: spec.sharing ?? "exclusive",
    resourceName: spec.resourceName,
    labels: spec.labels.map(({ key, values, beforeNode }) => ({ key, values, beforeNode: beforeNode ?? true })),
    ...(device === undefined
      ? {}
      : {
          device: { driver: device.driver, deviceClassName: device.deviceClassName, selectors: device.selectors ?? [] },
        }),
    ...given("interconnect", interconnect),
    alignment: { ...given("numa", spec.alignment?.numa), ...given("pcie", spec.alignment?.pcie) },
  });
}

/** The layout of a sound document. */
export function layoutOf({ name, spec: json }: Declared): TopologyLayout {
  const spec = json as TopologyLayoutSpec;
  return withDigest({ name, description: spec.description ?? "", levels: spec.levels });
}

/** The pool of a sound document. */
export function poolOf({ name, spec: json }: Declared): CapacityPool {
  const spec = json as CapacityPoolSpec;
  const { node, reservation } = spec;
  const withAccelerator = spec.accelerator !== undefined;
  const mechanism = node.mechanism ?? (node.device !== undefined ? "dra" : withAccelerator ? "device-plugin" : "none");
  const allocatable = amountsOf(node.allocatable);
  allocatable["pods"] ??= 110;
  return withDigest({
    name,
    accelerator: spec.accelerator,
    acceleratorsPerNode: spec.acceleratorsPerNode ?? (withAccelerator ? 1 : 0),
    capacityType: spec.capacityType,
    node: {
      allocatable: allocatable as Resources,
      ...given("capacity", node.capacity === undefined ? undefined : amountsOf(node.capacity)),
      labels: node.labels ?? {},
      taints: (node.taints ?? []).map(({ key, value, effect }) => ({ key, value: value ?? "", effect })),
      mechanism,
      ...(node.numa === undefined
        ? {}
        : { numa: { nodes: node.numa.nodes, policy: node.numa.policy, scope: node.numa.scope ?? "container" } }),
      ...(node.device === undefined ? {} : { device: publishedOf(node.device) }),
      ...(node.network === undefined ? {} : { network: { ...publishedOf(node.network), count: node.network.count } }),
    },
    zones: spec.zones ?? [],
    members: selectorOf(spec.members as JsonObject)?.requirements ?? new Map(),
    maxNodes: spec.maxNodes,
    startupMs: parseDuration(spec.startup ?? "10m") ?? 600_000,
    ...(spec.startup === undefined ? { startupAssumed: true as const } : {}),
    ...given("pricePerHour", spec.pricePerHour),
    ...(reservation === undefined
      ? {}
      : {
          reservation: {
            name: reservation.name,
            ...given("label", reservation.label),
            ...given("nodes", reservation.nodes),
            ...given("start", reservation.start),
            ...given("end", reservation.end),
            ...given("reclaimMs", reservation.reclaim === undefined ? undefined : parseDuration(reservation.reclaim)),
          },
        }),
    together: spec.together ?? [],
  });
}

export function checkAccelerator(declared: Declared, accelerator: AcceleratorClass, report: Report): void {
  if (accelerator.name === "none" || accelerator.name === "any") {
    const message = `an AcceleratorClass cannot be called ${accelerator.name}: classes use the word for themselves.`;
    report.about(declared, "ReservedName", [], message, "Choose another name.");
  }
  const seen = new Set<string>();
  for (const [index, { key }] of accelerator.labels.entries()) {
    if (seen.has(key))
      report.about(
        declared,
        "Contradiction",
        ["labels", index, "key"],
        `labels names ${key} twice.`,
        "Put all values into one entry.",
      );
    seen.add(key);
  }
}

export function checkLayout(declared: Declared, layout: TopologyLayout, report: Report): void {
  const last = layout.levels.length - 1;
  if (layout.levels[last]?.name !== "host") {
    report.about(
      declared,
      "LayoutIncomplete",
      ["levels", last, "name"],
      "the last level is not host.",
      "End with {name: host, key: kubernetes.io/hostname}.",
    );
  }
  for (const field of ["name", "key"] as const) {
    const seen = new Set<string>();
    for (const [index, level] of layout.levels.entries()) {
      const value = level[field];
      if (seen.has(value))
        report.about(
          declared,
          "LayoutIncomplete",
          ["levels", index, field],
          `two levels have the ${field} ${value}.`,
          "Each level needs its own.",
        );
      seen.add(value);
    }
  }
}

/** What cannot hold together in one pool. The accelerator is undefined where the pool names none, or an unknown one. */
export function checkPool(
  declared: Declared,
  pool: CapacityPool,
  accelerator: AcceleratorClass | undefined,
  report: Report,
): void {
  const spec = declared.spec as CapacityPoolSpec;
  const contradiction = (path: Path, message: string, hint: string) =>
    report.about(declared, "Contradiction", path, message, hint);
  if (selectorOf(spec.members as JsonObject) === undefined) {
    report.about(
      declared,
      "InvalidValue",
      ["members"],
      "members is not a selector: In and NotIn need values, Exists and DoesNotExist take none.",
    );
  }
  for (const [resource, amount] of Object.entries(pool.node.capacity ?? {})) {
    const usable = pool.node.allocatable[resource] ?? 0;
    if (amount < usable)
      contradiction(
        ["node", "capacity", resource],
        `node.capacity has ${unitsText(resource, amount)} ${resource}, and pods may use ${unitsText(resource, usable)} of it.`,
        "Write what the machine has in all, or leave it out.",
      );
  }
  if (pool.accelerator === undefined) {
    if (pool.acceleratorsPerNode > 0)
      contradiction(
        ["acceleratorsPerNode"],
        `acceleratorsPerNode is ${pool.acceleratorsPerNode}, but no accelerator is named.`,
        "Name the accelerator, or leave the count out.",
      );
    if (pool.node.mechanism !== "none")
      contradiction(
        ["node", "mechanism"],
        `node.mechanism is ${pool.node.mechanism}, but no accelerator is named.`,
        "Name the accelerator, or say none.",
      );
  } else {
    if (pool.acceleratorsPerNode === 0)
      contradiction(
        ["acceleratorsPerNode"],
        `acceleratorsPerNode is 0, but the accelerator is ${pool.accelerator}.`,
        "Say how many there are, or leave the accelerator out.",
      );
    if (pool.node.mechanism === "none")
      contradiction(
        ["node", "mechanism"],
        `node.mechanism is none, but the accelerator is ${pool.accelerator}.`,
        "Say device-plugin or dra.",
      );
  }
  if (pool.node.device !== undefined && pool.node.mechanism !== "dra") {
    contradiction(
      ["node", "device"],
      `node.device describes what a DRA driver publishes, but node.mechanism is ${pool.node.mechanism}.`,
      "Say mechanism: dra, or leave device out.",
    );
  }
  checkPublished(pool, contradiction);
  if (pool.node.numa !== undefined && pool.node.mechanism !== "device-plugin") {
    contradiction(
      ["node", "numa"],
      `node.numa says how the kubelet hands out devices of a device plugin, but node.mechanism is ${pool.node.mechanism}.`,
      "Say mechanism: device-plugin, or leave numa out.",
    );
  }
  if (pool.reservation !== undefined && pool.capacityType !== "reserved") {
    contradiction(
      ["reservation"],
      `reservation is given, but capacityType is ${pool.capacityType}.`,
      "Say capacityType: reserved.",
    );
  }
  if (pool.reservation?.nodes !== undefined && pool.reservation.nodes > pool.maxNodes) {
    contradiction(
      ["reservation", "nodes"],
      `reservation.nodes is ${pool.reservation.nodes}, more than maxNodes ${pool.maxNodes}.`,
      "Raise maxNodes, so that the reservation can be used.",
    );
  }
  checkWindow(pool.reservation, contradiction, (field, value) =>
    report.about(declared, "InvalidValue", ["reservation", field], `${value} is no moment in time.`),
  );
  if (accelerator !== undefined) checkPoolAccelerator(declared, pool, accelerator, report);
}

/** A reservation's window has a length, and what is taken back early leaves some of it. */
function checkWindow(
  reservation: CapacityPool["reservation"],
  contradiction: (path: Path, message: string, hint: string) => void,
  invalid: (field: string, value: string) => void,
): void {
  if (reservation === undefined) return;
  const { start, end, reclaimMs } = reservation;
  const moments = Object.entries({ start, end }).filter(([, value]) => value !== undefined);
  const wrong = moments.filter(([, value]) => Number.isNaN(Date.parse(value ?? "")));
  for (const [field, value] of wrong) invalid(field, value ?? "");
  if (wrong.length > 0) return;
  if (end === undefined) {
    if (reclaimMs !== undefined)
      contradiction(
        ["reservation", "reclaim"],
        "reservation.reclaim counts back from an end, but no end is given.",
        "Say when the reservation ends, or leave reclaim out.",
      );
    return;
  }
  if (start === undefined) return;
  const lengthMs = Date.parse(end) - Date.parse(start);
  if (lengthMs <= 0)
    contradiction(
      ["reservation", "end"],
      `reservation.end ${end} is not after its start ${start}.`,
      "Put the end after the start.",
    );
  else if ((reclaimMs ?? 0) >= lengthMs)
    contradiction(
      ["reservation", "reclaim"],
      `reservation.reclaim is ${durationText(reclaimMs ?? 0)}, as long as the whole reservation (${durationText(lengthMs)}).`,
      "Nothing could ever run on it.",
    );
}

function checkPoolAccelerator(
  declared: Declared,
  pool: CapacityPool,
  accelerator: AcceleratorClass,
  report: Report,
): void {
  const { resourceName, device } = accelerator;
  const counted = pool.node.allocatable[resourceName];
  const path: Path = ["node", "allocatable"];
  if (pool.node.mechanism === "device-plugin" && counted === undefined) {
    report.about(
      declared,
      "Contradiction",
      path,
      `node.allocatable has no ${resourceName}, under which ${accelerator.name} is counted.`,
      `Add ${resourceName}: ${pool.acceleratorsPerNode}.`,
    );
  } else if (pool.node.mechanism === "device-plugin" && counted !== pool.acceleratorsPerNode) {
    report.about(
      declared,
      "Contradiction",
      [...path, resourceName],
      `node.allocatable counts ${counted} ${resourceName}, but acceleratorsPerNode is ${pool.acceleratorsPerNode}.`,
      "Write the same number in both.",
    );
  }
  if (pool.node.mechanism === "dra" && device === undefined) {
    report.about(
      declared,
      "Contradiction",
      ["node", "mechanism"],
      `node.mechanism is dra, but AcceleratorClass ${accelerator.name} has no device.`,
      "Describe the device in the AcceleratorClass, or say device-plugin.",
    );
  }
  const told = accelerator.labels.some(({ key, values }) =>
    allows(requirement(key, "In", values), pool.node.labels[key]),
  );
  if (!told) {
    const keys = accelerator.labels.map(({ key }) => key).join(", ");
    report.about(
      declared,
      "PoolUnrecognised",
      ["node", "labels"],
      `no label in node.labels tells ${accelerator.name}, so a workload that selects it is not matched to this pool's new nodes.`,
      keys === "" ? undefined : `Labels that tell it: ${keys}.`,
    );
  }
}

function amountOf(resource: string, amount: string | number): number {
  const quantity = parseQuantity(amount);
  return quantity === undefined ? 0 : schedulerUnits(resource, quantity);
}

function amountsOf(list: Readonly<Record<string, string | number>>): Record<string, number> {
  const result: Record<string, number> = Object.create(null);
  for (const [resource, amount] of Object.entries(list)) result[resource] = amountOf(resource, amount);
  return result;
}

function withDigest<T extends { readonly name: string }>(value: T): T & { readonly digest: string } {
  return { ...value, digest: digest(plainJson(value)) };
}
