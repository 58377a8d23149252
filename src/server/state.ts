import type { Diagnostic } from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import { indexTopology, type TopologyIndex } from "../solver/index.ts";
import { buildTopology, type Inventory, type Topology } from "../topology/index.ts";

/** What reviews are answered from at this moment. Replaced whole, never changed. */
export interface Served {
  readonly catalogue: Catalogue;
  readonly topology: Topology | undefined;
  /** Lookups that many solves on this topology share. */
  readonly index?: TopologyIndex;
  /** Why the topology cannot be trusted at this moment. */
  readonly stale?: string;
}

/** A cluster that is followed: its topology is asked for at each review. */
export interface Followed {
  topology(): Topology;
  index(): TopologyIndex;
  stale(): string | undefined;
  /** The layout and the kinds are policy. */
  takeCatalogue(catalogue: Catalogue): void;
}

export interface Revision {
  readonly revision: string;
  readonly loadedAt: string;
}

export type Source = "policies" | "cluster" | "certificate";

/** A reload that did not take: what was wrong, while the last good state goes on serving. */
export interface Fault {
  readonly source: Source;
  readonly since: string;
  readonly lines: readonly string[];
}

const REVISIONS_KEPT = 8;
const FAULT_LINES_KEPT = 20;

/** How long a review waits for the watch to show the namespace that it is in. */
const NAMESPACE_WAIT_MS = 1_000;
const NAMESPACE_POLL_MS = 10;

export interface State {
  served(): Served | undefined;
  /**
   * Settles when the followed cluster shows the namespace, or gives up after a second. One `kubectl apply` makes a namespace and what is in it: the
   * review of the second may be here before the watch tells of the first, and would be answered as unknown.
   */
  arrival(namespace: string | undefined): Promise<void>;
  revisions(): readonly Revision[];
  faults(): readonly Fault[];
  takeCatalogue(catalogue: Catalogue): void;
  takeInventory(inventory: Inventory): void;
  /** From now on the topology is the followed cluster's. */
  follow(cluster: Followed): void;
  fail(source: Source, lines: readonly string[]): void;
  clear(source: Source): void;
}

/** Holds the last good catalogue and inventory; the topology is rebuilt when either changes, since the layout is policy. */
export function createState(now: () => Date = () => new Date()): State {
  let catalogue: Catalogue | undefined;
  let inventory: Inventory | undefined;
  let served: Served | undefined;
  let revisions: Revision[] = [];
  let followed: Followed | undefined;
  const faults = new Map<Source, Fault>();

  const rebuild = (previous: Catalogue | undefined, inventoryChanged: boolean) => {
    if (catalogue === undefined) return;
    const sameLayout = previous?.layout.digest === catalogue.layout.digest && !inventoryChanged;
    const topology =
      inventory === undefined ? undefined : sameLayout ? served?.topology : buildTopology(inventory, catalogue.layout);
    const index = sameLayout ? served?.index : topology === undefined ? undefined : indexTopology(topology);
    served = { catalogue, topology, ...(index === undefined ? {} : { index }) };
  };

  const current = (): Served | undefined => {
    if (followed === undefined || served === undefined) return served;
    const stale = followed.stale();
    return {
      catalogue: served.catalogue,
      topology: followed.topology(),
      index: followed.index(),
      ...(stale === undefined ? {} : { stale }),
    };
  };

  return {
    served: current,
    async arrival(namespace) {
      if (namespace === undefined || namespace === "") return;
      const missing = () =>
        followed !== undefined &&
        followed.stale() === undefined &&
        followed.topology().facts.namespace(namespace) === undefined;
      for (let waitedMs = 0; waitedMs < NAMESPACE_WAIT_MS && missing(); waitedMs += NAMESPACE_POLL_MS)
        await new Promise((settle) => setTimeout(settle, NAMESPACE_POLL_MS));
    },
    revisions: () => revisions,
    faults: () => [...faults.values()],
    takeCatalogue(next) {
      const previous = catalogue;
      catalogue = next;
      rebuild(previous, false);
      if (previous?.revision !== next.revision) followed?.takeCatalogue(next);
      faults.delete("policies");
      if (revisions[0]?.revision !== next.revision) {
        revisions = [{ revision: next.revision, loadedAt: now().toISOString() }, ...revisions].slice(0, REVISIONS_KEPT);
      }
    },
    takeInventory(next) {
      inventory = next;
      rebuild(catalogue, true);
      faults.delete("cluster");
    },
    follow(cluster) {
      followed = cluster;
      if (catalogue !== undefined) cluster.takeCatalogue(catalogue);
    },
    fail(source, lines) {
      const since = faults.get(source)?.since ?? now().toISOString();
      faults.set(source, { source, since, lines: lines.slice(0, FAULT_LINES_KEPT) });
    },
    clear: (source) => void faults.delete(source),
  };
}

/** `file:line:column: severity CODE: message. hint` */
export function diagnosticLine(one: Diagnostic): string {
  const place = one.source === undefined ? "" : `${one.source.file}:${one.source.line}:${one.source.column}: `;
  return `${place}${one.severity} ${one.code}: ${one.message}${one.hint === undefined ? "" : ` ${one.hint}`}`;
}
