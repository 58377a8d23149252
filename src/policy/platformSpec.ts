import {
  digest,
  type NetworkDevices,
  type Platform,
  parseDuration,
  parseVersion,
  type Version,
} from "../model/index.ts";
import { given } from "./contract.ts";
import { dialectOf, spotNoticeMs } from "./dialect.ts";
import type { Declared, Report } from "./documents.ts";
import { plainJson } from "./plain.ts";
import type { PlatformSpec } from "./schema/platform.ts";

const MS = (text: string | undefined) => (text === undefined ? undefined : parseDuration(text));
/** Cluster Autoscaler's --max-graceful-termination-sec, which GKE and AKS keep. */
const AUTOSCALER_GRACE_MS = 600_000;

/** The platform of a sound document. */
export function platformOf({ name, spec: json }: Declared): Platform {
  const spec = json as PlatformSpec;
  const { autoscaler, companions, reclaimNotice } = spec;
  const kind = autoscaler?.kind ?? "none";
  const bounded = kind === "cluster-autoscaler" || kind === "gke" || kind === "aks";
  const dialect = dialectOf(spec.dialect);
  const platform = {
    name,
    kubernetes: { version: versionOf(spec.kubernetes.version), featureGates: spec.kubernetes.featureGates ?? {} },
    autoscaler: {
      kind,
      version: autoscaler?.version === undefined ? undefined : parseVersion(autoscaler.version),
      provisioningRequests: autoscaler?.provisioningRequests ?? kind === "gke",
      claims: autoscaler?.claims ?? false,
      maxGracePeriodMs: MS(autoscaler?.maxGracePeriod) ?? (bounded ? AUTOSCALER_GRACE_MS : undefined),
    },
    ...(spec.scheduler?.scoring === undefined ? {} : { scoring: spec.scheduler.scoring }),
    ...(spec.scheduler?.profiles === undefined ? {} : { schedulerNames: spec.scheduler.profiles }),
    ...given("network", spec.network === undefined ? undefined : networkOf(spec.network)),
    ...(spec.scheduler?.numaAware === undefined ? {} : { numaAware: spec.scheduler.numaAware }),
    kueue: spec.kueue === undefined ? undefined : { version: versionOf(spec.kueue.version) },
    dialect,
    layout: spec.layout,
    companions: {
      resourceClaimTemplates: companions?.resourceClaimTemplates ?? false,
      podDisruptionBudgets: companions?.podDisruptionBudgets ?? false,
      podTemplates: companions?.podTemplates ?? false,
      provisioningRequests: companions?.provisioningRequests ?? false,
      podGroups: companions?.podGroups ?? false,
    },
    supply: { nodes: spec.supply?.nodes ?? "partial", pools: spec.supply?.pools ?? "partial" },
    reclaimNoticeMs: {
      ...given("reserved", MS(reclaimNotice?.reserved)),
      ...given("on-demand", MS(reclaimNotice?.["on-demand"])),
      ...given("spot", MS(reclaimNotice?.spot) ?? spotNoticeMs(dialect)),
    },
  } as const;
  return { ...platform, digest: digest(plainJson(platform)) };
}

function networkOf({
  driver,
  deviceClassName,
  selectors,
  alignment,
}: NonNullable<PlatformSpec["network"]>): NetworkDevices {
  return {
    driver,
    deviceClassName,
    selectors: selectors ?? [`device.driver == ${JSON.stringify(driver)}`],
    alignment: { ...given("numa", alignment?.numa), ...given("pcie", alignment?.pcie) },
  };
}

export function checkPlatform(declared: Declared, platform: Platform, report: Report): void {
  const { companions, autoscaler } = platform;
  if (companions.provisioningRequests && !companions.podTemplates) {
    const message =
      "companions.provisioningRequests is true, but podTemplates, which every ProvisioningRequest refers to, is not.";
    report.about(declared, "Contradiction", ["companions", "provisioningRequests"], message, "Say podTemplates: true.");
  }
  if (companions.provisioningRequests && !autoscaler.provisioningRequests) {
    const message = `companions.provisioningRequests is true, but the autoscaler (${autoscaler.kind}) is not said to serve them.`;
    report.about(
      declared,
      "Contradiction",
      ["companions", "provisioningRequests"],
      message,
      "Say autoscaler.provisioningRequests: true, or leave the companion out.",
    );
  }
  const dialect = (declared.spec as PlatformSpec).dialect;
  if (typeof dialect === "string") return;
  for (const type of ["reserved", "on-demand", "spot"] as const) {
    const selection = dialect.capacityTypes[type]?.selection;
    if (selection === undefined) continue;
    const takesValues = (selection.operator ?? "In") === "In" || selection.operator === "NotIn";
    if (takesValues === (selection.values ?? []).length > 0) continue;
    const path = ["dialect", "capacityTypes", type, "selection"];
    const message = takesValues
      ? `the selection of ${type} needs values.`
      : `the selection of ${type} takes no values with ${selection.operator}.`;
    report.about(declared, "InvalidValue", path, message);
  }
}

/** The schema's pattern is what parseVersion reads. */
function versionOf(text: string): Version {
  return parseVersion(text) ?? { major: 0, minor: 0, patch: 0 };
}
