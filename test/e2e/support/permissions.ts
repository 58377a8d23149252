import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../../../src/model/index.ts";
import type { ControlPlane } from "../controlplane/index.ts";

const USER = "system:serviceaccount:plimsoll-system:plimsoll";
const RBAC = "manifests/base/rbac.yaml";

/** Requests of our own service account so far. */
function requests(cp: ControlPlane): readonly JsonObject[] {
  return cp.auditLog().filter((event) => stringAt(event, ["user", "username"]) === USER);
}

/** Requests that were refused, each in one line. */
export function refused(cp: ControlPlane): readonly string[] {
  return requests(cp)
    .filter((event) => valueAt(event, ["responseStatus", "code"]) === 403)
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
      const at = `${stringAt(event, ["objectRef", "apiGroup"]) ?? ""}/${stringAt(event, ["objectRef", "resource"])}`;
      const verb = stringAt(event, ["verb"]) ?? "";
      const code = valueAt(event, ["responseStatus", "code"]);
      return verb === "patch" && code === 201 ? [`patch ${at}`, `create ${at}`] : [`${verb} ${at}`];
    }),
  );
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
