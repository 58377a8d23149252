import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";

/** Text files as the command and the server read them. Errors are `FileFault`s with a message for a person. */
export class FileFault extends Error {
  override readonly name = "FileFault";
}

export interface TextFile {
  /** As shown in messages: the path that was given, or below the folder that was given. */
  readonly path: string;
  readonly text: string;
}

const MANIFEST = /\.(ya?ml|json)$/i;
const MAX_FILES = 10_000;
const MAX_POLICY_BYTES = 4 * 1024 * 1024;
/** Clusters of a hundred thousand pods are a few hundred megabytes of JSON. */
const MAX_INPUT_BYTES = 1024 * 1024 * 1024;

/** Files of a policy folder by path below it, sorted. `schema/` holds generated schemas, kustomization.yaml a list of files. */
export async function readPolicies(folder: string): Promise<TextFile[]> {
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined) throw new FileFault(`${folder}: there is no such policy folder`);
  const files = await listFiles(
    folder,
    (path) => MANIFEST.test(path) && !path.startsWith("schema/") && path !== "kustomization.yaml",
  );
  return Promise.all(files.map(async (path) => ({ path, text: await readText(join(folder, path), MAX_POLICY_BYTES) })));
}

/** Every file that the arguments name: `-` is standard input, a folder stands for the manifests below it. */
export async function readInputs(
  args: readonly string[],
  standardInput: () => Promise<string>,
  options: { readonly emptyFolders?: boolean } = {},
): Promise<TextFile[]> {
  const read: TextFile[] = [];
  for (const arg of new Set(args)) {
    if (arg === "-") {
      read.push({ path: "-", text: await standardInput() });
      continue;
    }
    const facts = await stat(arg).catch(() => undefined);
    if (facts === undefined) throw new FileFault(`${arg}: there is no such file or folder`);
    if (!facts.isDirectory()) {
      read.push({ path: arg, text: await readText(arg, MAX_INPUT_BYTES) });
      continue;
    }
    const below = await listFiles(arg, (path) => MANIFEST.test(path));
    if (below.length === 0 && options.emptyFolders !== true)
      throw new FileFault(`${arg}: the folder holds no .yaml, .yml or .json file`);
    for (const path of below)
      read.push({ path: join(arg, path), text: await readText(join(arg, path), MAX_INPUT_BYTES) });
  }
  return read;
}

/** Changes whenever a file below one of the paths does: names, sizes, times and symlink targets. */
export async function signatureOf(paths: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined) parts.push(`${path} missing`);
    else if (!facts.isDirectory()) parts.push(`${path} ${facts.size} ${facts.mtimeMs} ${facts.ino}`);
    else {
      parts.push(`${path} ${await realpath(path)}`);
      for (const file of await listFiles(path, (name) => MANIFEST.test(name))) {
        const one = await stat(join(path, file)).catch(() => undefined);
        parts.push(`${file} ${one?.size} ${one?.mtimeMs} ${one?.ino}`);
      }
    }
  }
  return parts.join("\n");
}

/** Folders to watch for a path: itself and below, or the one that holds the file. */
export async function foldersOf(path: string): Promise<string[]> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || !facts.isDirectory()) return [resolve(path, "..")];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return [path, ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))];
}

async function listFiles(folder: string, wanted: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((fault: unknown) => {
    throw new FileFault(`${folder}: ${reasonOf(fault, "cannot be read")}`);
  });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    // A ConfigMap volume keeps its data behind ..data and dated folders; the links at the top lead there.
    if (path.split("/").some((part) => part.startsWith("..") || part === ".git" || part === "node_modules")) continue;
    const file =
      entry.isFile() ||
      (entry.isSymbolicLink() && (await stat(join(folder, path)).catch(() => lstat(join(folder, path)))).isFile());
    if (file && wanted(path)) paths.push(path);
  }
  if (paths.length > MAX_FILES)
    throw new FileFault(`${folder}: holds ${paths.length} files, more than the ${MAX_FILES} that are read`);
  return paths.sort();
}

async function readText(path: string, maxBytes: number): Promise<string> {
  const facts = await stat(path).catch((fault: unknown) => {
    throw new FileFault(`${path}: ${reasonOf(fault, "cannot be read")}`);
  });
  if (facts.size > maxBytes)
    throw new FileFault(`${path}: is ${facts.size} bytes, more than the ${maxBytes} that are read`);
  return readFile(path, "utf8").catch((fault: unknown) => {
    throw new FileFault(`${path}: ${reasonOf(fault, "cannot be read")}`);
  });
}

function reasonOf(fault: unknown, otherwise: string): string {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "may not be read by this user";
  if (code === "ENOTDIR") return "is not a folder";
  return fault instanceof Error ? `${otherwise} (${fault.message})` : otherwise;
}
