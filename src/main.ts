import { run } from "./cli/index.ts";
import { wantsColour } from "./config.ts";

/** Composition root: gives the command its streams, and the process its exit status. */
async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

// A reader that goes away (`| head`) is not a fault of ours.
process.stdout.on("error", (fault: NodeJS.ErrnoException) => process.exit(fault.code === "EPIPE" ? 0 : 3));

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  readStandardInput,
  colour: wantsColour(process.stdout),
});
