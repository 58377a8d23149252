import { describe, expect, test } from "vitest";
import type { Assignment, Demand, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";

const seeing = (name: string, claim: string, extra: Partial<DeviceRequest> = {}): DeviceRequest =>
  deviceRequest(name, 1, { claim, adminAccess: true, ...extra });

function world(devices: readonly JsonObject[], ...requests: readonly DeviceRequest[]) {
  const topology = cluster()
    .node("n")
    .object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "s" },
      spec: {
        driver: "gpu.nvidia.com",
        nodeName: "n",
        pool: { name: "n", generation: 1, resourceSliceCount: 1 },
        devices,
      },
    })
    .topology();
  const demand: Demand = demandOf(podSet("main", { required: 2, pod: { devices: requests } }));
  const answer = solve(topology, demand, contextOf());
  const checked = (assignment: Assignment) => checkAssignment(topology, demand, answer.rungs, assignment, contextOf());
  return { answer, checked, given: answer.chosen?.assignment?.placed[0]?.devices };
}

const D0 = "gpu.nvidia.com/n/d0";
const D1 = "gpu.nvidia.com/n/d1";

describe("requests of administrators (allocator of Kubernetes 1.37)", () => {
  test("two claims of a pod may see one device, and so may other pods", () => {
    const { answer, given, checked } = world([{ name: "d0" }], seeing("a", "one"), seeing("b", "two"));
    expect(answer.verdict).toBe("fits");
    expect(given).toEqual([
      [D0, D0],
      [D0, D0],
    ]);
    expect(checked(answer.chosen?.assignment ?? expect.fail())).toEqual([]);
  });

  test("two requests of one claim see two devices", () => {
    const requests = [seeing("a", "one"), seeing("b", "one")];
    expect(world([{ name: "d0" }], ...requests).answer.verdict).toBe("never");
    const { answer, given, checked } = world([{ name: "d0" }, { name: "d1" }], ...requests);
    expect(given).toEqual([
      [D0, D1],
      [D0, D1],
    ]);
    const [placed = expect.fail()] = answer.chosen?.assignment?.placed ?? [];
    const twice = {
      ...placed,
      devices: [
        [D0, D0],
        [D0, D1],
      ],
    };
    expect(checked({ placed: [twice], newNodes: [] })).toEqual(["n: claim one has device gpu.nvidia.com/n/d0 twice"]);
  });

  test("units of a shared device have to be there for each pod by itself, and stay for the next", () => {
    const shared = (value: string): JsonObject => ({
      name: "d0",
      allowMultipleAllocations: true,
      capacity: { units: { value } },
    });
    const asks = { capacity: { units: "3" } };
    const requests = [seeing("a", "one", asks), seeing("b", "two", asks)];
    const { answer, checked } = world([shared("6")], ...requests);
    expect(answer.verdict).toBe("fits");
    expect(checked(answer.chosen?.assignment ?? expect.fail())).toEqual([]);
    const small = world([shared("5")], ...requests);
    expect(small.answer.verdict).toBe("never");
    expect(small.checked(answer.chosen?.assignment ?? expect.fail())).toContain(
      `device ${D0} has not so much units to share`,
    );
  });
});
