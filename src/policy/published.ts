import { type CapacityPool, type Path, type PublishedDevices, plural } from "../model/index.ts";
import { given } from "./contract.ts";
import type { CapacityPoolSpec } from "./schema/pool.ts";

/** What a pool declares of devices of one driver. */
export function publishedOf({
  driver,
  attributes,
  capacity,
  groups,
}: NonNullable<CapacityPoolSpec["node"]["device"]>): PublishedDevices {
  const amounts = Object.entries(capacity ?? {}).map(([key, amount]) => [key, String(amount)] as const);
  return {
    driver,
    attributes: attributes ?? {},
    capacity: Object.fromEntries(amounts),
    ...given(
      "groups",
      groups?.map((one) => ({ count: one.count ?? 1, attributes: one.attributes })),
    ),
  };
}

/** What drivers publish on one node has to go together with its counts, and with each other. */
export function checkPublished(
  { node, acceleratorsPerNode }: CapacityPool,
  contradiction: (path: Path, message: string, hint: string) => void,
): void {
  const { device, network } = node;
  const grouped = (published: PublishedDevices | undefined): number | undefined =>
    published?.groups?.reduce((sum, { count }) => sum + count, 0);
  const [own, cards] = [grouped(device), grouped(network)];
  if (own !== undefined && own !== acceleratorsPerNode)
    contradiction(
      ["node", "device", "groups"],
      `node.device.groups make ${plural(own, "device")}, but acceleratorsPerNode is ${acceleratorsPerNode}.`,
      "Let the groups hold every accelerator once.",
    );
  if (network === undefined) return;
  if (cards !== undefined && cards !== network.count)
    contradiction(
      ["node", "network", "groups"],
      `node.network.groups make ${plural(cards, "device")}, but node.network.count is ${network.count}.`,
      "Let the groups hold every network device once.",
    );
  if (network.driver === device?.driver)
    contradiction(
      ["node", "network", "driver"],
      `node.network.driver is ${network.driver}, which publishes the accelerators (node.device).`,
      "Name the driver that publishes the network devices.",
    );
}
