import { parseQuantity } from "../model/index.ts";
import type { DeviceFacts } from "../topology/index.ts";

/** One capacity of a device, in nano-units, with what a request of it may be. */
export type Capacity = NonNullable<DeviceFacts["capacities"]>[number];

const UNIT = 1_000_000_000n;
const MOST = (2n ** 63n - 1n) * UNIT;

export type Consumed =
  /** By capacity, in their order. */
  | { readonly kind: "uses"; readonly amounts: readonly bigint[] }
  /** The device does not serve the request. */
  | { readonly kind: "unfit" }
  /** The scheduler gives up on the pod. */
  | { readonly kind: "abort"; readonly name: string };

/**
 * What a request takes of each capacity of a device: what it asks for, rounded up by the capacity's policy; where it asks for
 * nothing, the policy's default, or all of it. A name that the device lacks does not fit (k8s.io/dynamic-resource-allocation 0.37,
 * consumable_capacity.go).
 */
export function consumed(
  capacities: readonly Capacity[],
  asked: Readonly<Record<string, string>> | undefined,
): Consumed {
  const names = new Set(capacities.map(({ name }) => name));
  if (Object.keys(asked ?? {}).some((name) => !names.has(name))) return { kind: "unfit" };
  const amounts: bigint[] = [];
  let fits = true;
  for (const capacity of capacities) {
    const text = asked !== undefined && Object.hasOwn(asked, capacity.name) ? asked[capacity.name] : undefined;
    const want = text === undefined ? undefined : parseQuantity(text)?.nano;
    if (text !== undefined && want === undefined) return { kind: "unfit" };
    const amount = rounded(want, capacity);
    if (amount === undefined || amount < 0n) return { kind: "abort", name: capacity.name };
    if (violates(amount, capacity) || amount > capacity.nano) fits = false;
    amounts.push(amount);
  }
  return fits ? { kind: "uses", amounts } : { kind: "unfit" };
}

/** Undefined where the scheduler cannot represent the result. */
function rounded(want: bigint | undefined, { nano, policy }: Capacity): bigint | undefined {
  if (want === undefined) return policy?.default ?? nano;
  const range = policy?.range;
  if (range?.min !== undefined) {
    if (want < range.min) return range.min;
    if (range.step === undefined || range.step <= 0n) return want;
    const steps = (want - range.min + range.step - 1n) / range.step;
    const amount = range.min + steps * range.step;
    return want > MOST || amount > MOST ? undefined : amount;
  }
  return policy?.values?.find((one) => want <= one) ?? want;
}

function violates(amount: bigint, { policy }: Capacity): boolean {
  if (policy === undefined || amount === policy.default) return false;
  const { range, values } = policy;
  if (range !== undefined) {
    if (range.max !== undefined && amount > range.max) return true;
    return range.step !== undefined && range.step > 0n && (amount - (range.min ?? 0n)) % range.step !== 0n;
  }
  return values !== undefined && values.length > 0 && !values.includes(amount);
}
