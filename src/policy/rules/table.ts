import { acceleratorRules } from "./accelerator.ts";
import { demandRules } from "./demand.ts";
import { interruptionRules } from "./interruption.ts";
import { latencyRules } from "./latency.ts";
import { protectionRules } from "./protection.ts";
import { startupRules } from "./startup.ts";
import { stateRules } from "./state.ts";
import { tenancyRules } from "./tenancy.ts";
import type { Rule } from "./types.ts";

/** Every rule, by id. */
export const rules: readonly Rule[] = [
  ...latencyRules,
  ...demandRules,
  ...stateRules,
  ...interruptionRules,
  ...protectionRules,
  ...acceleratorRules,
  ...tenancyRules,
  ...startupRules,
].sort((a, b) => (a.id < b.id ? -1 : 1));
