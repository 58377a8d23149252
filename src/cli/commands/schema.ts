import { schemaFiles } from "../../policy/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { writeResult } from "../output.ts";

export async function schemaCommand(
  kind: string | undefined,
  flags: { readonly output?: string },
  io: Io,
): Promise<number> {
  const schemas = schemaFiles().map(({ name, schema }) => ({ kind: name.replace(/\.json$/, ""), schema }));
  const found = schemas.find((one) => one.kind.toLowerCase() === kind?.toLowerCase().replace(/\.json$/, ""));
  if (kind !== undefined && found === undefined)
    throw new UsageFault(
      `${kind}: there is no such schema; expected one of ${schemas.map((one) => one.kind).join(", ")}`,
    );
  const text = found === undefined ? schemas.map((one) => one.kind).join("\n") : JSON.stringify(found.schema, null, 2);
  await writeResult(`${text}\n`, flags.output, io);
  return EXIT.ok;
}
