import { writeFile } from "node:fs/promises";
import { type Io, UsageFault } from "./io.ts";

/** Results go to standard output or to the file that --output names. */
export async function writeResult(text: string, file: string | undefined, io: Io): Promise<void> {
  if (file === undefined) {
    io.out(text);
    return;
  }
  await writeFile(file, text).catch((fault: unknown) => {
    throw new UsageFault(`--output ${file}: ${fault instanceof Error ? fault.message : String(fault)}`);
  });
}
