export { acceleratorsByTenant, isAcceleratorDriver, isAcceleratorResource } from "./accelerators.ts";
export type { InventoryFile } from "./documents.ts";
export { emptyFacts } from "./facts.ts";
export { type InventoryOptions, inventoryFrom, readInventory } from "./inventory.ts";
export { ledgerWithout, type Usage, usageOf } from "./ledger.ts";
export { sameObject } from "./owner.ts";
export { buildTopology } from "./tree.ts";
export * from "./types.ts";
