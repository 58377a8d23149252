import type { AdmissionContext } from "../admission/index.ts";
import { DEFAULT_MAX_STEPS } from "../config.ts";
import type { TextFile } from "../files.ts";
import { loadCluster, loadPolicies } from "../load.ts";
import type { Diagnostic } from "../model/index.ts";
import { buildTopology } from "../topology/index.ts";
import { type Io, UsageFault } from "./io.ts";
import type { Manifest } from "./manifests.ts";
import { diagnosticText } from "./render/diagnostics.ts";

export interface ContextFlags {
  readonly policies: string;
  readonly platform?: string;
  readonly cluster?: readonly string[];
  readonly maxSteps?: string;
}

export interface LoadedContext {
  readonly context: AdmissionContext;
  /** Warnings about policy and cluster files, for standard error. */
  readonly notes: readonly Diagnostic[];
}

/** Kinds that a manifest set may bring for its own workloads; they win over the cluster's. */
const COMPANION_KINDS = new Set([
  "Namespace",
  "ResourceClaimTemplate",
  "ResourceClaim",
  "LimitRange",
  "ResourceQuota",
  "RuntimeClass",
  "PriorityClass",
  "DeviceClass",
]);

/** Catalogue and topology as the flags name them. A catalogue or cluster file that cannot serve is a UsageFault (exit 2). */
export async function loadContext(
  flags: ContextFlags,
  io: Io,
  manifests: readonly Manifest[] = [],
): Promise<LoadedContext> {
  const { value: catalogue, diagnostics } = await loadPolicies(flags.policies, flags.platform);
  if (catalogue === undefined)
    throw new UsageFault(refusal(diagnostics, `The catalogue in ${flags.policies} does not load`));
  const maxSteps =
    flags.maxSteps === undefined
      ? DEFAULT_MAX_STEPS
      : /^[1-9]\d{0,8}$/.test(flags.maxSteps)
        ? Number(flags.maxSteps)
        : 0;
  if (maxSteps === 0)
    throw new UsageFault(`--max-steps ${flags.maxSteps}: expected a whole number from 1 to 999999999`);
  const base = { catalogue, holds: [], maxSteps, nowMs: (io.now ?? Date.now)() };
  if (flags.cluster === undefined || flags.cluster.length === 0)
    return { context: { ...base, topology: undefined }, notes: diagnostics };

  const brought = manifests.filter(({ object }) => COMPANION_KINDS.has(String(object["kind"])));
  const extra: TextFile[] = brought.map(({ file, object }) => ({ path: file, text: JSON.stringify(object) }));
  const cluster = await loadCluster(flags.cluster, io.readStandardInput, catalogue.kinds, extra);
  if (cluster?.value === undefined)
    throw new UsageFault(
      refusal(cluster?.diagnostics ?? [], `The cluster in ${flags.cluster.join(", ")} cannot be read`),
    );
  if (cluster.value.nodes.length === 0) {
    throw new UsageFault(
      refusal(
        cluster.diagnostics,
        `${flags.cluster.join(", ")} holds no Node; expected output of kubectl get nodes,pods,... -A -o yaml`,
      ),
    );
  }
  return {
    context: { ...base, topology: buildTopology(cluster.value, catalogue.layout) },
    notes: [...diagnostics, ...cluster.diagnostics],
  };
}

function refusal(diagnostics: readonly Diagnostic[], summary: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const count = errors.length === 0 ? "" : `: ${errors.length === 1 ? "1 error" : `${errors.length} errors`}`;
  return [...errors.map((one) => diagnosticText(one)), `${summary}${count}.`].join("\n");
}
