import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson, type Json } from "./json.ts";
import { memo } from "./memo.ts";

/** The first `length` hexadecimal digits of the SHA-256 of the value's canonical JSON. */
export function digest(value: Json | undefined, length = 12): string {
  return digestText(canonicalJson(value), length);
}

export function digestText(text: string, length = 12): string {
  return (text.length <= REMEMBERED_LENGTH ? short(text) : hashed(text)).slice(0, length);
}

/** At most some 4 MiB in all: what edits write is short and comes again with every workload of a class. */
const REMEMBERED = 1024;
const REMEMBERED_LENGTH = 1024;

const hashed = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
const short = memo(REMEMBERED, hashed);
