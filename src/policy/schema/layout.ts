import type { FromSchema } from "json-schema-to-ts";
import { documentSchema, key, name, text } from "./parts.ts";

const spec = {
  type: "object",
  description: "The levels of this cluster's topology.",
  properties: {
    description: text("report", "One sentence about where the labels come from."),
    levels: {
      type: "array",
      minItems: 1,
      maxItems: 16,
      description: "Levels from the widest to the narrowest; the last one is host.",
      items: {
        type: "object",
        properties: {
          name: name("solve", "Level name: zone, block, rack, nvlink, host."),
          key: key("emit", "Node label that carries the domain's name at this level."),
        },
        required: ["name", "key"],
        additionalProperties: false,
      },
    },
  },
  required: ["levels"],
  additionalProperties: false,
} as const;

export const topologyLayoutSchema = documentSchema(
  "TopologyLayout",
  "Ordered topology levels and the node labels that carry them.",
  spec,
);
export type TopologyLayoutSpec = FromSchema<typeof spec>;
