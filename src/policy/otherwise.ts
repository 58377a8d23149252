import { type Contract, type Intent, type Json, keep, once } from "../model/index.ts";
import { resultFaults } from "./intent.ts";
import { fieldValue, withField } from "./overrides.ts";
import type { Catalogue } from "./types.ts";

/** The intents if the class said this field so of these pod sets; undefined where nothing changes, or where no class may say that. */
export function intentsIf(
  intents: ReadonlyMap<string, Intent>,
  field: string,
  value: Json,
  podSets: readonly string[],
  catalogue: Catalogue,
): ReadonlyMap<string, Intent> | undefined {
  const changed = new Map(intents);
  let any = false;
  for (const name of podSets) {
    const intent = intents.get(name);
    if (intent === undefined) continue;
    const contract = contractIf(intent.contract, field, value, catalogue);
    if (contract === "faulty") return undefined;
    if (contract === intent.contract) continue;
    changed.set(name, { ...intent, contract });
    any = true;
  }
  return any ? changed : undefined;
}

/** Kept with the contract, so that what is kept with the changed one (its ladders) is found again. */
const KEPT = 32;
const kept = once((_catalogue: Catalogue) => once((_contract: Contract) => keep<Contract | "faulty">(KEPT)));

/** The contract itself where it does not have the field: a role without network devices gets none by being less strict of them. */
function contractIf(contract: Contract, field: string, value: Json, catalogue: Catalogue): Contract | "faulty" {
  const path = field.split(".");
  const before = fieldValue(contract, path);
  if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return contract;
  const known = kept(catalogue)(contract);
  const key = `${field}: ${JSON.stringify(value)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const next = withField(contract, path, value);
  return known.set(key, next === undefined || resultFaults(next, catalogue).length > 0 ? "faulty" : next);
}
