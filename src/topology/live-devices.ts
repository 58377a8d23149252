import { type ChangeLog, createLog } from "../model/index.ts";
import { compareText } from "./order.ts";

/** Which claim holds each device, and a log of what changed. */
export interface DeviceLedger {
  readonly holders: ReadonlyMap<string, string>;
  readonly log: ChangeLog<string>;
  take(devices: readonly string[], claim: string): void;
  release(devices: readonly string[], claim: string): void;
}

export function createDeviceLedger(): DeviceLedger {
  const holders = new Map<string, string>();
  /** Devices that several claims hold at once, as shared ones may: the last by name counts. */
  const shared = new Map<string, Set<string>>();
  const { log, note } = createLog<string>();
  const last = (claims: Iterable<string>): string => [...claims].sort(compareText).at(-1) ?? "";
  return {
    holders,
    log,
    take(devices, claim) {
      for (const device of devices) {
        const holder = holders.get(device);
        if (holder !== undefined && holder !== claim) {
          const claims = (shared.get(device) ?? new Set([holder])).add(claim);
          shared.set(device, claims);
          holders.set(device, last(claims));
        } else holders.set(device, claim);
        note(device);
      }
    },
    release(devices, claim) {
      for (const device of devices) {
        const claims = shared.get(device);
        if (claims?.delete(claim) === true) {
          holders.set(device, last(claims));
          if (claims.size === 1) shared.delete(device);
        } else if (holders.get(device) === claim) holders.delete(device);
        note(device);
      }
    },
  };
}
