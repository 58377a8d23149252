import { expect, test } from "vitest";
import { clashes, covers, hostPort, podHostPorts } from "../../src/model/index.ts";

test.each<[string, Parameters<typeof hostPort>, Parameters<typeof hostPort>, boolean, boolean]>([
  ["the same port", [80, "", ""], [80, "TCP", "0.0.0.0"], true, true],
  ["another port", [80, "", ""], [81, "", ""], false, false],
  ["another protocol", [80, "", ""], [80, "UDP", ""], false, false],
  ["one address against every one", [80, "TCP", "10.0.0.1"], [80, "", ""], true, false],
  ["every address against one", [80, "", ""], [80, "TCP", "10.0.0.1"], true, true],
  ["two addresses", [80, "", "10.0.0.1"], [80, "", "10.0.0.2"], false, false],
  ["one address in two protocols", [53, "UDP", "10.0.0.1"], [53, "TCP", "10.0.0.1"], false, false],
  ["an address of IPv6", [53, "UDP", "::1"], [53, "UDP", ""], true, false],
  ["every address of IPv6 is one of its own", [53, "", "::"], [53, "", "10.0.0.1"], false, false],
])("%s", (_name, a, b, clash, cover) => {
  expect(clashes(hostPort(...a), hostPort(...b))).toBe(clash);
  expect(clashes(hostPort(...b), hostPort(...a))).toBe(clash);
  expect(covers(hostPort(...a), hostPort(...b))).toBe(cover);
});

test("the ports of a pod, by their number", () => {
  const ports = [
    { containerPort: 1, hostPort: 9000 },
    { containerPort: 1, hostPort: 53, protocol: "UDP" },
    { containerPort: 1, hostPort: 53, protocol: "TCP", hostIP: "0.0.0.0" },
    { containerPort: 1, hostPort: 53, hostIP: "10.0.0.1" },
    { containerPort: 7 },
  ];
  expect(podHostPorts({ containers: [{ ports }, { ports }] })).toEqual(["10.0.0.1:53/TCP", 53, "53/UDP", 9000]);
  expect(
    podHostPorts({ hostNetwork: true, containers: [{ ports: [{ containerPort: 7, protocol: "SCTP" }] }] }),
  ).toEqual(["7/SCTP"]);
});
