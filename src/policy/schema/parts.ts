/** What a field of a policy file does; printed in the generated field table. */
export type Effect = "emit" | "rule" | "solve" | "report";

/** Go-style: `12h`, `1h30m`, `500ms`. */
export const DURATION_PATTERN = "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$";
/** A Kubernetes quantity that is not negative: `80Gi`, `1500m`, `8`. */
export const QUANTITY_PATTERN = "^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$";
/** DNS label. */
export const NAME_PATTERN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";
/** DNS subdomain: names of drivers and of most objects. */
export const DOMAIN_PATTERN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";
/** A role or pod set name: operators write `jobManager` and `Worker` as well as `worker`. */
export const ROLE_PATTERN = "^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$";
/** Key of a label, taint, resource or attribute: an optional DNS prefix and a name. */
export const KEY_PATTERN = "^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$";
/** Value of a label; may be empty. */
export const LABEL_VALUE_PATTERN = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$";

export const duration = (effect: Effect, description: string) =>
  ({ type: "string", pattern: DURATION_PATTERN, maxLength: 32, description, "x-effect": effect }) as const;

export const quantity = (effect: Effect, description: string) =>
  ({
    type: ["string", "number"],
    pattern: QUANTITY_PATTERN,
    maxLength: 40,
    minimum: 0,
    description,
    "x-effect": effect,
  }) as const;

export const name = (effect: Effect, description: string) =>
  ({ type: "string", pattern: NAME_PATTERN, maxLength: 63, description, "x-effect": effect }) as const;

export const domain = (effect: Effect, description: string, maxLength = 253) =>
  ({ type: "string", pattern: DOMAIN_PATTERN, maxLength, description, "x-effect": effect }) as const;

export const key = (effect: Effect, description: string) =>
  ({ type: "string", pattern: KEY_PATTERN, maxLength: 316, description, "x-effect": effect }) as const;

export const labelValue = (effect: Effect, description: string) =>
  ({ type: "string", pattern: LABEL_VALUE_PATTERN, maxLength: 63, description, "x-effect": effect }) as const;

export const text = (effect: Effect, description: string, maxLength = 1000) =>
  ({ type: "string", minLength: 1, maxLength, description, "x-effect": effect }) as const;

export const flag = (effect: Effect, description: string) =>
  ({ type: "boolean", description, "x-effect": effect }) as const;

export const count = (effect: Effect, description: string, minimum = 0) =>
  ({ type: "integer", minimum, maximum: 1_000_000, description, "x-effect": effect }) as const;

export const choice = <const T extends readonly string[]>(effect: Effect, values: T, description: string) =>
  ({ type: "string", enum: values, description, "x-effect": effect }) as const;

/** A list without duplicates. */
export const list = <const T>(effect: Effect, items: T, description: string, minItems = 0) =>
  ({ type: "array", items, minItems, maxItems: 256, uniqueItems: true, description, "x-effect": effect }) as const;

export const labelMap = (effect: Effect, description: string) =>
  ({
    type: "object",
    propertyNames: { type: "string", pattern: KEY_PATTERN, maxLength: 316 },
    additionalProperties: { type: "string", pattern: LABEL_VALUE_PATTERN, maxLength: 63 },
    maxProperties: 128,
    description,
    "x-effect": effect,
  }) as const;

export const quantityMap = (effect: Effect, description: string) =>
  ({
    type: "object",
    propertyNames: { type: "string", pattern: KEY_PATTERN, maxLength: 316 },
    additionalProperties: { type: ["string", "number"], pattern: QUANTITY_PATTERN, maxLength: 40, minimum: 0 },
    maxProperties: 64,
    description,
    "x-effect": effect,
  }) as const;

/** metav1.LabelSelector. */
export const selector = (effect: Effect, description: string) =>
  ({
    type: "object",
    properties: {
      matchLabels: labelMap(effect, "Labels that must be there with these values."),
      matchExpressions: {
        type: "array",
        maxItems: 64,
        description: "Expressions that must all hold.",
        items: {
          type: "object",
          properties: {
            key: key(effect, "Label key."),
            operator: choice(effect, ["In", "NotIn", "Exists", "DoesNotExist"], "How the value is compared."),
            values: list(effect, { type: "string", maxLength: 63 }, "Values for In and NotIn."),
          },
          required: ["key", "operator"],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
    description,
  }) as const;

/** The tolerations of a pod spec. */
export const tolerations = (description: string) =>
  ({
    type: "array",
    maxItems: 32,
    description,
    items: {
      type: "object",
      properties: {
        key: key("emit", "Key of the taint. A toleration without key would bypass every taint, so it is required."),
        operator: choice("emit", ["Exists", "Equal"], "Default: Equal where a value is given, else Exists."),
        value: labelValue("emit", "Value of the taint, for Equal."),
        effect: choice(
          "emit",
          ["NoSchedule", "PreferNoSchedule", "NoExecute"],
          "Effect of the taint. Default: every effect.",
        ),
      },
      required: ["key"],
      additionalProperties: false,
    },
  }) as const;

/** The outside of every policy document. */
export const documentSchema = <const Kind extends string, const Spec>(kind: Kind, description: string, spec: Spec) =>
  ({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `https://plimsoll.dev/v1alpha1/${kind}.json`,
    title: kind,
    description,
    type: "object",
    properties: {
      apiVersion: { const: "plimsoll.dev/v1alpha1", description: "Version of the format." },
      kind: { const: kind, description: "What the document declares." },
      metadata: {
        type: "object",
        description: "Identity.",
        properties: { name: name("report", "Name by which other documents and workloads refer to it: a DNS label.") },
        required: ["name"],
        additionalProperties: false,
      },
      spec,
    },
    required: ["apiVersion", "kind", "metadata", "spec"],
    additionalProperties: false,
  }) as const;
