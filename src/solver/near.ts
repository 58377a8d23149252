import type { Field } from "./field.ts";
import { levelAt, type Stage } from "./layers.ts";
import type { Spot } from "./nest.ts";
import type { Shape } from "./shape.ts";
import { HOST_LABEL } from "./topology-index.ts";

/**
 * How pods are packed where no rule decides. A shape that asks for a level wants its pods near to each other, so what it is given inside the
 * domain that it shares (or anywhere, where that was given up) is packed domain by domain; any other takes from the fullest domains.
 */
export function nearness(field: Field, shape: Shape, stage: Stage): Pick<Spot, "inside" | "near"> {
  const { levels } = field.index.topology;
  const inner = [...levels.keys()].filter((level) => {
    const { name, key } = levels[level]?.level ?? { name: "host", key: HOST_LABEL };
    return name !== "host" && key !== HOST_LABEL;
  });
  if (shape.level === undefined) {
    const last = inner.at(-1);
    return last === undefined ? {} : { near: field.level(last) };
  }
  const level = levelAt(shape, stage) ?? -1;
  return { inside: inner.filter((one) => one > level).map((one) => field.level(one)) };
}
