import { isStatus } from "../kube/index.ts";

/** The text of an error of any sort, on one line. */
export function reasonOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.replaceAll(/\s+/g, " ").trim();
}

/** `resourceclaimtemplates.resource.k8s.io`, `pods`. */
export function resourceText(plural: string, apiVersion: string): string {
  return apiVersion.includes("/") ? `${plural}.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : plural;
}

/** Of a namespace that is going away: nothing can be made there, and nothing needs to be. */
export function isEnding(fault: unknown): boolean {
  return isStatus(fault, 403) && /because it is being terminated/.test(fault.message);
}

/** One line that says what to grant. */
export function missingPermission(verb: string, resource: string, namespace: string | undefined): string {
  const where = namespace === undefined || namespace === "" ? "" : ` in namespace ${namespace}`;
  return `Missing permission: ${verb} on ${resource}${where}. It stands in manifests/base/rbac.yaml.`;
}
