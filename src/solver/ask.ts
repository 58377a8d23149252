import type { DeviceRequest } from "../model/index.ts";
import type { Shape } from "./shape.ts";

/** One way to serve a request: the request itself, or one of its alternatives. Numbers run through all shapes of an attempt. */
export interface Option {
  readonly number: number;
  /** `claim/request` or `claim/request/alternative` */
  readonly label: string;
  readonly request: DeviceRequest;
}

/** One of the options serves it, tried in order. */
export interface Slot {
  /** Index into `PodDevices.claims`. */
  readonly claim: number;
  readonly options: readonly Option[];
}

/** Devices of these options must all agree, or all differ, in the attribute. */
export interface Bond {
  readonly attribute: string;
  readonly distinct: boolean;
  readonly options: ReadonlySet<number>;
}

/** What one pod asks for. */
export interface PodDevices {
  /** In the pod's order, by what tells them apart: claims that pods share have equal names wherever they are used. */
  readonly claims: readonly { readonly name: string; readonly shared: boolean }[];
  readonly slots: readonly Slot[];
  readonly bonds: readonly Bond[];
  /** Every request is one for administrators: nothing is taken from anybody. */
  readonly admin: boolean;
}

export const NO_DEVICES: PodDevices = { claims: [], slots: [], bonds: [], admin: false };

/** The asks of all shapes, and every option by its number. `extended`: requests that come with extended resources, by shape. */
export function asksOf(shapes: readonly Shape[]): {
  readonly options: readonly Option[];
  /** By shape: with claims alone, and for each set of extended resources that a node leaves to claims (a bit mask). */
  ask(shape: number, extended: number): PodDevices;
} {
  const options: Option[] = [];
  const register = (request: DeviceRequest, label: string): Option => {
    const option: Option = { number: options.length, label, request };
    options.push(option);
    return option;
  };
  const optionsOf = (request: DeviceRequest): readonly Option[] => {
    const label = `${request.claim}/${request.name}`;
    return request.firstAvailable === undefined
      ? [register(request, label)]
      : request.firstAvailable.map((one) =>
          register(
            {
              ...one,
              claim: request.claim,
              tolerations: one.tolerations,
              ...(request.sharedClaim === undefined ? {} : { sharedClaim: request.sharedClaim }),
            },
            `${label}/${one.name}`,
          ),
        );
  };
  const drafts = shapes.map((shape) => ({
    claims: shape.devices.map((request) => ({ request, options: optionsOf(request) })),
    extended: shape.extended.map(({ request }) => ({ request, options: optionsOf(request) })),
  }));
  const known = new Map<string, PodDevices>();
  return {
    options,
    ask(shape, extended) {
      const key = `${shape}/${extended}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const draft = drafts[shape];
      const parts =
        draft === undefined
          ? []
          : [...draft.claims, ...draft.extended.filter((_, index) => (extended & (1 << index)) !== 0)];
      const fresh = podDevices(parts);
      known.set(key, fresh);
      return fresh;
    },
  };
}

interface Part {
  readonly request: DeviceRequest;
  readonly options: readonly Option[];
}

function podDevices(parts: readonly Part[]): PodDevices {
  if (parts.length === 0) return NO_DEVICES;
  const names: string[] = [];
  const claims: { name: string; shared: boolean }[] = [];
  const slots: Slot[] = [];
  const bonds = new Map<string, Bond>();
  for (const { request, options } of parts) {
    const name = request.sharedClaim ?? request.claim;
    let claim = names.indexOf(name);
    if (claim === -1) {
      claim = names.push(name) - 1;
      claims.push({ name, shared: request.sharedClaim !== undefined });
    }
    slots.push({ claim, options });
    for (const distinct of [false, true])
      for (const { attribute, requests } of (distinct ? request.distinctAttributes : request.matchAttributes) ?? []) {
        const key = `${request.claim}|${distinct}|${attribute}|${[...requests].sort().join(",")}`;
        if (bonds.has(key)) continue;
        const bound = parts.filter((one) => one.request.claim === request.claim);
        bonds.set(key, { attribute, distinct, options: boundBy(bound, requests) });
      }
  }
  const admin = parts.every(({ request }) => request.adminAccess === true);
  return { claims, slots, bonds: [...bonds.values()].filter((bond) => bond.options.size > 0), admin };
}

/** A constraint names whole requests, or single alternatives as `request/alternative`. */
function boundBy(parts: readonly Part[], requests: readonly string[]): ReadonlySet<number> {
  const bound = new Set<number>();
  for (const { request, options } of parts)
    for (const option of options)
      if (
        requests.length === 0 ||
        requests.includes(request.name) ||
        (request.firstAvailable !== undefined && requests.includes(`${request.name}/${option.request.name}`))
      )
        bound.add(option.number);
  return bound;
}
