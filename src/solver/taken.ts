import type { DeviceRequest, Hold, Placed } from "../model/index.ts";

type Taken = Pick<Hold["placed"][number], "devices" | "capacities">;

/** What pods take from others of the devices that were found for them: nothing of those that administrators' requests see. */
export function takenDevices(
  requests: readonly DeviceRequest[],
  { devices = [], serves }: Pick<Placed, "devices" | "serves">,
): Taken {
  const taken = devices.flatMap((pod, number) => {
    const labels = serves?.[number];
    return pod.flatMap((device, at) => {
      const label = labels?.[at];
      const request = label === undefined ? inOrder(requests, at) : labelled(requests, label);
      return request?.adminAccess === true ? [] : [{ device, capacity: request?.capacity }];
    });
  });
  return {
    devices: taken.map(({ device }) => device),
    ...(taken.some(({ capacity }) => capacity !== undefined)
      ? { capacities: taken.map(({ capacity }) => capacity ?? {}) }
      : {}),
  };
}

/** Where nothing is told, devices stand in the order of the requests. */
function inOrder(requests: readonly DeviceRequest[], at: number): DeviceRequest | undefined {
  let end = 0;
  return requests.find(({ count }) => {
    end = count === "all" ? Number.POSITIVE_INFINITY : end + count;
    return at < end;
  });
}

function labelled(requests: readonly DeviceRequest[], label: string): DeviceRequest | undefined {
  for (const { firstAvailable, ...one } of requests) {
    const own = `${one.claim}/${one.name}`;
    if (label === own) return one;
    const found = firstAvailable?.find(({ name }) => label === `${own}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
