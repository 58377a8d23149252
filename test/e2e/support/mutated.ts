import { request } from "node:https";
import { applyPatch, type Operation } from "rfc6902";
import {
  APPLIED_ANNOTATION,
  compareQuantities,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  parseQuantity,
  stringAt,
} from "../../../src/model/index.ts";
import { createReview } from "../../support/review.ts";
import type { Replica } from "./plimsoll.ts";

/** What the mutating webhook of a replica makes of an object that is created, asked as the API server asks; nothing is created. */
export async function mutatedBy(replica: Replica, object: JsonObject): Promise<JsonObject> {
  const answer = await post(replica.port, "/mutate", JSON.stringify(createReview(object)));
  const patch = stringAt(answer, ["response", "patch"]);
  const copy = structuredClone(object);
  if (objectAt(answer, ["response"])?.["allowed"] !== true) throw new Error(`not allowed: ${JSON.stringify(answer)}`);
  if (patch === undefined) return copy;
  const operations = JSON.parse(Buffer.from(patch, "base64").toString("utf8")) as Operation[];
  const fault = applyPatch(copy, operations).find((one) => one !== null);
  if (fault !== undefined) throw fault;
  return copy;
}

function post(port: number, path: string, body: string): Promise<JsonObject> {
  return new Promise((settle, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const call = request(
      { host: "127.0.0.1", port, path, method: "POST", headers, agent: false, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) settle(JSON.parse(text) as JsonObject);
          else reject(new Error(`${path}: ${response.statusCode} ${text}`));
        });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** What was edited says too what had been there, and that is the API server's defaults when it asks. */
const RECORDS = `/metadata/annotations/${APPLIED_ANNOTATION}`;

/**
 * Where `whole` does not have what `part` has: pointers with both values. Fields that only `whole` has are the API server's defaults; lists are compared
 * item by item and quantities by value. An unknown field that the API server dropped without a word is one of these.
 */
export function missing(part: Json, whole: Json | undefined, at = ""): readonly string[] {
  if (at === RECORDS) return [];
  if (isObject(part) && isObject(whole))
    return Object.entries(part).flatMap(([key, value]) => missing(value ?? null, whole[key], `${at}/${key}`));
  if (isArray(part) && isArray(whole) && part.length === whole.length)
    return part.flatMap((value, index) => missing(value, whole[index], `${at}/${index}`));
  return same(part, whole) ? [] : [`${at}: ${JSON.stringify(part)} became ${JSON.stringify(whole)}`];
}

/** Pointers at which two objects differ; an added or removed field is one. */
export function changes(before: Json | undefined, after: Json | undefined, at = ""): readonly string[] {
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changes(before[key], after[key], `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    );
  if (isArray(before) && isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }).flatMap((_, index) =>
      changes(before[index], after[index], `${at}/${index}`),
    );
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [at];
}

function same(one: Json, other: Json | undefined): boolean {
  if (JSON.stringify(one) === JSON.stringify(other)) return true;
  // The API server leaves an empty object out, and writes quantities in its own way.
  if (isObject(one) && Object.keys(one).length === 0 && other === undefined) return true;
  const [a, b] = [one, other].map((value) => (typeof value === "string" ? parseQuantity(value) : undefined));
  return a !== undefined && b !== undefined && compareQuantities(a, b) === 0;
}
