import { connect, KubeFault, type Snapshot, snapshotYaml, takeSnapshot } from "../../kube/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";

export interface SnapshotFlags {
  readonly output?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Writes what `--cluster` reads. What could not be read is said on standard error, and is unknown to whoever reads the file. */
export async function snapshotCommand(flags: SnapshotFlags, io: Io): Promise<number> {
  const { server, snapshot } = await read(flags);
  for (const note of snapshot.notes) io.err(`${diagnosticText(note)}\n`);
  if (snapshot.counts.size === 0) throw new UsageFault(`${server}: nothing could be read, so nothing is written`);
  await writeResult(snapshotYaml(snapshot.objects), flags.output, io);
  const counts = [...snapshot.counts].filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
  io.err(`Read ${counts.join(", ")} from ${server}.\n`);
  return EXIT.ok;
}

async function read({ context, kubeconfig }: SnapshotFlags): Promise<{ server: string; snapshot: Snapshot }> {
  try {
    const kube = await connect({
      ...(context === undefined ? {} : { context }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    });
    try {
      return { server: kube.server, snapshot: await takeSnapshot(kube) };
    } finally {
      kube.close();
    }
  } catch (fault) {
    if (fault instanceof KubeFault) throw new UsageFault(fault.message);
    throw fault;
  }
}
