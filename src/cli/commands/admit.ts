import { mutate, validate } from "../../admission/index.ts";
import { isObject, type Json } from "../../model/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";

/** Exit 0 whenever it answers, also with a denial: the answer says which. */
export async function admitCommand(
  flags: ContextFlags & { readonly webhook: "mutate" | "validate"; readonly output?: string },
  io: Io,
): Promise<number> {
  if (flags.cluster?.includes("-") === true)
    throw new UsageFault("--cluster -: standard input is the review here; name a file");
  const { context, notes } = await loadContext(flags, io);
  for (const note of notes) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const text = await io.readStandardInput();
  let review: Json;
  try {
    review = JSON.parse(text) as Json;
  } catch (fault) {
    throw new UsageFault(
      `standard input is not JSON (${fault instanceof Error ? fault.message : String(fault)}); expected an AdmissionReview`,
    );
  }
  if (!isObject(review)) throw new UsageFault("standard input is not a JSON object; expected an AdmissionReview");
  const outcome = (flags.webhook === "mutate" ? mutate : validate)(review, context);
  await writeResult(`${JSON.stringify(outcome.review, null, 2)}\n`, flags.output, io);
  return EXIT.ok;
}
