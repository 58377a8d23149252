import { readFile } from "node:fs/promises";
import { Agent, get } from "node:https";
import type { ControlPlane } from "../controlplane/index.ts";

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

/**
 * Does the scheduler hold exactly so many pods that it cannot place, and none that it will try by itself (its own metric). Pods whose attempt
 * was aborted by an error it tries again for ever, after a while and with the same end: where there are such, those that wait for that count.
 */
export async function isQuiet(plane: ControlPlane, unschedulable: number, aborted: boolean): Promise<boolean> {
  const token = /token: "?([^"\s]+)/.exec(await readFile(plane.kubeconfig, "utf8"))?.[1] ?? "";
  const text = await fetchText(`${await schedulerUrl(plane)}/metrics`, token);
  const queued = (queue: string): number =>
    Number(new RegExp(`^scheduler_pending_pods\\{queue="${queue}"\\} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  const waiting = aborted ? queued("backoff") + queued("unschedulable") : queued("unschedulable");
  return queued("active") === 0 && (aborted || queued("backoff") === 0) && waiting === unschedulable;
}

/** The port stands in its command line. */
async function schedulerUrl(plane: ControlPlane): Promise<string> {
  const { pid } = plane.process("kube-scheduler");
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8");
  const port = /--secure-port=(\d+)/.exec(line)?.[1];
  return `https://127.0.0.1:${port}`;
}

function fetchText(url: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = get(url, { agent, headers: { Authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`GET ${url}: ${response.statusCode} ${text}`));
      });
    });
    call.on("error", reject);
  });
}
