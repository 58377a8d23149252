import { describe, expect, test } from "vitest";
import type { Placed } from "../../src/model/index.ts";
import { takenDevices } from "../../src/solver/index.ts";
import { deviceRequest } from "../support/demand.ts";

const small = deviceRequest("small", 2, { capacity: { units: "1" } });
const large = deviceRequest("large", 1, { capacity: { units: "3" } });
const plain = deviceRequest("plain", 1);
const watch = deviceRequest("watch", 1, { adminAccess: true });
const none = deviceRequest("none", 0, { capacity: { units: "9" } });
const all = deviceRequest("all", "all", { capacity: { units: "2" } });
const ways = deviceRequest("ways", 1, { firstAvailable: [large, { ...plain, capacity: { units: "4" } }] });

/** One pod's devices, and what each serves where that is told. */
const pod = (devices: string, serves?: string): Pick<Placed, "devices" | "serves"> => ({
  devices: [devices.split(" ").filter((one) => one !== "")],
  ...(serves === undefined ? {} : { serves: [serves.split(" ")] }),
});
const units = (...amounts: readonly (number | undefined)[]) =>
  amounts.map((one) => (one === undefined ? {} : { units: String(one) }));

describe("what is taken of the devices that pods get, and how much of each", () => {
  test.each([
    [
      "two requests in their order",
      [small, large],
      pod("a b c"),
      { devices: ["a", "b", "c"], capacities: units(1, 1, 3) },
    ],
    ["a request for none stands between", [none, large], pod("a"), { devices: ["a"], capacities: units(3) }],
    [
      "one that asks for nothing of it",
      [plain, large],
      pod("a b"),
      { devices: ["a", "b"], capacities: units(undefined, 3) },
    ],
    ["nobody asks", [plain], pod("a"), { devices: ["a"] }],
    ["all that there are", [all], pod("a b"), { devices: ["a", "b"], capacities: units(2, 2) }],
    [
      "what is told wins",
      [small, large],
      pod("a b", "gpus/large gpus/small"),
      { devices: ["a", "b"], capacities: units(3, 1) },
    ],
    ["the first way", [ways], pod("a", "gpus/ways/large"), { devices: ["a"], capacities: units(3) }],
    ["the second way", [ways], pod("a", "gpus/ways/plain"), { devices: ["a"], capacities: units(4) }],
    ["an administrator takes none", [watch, large], pod("a b"), { devices: ["b"], capacities: units(3) }],
    [
      "nor where it is told",
      [large, watch],
      pod("a b", "gpus/watch gpus/large"),
      { devices: ["b"], capacities: units(3) },
    ],
    ["extended resources", [], pod("a", "the_extended_resources/nvidia.com/gpu"), { devices: ["a"] }],
    ["no devices at all", [plain], {}, { devices: [] }],
  ])("%s", (_, requests, placed, wanted) => expect(takenDevices(requests, placed)).toEqual(wanted));

  test("of several pods, each from the first request on", () => {
    const placed = {
      devices: [
        ["a", "b", "c"],
        ["d", "e", "f"],
      ],
    };
    expect(takenDevices([small, large], placed).capacities).toEqual(units(1, 1, 3, 1, 1, 3));
  });
});
