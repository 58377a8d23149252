import type { DeviceRequest } from "../model/index.ts";
import type { Shape } from "./shape.ts";
import { joined } from "./text.ts";

/** Something of which nodes may have too little, and what a shape asks for without it. */
export interface Thing {
  readonly kind: "resource" | "port" | "devices" | "alignment" | "numa" | "others";
  /** As a sentence names it: `cpu`, `host port 80`, `devices of class gpu.nvidia.com`. */
  readonly text: string;
  /** The word stands for many. */
  readonly many: boolean;
  /** Of a resource its name; of an alignment the texts of the devices that it binds. */
  readonly of: readonly string[];
  /** Devices of a claim that pods share. */
  readonly shared?: boolean;
  without(shape: Shape): Shape;
}

/** Each one takes a search: more are looked at as one. */
const MOST_THINGS = 12;

/** All that pods of these shapes take of a node, in the scheduler's order. `numa`: some kubelets look at NUMA nodes. */
export function thingsOf(shapes: readonly Shape[], numa: boolean): readonly Thing[] {
  const resources = [...new Set(shapes.flatMap(({ needs }) => needs.map(({ resource }) => resource)))];
  const ports = [...new Set(shapes.flatMap((shape) => shape.ports))];
  const things = [
    ...ports.map(
      (port): Thing => ({
        kind: "port",
        text: `host port ${port}`,
        many: false,
        of: [],
        without: (shape) => ({ ...shape, ports: shape.ports.filter((one) => one !== port) }),
      }),
    ),
    ...resources.map(resourceThing),
    ...deviceThings(shapes.flatMap(({ devices }) => devices)),
    ...(numa ? [NUMA] : []),
  ];
  if (things.length <= MOST_THINGS) return things;
  const others = things.slice(MOST_THINGS);
  const rest: Thing = {
    kind: "others",
    text: `${others.length} other things that a pod asks for`,
    many: true,
    of: [],
    without: (shape) => others.reduce((one, thing) => thing.without(one), shape),
  };
  return [...things.slice(0, MOST_THINGS), rest];
}

export const numaText = (of: readonly string[]): string =>
  `NUMA nodes with enough ${of.length === 0 ? "for one pod" : joined(of)}`;

const NUMA: Thing = {
  kind: "numa",
  text: numaText([]),
  many: true,
  of: [],
  without: (shape) => ({ ...shape, containers: [] }),
};

function resourceThing(resource: string): Thing {
  return {
    kind: "resource",
    text: resource === "pods" ? "pod slots" : resource,
    many: resource === "pods",
    of: [resource],
    without: (shape) => ({
      ...shape,
      needs: shape.needs.filter((one) => one.resource !== resource),
      extended: shape.extended.filter((one) => one.resource !== resource),
      containers: shape.containers.map((one) => {
        const { [resource]: _without, ...requests } = one.requests;
        return { ...one, requests };
      }),
    }),
  };
}

/** Devices by their class, or by the claim that pods share; then what has to be alike, or unlike, in them. */
function deviceThings(requests: readonly DeviceRequest[]): readonly Thing[] {
  const things = [...new Set(requests.map(devicesText))].map(
    (text): Thing => ({
      kind: "devices",
      text,
      many: true,
      of: [],
      shared: requests.some((one) => one.sharedClaim !== undefined && devicesText(one) === text),
      without: (shape) => ({ ...shape, devices: shape.devices.filter((one) => devicesText(one) !== text) }),
    }),
  );
  for (const key of ["matchAttributes", "distinctAttributes"] as const)
    for (const attribute of new Set(requests.flatMap((one) => (one[key] ?? []).map((bond) => bond.attribute))))
      things.push({
        kind: "alignment",
        text: `devices ${key === "matchAttributes" ? "of one" : "each of another"} ${attribute}`,
        many: true,
        of: requests.filter((one) => one[key]?.some((bond) => bond.attribute === attribute)).map(devicesText),
        without: (shape) => ({
          ...shape,
          devices: shape.devices.map((one) => ({
            ...one,
            [key]: one[key]?.filter((bond) => bond.attribute !== attribute) ?? [],
          })),
        }),
      });
  return things;
}

function devicesText({ deviceClassName, firstAvailable, sharedClaim }: DeviceRequest): string {
  if (sharedClaim !== undefined) return `nodes with the devices of claim ${sharedClaim}`;
  const classes = [...new Set((firstAvailable ?? [{ deviceClassName }]).map((one) => one.deviceClassName))];
  return `devices of class ${classes.join(" or ")}`;
}
