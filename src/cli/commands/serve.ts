import { type ServeFlags, serveConfig } from "../../config.ts";
import { EXIT, type Io } from "../io.ts";

/** Serves until SIGTERM or SIGINT; a second signal ends at once. */
export async function serveCommand(flags: ServeFlags, io: Io): Promise<number> {
  const config = serveConfig(flags);
  const { serve, StartFault } = await import("../../server/index.ts");
  try {
    const serving = await serve(config);
    await new Promise<void>((resolve) => {
      process.once("SIGTERM", resolve);
      process.once("SIGINT", resolve);
    });
    process.once("SIGINT", () => process.exit(EXIT.ok));
    await serving.stop();
    return EXIT.ok;
  } catch (fault) {
    if (!(fault instanceof StartFault)) throw fault;
    io.err(`${fault.lines.join("\n")}\nplimsoll: cannot start\n`);
    return EXIT.usage;
  }
}
