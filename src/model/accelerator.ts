/** A named kind of device: how to recognise it, and what a workload that wants it must write. */
export interface AcceleratorClass {
  readonly name: string;
  readonly description: string;
  readonly digest: string;
  readonly vendor: string;
  readonly architecture: string;
  /** Memory of one device as its DRA driver publishes it. */
  readonly memoryBytes: number;
  readonly sharing: "exclusive" | "partition" | "time-sliced";
  /** The extended resource that device plugins count it under. */
  readonly resourceName: string;
  /** Labels by which a node says that it carries this kind, one entry per label key. */
  readonly labels: readonly AcceleratorLabel[];
  /** How DRA publishes it; absent where no driver does. */
  readonly device?: {
    readonly driver: string;
    readonly deviceClassName: string;
    /** CEL, ANDed. */
    readonly selectors: readonly string[];
  };
  /** The level of a TopologyLayout, or `host`, inside which its devices share an NVLink (xGMI) domain. */
  readonly interconnect?: { readonly level: string; readonly devices: number };
  /** What the platform really publishes to align devices by: attribute names, where the constraint means something. */
  readonly alignment: { readonly numa?: string; readonly pcie?: string };
}

export interface AcceleratorLabel {
  readonly key: string;
  readonly values: readonly string[];
  /** false: written by an agent on the node (GFD), so no autoscaler knows it before the node is up. */
  readonly beforeNode: boolean;
}

/** Does a DRA driver of this name publish accelerators (and not network cards or channels): `gpu.nvidia.com`, `neuron.aws.com`. */
export function isAcceleratorDriver(driver: string): boolean {
  return /^(?:gpu|tpu|npu|neuron|gaudi)\./.test(driver);
}
