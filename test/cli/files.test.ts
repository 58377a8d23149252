import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileFault, readInputs, readPolicies, signatureOf } from "../../src/files.ts";
import { folderOf } from "./plimsoll.ts";

const nothing = async () => "";

describe("readInputs", () => {
  test("takes manifests below a folder, sorted, and leaves other files and tool folders alone", async () => {
    const folder = folderOf({ "b.yaml": "b", "a.yml": "a", "c.json": "c", "d.txt": "d" });
    for (const [name, file] of [
      ["sub", "e.yaml"],
      [".git", "f.yaml"],
      ["node_modules", "g.yaml"],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, file), file);
    }
    const read = await readInputs([folder], nothing);
    expect(read.map(({ path }) => path.slice(folder.length + 1))).toEqual(["a.yml", "b.yaml", "c.json", "sub/e.yaml"]);
  });

  test("takes a file of any name when it is named, and standard input for -", async () => {
    const folder = folderOf({ "manifest.txt": "x" });
    expect(await readInputs([`${folder}/manifest.txt`, "-"], async () => "y")).toEqual([
      { path: `${folder}/manifest.txt`, text: "x" },
      { path: "-", text: "y" },
    ]);
  });

  test.each([
    ["absent.yaml", "there is no such file or folder"],
    ["empty", "the folder holds no .yaml, .yml or .json file"],
  ])("%s: %s", async (name, message) => {
    const folder = folderOf({});
    mkdirSync(join(folder, "empty"));
    await expect(readInputs([join(folder, name)], nothing)).rejects.toThrow(
      new FileFault(`${join(folder, name)}: ${message}`),
    );
  });
});

describe("a mounted ConfigMap", () => {
  /** As the kubelet writes it: links at the top, through `..data`, to a dated folder. */
  function mounted(revision: string, text: string): string {
    const folder = folderOf({});
    mkdirSync(join(folder, revision));
    writeFileSync(join(folder, revision, "a.yaml"), text);
    symlinkSync(revision, join(folder, "..data"));
    symlinkSync("..data/a.yaml", join(folder, "a.yaml"));
    return folder;
  }

  test("is read once, by the names at its top", async () => {
    expect(await readPolicies(mounted("..2026_01", "x"))).toEqual([{ path: "a.yaml", text: "x" }]);
  });

  test("changes its signature when the link is moved to a new folder", async () => {
    const folder = mounted("..2026_01", "x");
    const before = await signatureOf([folder]);
    expect(await signatureOf([folder])).toBe(before);
    const { renameSync } = await import("node:fs");
    mkdirSync(join(folder, "..2026_02"));
    writeFileSync(join(folder, "..2026_02", "a.yaml"), "y");
    symlinkSync("..2026_02", join(folder, "..data_tmp"));
    renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
    expect(await signatureOf([folder])).not.toBe(before);
  });
});
