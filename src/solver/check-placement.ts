import { allows, allowsLabels, NODE_NAME_FIELD, type SpreadConstraint, type Taint, tolerates } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Host, Laid } from "./checker.ts";

/** Do the pods of one set share the domains that they must, and spread as they must. */
export function checkPlacement(topology: Topology, laid: Laid, faults: string[]): void {
  const { set } = laid;
  if (set.perNode) return;
  const { level, unit, groupSize, mode, spread } = set.placement;
  if (level !== undefined && unit !== "pod" && mode === "required") {
    const pods = new Map<string, number>();
    for (const one of laid.placed) {
      const domain = domainOf(topology, one.host, level);
      if (domain === undefined) faults.push(`${set.name} on ${one.host.name}: its ${level} is not known`);
      else pods.set(domain, (pods.get(domain) ?? 0) + one.pods);
    }
    const total = laid.placed.reduce((sum, one) => sum + one.pods, 0);
    if (unit === "group") {
      const over = [...pods.values()].map((count) => count % groupSize).filter((rest) => rest !== 0);
      if (over.length > 1 || (over[0] ?? 0) !== (over.length === 0 ? 0 : total % groupSize))
        faults.push(`${set.name} tears a group of ${groupSize} apart at ${level}`);
    } else if (pods.size > 1) faults.push(`${set.name} stands in ${pods.size} domains of ${level}`);
  }
  const rules: SpreadConstraint[] = [...set.pod.spread];
  const key = topology.layout.levels.find(({ name }) => name === spread?.level)?.key;
  if (spread?.mode === "required" && key !== undefined)
    rules.push({
      key,
      maxSkew: spread.maxSkew,
      ...(spread.minDomains === undefined ? {} : { minDomains: spread.minDomains }),
      ignoreTaints: true,
    });
  for (const rule of rules) checkSpread(topology, laid, rule, rules, faults);
}

/** What a node calls its domain: the labels from the widest level down; of a new node what its pool tells. */
export function domainOf(topology: Topology, host: Host, level: string): string | undefined {
  const depth = topology.layout.levels.findIndex(({ name }) => name === level);
  const own = topology.layout.levels[depth];
  if (own === undefined) return undefined;
  if (level === "host" || own.key === "kubernetes.io/hostname") return host.name;
  const path = (labels: Readonly<Record<string, string>>): string | undefined => {
    const values = topology.layout.levels
      .slice(0, depth + 1)
      .map(({ key }) => (Object.hasOwn(labels, key) ? labels[key] : undefined));
    return values.some((value) => value === undefined || value === "") ? undefined : values.join("/");
  };
  if (host.pool === undefined) return path(host.labels);
  const { pool } = host;
  if (Object.hasOwn(host.labels, own.key)) {
    const value = host.labels[own.key];
    const agrees = topology.nodes.filter(
      (node) =>
        node.labels[own.key] === value &&
        topology.layout.levels
          .slice(0, depth)
          .every(({ key }) => !Object.hasOwn(host.labels, key) || host.labels[key] === node.labels[key]),
    );
    const paths = new Set(agrees.flatMap((node) => path(node.labels) ?? []));
    if (paths.size > 1) return undefined;
    return [...paths][0] ?? `new ${value}`;
  }
  const narrower = topology.layout.levels.slice(depth).filter(({ name }) => name !== "host");
  if (!narrower.some(({ name }) => pool.together.includes(name))) return undefined;
  const zoneKey = topology.layout.levels.find(({ name }) => name === "zone")?.key ?? "topology.kubernetes.io/zone";
  const members =
    pool.members.size === 0 ? [] : topology.nodes.filter((node) => allowsLabels(pool.members, node.labels));
  const near = members.filter((node) => host.zone === "" || node.labels[zoneKey] === host.zone);
  return near.map((node) => path(node.labels)).find((one) => one !== undefined) ?? `new ${pool.name} ${host.zone}`;
}

/** PodTopologySpread: among the domains of nodes that the pod selects, no count is more than maxSkew above the least. */
function checkSpread(
  topology: Topology,
  laid: Laid,
  rule: SpreadConstraint,
  all: readonly SpreadConstraint[],
  faults: string[],
): void {
  const { set, step, tolerations } = laid;
  const pods = new Map<string, number>();
  const labelOf = (host: Host): string | undefined =>
    rule.key === "kubernetes.io/hostname" && host.pool !== undefined
      ? host.name
      : Object.hasOwn(host.labels, rule.key)
        ? host.labels[rule.key]
        : undefined;
  for (const { host, pods: count } of laid.placed) {
    const value = labelOf(host);
    if (value === undefined) faults.push(`${set.name} on ${host.name}: it has no label ${rule.key}`);
    else pods.set(value, (pods.get(value) ?? 0) + count);
  }
  const accepts = (taint: Taint): boolean =>
    taint.effect === "PreferNoSchedule" || tolerations.some((one) => tolerates(one, taint));
  const keys = [...set.pod.selection.flatMap((term) => [...term.keys()]), ...step.selection.map(({ key }) => key)];
  const byName = keys.includes(NODE_NAME_FIELD);
  for (const node of topology.nodes) {
    const value = Object.hasOwn(node.labels, rule.key) ? node.labels[rule.key] : undefined;
    if (value === undefined || pods.has(value) || all.some(({ key }) => !Object.hasOwn(node.labels, key))) continue;
    const labels: Readonly<Record<string, string>> = byName
      ? { ...node.labels, [NODE_NAME_FIELD]: node.name }
      : node.labels;
    const selected =
      set.pod.selection.some((term) => allowsLabels(term, labels)) &&
      step.selection.every((one) => allows(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined));
    if ((rule.ignoreSelection === true || selected) && (rule.ignoreTaints || node.taints.every(accepts)))
      pods.set(value, 0);
  }
  const counts = [...pods.values()];
  const least = counts.length < (rule.minDomains ?? 1) ? 0 : Math.min(...counts);
  if (counts.length > 0 && Math.max(...counts) - least > rule.maxSkew)
    faults.push(`${set.name} is ${Math.max(...counts) - least} uneven over ${rule.key}, and may be ${rule.maxSkew}`);
}
