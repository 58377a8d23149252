import { asksForDevice } from "../policy/index.ts";
import { cannotExpress, type Part, type SetContext } from "./context.ts";

/** Attributes by which the devices of one claim must agree, and what cannot be promised. */
export function alignment(context: SetContext): {
  readonly attributes: readonly string[];
  readonly diagnostics: Part["diagnostics"];
} {
  const need = context.intent.contract.accelerator;
  const { step, accelerator } = context;
  if (need.kind !== "classes" || need.align === undefined || step === undefined)
    return { attributes: [], diagnostics: [] };
  const attributes: string[] = [];
  const diagnostics: Part["diagnostics"][number][] = [];
  const { gpus, nics } = need.align;
  if (gpus !== undefined && step.devicesPerPod > 1 && !together(context, gpus.level)) {
    const attribute =
      gpus.level === "numa"
        ? accelerator?.alignment.numa
        : gpus.level === "pcie"
          ? accelerator?.alignment.pcie
          : undefined;
    const required = gpus.mode === "required";
    const what = `alignment of ${step.devicesPerPod} devices by ${gpus.level}`;
    if (step.mechanism === "manifest" && asksForDevice(context.set).form === "claim") {
      diagnostics.push({
        code: "NotGuaranteed",
        severity: "warning",
        podSet: context.set.name,
        path: context.set.path,
        message: `${what} is left to the claim that the manifest names`,
        hint: "Put a matchAttribute constraint into that claim.",
      });
    } else if (step.mechanism !== "claim") {
      diagnostics.push(
        cannotExpress(
          context,
          what,
          "a device plugin is asked for a count only",
          "Ask for no device in the manifest where DRA serves it, or leave accelerator.align out.",
          required,
        ),
      );
    } else if (attribute === undefined) {
      diagnostics.push(
        cannotExpress(
          context,
          what,
          `${step.rung.accelerator} publishes no attribute for it`,
          "Choose another level, or mode preferred.",
          required,
        ),
      );
    } else if (required && context.entry.alignedAnyhow === true) {
      diagnostics.push({
        code: "NotGuaranteed",
        severity: "warning",
        podSet: context.set.name,
        path: context.set.path,
        message: `${what} means nothing here: all devices of each node carry the same ${attribute}, so no constraint is written`,
        short: `${what} means nothing here: each node's devices all carry the same ${attribute}`,
        hint: `Leave accelerator.align out, or take the attribute off AcceleratorClass ${step.rung.accelerator}.`,
      });
    } else if (required) attributes.push(attribute);
    else
      diagnostics.push(
        cannotExpress(
          context,
          what,
          "a claim has constraints, but no preferences",
          "Use mode required, or accept any devices of the node.",
          false,
        ),
      );
  }
  if (nics !== undefined && step.mechanism !== "manifest") {
    diagnostics.push(
      cannotExpress(
        context,
        `alignment of network devices by ${nics.level}`,
        "the class asks for no network device, so there is none to align with",
        "Write a claim with both requests in the manifest.",
        nics.mode === "required",
      ),
    );
  }
  return { attributes, diagnostics };
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
