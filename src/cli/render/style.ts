import { styleText } from "node:util";

type Look = Parameters<typeof styleText>[0];
export type Style = (look: Look, text: string) => string;

/** Colour only where the output is a terminal that wants it. */
export function styleFor(colour: boolean): Style {
  return colour ? (look, text) => styleText(look, text, { validateStream: false }) : (_look, text) => text;
}

/** Columns padded to the widest cell; the last one is left ragged. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Breaks at spaces so that no line is longer than `width` where a word allows it. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width - indent.length) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.join(`\n${indent}`);
}
