import type { ClaimState, JsonObject, ObjectKey } from "../model/index.ts";
import { acceleratorsOfClaim } from "./accelerators.ts";
import { claimDevices, claimRoot, claimUser, readAllocation, readClaim } from "./claim.ts";
import type { AmountReader, Faults } from "./fields.ts";
import { type Identity, idOf } from "./identity.ts";
import type { DeviceLedger } from "./live-devices.ts";
import { isSameKey } from "./live-lineage.ts";
import { comparePlaces, type Placed, sortedList } from "./live-sorted.ts";
import { createTable } from "./live-table.ts";
import { objectId } from "./owner.ts";
import type { ClaimFacts } from "./types.ts";

interface LiveClaim extends Placed<ClaimFacts> {
  /** Nothing while nothing is allocated. */
  facts: ClaimFacts | undefined;
  user: ObjectKey | undefined;
}

export interface ClaimKeeper {
  /** Nothing is changed where faults are found. */
  set(object: JsonObject, identity: Identity, problems: Faults): void;
  remove(namespace: string, name: string): void;
  /** A pod came, went, or has another root. */
  podMoved(pod: ObjectKey): void;
  tenantMoved(namespace: string): void;
  /** Allocated ones. */
  facts(): readonly ClaimFacts[];
  ofRoot(root: ObjectKey): readonly ClaimFacts[];
  /** spec.devices by `namespace/name`. */
  readonly specs: ReadonlyMap<string, JsonObject>;
  /** What was given to each, by `namespace/name`. */
  readonly states: ReadonlyMap<string, ClaimState>;
  /** Accelerators by tenant. */
  readonly held: ReadonlyMap<string, number>;
  readonly size: number;
}

export interface ClaimSurroundings {
  readonly amounts: AmountReader;
  readonly devices: DeviceLedger;
  readonly rootOfPod: (pod: ObjectKey) => ObjectKey | undefined;
  readonly tenantOf: (namespace: string) => string;
  readonly moved: () => void;
}

export function createClaims({ amounts, devices, rootOfPod, tenantOf, moved }: ClaimSurroundings): ClaimKeeper {
  const table = createTable<LiveClaim>();
  const sorted = sortedList<ClaimFacts, LiveClaim>();
  const specs = new Map<string, JsonObject>();
  const states = new Map<string, ClaimState>();
  const held = new Map<string, number>();
  const byPod = new Map<string, Set<LiveClaim>>();
  const byRoot = new Map<string, Set<LiveClaim>>();

  const file = (claim: LiveClaim, step: 1 | -1): void => {
    const { facts, user } = claim;
    if (facts === undefined) return;
    if (user?.kind === "Pod") enter(byPod, objectId(user), claim, step);
    if (facts.root !== undefined) enter(byRoot, objectId(facts.root), claim, step);
    if (facts.adminAccess) return;
    const sum = (held.get(facts.tenant) ?? 0) + step * acceleratorsOfClaim(facts);
    if (sum === 0) held.delete(facts.tenant);
    else held.set(facts.tenant, sum);
  };
  const replace = (claim: LiveClaim, facts: ClaimFacts | undefined, user: ObjectKey | undefined): void => {
    const before = claim.facts;
    if (isSameClaim(before, facts) && isSameKey(claim.user, user)) return;
    file(claim, -1);
    claim.facts = facts;
    claim.user = user;
    file(claim, 1);
    const [was, is] = [
      before?.adminAccess === false ? before.devices : [],
      facts?.adminAccess === false ? facts.devices : [],
    ];
    if (!isSameList(was, is)) {
      devices.release(was, idOf(claim));
      devices.take(is, idOf(claim));
    }
    if (before === undefined && facts !== undefined) sorted.add(claim);
    else if (before !== undefined && facts === undefined) sorted.remove(claim);
    else sorted.replaced(claim);
    moved();
  };
  const again = (claim: LiveClaim): void => {
    const { facts, user, namespace } = claim;
    if (facts !== undefined)
      replace(claim, { ...facts, root: claimRoot(user, rootOfPod), tenant: tenantOf(namespace) }, user);
  };

  return {
    set(object, { namespace, name }, problems) {
      const spec = amounts.shared(claimDevices(object, ["spec", "devices"], problems));
      const facts = readClaim(object, namespace, name, { rootOfPod, tenantOf }, problems);
      const state = readAllocation(object, problems);
      if (problems.found.length > 0) return;
      const id = idOf({ namespace, name });
      const known = table.get(namespace, name);
      const claim: LiveClaim = known ?? { namespace, name, facts: undefined, user: undefined, at: -1 };
      if (known === undefined) table.set(namespace, name, claim);
      if (specs.get(id) !== spec) {
        specs.set(id, spec);
        moved();
      }
      if (!isSameState(states.get(id), state)) {
        states.set(id, state);
        moved();
      }
      replace(claim, facts, facts === undefined ? undefined : claimUser(object, namespace));
    },
    remove(namespace, name) {
      const claim = table.get(namespace, name);
      if (claim === undefined) return;
      replace(claim, undefined, undefined);
      table.delete(namespace, name);
      specs.delete(idOf(claim));
      states.delete(idOf(claim));
      moved();
    },
    podMoved(pod) {
      for (const claim of [...(byPod.get(objectId(pod)) ?? [])]) again(claim);
    },
    tenantMoved(namespace) {
      for (const claim of table.in(namespace)) again(claim);
    },
    facts: () => sorted.facts(),
    ofRoot: (root) =>
      [...(byRoot.get(objectId(root)) ?? [])]
        .flatMap(({ facts }) => (facts === undefined ? [] : [facts]))
        .sort(comparePlaces),
    specs,
    states,
    held,
    get size() {
      return table.size;
    },
  };
}

function enter(index: Map<string, Set<LiveClaim>>, key: string, claim: LiveClaim, step: 1 | -1): void {
  const group = index.get(key) ?? new Set<LiveClaim>();
  if (step === 1) index.set(key, group.add(claim));
  else if (group.delete(claim) && group.size === 0) index.delete(key);
}

function isSameClaim(a: ClaimFacts | undefined, b: ClaimFacts | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.tenant === b.tenant &&
    a.adminAccess === b.adminAccess &&
    isSameKey(a.root, b.root) &&
    isSameList(a.devices, b.devices) &&
    isSameShares(a.shares, b.shares)
  );
}

function isSameShares(a: ClaimFacts["shares"], b: ClaimFacts["shares"]): boolean {
  const text = (shares: ClaimFacts["shares"]): string =>
    (shares ?? [])
      .flatMap(({ device, consumed }) => [device, ...Object.entries(consumed).map((one) => one.join("="))])
      .join("|");
  return a === b || text(a) === text(b);
}

function isSameState(a: ClaimState | undefined, b: ClaimState): boolean {
  const text = ({ nodes }: ClaimState): string => JSON.stringify(nodes?.map((term) => [...term.values()]));
  return a !== undefined && a.allocated === b.allocated && a.users === b.users && text(a) === text(b);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
