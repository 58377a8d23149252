import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson, type Json } from "./json.ts";

/** The first `length` hexadecimal digits of the SHA-256 of the value's canonical JSON. */
export function digest(value: Json | undefined, length = 12): string {
  return digestText(canonicalJson(value), length);
}

export function digestText(text: string, length = 12): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, length);
}
