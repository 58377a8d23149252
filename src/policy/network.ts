import type { CapacityPool, Contract, Path, Platform, WorkloadClass } from "../model/index.ts";
import type { Declared, Report } from "./documents.ts";

/** Classes that want network devices of which the platform says nothing, and pools whose network devices are others than the platform's. */
export function checkNetwork(
  { network }: Platform,
  classes: ReadonlyMap<string, WorkloadClass>,
  pools: ReadonlyMap<string, CapacityPool>,
  declared: { readonly classes: ReadonlyMap<string, Declared>; readonly pools: ReadonlyMap<string, Declared> },
  report: Report,
): void {
  for (const [name, { contract, roles }] of network === undefined ? classes : []) {
    const source = declared.classes.get(name);
    const [where, mode] = wanting(contract, roles) ?? [];
    if (source === undefined || where === undefined) continue;
    const then = mode === "required" ? "so none of its rungs can be taken" : "so none are asked for";
    report.about(
      source,
      "NetworkMissing",
      where,
      `${where.join(".")} asks for network devices, and the platform declares none, ${then}.`,
      "Declare network in the platform file, or leave align.nics out.",
    );
  }
  for (const [name, { node }] of network === undefined ? [] : pools) {
    const source = declared.pools.get(name);
    if (source === undefined || node.network === undefined || node.network.driver === network?.driver) continue;
    report.about(
      source,
      "NetworkMissing",
      ["node", "network", "driver"],
      `node.network.driver is ${node.network.driver}, and classes are given devices of ${network?.driver} (network in the platform file).`,
      "Name the driver that the platform names, unless manifests bring claims for this one.",
    );
  }
}

/** Where the class says so, and how strictly: the whole class, or the first of its roles. */
function wanting(contract: Contract, roles: WorkloadClass["roles"]): readonly [where: Path, mode: string] | undefined {
  const asks = (one: Contract) => (one.accelerator.kind === "classes" ? one.accelerator.align?.nics : undefined);
  const own = asks(contract);
  if (own !== undefined) return [["accelerator", "align", "nics"], own.mode];
  for (const [role, one] of Object.entries(roles)) {
    const nics = asks(one);
    if (nics !== undefined) return [["roles", role, "accelerator", "align", "nics"], nics.mode];
  }
  return undefined;
}
