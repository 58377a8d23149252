import type { Answer, Demand, Diagnostic } from "../model/index.ts";
import { RENEW_ANNOTATION } from "../model/index.ts";
import { checkRules } from "../policy/index.ts";
import { differences, missingMaker, supplies } from "../solver/index.ts";
import { capacityFindings, noClusterFinding, staleFinding } from "./capacity.ts";
import type { AdmissionCode } from "./codes.ts";
import { type AdmissionContext, factsOf } from "./context.ts";
import { seenInPart } from "./decide.ts";
import type { Subject } from "./subject.ts";

/** What the contract says about the workload's own document. */
export function ruleFindings(subject: Subject, context: AdmissionContext): readonly Diagnostic[] {
  if (subject.intents.size === 0) return [];
  return checkRules({
    workload: subject.base,
    intents: subject.intents,
    catalogue: context.catalogue,
    facts: factsOf(context),
  });
}

/** What the cluster says. */
export function answerFindings(
  subject: Subject,
  answer: Answer,
  demand: Demand,
  context: AdmissionContext,
): readonly Diagnostic[] {
  if (demand.podSets.length === 0) return [];
  if (seenInPart(subject, context)) return [unknownController(subject)];
  if (context.stale !== undefined) return [staleFinding(context.stale, subject.intents)];
  return context.topology === undefined
    ? [noClusterFinding(subject.intents)]
    : [
        ...capacityFindings(answer, subject.intents, demand),
        ...queueFindings(subject, context),
        ...poolFindings(answer, demand, context),
      ];
}

/** Pools that the workload might have new nodes of, and that are not what the cluster makes: said where there is need of them. */
function poolFindings({ verdict }: Answer, demand: Demand, context: AdmissionContext): readonly Diagnostic[] {
  const { catalogue, topology } = context;
  if (verdict === "fits" || topology === undefined) return [];
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.filter(({ skipped }) => skipped === undefined));
  const wanted = catalogue.pools.filter((pool) => steps.some(({ rung }) => supplies(pool, rung)));
  return wanted.flatMap((pool): readonly Diagnostic[] => {
    const at = catalogue.positions.get(`CapacityPool/${pool.name}`);
    const name = `CapacityPool ${pool.name}${at === undefined ? "" : ` (${at.file}:${at.line})`}`;
    const missing = missingMaker(topology, pool);
    if (missing !== undefined) {
      const code: AdmissionCode = "NodePoolMissing";
      const message = `${name} takes its nodes from NodePool ${missing}, which the cluster does not have`;
      const hint = `create NodePool ${missing}, or correct ${NODE_POOL_LABEL} in the pool's node.labels or members`;
      return [{ code, severity: "warning", message, hint }];
    }
    const found = differences(topology, pool);
    if (found.length === 0) return [];
    const code: AdmissionCode = "NodePoolDiffers";
    const message = `${name} declares ${found.join("; ")}`;
    const hint = "correct the pool's file or the NodePool; new nodes are judged as the NodePool makes them";
    return [{ code, severity: "warning", message, hint }];
  });
}

const NODE_POOL_LABEL = "karpenter.sh/nodepool";

/** A workload in a queue of Kueue, which the platform does not have by its file: what the queue allows is then not counted. */
function queueFindings({ base }: Subject, context: AdmissionContext): readonly Diagnostic[] {
  const { queues } = factsOf(context);
  if (base.queue === undefined || context.catalogue.platform.kueue !== undefined || queues === undefined) return [];
  const there = queues.localQueue(base.key.namespace || "default", base.queue) !== undefined;
  if (!there && [...queues.clusterQueues()].length === 0) return [];
  const code: AdmissionCode = "NotJudged";
  return [
    {
      code,
      severity: "warning",
      message: `the workload waits in queue ${base.queue}, and the cluster has queues of Kueue, but the platform file names no Kueue: what the queue lets in is not judged`,
      hint: "set spec.kueue.version in the platform file",
    },
  ];
}

/** Nothing could be chosen: how to ask again, since kubectl sends no request for an unchanged manifest. */
export function renewHint(subject: Subject): Diagnostic {
  const { kind, name, namespace } = subject.base.key;
  const code: AdmissionCode = "NothingChosen";
  const command = `kubectl annotate -n ${namespace} ${kind.toLowerCase()}/${name} ${RENEW_ANNOTATION}=1 --overwrite`;
  const fits = command.length <= 90;
  return {
    code,
    severity: "warning",
    message: `decide again: ${fits ? command : `give ${RENEW_ANNOTATION} another value`}`,
  };
}

function unknownController(subject: Subject): Diagnostic {
  const owner = subject.base.controller;
  const code: AdmissionCode = "UnknownController";
  return {
    code,
    severity: "warning",
    message: `kind ${owner?.kind ?? "?"} (${owner?.apiVersion ?? "?"}) is not in the kind table, so its pods are seen one by one and cannot be placed together`,
    hint: "describe the kind in a file under policies/kinds/, and annotate its objects instead of their pods",
  };
}
