import type { Decision } from "../model/index.ts";
import { type Expansion, expand } from "../translate/index.ts";
import { type AdmissionContext, factsOf } from "./context.ts";
import type { Subject } from "./subject.ts";

/** The one way in which admission asks for an expansion. `old`: what the kind makes immutable keeps its state there. */
export function expansionOf(
  subject: Subject,
  plan: { readonly decision: Decision; readonly standing: ReadonlySet<string> },
  context: AdmissionContext,
  old: Subject | undefined,
): Expansion {
  return expand({
    base: subject.base,
    intents: subject.intents,
    decision: plan.decision,
    catalogue: context.catalogue,
    facts: factsOf(context),
    undone: subject.undone,
    standing: [...plan.standing],
    ...(old === undefined ? {} : { old: { workload: old.base, undone: old.undone } }),
  });
}
