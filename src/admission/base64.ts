import { utf8ToBytes } from "@noble/hashes/utils.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Two digits for each twelve bits. */
const PAIRS = [...ALPHABET].flatMap((high) => [...ALPHABET].map((low) => high + low));

/** Standard base64 with padding of the text's UTF-8 (RFC 4648), without an environment that offers it. */
export function base64(text: string): string {
  const bytes = utf8ToBytes(text);
  const whole = bytes.length - (bytes.length % 3);
  let result = "";
  for (let index = 0; index < whole; index += 3) {
    const word = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    result += `${PAIRS[word >> 12] ?? ""}${PAIRS[word & 4095] ?? ""}`;
  }
  const left = bytes.length - whole;
  if (left === 0) return result;
  const word = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8);
  return `${result}${PAIRS[word >> 12] ?? ""}${left === 1 ? "==" : `${ALPHABET.charAt((word >> 6) & 63)}=`}`;
}
