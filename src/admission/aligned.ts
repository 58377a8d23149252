import { type Aligned, type Answer, type PodSetDemand, rungText } from "../model/index.ts";
import { alignedBy, type Catalogue } from "../policy/index.ts";
import { publishedBy, type Topology } from "../topology/index.ts";

/**
 * What the rung aligns by constraints that would always hold: wherever a node has several of the devices, they carry one value. Empty where no
 * such constraint is needed.
 */
export function alignedAnyhow(
  set: PodSetDemand,
  answer: Answer,
  topology: Topology | undefined,
  catalogue: Catalogue,
): readonly Aligned[] {
  const rung = answer.rungs[set.name];
  if (topology === undefined || rung === undefined) return [];
  const requests = set.ladder.steps.find((one) => rungText(one.rung) === rungText(rung))?.addedDevices ?? [];
  const accelerator = catalogue.accelerators.get(rung.accelerator);
  const driver = accelerator?.device?.driver;
  if (accelerator === undefined || driver === undefined) return [];
  const { network } = catalogue.platform;
  return (["gpus", "nics"] as const).filter((what) => {
    const drivers = what === "gpus" || network === undefined ? [driver] : [driver, network.driver];
    const attributes = requests.flatMap((request) => {
      const claim = requests.filter((one) => one.claim === request.claim);
      return request.matchAttributes
        .filter((one) => alignedBy(one, claim, network) === what)
        .map(({ attribute }) => attribute);
    });
    return (
      attributes.length > 0 &&
      attributes.every((attribute) => publishedBy(topology, drivers, attribute, accelerator.labels) === "equal")
    );
  });
}
