import type { CapacityType } from "./class.ts";
import type { DeviceRequest } from "./demand.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Requirement } from "./requirement.ts";
import type { Toleration } from "./scheduling.ts";

export type Source = "existing" | "new";

/** One alternative: accelerator class (or none / any), then capacity type, then source. */
export interface Rung {
  readonly accelerator: string;
  readonly capacityType: CapacityType;
  readonly source: Source;
}

/** A rung with everything that the expansion would write for it, so that the solver judges what will really be scheduled. */
export interface Step {
  readonly rung: Rung;
  /** Node selection that the class adds on this rung. */
  readonly selection: readonly Requirement[];
  readonly tolerations: readonly Toleration[];
  /** How the devices are asked for. `manifest`: as the manifest does already. */
  readonly mechanism: "none" | "extended-resource" | "claim" | "manifest";
  /** With `extended-resource`: counted under this name (also part of `addedRequests` where we supply it). */
  readonly resourceName?: string;
  /** Devices per pod. */
  readonly devicesPerPod: number;
  /** Requests that the expansion adds to the pod's own (where the manifest asks for no device). */
  readonly addedRequests: Readonly<Record<string, number>>;
  /** Claims that the expansion adds. */
  readonly addedDevices: readonly DeviceRequest[];
  /** The rung cannot be taken by this workload, and why (its resource name differs from the manifest's, ...). */
  readonly skipped?: Diagnostic;
}

export interface Ladder {
  readonly steps: readonly Step[];
  readonly maxProvisioningMs: number;
}

export function rungText(rung: Rung): string {
  return `${rung.accelerator}/${rung.capacityType}/${rung.source}`;
}

export function parseRung(text: string): Rung | undefined {
  const match = /^([a-z0-9][a-z0-9.-]*)\/(reserved|on-demand|spot)\/(existing|new)$/.exec(text);
  if (match === null) return undefined;
  return { accelerator: match[1] ?? "", capacityType: match[2] as CapacityType, source: match[3] as Source };
}
