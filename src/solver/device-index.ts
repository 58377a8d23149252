import type { Topology } from "../topology/index.ts";
import { type DeviceClasses, type DeviceGroups, groupDevices } from "./device-classes.ts";
import { movesOf } from "./device-moves.ts";
import { type DeviceTable, deviceTable } from "./device-table.ts";
import type { Interest, Layouts } from "./device-twins.ts";
import { followDevices, isSameLedger, type UsedDevices } from "./device-used.ts";

/** Lookups over the devices of a topology, made when they are first asked for. */
export interface DeviceIndex {
  table(): DeviceTable;
  /** By device number: 1 where an allocated claim has it. Not to be written to. */
  used(): Uint8Array;
  layouts(interest: Interest): Layouts["of"];
  /** By node, as the ledger stands now. */
  classes(interest: Interest): DeviceClasses;
  /** What the index of a later topology may take over. */
  made(): Made | undefined;
}

interface Made {
  readonly table: DeviceTable;
  readonly used: UsedDevices;
  readonly groups: DeviceGroups;
}

/** `before`: what an earlier topology had. It is let go of once it has been looked at, so that no chain of topologies is kept. */
export function indexDevices(topology: Topology, before?: Made): DeviceIndex {
  let earlier = before;
  let own: Made | undefined;
  const made = (): Made => {
    own ??= make(topology, earlier);
    earlier = undefined;
    return own;
  };
  return {
    table: () => made().table,
    used: () => made().used.now(),
    layouts: (interest) => made().groups.layouts(interest).of,
    classes: (interest) => made().groups.classes(interest),
    made: () => own ?? earlier,
  };
}

function make(topology: Topology, earlier: Made | undefined): Made {
  const table = deviceTable(topology, earlier?.table);
  const same = earlier !== undefined && isSameLedger(earlier.used.ledger, topology.ledger);
  if (same && table === earlier.table) return earlier;
  const used = followDevices(topology.ledger, table, earlier);
  if (earlier === undefined) return { table, used, groups: groupDevices(table, used, topology.nodes.length) };
  const moves = movesOf(earlier.table, table);
  const groups = groupDevices(table, used, topology.nodes.length, {
    ...earlier,
    used: same ? earlier.used : undefined,
    moves,
  });
  return { table, used, groups };
}
