import { KubeFault } from "./fault.ts";

const NEWLINE = 0x0a;
/** Far above what etcd takes as one object. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * The non-empty lines of a byte stream, wherever it was cut into chunks: a line is decoded once it is whole, so a character that
 * two chunks share survives. Throws KubeFault for a line above `maxBytes` and for a last line without its end.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  what: string,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<string, void, undefined> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      bounded(size + piece.length, maxBytes, what);
      const line = size === 0 ? piece.toString("utf8") : Buffer.concat([...held, piece]).toString("utf8");
      held = [];
      size = 0;
      if (line.trim() !== "") yield line;
    }
    if (start === chunk.length) continue;
    const rest = chunk.subarray(start);
    size += rest.length;
    bounded(size, maxBytes, what);
    held.push(rest);
  }
  if (size > 0) throw new KubeFault(`${what} ended in the middle of an event`);
}

function bounded(size: number, maxBytes: number, what: string): void {
  if (size > maxBytes) throw new KubeFault(`${what} sent an event of more than ${maxBytes} bytes`);
}
