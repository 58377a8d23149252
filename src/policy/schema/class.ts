import type { FromSchema } from "json-schema-to-ts";
import { contractProperties } from "./contract.ts";
import { documentSchema, name, ROLE_PATTERN, text } from "./parts.ts";

/** The declarations that no class may leave out, once `extends` is merged. */
export const DECLARATIONS = [
  "latency",
  "demand",
  "state",
  "interruption",
  "accelerator",
  "tenancy",
  "startup",
] as const;

const partialContract = { type: "object", properties: contractProperties, additionalProperties: false } as const;

const overrideBound = {
  description: "any, subset (of the class's own list), a list of allowed values, or a range with min and max.",
  anyOf: [
    { type: "string", enum: ["any", "subset"] },
    {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 253 },
      minItems: 1,
      maxItems: 64,
      uniqueItems: true,
    },
    {
      type: "object",
      properties: {
        min: { type: ["string", "number"], maxLength: 32, description: "Smallest value: a number or a duration." },
        max: { type: ["string", "number"], maxLength: 32, description: "Largest value: a number or a duration." },
      },
      minProperties: 1,
      additionalProperties: false,
    },
  ],
} as const;

const spec = {
  type: "object",
  description: "The operating contract.",
  properties: {
    extends: name(
      "report",
      "One WorkloadClass whose spec this one is merged over: objects merge field by field, lists and single values replace.",
    ),
    description: text("report", "One or two sentences for the people who choose a class."),
    ...contractProperties,
    roles: {
      type: "object",
      description:
        "By role of a pod set (head, worker, driver, prefill ...) or by its name: a part of the contract that is merged over the class for that set.",
      "x-effect": "solve",
      propertyNames: { type: "string", pattern: ROLE_PATTERN, maxLength: 63 },
      additionalProperties: partialContract,
      maxProperties: 32,
    },
    overrides: {
      type: "object",
      description:
        "Fields that a workload may set otherwise in its plimsoll.dev/intent annotation, each with its bound. A field that is not listed cannot be overridden.",
      "x-effect": "rule",
      propertyNames: { type: "string", pattern: "^[a-zA-Z]+(\\.[a-zA-Z]+)*$", maxLength: 128 },
      additionalProperties: overrideBound,
      maxProperties: 64,
    },
  },
  additionalProperties: false,
  if: { not: { properties: { extends: true }, required: ["extends"] } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: {
      latency: true,
      demand: true,
      state: true,
      interruption: true,
      accelerator: true,
      tenancy: true,
      startup: true,
    },
    required: DECLARATIONS,
  },
} as const;

export const workloadClassSchema = documentSchema(
  "WorkloadClass",
  "An operating contract for workloads: what they need, what they tolerate, and how admission answers.",
  spec,
);

const typed = { type: "object", properties: spec.properties, additionalProperties: false } as const;
export type WorkloadClassSpec = FromSchema<typeof typed>;
export type ContractSpec = FromSchema<typeof partialContract>;
export type OverrideSpec = FromSchema<typeof overrideBound>;
/** For checking `plimsoll.dev/intent`, which is a part of a contract. */
export const intentSchema = { $id: "https://plimsoll.dev/v1alpha1/Intent.json", ...partialContract } as const;
