import type { Json } from "../model/index.ts";

/** What this reader leaves to the full YAML parser. */
export const BAIL = Symbol("not plain");
export type Bail = typeof BAIL;

const KEY = /(?:"(?:[^"\\]|\\.)*"|[A-Za-z_][\w./-]*)/y;
const WORDS = /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE)$/;
const QUOTED = /"(?:[^"\\]|\\.)*"/y;
const SINGLE = /'(?:[^']|'')*'/y;
const NUMBER = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Hexadecimal, octal, infinite: rare enough for the other parser. */
const ODD_NUMBER = /^(?:0x[0-9a-fA-F]+|0o[0-7]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const MAX_DEPTH = 64;

/** A mapping key at `at` with what separates it from its value; `end` is the offset after that. In `flow`, a quoted key may touch its value. */
export function readKey(
  text: string,
  at: number,
  flow: boolean,
): { readonly key: string; readonly end: number } | Bail | undefined {
  KEY.lastIndex = at;
  const found = KEY.exec(text)?.[0];
  if (found === undefined) return undefined;
  const colon = at + found.length;
  const isQuoted = found.startsWith('"');
  if (text[colon] !== ":") return isQuoted && text[colon] === " " ? BAIL : undefined;
  const after = text[colon + 1];
  if (after !== undefined && after !== " " && !(flow && isQuoted)) return undefined;
  if (!isQuoted) return WORDS.test(found) ? BAIL : { key: found, end: colon + 1 };
  const key = unquote(found);
  return key === BAIL ? BAIL : { key, end: colon + 1 };
}

/** A value that starts and ends on one line, by the core schema of YAML 1.2. */
export function readInline(text: string): Json | Bail {
  if (text.startsWith("{") || text.startsWith("[")) {
    const cursor = { text, at: 0 };
    const value = readFlow(cursor, 0);
    return value !== BAIL && cursor.at === text.length ? value : BAIL;
  }
  if (text.startsWith('"') || text.startsWith("'")) {
    const end = { text, at: 0 };
    const value = readQuoted(end);
    return value !== BAIL && end.at === text.length ? value : BAIL;
  }
  return isPlain(text) ? resolve(text) : BAIL;
}

interface Cursor {
  readonly text: string;
  at: number;
}

function readFlow(cursor: Cursor, depth: number): Json | Bail {
  const { text } = cursor;
  const opening = text[cursor.at];
  if (depth > MAX_DEPTH) return BAIL;
  if (opening === '"' || opening === "'") return readQuoted(cursor);
  if (opening !== "{" && opening !== "[") return readFlowPlain(cursor);
  const closing = opening === "{" ? "}" : "]";
  const list: Json[] = [];
  const map: Record<string, Json> = Object.create(null);
  cursor.at += 1;
  skipSpaces(cursor);
  if (text[cursor.at] === closing) {
    cursor.at += 1;
    return opening === "{" ? map : list;
  }
  while (cursor.at < text.length) {
    let key: string | undefined;
    if (opening === "{") {
      const found = readKey(text, cursor.at, true);
      if (found === undefined || found === BAIL || Object.hasOwn(map, found.key)) return BAIL;
      key = found.key;
      cursor.at = found.end;
      skipSpaces(cursor);
    }
    const value = readFlow(cursor, depth + 1);
    if (value === BAIL) return BAIL;
    if (key === undefined) list.push(value);
    else map[key] = value;
    skipSpaces(cursor);
    const next = text[cursor.at];
    cursor.at += 1;
    if (next === closing) return opening === "{" ? map : list;
    if (next !== ",") return BAIL;
    skipSpaces(cursor);
  }
  return BAIL;
}

function readFlowPlain(cursor: Cursor): Json | Bail {
  let end = cursor.at;
  while (end < cursor.text.length && !",[]{}".includes(cursor.text[end] ?? "")) end += 1;
  const found = cursor.text.slice(cursor.at, end).replace(/ +$/, "");
  // Lists of one-pair mappings (`[a: b]`) and keys without value are not plain either.
  if (!isPlain(found)) return BAIL;
  cursor.at = end;
  return resolve(found);
}

function readQuoted(cursor: Cursor): string | Bail {
  const pattern = cursor.text[cursor.at] === '"' ? QUOTED : SINGLE;
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found === undefined) return BAIL;
  cursor.at += found.length;
  return pattern === QUOTED ? unquote(found) : found.slice(1, -1).replaceAll("''", "'");
}

/** Escapes that JSON has too; YAML's own go to the other parser. */
function unquote(text: string): string | Bail {
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return BAIL;
  }
}

/** May the text stand without quotes, as one line and no more. */
function isPlain(text: string): boolean {
  const first = text[0] ?? "";
  if (first === "" || ",[]{}#&*!|>'\"%@`?:".includes(first)) return false;
  if (first === "-" && (text.length === 1 || text[1] === " ")) return false;
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":");
}

function resolve(text: string): Json | Bail {
  const first = text.charCodeAt(0);
  // Numbers start with a digit, a sign or a point; words with one of nine letters.
  if (first < 0x3a) {
    if (NUMBER.test(text)) return Number(text);
    return ODD_NUMBER.test(text) ? BAIL : text;
  }
  if (!WORDS.test(text)) return text;
  const word = text.toLowerCase();
  return word === "true" ? true : word === "false" ? false : null;
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.at] === " ") cursor.at += 1;
}
