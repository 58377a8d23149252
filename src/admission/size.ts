import { type JsonObject, objectAt } from "../model/index.ts";

/** All annotations of an object together may take 256 KiB (apimachinery TotalAnnotationSizeLimitB). */
const ANNOTATIONS_BYTES = 256 * 1024;

/** Would the API server refuse the object for the size of its annotations. */
export function tooLarge(object: JsonObject): boolean {
  let bytes = 0;
  for (const [key, value] of Object.entries(objectAt(object, ["metadata", "annotations"]))) {
    bytes += utf8Length(key) + (typeof value === "string" ? utf8Length(value) : 0);
  }
  return bytes > ANNOTATIONS_BYTES;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
