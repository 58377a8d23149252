import type { JsonObject } from "../src/model/index.ts";
import { generateCluster, inventoryFrom } from "../src/topology/index.ts";
import { migDevice, migSlices } from "../test/support/mig.ts";

/** Share of nodes whose cards are cut: the rest would be millions of devices that nobody publishes. */
const MIG_SHARE = 1 / 50;
const CARDS = 8;
const FILL = 0.7;

/** Racks of 32 nodes with 8 H100 each, 70 % of the devices busy, and 2 % more nodes with 8 cut cards, 70 % of the cards in use. */
export function pluginCluster(nodes: number): readonly JsonObject[] {
  const cut = Math.max(1, Math.round(nodes * MIG_SHARE));
  const whole = generateCluster({ ...shape, nodes: nodes - cut });
  return [...whole, ...Array.from({ length: cut }, (_, index) => migNode(`mig-${index}`, index)).flat()];
}

/** The same with every device published by DRA and claimed. */
export const claimCluster = (nodes: number): readonly JsonObject[] =>
  generateCluster({ ...shape, nodes, mechanism: "dra" });

const shape = { shape: "p5.48xlarge", zones: 2, blocks: 8, nodesPerRack: 32, fill: FILL, seed: 1 } as const;

function migNode(name: string, number: number): readonly JsonObject[] {
  const node: JsonObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, "node.kubernetes.io/instance-type": "cut" } },
    status: {
      allocatable: { cpu: "190", memory: "1900Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  };
  const taken = Array.from({ length: CARDS }, (_, card) => card).filter(
    (card) => (number * CARDS + card) % 10 < FILL * 10,
  );
  return [node, ...migSlices(name, CARDS), ...taken.map((card) => claimOf(name, migDevice(card, "3g.40gb", 0)))];
}

const claimOf = (node: string, device: string): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceClaim",
  metadata: { namespace: "team-a", name: `${node}-${device}` },
  spec: { devices: { requests: [{ name: "part", exactly: { deviceClassName: "mig.nvidia.com" } }] } },
  status: {
    allocation: { devices: { results: [{ request: "part", driver: "gpu.nvidia.com", pool: node, device }] } },
    reservedFor: [{ resource: "pods", name: `pod-of-${node}-${device}`, uid: `${node}-${device}` }],
  },
});

export function inventoryOf(objects: readonly JsonObject[]) {
  const { value, diagnostics } = inventoryFrom(objects);
  const fault = diagnostics.find(({ severity }) => severity === "error");
  if (value === undefined || fault !== undefined)
    throw new Error(`the generated cluster does not read: ${fault?.message}`);
  return value;
}
