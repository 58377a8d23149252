import type { KindEntry, Mutability, PodField, TemplateEntry } from "../types.ts";

export const ALWAYS: Mutability = { template: "always", except: [] };
export const NEVER: Mutability = { template: "never", except: [] };

/** What a suspended Job, and a suspended JobSet, keep immutable. Container resources of a Job are mutable from 1.36 on only. */
export const STOPPED_JOB: Mutability = {
  template: "suspended",
  except: [
    "topologySpreadConstraints",
    "resourceClaims",
    "containerResources",
    "containerClaims",
    "priorityClassName",
    "terminationGracePeriodSeconds",
    "schedulingGroup",
  ],
};
export const STOPPED_JOBSET: Mutability = { template: "suspended", except: ["affinity", ...STOPPED_JOB.except] };
/** Nothing forbids the edit while it is stopped; while it runs it would change nothing. */
export const WHILE_STOPPED: Mutability = { template: "suspended", except: [] };

type Fields = Readonly<Partial<Record<PodField, string | null>>>;

/** CRDs made from an older Kubernetes API prune what it did not have. */
export const NO_GROUP: Fields = { schedulingGroup: null };

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** A PodTemplateSpec that must be there, one pod, unless it says otherwise. */
export function template(
  part: Optional<TemplateEntry, "shape" | "count" | "optional" | "absentMeansNone" | "fields" | "interrupt">,
): TemplateEntry {
  return {
    shape: "PodTemplateSpec",
    count: "1",
    optional: false,
    absentMeansNone: true,
    fields: NO_GROUP,
    interrupt: "allowed",
    ...part,
  };
}

export function kind(part: Optional<KindEntry, "builtin" | "makes" | "scale" | "mutability">): KindEntry {
  return { builtin: false, makes: [], scale: false, mutability: ALWAYS, ...part };
}
