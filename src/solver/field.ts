import { type HostPort, once } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { type Columns, type Free, freeAnew, freeBeside } from "./free.ts";
import type { NumaRules } from "./numa-rules.ts";
import { type NumaSupply, numaSupply } from "./numa-supply.ts";
import { ZONE_LABEL } from "./rooms.ts";
import type { Kind } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { type Column, type Domains, HOST_LABEL, type TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/**
 * The supply that one attempt looks at: a row for each existing node, then a row for each node that pools may add; a column for each
 * resource (and host port) that some shape needs. Read-only.
 */
export interface Field {
  readonly index: TopologyIndex;
  readonly existing: number;
  readonly rows: number;
  readonly columns: readonly string[];
  /** Host ports that some shape asks for; their columns stand last. */
  readonly ports: readonly HostPort[];
  readonly free: Float64Array;
  /** Room by row where those are all that is asked for. */
  readonly count: Free["count"];
  /** The same by the ledger alone, on existing nodes; undefined where there are others, or host ports. */
  readonly counted: Free["count"] | undefined;
  readonly kinds: readonly Kind[];
  /** Row -> kind, -1 for existing nodes. */
  readonly kindOf: Int32Array;
  /** What others use of devices. */
  readonly devices: Usage["devices"];
  /** Does a row leave the extended resource to claims: a class serves it, and the node counts none. */
  leaves(row: number, resource: string): boolean;
  /** Nodes as they would be empty, ready and uncordoned. */
  readonly nominal: boolean;
  /** Whatever is not known counts in favour: a bound, never an answer. */
  readonly hopeful: boolean;
  /** How the kubelet of a row hands out what lies on NUMA nodes; undefined where no row has a rule. */
  readonly numa: NumaSupply | undefined;
  level(index: number): Domains;
  key(label: string): Domains;
  /** The same, and a domain by itself for each node without the label, from number `labelled` on. */
  apart(label: string): Domains & { readonly labelled: number };
}

export function portColumn(port: HostPort): string {
  return `port/${port}`;
}

export interface FieldOptions {
  readonly nominal: boolean;
  readonly hopeful: boolean;
  readonly numa?: NumaRules | undefined;
}

export function fieldFor(
  index: TopologyIndex,
  usage: Usage,
  shapes: readonly Shape[],
  kinds: readonly Kind[],
  options: FieldOptions,
): Field {
  const { topology } = index;
  const existing = topology.nodes.length;
  const rows = existing + kinds.reduce((total, kind) => total + kind.rows, 0);
  const resources = [...new Set(shapes.flatMap((shape) => shape.needs.map(({ resource }) => resource)))];
  const ports = [...new Set(shapes.flatMap((shape) => shape.ports))];
  const columns = [...resources, ...ports.map(portColumn)];
  const kindOf = kinds.length === 0 ? index.blank : new Int32Array(rows).fill(-1);
  let row = existing;
  for (const [number, kind] of kinds.entries()) {
    for (let count = 0; count < kind.rows; count += 1, row += 1) kindOf[row] = number;
  }
  const extended = new Set(shapes.flatMap((shape) => shape.extended.map(({ resource }) => resource)));
  const leaves = (row: number, resource: string): boolean => {
    if (!extended.has(resource)) return false;
    const kind = kinds[kindOf[row] ?? -1];
    const column = topology.resourceIndex.get(resource);
    const amount =
      kind !== undefined
        ? kind.pool.node.allocatable[resource]
        : column === undefined
          ? 0
          : topology.allocatable[row * topology.resources.length + column];
    return (amount ?? 0) === 0;
  };
  const asked: Columns = { resources, ports, nominal: options.nominal, leaves, extended };
  const kept = kinds.length === 0 && ports.length === 0 ? index.free.of(asked) : undefined;
  const free =
    kept === undefined ? freeAnew(asked, index, usage, kinds, rows) : freeBeside(kept, asked, topology, usage);
  const levels = new Map<number, Domains>();
  const keys = new Map<string, Domains>();
  const parted = new Map<string, Domains & { readonly labelled: number }>();
  const key = (label: string): Domains => {
    const known = keys.get(label) ?? keyDomains(partial, label);
    keys.set(label, known);
    return known;
  };
  const partial = { index, existing, rows, kinds, kindOf };
  return {
    index,
    existing,
    rows,
    kinds,
    kindOf,
    columns,
    ports,
    free: free.amounts,
    count: free.count,
    counted: kept?.count,
    devices: usage.devices,
    leaves,
    nominal: options.nominal,
    hopeful: options.hopeful,
    numa: numaSupply({ index, usage, shapes, kinds, kindOf, leaves, extended, ...options }),
    level(number) {
      const known = levels.get(number) ?? levelDomains(partial, number);
      levels.set(number, known);
      return known;
    },
    key,
    apart(label) {
      const known = parted.get(label) ?? apartDomains(key(label));
      parted.set(label, known);
      return known;
    },
  };
}

type Partial = Pick<Field, "index" | "existing" | "rows" | "kinds" | "kindOf">;

/** A host is a domain of its own whatever other labels say; a new node belongs to a domain that its pool's labels, zone or `together` tell. */
function levelDomains(field: Partial, number: number): Domains {
  if (field.kinds.length === 0) return field.index.domains(number);
  const { topology } = field.index;
  const level = topology.levels[number];
  if (level === undefined || level.level.name === "host" || level.level.key === HOST_LABEL) return soloDomains(field);
  const of = new Int32Array(field.rows).fill(-1);
  of.set(level.domainOf);
  const names = [...field.index.levelNames(number)];
  const byKind = field.kinds.map((kind) => domainOfKind(topology, number, kind, names));
  for (let row = field.existing; row < field.rows; row += 1) of[row] = byKind[field.kindOf[row] ?? 0] ?? -1;
  return { of, names };
}

function soloDomains(field: Partial): Domains {
  const of = new Int32Array(field.rows);
  const names: string[] = [];
  for (let row = 0; row < field.rows; row += 1) {
    of[row] = row;
    names.push(
      field.index.topology.nodes[row]?.name ?? `a new node of ${field.kinds[field.kindOf[row] ?? 0]?.pool.name}`,
    );
  }
  return { of, names };
}

/** Appends a domain to `names` where the new nodes make one that does not exist yet. */
function domainOfKind(topology: Topology, number: number, kind: Kind, names: string[]): number {
  const level = topology.levels[number];
  if (level === undefined) return -1;
  const key = level.level.key;
  const value = Object.hasOwn(kind.labels, key)
    ? kind.labels[key]
    : level.level.name === "zone" && kind.zone !== ""
      ? kind.zone
      : undefined;
  if (value !== undefined) {
    const alike = level.domains.filter((domain) => domain.path.at(-1) === value && agrees(topology, domain, kind));
    if (alike.length > 1) return -1;
    return alike[0]?.index ?? virtual(names, `${value} (new)`);
  }
  const together = topology.levels.some(
    (one, index) => index >= number && one.level.name !== "host" && kind.pool.together.includes(one.level.name),
  );
  if (!together) return -1;
  const zones = topology.levels.find((one) => one.level.name === "zone")?.level.key ?? ZONE_LABEL;
  const member = kind.members.find(
    (node) =>
      (level.domainOf[node] ?? -1) >= 0 && (kind.zone === "" || topology.nodes[node]?.labels[zones] === kind.zone),
  );
  if (member !== undefined) return level.domainOf[member] ?? -1;
  return virtual(names, `new nodes of pool ${kind.pool.name}${kind.zone === "" ? "" : ` in ${kind.zone}`}`);
}

/** Do the wider parts of the domain's path agree with what the pool says of them. */
function agrees(topology: Topology, domain: { readonly path: readonly string[] }, kind: Kind): boolean {
  return domain.path.every((value, depth) => {
    const key = topology.levels[depth]?.level.key ?? "";
    return !Object.hasOwn(kind.labels, key) || kind.labels[key] === value;
  });
}

function virtual(names: string[], name: string): number {
  const known = names.indexOf(name);
  if (known !== -1) return known;
  names.push(name);
  return names.length - 1;
}

const domainsOf = once(({ of, values }: Column): Domains => ({ of, names: values }));

function keyDomains(field: Partial, label: string): Domains {
  const column = field.index.column(label);
  if (field.kinds.length === 0) return domainsOf(column);
  const of = new Int32Array(field.rows).fill(-1);
  of.set(column.of);
  const names = [...column.values];
  for (let row = field.existing; row < field.rows; row += 1) {
    const kind = field.kinds[field.kindOf[row] ?? 0];
    if (kind === undefined) continue;
    if (label === HOST_LABEL) of[row] = names.push(`a new node of ${kind.pool.name}`) - 1;
    else {
      const value = Object.hasOwn(kind.labels, label) ? kind.labels[label] : undefined;
      if (value !== undefined) of[row] = virtual(names, value);
    }
  }
  return { of, names };
}

function apartDomains(domains: Domains): Domains & { readonly labelled: number } {
  const labelled = domains.names.length;
  if (!domains.of.includes(-1)) return { ...domains, labelled };
  const names = [...domains.names];
  const of = domains.of.map((domain) => (domain === -1 ? names.push("") - 1 : domain));
  return { of, names, labelled };
}
