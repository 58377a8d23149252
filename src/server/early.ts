import { type JsonObject, stringAt } from "../model/index.ts";

/**
 * Of a review's patience. A template takes some milliseconds; where the API server is slower than that, it is no faster with the object that
 * is reviewed.
 */
export const EARLY_MS = 1_000;
/** What was tried is not tried again for so long: by then the watch shows it, or the controller's pass has come to it. */
const TRIED_MS = 5_000;
const MAX_TRIED = 1_000;
const POLL_MS = 5;

export interface EarlyOptions {
  /** Makes it if it is not there. May throw. */
  readonly make: (template: JsonObject) => Promise<void>;
  /** Does the watch show it. Its content is its name, and no claim template can be edited. */
  readonly shown: (namespace: string, name: string) => boolean;
  readonly noted: (outcome: "made" | "failed" | "late", template: JsonObject, fault?: unknown) => void;
  readonly now?: () => number;
  readonly pause?: (ms: number) => Promise<void>;
}

/**
 * Claim templates before the pods that name them. Settles when the watch shows them all: then they are stored, and other watches (the resource claim
 * controller's) are about to show them too. Settles after `withinMs` at the latest, whatever happens, and never throws: what is not there then is
 * made by the controller at the root's watch event.
 */
export type Early = (templates: readonly JsonObject[], withinMs: number) => Promise<void>;

export function createEarly(options: EarlyOptions): Early {
  const { make, shown, noted, now = () => performance.now(), pause = sleep } = options;
  const tried = new Map<string, { readonly atMs: number; failed: boolean }>();

  const attempt = (id: string, template: JsonObject): void => {
    for (const [one, { atMs }] of tried) {
      if (now() - atMs < TRIED_MS && tried.size < MAX_TRIED) break;
      tried.delete(one);
    }
    if (tried.has(id)) return;
    const entry = { atMs: now(), failed: false };
    tried.set(id, entry);
    make(template).then(
      () => noted("made", template),
      (fault: unknown) => {
        entry.failed = true;
        noted("failed", template, fault);
      },
    );
  };

  return async (templates, withinMs) => {
    const untilMs = now() + Math.min(EARLY_MS, withinMs);
    const missing = new Map<string, JsonObject>();
    const isShown = (template: JsonObject): boolean =>
      shown(stringAt(template, ["metadata", "namespace"]) ?? "", stringAt(template, ["metadata", "name"]) ?? "");
    for (const template of templates) {
      const id = `${stringAt(template, ["metadata", "namespace"])}/${stringAt(template, ["metadata", "name"])}`;
      if (isShown(template)) {
        // Should it go again, it is missing again at once.
        tried.delete(id);
        continue;
      }
      missing.set(id, template);
      attempt(id, template);
    }
    while (missing.size > 0) {
      await pause(POLL_MS);
      for (const [id, template] of missing) {
        const there = isShown(template);
        if (there || tried.get(id)?.failed !== false) missing.delete(id);
        // Also where nobody asked for it while it was there.
        if (there) tried.delete(id);
      }
      if (now() < untilMs) continue;
      for (const template of missing.values()) noted("late", template);
      return;
    }
  };
}

const sleep = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));
