export interface TopologyLevel {
  readonly name: string;
  /** The node label that carries the domain's name at this level. */
  readonly key: string;
}

/** Levels from the widest to the narrowest; the last one is `host`. */
export interface TopologyLayout {
  readonly name: string;
  readonly digest: string;
  readonly description: string;
  readonly levels: readonly TopologyLevel[];
}
