import { isStatus, type Kube } from "../kube/index.ts";
import { integerAt, type JsonObject, objectAt, stringAt } from "../model/index.ts";
import { reasonOf } from "./fault.ts";
import { microTime } from "./time.ts";
import type { Clock, Tell } from "./types.ts";

export interface LeaseOptions {
  readonly kube: Kube;
  readonly clock: Clock;
  /** 0 to 1, to spread the tries of candidates. */
  readonly random: () => number;
  readonly tell: Pick<Tell, "log">;
  readonly namespace: string;
  readonly name: string;
  /** Different for every process that ever runs: the pod's name and something random. */
  readonly identity: string;
  /** Others may take a lease that they have not seen change for this long. Whole seconds. */
  readonly durationMs?: number;
  /** The holder stops when its last renewal is this old; below `durationMs` by as much as a request in flight may take. */
  readonly renewDeadlineMs?: number;
  readonly retryMs?: number;
  /** Runs while the lease is held; must end soon after the signal. */
  readonly lead: (until: AbortSignal) => Promise<void>;
}

export interface Election {
  isLeader(): boolean;
  /** As last seen; empty: nobody. */
  holder(): string;
  /** Ends the work, then gives the lease back, so that another need not wait for it to lapse. */
  stop(): Promise<void>;
}

/**
 * One leader among candidates, by a coordination.k8s.io/v1 Lease, as client-go's leader election does it: a candidate never compares the
 * times that others wrote with its own clock. It notes on its own monotonic clock when it saw the record change, and takes the lease
 * when the record has not changed for the whole duration that stands in it; the write names the resourceVersion, so of two that try one fails.
 *
 * Guarantee: `lead`'s signal aborts at most `renewDeadlineMs` after the sending of the last renewal that succeeded. Nobody else can
 * have begun by then, as others count `durationMs` from a moment after that, as long as clocks run at about the same speed. A request
 * in flight at the abort has the difference of the two to end.
 */
export function elect(options: LeaseOptions): Election {
  const { kube, clock, random, tell, namespace, name, identity, lead } = options;
  const durationMs = options.durationMs ?? 15_000;
  const renewDeadlineMs = options.renewDeadlineMs ?? 10_000;
  const retryMs = options.retryMs ?? 2_000;
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const path = `${collection}/${name}`;

  /** The record as last seen, and when it was first seen so. */
  let seen: { readonly text: string; readonly atMs: number } | undefined;
  let holder = "";
  let stopped = false;
  let work: { readonly control: AbortController; readonly done: Promise<void> } | undefined;
  let cancelDeadline = () => {};
  let wake = () => {};
  let lastFault = "";

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  const record = (before: JsonObject | undefined): JsonObject => {
    const spec = objectAt(before, ["spec"]);
    const was = stringAt(spec, ["holderIdentity"]) ?? "";
    const now = microTime(clock.wallMs());
    const transitions = integerAt(spec, ["leaseTransitions"]) ?? 0;
    return {
      ...spec,
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      acquireTime: was === identity ? (spec["acquireTime"] ?? now) : now,
      renewTime: now,
      leaseTransitions: was === identity || before === undefined ? transitions : transitions + 1,
    };
  };

  const note = (lease: JsonObject | undefined): void => {
    const spec = objectAt(lease, ["spec"]);
    const text = `${stringAt(lease, ["metadata", "uid"]) ?? ""} ${JSON.stringify(spec)}`;
    holder = stringAt(spec, ["holderIdentity"]) ?? "";
    if (seen?.text !== text) seen = { text, atMs: clock.nowMs() };
  };

  /** One try to take or renew; true: it is ours, and the record says so since now. */
  const attempt = async (): Promise<boolean> => {
    const lease = await kube.read(path);
    if (lease === undefined) {
      const metadata = { name, namespace };
      note(
        await kube.create(collection, {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata,
          spec: record(undefined),
        }),
      );
      return true;
    }
    note(lease);
    const durationOfRecordMs = (integerAt(lease, ["spec", "leaseDurationSeconds"]) ?? 0) * 1000;
    const stands = seen !== undefined && clock.nowMs() < seen.atMs + Math.max(durationOfRecordMs, 1000);
    if (holder !== "" && holder !== identity && stands) return false;
    note(await kube.replace(path, { ...lease, spec: record(lease) }));
    return true;
  };

  const begin = (sentMs: number): void => {
    cancelDeadline();
    cancelDeadline = clock.after(Math.max(0, sentMs + renewDeadlineMs - clock.nowMs()), () => {
      tell.log("warn", `Lost the lease ${namespace}/${name}: it could not be renewed for ${renewDeadlineMs / 1000} s.`);
      work?.control.abort();
    });
    if (work !== undefined) return;
    tell.log("info", `Leading: holds the lease ${namespace}/${name} as ${identity}.`);
    const control = new AbortController();
    const done = lead(control.signal).catch((fault: unknown) => {
      tell.log("error", `The leader's work broke off: ${fault instanceof Error ? fault.message : String(fault)}`);
    });
    work = { control, done };
  };

  const end = async (): Promise<void> => {
    cancelDeadline();
    const ending = work;
    ending?.control.abort();
    await ending?.done;
    work = undefined;
  };

  const release = async (): Promise<void> => {
    try {
      const lease = await kube.read(path);
      if (lease === undefined || stringAt(lease, ["spec", "holderIdentity"]) !== identity) return;
      const spec = { ...objectAt(lease, ["spec"]), holderIdentity: "", leaseDurationSeconds: 1 };
      note(await kube.replace(path, { ...lease, spec }));
    } catch (fault) {
      tell.log("info", `The lease ${namespace}/${name} was not given back, and lapses: ${reasonOf(fault)}`);
    }
  };

  const run = async (): Promise<void> => {
    while (!stopped) {
      const sentMs = clock.nowMs();
      let held = false;
      try {
        held = await attempt();
        lastFault = "";
      } catch (fault) {
        const text = reasonOf(fault);
        // A conflict is another candidate's success.
        if (!isStatus(fault, 409) && text !== lastFault)
          tell.log("warn", `The lease ${namespace}/${name} cannot be held: ${text}`);
        lastFault = text;
      }
      const late = clock.nowMs() >= sentMs + renewDeadlineMs;
      if (work !== undefined && holder !== identity && !work.control.signal.aborted)
        tell.log("warn", `Lost the lease ${namespace}/${name} to ${holder === "" ? "nobody" : holder}.`);
      if (work?.control.signal.aborted === true || (work !== undefined && holder !== identity)) await end();
      else if (held && !late && !stopped) begin(sentMs);
      if (!stopped) await sleep(retryMs * (0.9 + 0.2 * random()));
    }
  };

  const running = run();
  return {
    isLeader: () => work !== undefined && !work.control.signal.aborted,
    holder: () => holder,
    async stop() {
      if (stopped) return running;
      stopped = true;
      wake();
      const wasLeading = work !== undefined;
      await end();
      // A request that hangs is not waited for; the lease then lapses.
      let isOver = false;
      await Promise.race([running.then(() => (isOver = true)), new Promise<void>((go) => clock.after(retryMs, go))]);
      await end();
      if (isOver && (wasLeading || holder === identity)) await release();
    },
  };
}
