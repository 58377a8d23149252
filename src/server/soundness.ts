import type { Logger } from "pino";
import type { Answer, ObjectKey } from "../model/index.ts";
import type { Metrics } from "./metrics.ts";

/** Who asked: a webhook, or the second look at what is in flight. */
export type Asker = "mutate" | "validate" | "inflight";

export type Soundness = (asker: Asker, workload: ObjectKey, answer: Answer) => void;

/**
 * Tells operators at once where the search found an assignment that its independent check refused. Nothing rests on such an assignment, and it is a
 * fault of ours. The log has names of objects, nodes and devices and amounts, never what is in an object.
 */
export function createSoundness(metrics: Pick<Metrics, "refusals">, logger: Pick<Logger, "error">): Soundness {
  return (asker, { kind, namespace, name }, answer) => {
    for (const { rungs, verdict, reasons } of answer.ladder)
      for (const { code, message } of reasons) {
        if (code !== "CheckFailed") continue;
        metrics.refusals.inc({ asker });
        logger.error(
          { asker, kind, namespace, name, rungs, verdict, violations: message },
          "the solver's answer failed its check; please report this",
        );
      }
  };
}
