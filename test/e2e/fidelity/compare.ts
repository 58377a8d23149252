import { type AdmissionContext, type Judgement, judge } from "../../../src/admission/index.ts";
import { type JsonObject, type Rung, rungText, type Verdict } from "../../../src/model/index.ts";
import { loadCatalogue } from "../../../src/policy/index.ts";
import { buildTopology, emptyFacts, inventoryFrom } from "../../../src/topology/index.ts";
import { type Case, FILLER_NAMESPACE, NAMESPACE, PRIORITY_CLASS } from "./case.ts";
import { type Expected, expandOn, expect } from "./expect.ts";

export interface RungComparison {
  readonly rung: string;
  readonly verdict: Verdict;
  readonly warned: boolean;
  readonly holds: number | undefined;
  readonly expected: Expected;
}

export interface Comparison {
  readonly judged: Extract<Judgement, { judged: true }>;
  readonly rungs: readonly RungComparison[];
  /** The rung that was chosen, or for `never` the first. */
  readonly decided: RungComparison;
  readonly faults: readonly string[];
}

/** What stands around every case. */
export function surroundings(): readonly JsonObject[] {
  const namespace = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return [
    namespace(NAMESPACE),
    namespace(FILLER_NAMESPACE),
    {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: PRIORITY_CLASS },
      value: 1000,
      preemptionPolicy: "Never",
    },
    // All there is was read, also where there is none of a kind.
    ...["ResourceSlice", "ResourceClaim", "Pod"].map((kind) => ({ apiVersion: "v1", kind: `${kind}List`, items: [] })),
  ];
}

/** Asks the engine about the case on the given cluster, and the replay about every rung. Undefined: too many states. */
export function compare(one: Case, objects: readonly JsonObject[] = objectsOf(one)): Comparison | undefined {
  const context = contextOf(one, objects);
  const judged = judge(one.workload, context, { suggestions: true });
  if (!judged.judged) throw new Error(`${one.name} is not judged: ${judged.why}`);
  const { answer, decision } = judged;
  if (answer === undefined || decision === undefined) throw new Error(`${one.name} has no answer`);
  const facts = context.topology?.facts ?? emptyFacts();
  const rungs: RungComparison[] = [];
  for (const told of answer.ladder) {
    const [rung] = Object.values(told.rungs);
    if (rung === undefined || told.reasons.some(({ code }) => code === "RungSkipped")) continue;
    const expected = expect(one, expandOn(judged, rung, context.catalogue, facts));
    if (expected === undefined) return undefined;
    rungs.push({
      rung: rungText(rung),
      verdict: told.verdict,
      warned: told.reasons.some(({ code }) => code === "NotGuaranteed"),
      holds: Object.values(told.holds)[0],
      expected,
    });
  }
  const chosen: Rung | undefined = Object.values(answer.rungs)[0];
  const decided = rungs.find(({ rung }) => chosen !== undefined && rung === rungText(chosen)) ?? rungs[0];
  if (decided === undefined) return undefined;
  const whole = rungs.filter(({ rung }) => tellsAll(rung, rungs, one));
  const warned = judged.findings.some(({ code }) => code === "NotGuaranteed");
  const told = whole.map((each) => (each.rung === decided.rung ? { ...each, warned: each.warned || warned } : each));
  return { judged, rungs, decided, faults: [...told.flatMap(faultsOf), ...overall(answer.verdict, told)] };
}

/**
 * The template of a Deployment or StatefulSet is the same on every capacity type and lists them all, and a rung counts on its own type and
 * those before it: only the last one tells what the template can do.
 */
function tellsAll(rung: string, rungs: readonly RungComparison[], one: Case): boolean {
  if (one.workload["kind"] === "Job" || one.workload["kind"] === "Pod") return true;
  const [accelerator, , source] = rung.split("/");
  const alike = rungs.filter((other) => {
    const parts = other.rung.split("/");
    return parts[0] === accelerator && parts[2] === source;
  });
  return alike.at(-1)?.rung === rung;
}

function contextOf(one: Case, objects: readonly JsonObject[]): AdmissionContext {
  const { value: catalogue, diagnostics } = loadCatalogue(one.policies);
  if (catalogue === undefined)
    throw new Error(`${one.name}: ${diagnostics.map(({ code, message }) => `${code} ${message}`).join("; ")}`);
  const inventory = inventoryFrom(objects);
  if (inventory.value === undefined) throw new Error(`${one.name}: ${JSON.stringify(inventory.diagnostics)}`);
  return {
    catalogue,
    topology: buildTopology(inventory.value, catalogue.layout),
    holds: [],
    maxSteps: 1_000_000,
    nowMs: 0,
  };
}

const objectsOf = (one: Case): readonly JsonObject[] => [
  ...surroundings(),
  ...one.cluster,
  ...one.filler,
  ...one.given,
];

/** What a verdict must be for each outcome. */
function faultsOf({ rung, verdict, warned, holds, expected }: RungComparison): readonly string[] {
  const { outcome, least, most } = expected;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  const faults: string[] = [];
  const wanted = outcome === "certain" || outcome === "order-dependent" ? "fits" : outcome;
  if (verdict !== wanted)
    faults.push(`${rung}: verdict ${verdict}, but the replay says ${outcome} (${range} pods are bound)`);
  else if (outcome === "order-dependent" && !warned)
    faults.push(`${rung}: some order of choices binds only ${range}, and nothing warns of it`);
  else if (verdict === "fits" && expected.holds !== undefined && holds !== expected.holds)
    faults.push(`${rung}: ${holds ?? "no number of"} pods are said to hold, but the replay finds ${expected.holds}`);
  return faults;
}

/** The verdict on the workload, of those on its rungs. */
function overall(verdict: Verdict, rungs: readonly RungComparison[]): readonly string[] {
  const order = ["certain", "order-dependent", "busy", "never"] as const;
  const outcomes = rungs.map(({ expected }) => expected.outcome);
  const best = order.find((outcome) => outcomes.includes(outcome));
  const wanted = best === "certain" || best === "order-dependent" ? "fits" : best;
  return verdict === wanted ? [] : [`the workload is said to be ${verdict}, but its best rung is ${best}`];
}
