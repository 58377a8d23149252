import { arrayAt, stringAt } from "../model/index.ts";
import type { Workload } from "./types.ts";

const DONE_CONDITIONS: ReadonlySet<string> = new Set(["Complete", "Completed", "Failed", "Succeeded", "Finished"]);
const DONE_STATES: ReadonlySet<string> = new Set([
  "SUCCEEDED",
  "FAILED",
  "COMPLETE",
  "COMPLETED",
  "FINISHED",
  "STOPPED",
  "TERMINATED",
  "ABORTED",
  "CANCELED",
]);
/** Where operators say how a run ended: Pod, Workflow; JobSet; RayJob; Spark; Flink; Volcano. */
const STATE_PATHS: readonly (readonly string[])[] = [
  ["status", "phase"],
  ["status", "terminalState"],
  ["status", "jobStatus"],
  ["status", "jobDeploymentStatus"],
  ["status", "applicationState", "state"],
  ["status", "jobStatus", "state"],
  ["status", "state", "phase"],
];

/** Has a workload that ends by itself ended, as its status says: it will make no more pods. */
export function isFinished(workload: Workload): boolean {
  if (workload.kind.life !== "runOnce") return false;
  const { object } = workload;
  const done = arrayAt(object, ["status", "conditions"]).some(
    (one) => stringAt(one, ["status"]) === "True" && DONE_CONDITIONS.has(stringAt(one, ["type"]) ?? ""),
  );
  return done || STATE_PATHS.some((path) => DONE_STATES.has((stringAt(object, path) ?? "").toUpperCase()));
}
