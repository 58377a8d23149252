import { RESOURCES } from "../kube/index.ts";
import { groupOf, type KindTable } from "../workloads/index.ts";
import { COMPANION_KINDS } from "./kinds.ts";
import { HOLDERS } from "./naming.ts";

/** One thing that Plimsoll does at the API server. */
export interface Rule {
  /** The module that does it. */
  readonly module: "feed" | "lease" | "events" | "companions" | "registration";
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Of these objects only. */
  readonly names?: readonly string[];
  /** In our own namespace only. */
  readonly own?: true;
}

/**
 * All that is done, and nothing else: manifests/base/rbac.yaml is generated from it. Secrets and ConfigMaps are not among it. `name` is
 * that of the Lease and of the webhook configurations. What every user may do anyway (discovery, version) is left out.
 */
export function access(kinds: KindTable, name: string): readonly Rule[] {
  const watched = ["list", "watch"];
  return [
    ...RESOURCES.map(({ group, plural }): Rule => ({ module: "feed", group, resources: [plural], verbs: watched })),
    { module: "feed", group: "apiextensions.k8s.io", resources: ["customresourcedefinitions"], verbs: watched },
    ...kinds.entries.map(
      ({ apiVersion, plural }): Rule => ({
        module: "feed",
        group: groupOf(apiVersion),
        resources: [plural],
        verbs: watched,
      }),
    ),
    // A create carries no name that could be compared.
    { module: "lease", group: "coordination.k8s.io", resources: ["leases"], verbs: ["create"], own: true },
    {
      module: "lease",
      group: "coordination.k8s.io",
      resources: ["leases"],
      verbs: ["get", "update"],
      names: [name],
      own: true,
    },
    { module: "events", group: "events.k8s.io", resources: ["events"], verbs: ["create", "patch"] },
    ...COMPANION_KINDS.map(
      ({ apiVersion, plural }): Rule => ({
        module: "companions",
        group: groupOf(apiVersion),
        resources: [plural],
        verbs: ["create", "delete", "get", "list", "patch", "watch"],
      }),
    ),
    // What may name a companion is asked for before one is removed.
    ...HOLDERS.map(
      ({ apiVersion, plural }): Rule => ({
        module: "companions",
        group: groupOf(apiVersion),
        resources: [plural],
        verbs: ["list"],
      }),
    ),
    {
      module: "registration",
      group: "admissionregistration.k8s.io",
      resources: ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
      verbs: ["get", "patch"],
      names: [name],
    },
  ];
}
