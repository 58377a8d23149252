import type { AcceleratorClass, CapacityPool, Demand, Hold, Json, ObjectKey, Platform, Rung } from "../model/index.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** Everything beside topology and demand that an answer depends on. */
export interface SolveContext {
  readonly platform: Platform;
  readonly pools: readonly CapacityPool[];
  readonly accelerators: ReadonlyMap<string, AcceleratorClass>;
  /** Capacity promised to others; a hold of the workload itself is left out. */
  readonly holds: readonly Hold[];
  /** Search steps before the answer is `undecided`. */
  readonly maxSteps: number;
  /** Pod sets whose rung stands. */
  readonly fixed?: Readonly<Record<string, Rung>>;
  /** For reservations that end; without it none counts as ended. */
  readonly nowMs?: number;
  readonly skipSuggestions?: boolean;
  /** End the walk at the first rung that holds: the decision is the same, later rungs are not told. For callers that show no ladder. */
  readonly stopAtFirst?: boolean;
  /** May the workload set this field of its class so, by itself. Absent: nothing. */
  readonly mayOverride?: (field: string, value: Json) => boolean;
  /**
   * What the same workload would ask if the class said this field so of these pod sets; undefined where nothing changes or no class may say
   * that. Absent: nobody can tell, and such changes are not suggested.
   */
  readonly demandIf?: (field: string, value: Json, podSets: readonly string[]) => Demand | undefined;
  /** Tell what another choice would give up although rungs stand: they were chosen just now. */
  readonly chosenNow?: boolean;
  /** `indexTopology(topology)`, kept beside the topology: many solves on one topology share its lookups. */
  readonly index?: TopologyIndex;
}

/** The same workload, whatever generation of it. A name that is not drawn yet equals nothing. */
export function isSameWorkload(a: ObjectKey, b: ObjectKey): boolean {
  return (
    a.name !== "" &&
    a.name === b.name &&
    a.kind === b.kind &&
    namespaceOf(a) === namespaceOf(b) &&
    group(a) === group(b)
  );
}

/** A manifest may leave its namespace out. */
export function namespaceOf(key: ObjectKey): string {
  return key.namespace || "default";
}

function group(key: ObjectKey): string {
  const slash = key.apiVersion.indexOf("/");
  return slash === -1 ? "" : key.apiVersion.slice(0, slash);
}
