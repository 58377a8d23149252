import { type Answer, type PodSetDemand, rungText } from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import { publishedBy, type Topology } from "../topology/index.ts";

/** Would the constraint by which the rung aligns devices always hold: wherever a node has several, they carry one value. */
export function alignedAnyhow(
  set: PodSetDemand,
  answer: Answer,
  topology: Topology | undefined,
  catalogue: Catalogue,
): boolean {
  const rung = answer.rungs[set.name];
  if (topology === undefined || rung === undefined) return false;
  const step = set.ladder.steps.find((one) => rungText(one.rung) === rungText(rung));
  const accelerator = catalogue.accelerators.get(rung.accelerator);
  const driver = accelerator?.device?.driver;
  const attributes = step?.addedDevices.flatMap((one) => one.matchAttributes.map(({ attribute }) => attribute)) ?? [];
  if (accelerator === undefined || driver === undefined || attributes.length === 0) return false;
  return attributes.every((attribute) => publishedBy(topology, driver, attribute, accelerator.labels) === "equal");
}
