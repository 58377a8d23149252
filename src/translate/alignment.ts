import { type Contract, type Diagnostic, plural } from "../model/index.ts";
import { asksForDevice, nicAttribute, nicsOf, whyNoAlternatives } from "../policy/index.ts";
import { cannotExpress, type SetContext } from "./context.ts";

type Classes = Extract<Contract["accelerator"], { kind: "classes" }>;

/** What of the class's alignment cannot be promised. What can is a constraint of the claim. */
export function alignment(context: SetContext): readonly Diagnostic[] {
  const need = context.intent.contract.accelerator;
  if (need.kind !== "classes" || need.align === undefined || context.step === undefined) return [];
  return [...gpusAligned(context, need), ...nicsAligned(context, need)];
}

function gpusAligned(context: SetContext, { align }: Classes): readonly Diagnostic[] {
  const { step, accelerator, entry } = context;
  const gpus = align?.gpus;
  if (gpus === undefined || step === undefined || step.devicesPerPod < 2 || together(context, gpus.level)) return [];
  const { level } = gpus;
  const attribute =
    level === "numa" ? accelerator?.alignment.numa : level === "pcie" ? accelerator?.alignment.pcie : undefined;
  const required = gpus.mode === "required";
  const what = `alignment of ${step.devicesPerPod} devices by ${level}`;
  const elsewhere = byMechanism(context, what, "Put a matchAttribute constraint into that claim.", required);
  if (elsewhere !== undefined) return [elsewhere];
  if (attribute === undefined)
    return [
      cannotExpress(
        context,
        what,
        `${step.rung.accelerator} publishes no attribute for it`,
        "Choose another level, or mode preferred.",
        required,
      ),
    ];
  if (!required)
    return [
      cannotExpress(
        context,
        what,
        "a claim has constraints, but no preferences",
        "Use mode required, or accept any devices of the node.",
        false,
      ),
    ];
  if (entry.alignedAnyhow?.includes("gpus") !== true) return [];
  return [
    meansNothing(context, what, attribute, `or take the attribute off AcceleratorClass ${step.rung.accelerator}`),
  ];
}

function nicsAligned(context: SetContext, need: Classes): readonly Diagnostic[] {
  const { step, accelerator, entry, platform } = context;
  const nics = need.align?.nics;
  if (nics === undefined || step === undefined || step.devicesPerPod === 0 || accelerator === undefined) return [];
  const required = nics.mode === "required";
  const count = step.devicesPerPod;
  const what = `alignment of ${plural(nicsOf(nics, count), "network device")} with ${plural(count, "accelerator")} by ${nics.level}`;
  const hint = "Put requests for both and a matchAttribute constraint into that claim.";
  const elsewhere = byMechanism(context, what, hint, required);
  if (elsewhere !== undefined) return [elsewhere];
  const by = nicAttribute({ accelerator, need, network: platform.network });
  if (by === undefined) return [];
  if ("reason" in by)
    return [
      cannotExpress(
        context,
        what,
        by.reason,
        platform.network === undefined
          ? "Declare network in the platform file, or leave accelerator.align.nics out."
          : "Choose another level, or mode preferred.",
        required,
      ),
    ];
  const preferring = step.addedDevices.some(({ firstAvailable }) => firstAvailable !== undefined);
  if (!required && !preferring) {
    const { set, workload } = context;
    const why =
      whyNoAlternatives({ platform, source: step.rung.source, workload, set }) ??
      "these do not make equal groups that one claim holds";
    return [
      cannotExpress(
        context,
        what,
        `it would take a claim with alternatives, and ${why}; they are asked for wherever they are`,
        "Use mode required, or accept any network devices of the node.",
        false,
      ),
    ];
  }
  if (entry.alignedAnyhow?.includes("nics") !== true) return [];
  return [meansNothing(context, what, by.attribute, "or choose another level")];
}

/** Devices that are not asked for by a claim of ours. */
function byMechanism(context: SetContext, what: string, hint: string, required: boolean): Diagnostic | undefined {
  const { step, set } = context;
  if (step?.mechanism === "manifest" && asksForDevice(set).form === "claim")
    return {
      code: "NotGuaranteed",
      severity: "warning",
      podSet: set.name,
      path: set.path,
      message: `${what} is left to the claim that the manifest names`,
      hint,
    };
  if (step?.mechanism === "claim") return undefined;
  return cannotExpress(
    context,
    what,
    "a device plugin is asked for a count only",
    "Ask for no device in the manifest where DRA serves it, or leave accelerator.align out.",
    required,
  );
}

function meansNothing({ set }: SetContext, what: string, attribute: string, instead: string): Diagnostic {
  return {
    code: "NotGuaranteed",
    severity: "warning",
    podSet: set.name,
    path: set.path,
    message: `${what} means nothing here: all devices of each node carry the same ${attribute}, so no constraint is written`,
    short: `${what} means nothing here: each node's devices all carry the same ${attribute}`,
    hint: `Leave accelerator.align out, ${instead}.`,
  };
}

/** Devices of one pod are on one host; those of an accelerator whose interconnect is as wide share the domain of it as well. */
function together({ accelerator, step }: SetContext, level: string): boolean {
  if (level === "host") return true;
  const fabric = accelerator?.interconnect;
  return (
    fabric !== undefined &&
    (fabric.level === level || level === "nvlink") &&
    (step?.devicesPerPod ?? 0) <= fabric.devices
  );
}
