import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";

const USER = "system:serviceaccount:plimsoll-system:plimsoll";
const RBAC = "manifests/base/rbac.yaml";
const LEFT = ".requests.jsonl";

/** Requests of our own service account so far. */
function requests(cp: ControlPlane): readonly JsonObject[] {
  return cp.auditLog().filter((event) => stringAt(event, ["user", "username"]) === USER);
}

/** Requests that it may not make, each in one line. */
function refused(cp: ControlPlane): readonly string[] {
  return requests(cp)
    .filter((event) => stringAt(event, ["annotations", "authorization.k8s.io/decision"]) === "forbid")
    .map((event) => `${stringAt(event, ["verb"])} ${stringAt(event, ["requestURI"])}`);
}

/** `VERB GROUP/RESOURCE` of everything that manifests/base/rbac.yaml allows. */
export function granted(): readonly string[] {
  const roles = parseAllDocuments(readFileSync(RBAC, "utf8")).map((one) => one.toJS() as unknown);
  return roles
    .filter(isObject)
    .flatMap((role) => arrayAt(role, ["rules"]))
    .filter(isObject)
    .flatMap((rule) =>
      arrayAt(rule, ["apiGroups"]).flatMap((group) =>
        arrayAt(rule, ["resources"]).flatMap((resource) =>
          arrayAt(rule, ["verbs"]).map((verb) => `${verb} ${group}/${resource}`),
        ),
      ),
    );
}

/** What was used of it. An apply that makes its object needs leave to patch and to create. */
export function used(cp: ControlPlane): ReadonlySet<string> {
  return new Set(
    requests(cp).flatMap((event) => {
      const code = valueAt(event, ["responseStatus", "code"]);
      // What there is not was not used.
      if (code === 403 || (code === 404 && stringAt(event, ["verb"]) !== "get")) return [];
      const at = `${stringAt(event, ["objectRef", "apiGroup"]) ?? ""}/${stringAt(event, ["objectRef", "resource"])}`;
      const verb = stringAt(event, ["verb"]) ?? "";
      return verb === "patch" && code === 201 ? [`patch ${at}`, `create ${at}`] : [`${verb} ${at}`];
    }),
  );
}

/** Leaves what was asked of this control plane to the check over all files of the run. `from`: `import.meta.filename` of a test file. */
export function leave(cp: ControlPlane, folder: string, from: string): void {
  const line = JSON.stringify({ refused: refused(cp), used: [...used(cp)] });
  appendFileSync(join(folder, `${basename(from)}${LEFT}`), `${line}\n`);
}

/** What all have left; `waiting` names the files that leave something and have not. */
export function left(folder: string): {
  readonly refused: readonly string[];
  readonly used: ReadonlySet<string>;
  readonly waiting: readonly string[];
} {
  const tests = join(import.meta.dirname, "..");
  const leaving = readdirSync(tests).filter(
    (file) => file.endsWith(".test.ts") && readFileSync(join(tests, file), "utf8").includes(" leave("),
  );
  const files = readdirSync(folder).filter((file) => file.endsWith(LEFT));
  const all = files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly refused: readonly string[]; readonly used: readonly string[] }),
  );
  return {
    refused: all.flatMap((one) => one.refused),
    used: new Set(all.flatMap((one) => one.used)),
    waiting: leaving.filter((file) => !files.includes(`${file}${LEFT}`)),
  };
}

/** `GROUP/RESOURCE` of everything that is served. */
export async function served(cp: ControlPlane): Promise<ReadonlySet<string>> {
  const groups = arrayAt(await cp.api.send("GET", "/apis"), ["groups"]).filter(isObject);
  const paths = [
    "/api/v1",
    ...groups.flatMap((group) =>
      arrayAt(group, ["versions"]).map((version) => `/apis/${stringAt(version, ["groupVersion"])}`),
    ),
  ];
  const lists = await Promise.all(paths.map(async (path) => ({ path, list: await cp.api.send("GET", path) })));
  return new Set(
    lists.flatMap(({ path, list }) =>
      arrayAt(list, ["resources"]).map(
        (one) => `${path === "/api/v1" ? "" : path.split("/")[2]}/${stringAt(one, ["name"])}`,
      ),
    ),
  );
}
