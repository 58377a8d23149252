import { schemaFiles } from "../../policy/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";

export async function schemaCommand(kind: string | undefined, io: Io): Promise<number> {
  const schemas = schemaFiles();
  if (kind === undefined) {
    for (const { name } of schemas) io.out(`${name}\n`);
    return EXIT.ok;
  }
  const found = schemas.find(
    ({ name }) => name.toLowerCase() === kind.toLowerCase() || name.toLowerCase() === `${kind.toLowerCase()}.json`,
  );
  if (found === undefined)
    throw new UsageFault(
      `${kind}: there is no schema of that name; expected one of ${schemas.map(({ name }) => name).join(", ")}`,
    );
  io.out(`${JSON.stringify(found.schema, null, 2)}\n`);
  return EXIT.ok;
}
