import type { JsonObject } from "../model/index.ts";

/**
 * One thing that a watch tells. Objects carry apiVersion and kind. `relisted`: everything of the kind is in `objects`, and what was known of it
 * before and is not among them is gone; an empty list makes the kind known to be empty. `unserved`: the API has no such kind, and so no such objects.
 */
export type Change =
  | { readonly type: "set"; readonly object: JsonObject }
  | {
      readonly type: "deleted";
      readonly apiVersion: string;
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
    }
  | {
      readonly type: "relisted";
      readonly apiVersion: string;
      readonly kind: string;
      readonly objects: readonly JsonObject[];
    }
  | { readonly type: "unserved"; readonly apiVersion: string; readonly kind: string };
