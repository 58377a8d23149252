import { type Kube, SYSTEM_CLOCK } from "../kube/index.ts";
import type { ObjectKey } from "../model/index.ts";
import { createCompanions } from "./companions.ts";
import { createEvents } from "./events.ts";
import { COMPANION_KINDS } from "./kinds.ts";
import { elect } from "./lease.ts";
import { createRegistration } from "./registration.ts";
import { createStore, followCompanions } from "./store.ts";
import type { Clock, Known, Note, Roots, Tell } from "./types.ts";

export interface ControllerOptions {
  readonly kube: Kube;
  readonly roots: Roots;
  readonly known: () => Known;
  readonly log: Tell["log"];
  readonly clock: Clock;
  readonly random: () => number;
  /** The pod's name, and something random. */
  readonly identity: string;
  /** Where the Lease lives: our own. */
  readonly namespace: string;
  /** Of the Lease and of both webhook configurations. */
  readonly name: string;
  readonly caBundle: () => string | undefined;
  readonly ready: () => boolean;
  readonly graceMs?: number;
}

export interface Controller {
  isLeader(): boolean;
  /** Has the API server been told to call us; only the leader knows. */
  registered(): boolean;
  /** What the watch shows of a root: new, changed, gone. */
  rootChanged(key: ObjectKey): void;
  /** Policies or platform changed. */
  policiesChanged(): void;
  /** Certificates or readiness changed. */
  registrationChanged(): void;
  /** Tells an event on a root, if this replica leads: the others see the same and stay silent. */
  event(note: Note): void;
  /** Ends the work and gives the lease back. */
  stop(): Promise<void>;
}

/** Everything that one replica at a time does in the cluster. Begins to ask for the lease at once. */
export function startController(options: ControllerOptions): Controller {
  const { kube, roots, known, log, clock, random, identity, namespace, name } = options;
  const events = createEvents({ kube, clock, log, instance: identity });
  const tell: Tell = { event: (note) => events.event(note), log };
  const store = createStore((kind, where, which) => companions.companionChanged(kind, where, which));
  const companions = createCompanions({
    kube,
    roots,
    companied: store,
    known,
    tell,
    clock,
    random,
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
  });
  const registration = createRegistration({
    kube,
    clock,
    tell,
    name,
    caBundle: options.caBundle,
    ready: options.ready,
  });

  const reconcile = async (until: AbortSignal): Promise<void> => {
    const flags = known().catalogue.platform.companions;
    const kinds = COMPANION_KINDS.filter(({ flag }) => flags[flag]);
    const following = followCompanions(kube, kinds, (changes) => store.take(changes), SYSTEM_CLOCK);
    const pause = () => new Promise<void>((resolve) => clock.after(100, resolve));
    try {
      while (!until.aborted && !following.synced()) await pause();
      for (const fault of following.faults()) log("warn", `Companions are not watched: ${fault}`);
      await companions.lead(until);
    } finally {
      following.stop();
    }
  };

  const election = elect({
    kube,
    clock,
    random,
    tell,
    namespace,
    name,
    identity,
    lead: async (until) => {
      await Promise.all([reconcile(until), registration.lead(until)]);
    },
  });
  return {
    isLeader: () => election.isLeader(),
    registered: () => election.isLeader() && registration.registered,
    rootChanged: (key) => companions.rootChanged(key),
    policiesChanged: () => companions.allChanged(),
    registrationChanged: () => registration.poke(),
    event(note) {
      if (election.isLeader()) events.event(note);
    },
    async stop() {
      await election.stop();
      await events.stop();
    },
  };
}
