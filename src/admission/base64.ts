import { utf8ToBytes } from "@noble/hashes/utils.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Standard base64 with padding of the text's UTF-8 (RFC 4648), without an environment that offers it. */
export function base64(text: string): string {
  const bytes = utf8ToBytes(text);
  const parts: string[] = [];
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index;
    const word = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    parts.push(
      ALPHABET.charAt(word >> 18),
      ALPHABET.charAt((word >> 12) & 63),
      left > 1 ? ALPHABET.charAt((word >> 6) & 63) : "=",
      left > 2 ? ALPHABET.charAt(word & 63) : "=",
    );
  }
  return parts.join("");
}
