import { readdirSync, readFileSync } from "node:fs";
import { arch, homedir, platform } from "node:os";
import { basename, join } from "node:path";

const MODULES = join(import.meta.dirname, "modules");
const CRDS = "crds";

/** A folder of modules/: a go.mod that pins one upstream module and names, as tools, the programs that are built of it. */
export interface Component {
  readonly name: string;
  readonly folder: string;
  readonly module: string;
  /** As in go.mod: `v1.37.2`. */
  readonly version: string;
  readonly packages: readonly string[];
  /** What the packages are called once built. A single program bears the component's name. */
  readonly programs: readonly string[];
}

/** Of everything that programs are built of; modules/crds only names files. */
export function componentNames(): readonly string[] {
  return readdirSync(MODULES)
    .filter((name) => name !== CRDS)
    .sort();
}

/** Throws where go.mod does not pin the module of its tools. */
export function readComponent(name: string): Component {
  const folder = join(MODULES, name);
  const text = readFileSync(join(folder, "go.mod"), "utf8");
  const packages = [...text.matchAll(/^tool\s+(?:\(([^)]*)\)|(\S+))/gm)]
    .flatMap(([, block, single]) => (block ?? single ?? "").split(/\s+/))
    .filter((one) => one !== "");
  const required = [...text.matchAll(/^(?:require)?\s+(\S+\.\S+\/\S+) (v\S+)/gm)]
    .map(([, module = "", version = ""]) => ({ module, version }))
    .filter(({ module }) => packages.every((one) => one === module || one.startsWith(`${module}/`)))
    .sort((a, b) => b.module.length - a.module.length);
  const [pinned] = required;
  if (packages.length === 0 || pinned === undefined)
    throw new Error(`${join(folder, "go.mod")} names no tool, or does not require the module of its tools`);
  const programs = packages.length === 1 ? [name] : packages.map((one) => basename(one));
  return { name, folder, ...pinned, packages, programs };
}

/** Where the programs of a component stand once built: outside the tree, so that clones and versions share them. */
export function cacheFolder({ module, version }: Component): string {
  return join(cacheRoot(), "bin", `${module.replaceAll("/", "_")}@${version}_${platform()}_${arch()}`);
}

function cacheRoot(): string {
  const { PLIMSOLL_CACHE, XDG_CACHE_HOME } = process.env;
  return join(PLIMSOLL_CACHE || XDG_CACHE_HOME || join(homedir(), ".cache"), "plimsoll");
}

/** Kubernetes programs say v0.0.0-master unless they are told, and clients then misjudge them. */
export function linkerFlags({ module, version }: Component): string {
  if (module !== "k8s.io/kubernetes") return "-s -w";
  const [major = "", minor = ""] = version.slice(1).split(".");
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return [
    "-s -w",
    ...Object.entries(facts).map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`),
  ].join(" ");
}
