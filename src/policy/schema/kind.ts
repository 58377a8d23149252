import type { FromSchema } from "json-schema-to-ts";
import { choice, documentSchema, flag, key, list, ROLE_PATTERN } from "./parts.ts";

const path = (description: string) =>
  ({ type: "string", minLength: 1, maxLength: 500, description, "x-effect": "emit" }) as const;
const cel = (description: string) =>
  ({ type: "string", minLength: 1, maxLength: 2000, description, "x-effect": "solve" }) as const;
/** null: the kind cannot carry it. */
const pathOrNull = (description: string) =>
  ({ type: ["string", "null"], maxLength: 500, description, "x-effect": "emit" }) as const;

const POD_FIELDS = [
  "labels",
  "annotations",
  "nodeSelector",
  "affinity",
  "tolerations",
  "topologySpreadConstraints",
  "resourceClaims",
  "containerResources",
  "containerClaims",
  "priorityClassName",
  "terminationGracePeriodSeconds",
  "schedulingGroup",
] as const;

const OWN = "Where this field of the pod stands instead, or null where the kind cannot carry it.";

const template = {
  type: "object",
  properties: {
    role: {
      type: "string",
      pattern: ROLE_PATTERN,
      maxLength: 63,
      description: "Role of its pods: worker, head, driver ...",
      "x-effect": "solve",
    },
    path: path("Where the template stands: spec.workerGroupSpecs[*].template; [*] for list items, {*} for map values."),
    shape: choice(
      "emit",
      ["Pod", "PodTemplateSpec", "PodSpec", "inline"],
      "What stands there. Default: PodTemplateSpec.",
    ),
    count: cel("Pods at full size: CEL over object, and item for the list item or map value that holds the template."),
    minimum: cel("Fewest pods that can work: CEL over object and item. Default: what the class's demand shape says."),
    peak: cel("Most pods there may be at once: CEL over object and item. Default: the count."),
    name: cel(
      "Name of the pod set: CEL over object, item and key. Default: the item's name, the map key, else the role.",
    ),
    base: path("Template that this one is merged over. Default: none."),
    when: cel("The pod set exists only where this holds: CEL over object and item, a boolean. Default: always."),
    optional: flag("solve", "May the template be absent. Default: false."),
    absentMeansNone: flag("solve", "Does an absent template mean that there are no such pods. Default: true."),
    labels: pathOrNull("Where the pods' labels go, for shapes without metadata; null: nowhere."),
    annotations: pathOrNull("Where the pods' annotations go, for shapes without metadata; null: nowhere."),
    fields: {
      type: "object",
      description:
        "Fields of the pod that stand elsewhere, or (null) that the kind cannot carry. Default: all stand in the template.",
      properties: {
        labels: pathOrNull(OWN),
        annotations: pathOrNull(OWN),
        nodeSelector: pathOrNull(OWN),
        affinity: pathOrNull(OWN),
        tolerations: pathOrNull(OWN),
        topologySpreadConstraints: pathOrNull(OWN),
        resourceClaims: pathOrNull(OWN),
        containerResources: pathOrNull(OWN),
        containerClaims: pathOrNull(OWN),
        priorityClassName: pathOrNull(OWN),
        terminationGracePeriodSeconds: pathOrNull(OWN),
        schedulingGroup: pathOrNull(OWN),
      },
      additionalProperties: false,
    },
    outside: {
      type: "object",
      description: "Resources that stand outside the container. Default: none.",
      properties: {
        container: {
          type: "string",
          minLength: 1,
          maxLength: 63,
          description: "Container that they size.",
          "x-effect": "solve",
        },
        cpu: path("Where the cpu amount stands."),
        memory: path("Where the memory amount stands."),
        gpu: path("Where the accelerators stand, as an object of name and quantity."),
        dialect: choice(
          "solve",
          ["kubernetes", "jvm"],
          "How amounts are written: as quantities, or in the JVM's way (2048m is mebibytes). Default: kubernetes.",
        ),
      },
      required: ["container"],
      additionalProperties: false,
    },
    interrupt: choice(
      "rule",
      ["never", "avoid", "allowed"],
      "May a pod of this role be interrupted. Default: allowed.",
    ),
    groupSize: cel("Pods of one group: CEL over object and item. Default: no groups."),
  },
  required: ["role", "path", "count"],
  additionalProperties: false,
} as const;

const spec = {
  type: "object",
  description: "Where the kind carries its pod templates, and how many pods each means.",
  properties: {
    apiVersion: {
      type: "string",
      pattern: "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[a-z0-9]+$",
      maxLength: 316,
      description: "API version: acme.io/v1.",
      "x-effect": "solve",
    },
    kind: {
      type: "string",
      pattern: "^[A-Z][A-Za-z0-9]*$",
      maxLength: 63,
      description: "Kind: TrainingRun.",
      "x-effect": "solve",
    },
    plural: {
      type: "string",
      pattern: "^[a-z][a-z0-9]*$",
      maxLength: 63,
      description: "Resource name: trainingruns.",
      "x-effect": "emit",
    },
    versions: list(
      "solve",
      { type: "string", pattern: "^v[a-z0-9]+$", maxLength: 63 },
      "Other served versions of the same shape. Default: none.",
    ),
    life: choice(
      "solve",
      ["runOnce", "elastic", "perNode", "templateOnly", "derived"],
      "runOnce ends by itself; elastic: pods come and go; perNode: one for each node; templateOnly makes the real object later; derived is only read.",
    ),
    makes: list(
      "solve",
      { type: "string", pattern: "^[^/]*/[A-Z][A-Za-z0-9]*$", maxLength: 253 },
      "Kinds of its children, as group/Kind (/Pod for the core group). Default: none.",
    ),
    templates: { type: "array", items: template, minItems: 1, maxItems: 16, description: "Its pod templates." },
    gangLabel: key("emit", "Pod label that the pods of one instance share. Default: none."),
    suspend: path("Path of a boolean that stops it. Default: it cannot be stopped."),
    scale: flag("solve", "Has it a scale subresource. Default: false."),
    childAnnotations: path(
      "Where the object that a templateOnly kind makes takes its annotations from. Default: the pod template.",
    ),
    mutability: {
      type: "object",
      description: "Which edits an update may make to a template. Default: always.",
      properties: {
        template: choice(
          "emit",
          ["always", "never", "suspended", "gated"],
          "When the template may be edited after create.",
        ),
        except: list(
          "emit",
          { type: "string", enum: POD_FIELDS },
          "Fields that stay immutable even then. Default: none.",
        ),
      },
      required: ["template"],
      additionalProperties: false,
    },
    minimum: cel("Fewest pods of the whole object that can work: CEL over object. Default: what the class says."),
    peak: cel("Factor by which its pods may be more for a while (surge, second cluster): CEL over object. Default: 1."),
  },
  required: ["apiVersion", "kind", "plural", "life", "templates"],
  additionalProperties: false,
} as const;

export const workloadKindSchema = documentSchema(
  "WorkloadKind",
  "Adds a kind to the table of kinds that carry pod templates.",
  spec,
);
export type WorkloadKindSpec = FromSchema<typeof spec>;
