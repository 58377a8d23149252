import { objectAt } from "../model/index.ts";
import { alignment } from "./alignment.ts";
import { claims, deviceContainer } from "./claims.ts";
import { cannotExpress, edits, join, NOTHING, type Part, type SetContext, says } from "./context.ts";
import { outsidePath } from "./slots.ts";

/** Devices as the rung asks for them: nothing where the manifest asks itself, else extended resources or claims. */
export function devices(context: SetContext): Part {
  const { step } = context;
  if (step === undefined || step.mechanism === "none") return NOTHING;
  const aligned = says(...alignment(context));
  if (step.mechanism === "manifest") return aligned;
  return join(aligned, step.mechanism === "extended-resource" ? extended(context) : claims(context));
}

function extended(context: SetContext): Part {
  const { step, set, workload } = context;
  const wanted = Object.entries(step?.addedRequests ?? {}).filter(([, count]) => count > 0);
  if (wanted.length === 0) return NOTHING;
  const outside = outsidePath(set);
  if (outside !== undefined && wanted.length === 1) {
    const [name, quantity] = wanted[0] ?? ["", 0];
    return edits({
      slot: "outside",
      key: "",
      value: { name, quantity },
      text: `${outside.at(-1)} ${name}: ${quantity}`,
    });
  }
  const container = deviceContainer(context, "containerResources");
  if (container === undefined) {
    return says(
      cannotExpress(
        context,
        wanted.map(([name, count]) => `${name}: ${count}`).join(", "),
        "the pod set has no container in this manifest to give devices to",
        "Write the container, or ask for the devices where the kind does.",
      ),
    );
  }
  if (container.path === undefined) {
    const amounts = Object.fromEntries(wanted.map(([name, count]) => [name, String(count)]));
    const value = { name: container.name, resources: { limits: amounts, requests: amounts } };
    return edits({
      slot: "container",
      key: "",
      value,
      text: `container ${container.name} with ${wanted.map(([name, count]) => `${name}: ${count}`).join(", ")}`,
    });
  }
  const resources = objectAt(workload.object, [...container.path, "resources"]);
  return edits(
    ...wanted.flatMap(([name, count]) =>
      (["requests", "limits"] as const).flatMap((list) => {
        if (objectAt(resources, [list])[name] !== undefined) return [];
        const slot = list === "requests" ? ("request" as const) : ("limit" as const);
        return [
          {
            slot,
            key: `${container.name}/${name}`,
            value: String(count),
            text: `container ${container.name} ${list} ${name}: ${count}`,
          },
        ];
      }),
    ),
  );
}
