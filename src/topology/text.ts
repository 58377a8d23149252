import type { Path, SourcePosition } from "../model/index.ts";

/** Finds lines in one text. The table of line starts is made on first use: a clean file never pays for it. */
export interface LineFinder {
  position(offset: number): SourcePosition;
}

export function lineFinder(file: string, text: string): LineFinder {
  let starts: number[] | undefined;
  return {
    position(offset) {
      starts ??= lineStarts(text);
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { file, line: low + 1, column: Math.max(0, offset - (starts[low] ?? 0)) + 1 };
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Where the top-level values of a run of JSON values stand (`kubectl get -o json` twice into one file). Undefined where
 * something other than white space stands between them, or an end is missing: the text is then no JSON.
 */
export function jsonRun(text: string): readonly { readonly start: number; readonly end: number }[] | undefined {
  const parts: { start: number; end: number }[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const opening = text[at];
    if (opening !== "{" && opening !== "[") return undefined;
    const end = skipValue(text, at);
    if (end === undefined) return undefined;
    parts.push({ start: at, end });
    at = end;
  }
  return parts;
}

/** The same for text that has lost its balance: printers start a document, and nothing else, at the start of a line. */
export function jsonLines(text: string): readonly { readonly start: number; readonly end: number }[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1))
    if (text[at + 1] === "{" || text[at + 1] === "[") starts.push(at + 1);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

/**
 * Finds the offset of the value at a path in JSON text that is known to parse; the start where the path does not exist. What lies on the way
 * is gone through once, however many places are asked for.
 */
export function jsonOffsets(text: string, start: number): (path: Path) => number {
  const known = new Map<number, ReadonlyMap<string | number, number>>();
  const first = skipSpace(text, start);
  return (path) => {
    let at = first;
    for (const step of path) {
      let values = known.get(at);
      if (values === undefined) {
        const open = text[at];
        values = open === "[" ? itemOffsets(text, at) : open === "{" ? memberOffsets(text, at) : new Map();
        known.set(at, values);
      }
      const inside = values.get(step);
      if (inside === undefined) return at;
      at = inside;
    }
    return at;
  };
}

function itemOffsets(text: string, open: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] !== "]") {
    const end = skipValue(text, at);
    if (end === undefined) return found;
    found.set(found.size, at);
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return found;
}

/** Of members of one name the last, which is the one that JSON.parse keeps. */
function memberOffsets(text: string, open: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let at = skipSpace(text, open + 1);
  while (at < text.length && text[at] === '"') {
    const keyEnd = skipValue(text, at);
    if (keyEnd === undefined) return found;
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    found.set(text.slice(at + 1, keyEnd - 1), value);
    const end = skipValue(text, value);
    if (end === undefined) return found;
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return found;
}

/** The offset after the value that starts at `at`. */
function skipValue(text: string, at: number): number | undefined {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      index = stringEnd(text, index);
      if (index >= text.length) return undefined;
      if (depth === 0) return index + 1;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return index;
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (depth === 0 && (code === 0x2c || code === 0x3a || code <= 0x20)) {
      return index;
    }
  }
  return depth === 0 ? text.length : undefined;
}

/** The offset of the closing quote. */
function stringEnd(text: string, open: number): number {
  let index = open + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}
