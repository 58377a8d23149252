import { enforcing } from "../admission/index.ts";
import { isStatus, type Kube } from "../kube/index.ts";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { isEnding, missingPermission, reasonOf } from "./fault.ts";
import { holds } from "./plan.ts";
import { quiet } from "./quiet.ts";
import type { Clock, Tell } from "./types.ts";

export interface RegistrationOptions {
  readonly kube: Kube;
  readonly clock: Clock;
  readonly tell: Tell;
  /** Of both webhook configurations. */
  readonly name: string;
  /** PEM of what the API server is to trust, old and new while they overlap; undefined: not known yet. */
  readonly caBundle: () => string | undefined;
  /** Can this replica answer reviews, from data that is current. */
  readonly ready: () => boolean;
  readonly everyMs?: number;
}

export interface Registration {
  /** Looks now, and not only at the next interval: readiness or certificates changed. */
  poke(): void;
  /** Keeps the registration until the signal. */
  lead(until: AbortSignal): Promise<void>;
  /** The API server has been told to call us, as of the last look. */
  readonly registered: boolean;
}

const GROUP = "admissionregistration.k8s.io";
/** Owns caBundle of the entries that the manifests bring, and nothing else. */
const CA_MANAGER = "plimsoll-ca";
/** Owns the entry that fails closed. */
const ENTRY_MANAGER = "plimsoll-registration";

/**
 * Tells the API server to call us, once a replica is ready (docs/adr/0005-webhook-registration.md). The manifests bring webhooks that fail
 * open, and that nobody can call before they have a caBundle: that field of theirs is applied here, alone, so everything else stays with
 * who applied the manifests. The entry that fails closed is added here, made from its open sibling, so a first installation that never
 * becomes ready refuses nothing. Configurations that are not there are never made: whoever deleted them meant it.
 */
export function createRegistration(options: RegistrationOptions): Registration {
  const { clock, ready, caBundle, everyMs = 30_000 } = options;
  const context = { ...options, tell: quiet(options.tell, clock) };
  let registered = false;
  let wake = () => {};

  const look = async (): Promise<void> => {
    const bundle = caBundle();
    // What was registered stays: that nobody is ready now is an outage, and failing closed is for that.
    if (!ready() || bundle === undefined) return;
    const ca = Buffer.from(bundle).toString("base64");
    const mutating = await register(context, "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", ca);
    const validating = await register(context, "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", ca);
    registered = mutating && validating;
  };

  return {
    poke: () => wake(),
    get registered() {
      return registered;
    },
    async lead(until) {
      until.addEventListener("abort", () => wake(), { once: true });
      while (!until.aborted) {
        let poked = false;
        wake = () => {
          poked = true;
        };
        try {
          await look();
        } catch (fault) {
          registered = false;
          context.tell.log("warn", `The webhooks are not registered as they should be: ${reasonOf(fault)}`);
        }
        if (poked || until.aborted) continue;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(everyMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
    },
  };
}

async function register(
  { kube, name, tell }: RegistrationOptions,
  plural: string,
  kind: string,
  ca: string,
): Promise<boolean> {
  const path = `/apis/${GROUP}/v1/${plural}/${name}`;
  try {
    const found = await kube.read(path);
    if (found === undefined || stringAt(found, ["metadata", "deletionTimestamp"]) !== undefined) {
      tell.log(
        "warn",
        `There is no ${kind} ${name}, so the API server does not call us. Apply manifests/base to have it.`,
      );
      return false;
    }
    // With the uid, an object that was deleted meanwhile is not made anew.
    const head = { apiVersion: `${GROUP}/v1`, kind, metadata: { name, uid: stringAt(found, ["metadata", "uid"]) } };
    const entries = arrayAt(found, ["webhooks"]).flatMap((one): JsonObject[] => (isObject(one) ? [one] : []));
    const added = (kind === "ValidatingWebhookConfiguration" ? entries : [])
      .map(enforcing)
      .filter((one) => one !== undefined);
    const own = new Set(added.map((one) => stringAt(one, ["name"])));
    const given = entries.filter((one) => !own.has(stringAt(one, ["name"])));
    if (given.some((one) => valueAt(one, ["clientConfig", "caBundle"]) !== ca)) {
      const webhooks = given.map((one) => ({ name: stringAt(one, ["name"]) ?? "", clientConfig: { caBundle: ca } }));
      await kube.apply(path, { ...head, webhooks }, { fieldManager: CA_MANAGER, force: true });
      tell.log("info", `${kind} ${name}: caBundle set on ${webhooks.length} webhooks.`);
    }
    const closed = added.map((one) => withBundle(one, ca));
    const isThere = (one: JsonObject) =>
      entries.some((entry) => stringAt(entry, ["name"]) === stringAt(one, ["name"]) && holds(entry, one));
    if (!closed.every(isThere)) {
      await kube.apply(path, { ...head, webhooks: closed }, { fieldManager: ENTRY_MANAGER, force: true });
      tell.log("info", `${kind} ${name}: enrolled namespaces fail closed from now on.`);
    }
    return true;
  } catch (fault) {
    if (isStatus(fault, 409, 404)) return false;
    if (!isStatus(fault, 403) || isEnding(fault)) throw fault;
    const verb = /cannot (get|patch|create)/.exec(fault.message)?.[1] ?? "patch";
    tell.log("error", missingPermission(verb, `${plural}.${GROUP}`, undefined));
    return false;
  }
}

function withBundle(entry: JsonObject, ca: string): JsonObject {
  const config = valueAt(entry, ["clientConfig"]);
  return { ...entry, clientConfig: { ...(isObject(config) ? config : {}), caBundle: ca } };
}
