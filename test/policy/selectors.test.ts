import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadPolicies } from "../../src/load.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** The small catalogue, with one passage of its platform replaced. */
async function loaded(from: string, to: string) {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-selectors-"));
  folders.push(folder);
  await cp("test/fixtures/policies-min", folder, { recursive: true });
  const file = join(folder, "platform.yaml");
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
  return await loadPolicies(folder);
}

test("selectors of network devices are compiled when the catalogue is read", async () => {
  const network = (selector: string) =>
    loaded(
      "spec:\n",
      `spec:\n  network: {driver: dra.net, deviceClassName: efa.example.com, selectors: [${selector}]}\n`,
    );
  const sound = await network("'device.driver == \"dra.net\"'");
  expect(sound.diagnostics.map(({ code }) => code)).not.toContain("SelectorInvalid");
  const { value, diagnostics } = await network("'device.driver =='");
  expect(value).toBeDefined();
  const [fault] = diagnostics.filter(({ code }) => code === "SelectorInvalid");
  expect(fault).toMatchObject({
    severity: "warning",
    message: expect.stringMatching(/^Platform \S+: device selector is not valid CEL/),
  });
  expect(fault?.source?.file).toMatch(/platform\.yaml$/);
});
