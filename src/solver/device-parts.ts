import { once } from "../model/index.ts";
import type { DevicePool } from "../topology/index.ts";

/** What one pool says of its devices, by their places in it. */
export interface PoolPart {
  /** `driver/pool/device` */
  readonly keys: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** Is what a device needs reached from several nodes: the device itself, or counters that it shares with others. */
  readonly joint: readonly boolean[];
  /** Devices that several nodes may reach. */
  readonly detached: readonly number[];
  /** Devices that only one node reaches, by that node. */
  readonly byNode: ReadonlyMap<string, readonly number[]>;
  /** May any of them be used by several claims. */
  readonly shared: boolean;
  /** The counters that it has at first, as text. */
  readonly counters: string;
}

/** Pools outlive topologies: only those of which a slice changed are read anew. */
export const partOf: (pool: DevicePool) => PoolPart = once(
  ({ driver, name, devices, counterSets = {} }: DevicePool) => {
    const counting = devices.filter(({ consumesCounters }) => consumesCounters.length > 0);
    const spans = new Set(counting.map(({ reach }) => ("node" in reach ? reach.node : "*"))).size > 1;
    const byNode = new Map<string, number[]>();
    const detached: number[] = [];
    for (const [place, { reach }] of devices.entries()) {
      if (!("node" in reach)) detached.push(place);
      else {
        const known = byNode.get(reach.node);
        if (known === undefined) byNode.set(reach.node, [place]);
        else known.push(place);
      }
    }
    const keys = devices.map((device) => `${driver}/${name}/${device.name}`);
    return {
      keys,
      placeOf: new Map(keys.map((key, place) => [key, place])),
      joint: devices.map(({ reach, consumesCounters }) => !("node" in reach) || (spans && consumesCounters.length > 0)),
      detached,
      byNode,
      shared: devices.some(({ allowMultipleAllocations }) => allowMultipleAllocations),
      counters: json(counterSets),
    };
  },
);

export const json = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));
