import type { Board } from "./board.ts";
import type { Counts } from "./distribute.ts";
import { type GroupBounds, levelAt, type Stage } from "./layers.ts";
import type { Shape } from "./shape.ts";

/** Shapes that make up groups together with this one, at one level and of equally many groups. */
function partners(shapes: readonly Shape[], number: number, stage: Stage): readonly number[] {
  const own = shapes[number];
  if (own?.joint === undefined || own.unit !== "group") return [];
  const level = levelAt(own, stage);
  return [...shapes.keys()].filter((other) => {
    const shape = shapes[other];
    return (
      shape !== undefined &&
      other !== number &&
      shape.joint === own.joint &&
      shape.unit === "group" &&
      levelAt(shape, stage) === level &&
      shape.required * own.groupSize === own.required * shape.groupSize
    );
  });
}

/**
 * Leader and workers of one group share a domain: the first shape of a joint group may put as many groups into a domain as every part has room for,
 * counted by itself, and the others follow it group by group.
 */
export function jointBounds(
  board: Board,
  number: number,
  before: readonly number[],
  counts: readonly Counts[],
  stage: Stage,
): GroupBounds {
  const { field, shapes } = board;
  const shape = shapes[number];
  const others = partners(shapes, number, stage);
  const level = shape === undefined ? undefined : levelAt(shape, stage);
  if (shape === undefined || level === undefined || others.length === 0) return {};
  const domains = field.level(level);
  // Where one part keeps its groups apart, the others' go with them.
  const apart = [number, ...others].some((one) => shapes[one]?.separate === true);
  const most = new Int32Array(domains.names.length).fill(apart ? 1 : shape.required);
  const leader = others.find((other) => before.includes(other));
  if (leader !== undefined) {
    const size = shapes[leader]?.groupSize ?? 1;
    const pods = new Int32Array(domains.names.length);
    for (const { row, pods: more } of counts[leader] ?? []) {
      const domain = domains.of[row] ?? -1;
      if (domain !== -1) pods[domain] = (pods[domain] ?? 0) + more;
    }
    const groups = pods.map((count) => Math.floor(count / size));
    return { least: groups, most: groups };
  }
  for (const other of others) {
    const { total, unplaced } = board.room(other, domains);
    for (let domain = 0; domain < most.length; domain += 1) {
      const room = (total[domain] ?? 0) + (field.hopeful ? unplaced : 0);
      most[domain] = Math.min(most[domain] ?? 0, Math.floor(room / (shapes[other]?.groupSize ?? 1)));
    }
  }
  return { most };
}

/** Rows of `from` on which the shape keeps as much apart from shapes placed before, and they from it, as units that are to be separate and their pods' anti-affinity ask. */
export function apart(
  board: Board,
  number: number,
  before: readonly number[],
  counts: readonly Counts[],
  stage: Stage,
  from: readonly number[],
): readonly number[] {
  const { field, shapes } = board;
  const shape = shapes[number];
  if (shape === undefined || shapes.length === 1) return from;
  const joint = partners(shapes, number, stage);
  const taken: { readonly of: Int32Array; readonly domains: ReadonlySet<number> }[] = [];
  const takes = (of: Int32Array, other: number): void =>
    void taken.push({ of, domains: new Set((counts[other] ?? []).map(({ row }) => of[row] ?? -1)) });
  for (const other of before) {
    const one = shapes[other];
    if (one === undefined) continue;
    // An anti-affinity holds both ways.
    for (const [a, b] of [
      [shape, one],
      [one, shape],
    ] as const)
      for (const { set, key } of a.company.keepsOff) if (set === b.name) takes(field.key(key).of, other);
    if (joint.includes(other)) continue;
    for (const { level, separate } of [shape, one].map((each) => ({
      level: levelAt(each, stage),
      separate: each.separate,
    }))) {
      if (!separate || level === undefined) continue;
      takes(field.level(level).of, other);
    }
  }
  if (taken.length === 0) return from;
  return from.filter((row) =>
    taken.every(({ of, domains }) => {
      const domain = of[row] ?? -1;
      return domain === -1 || !domains.has(domain);
    }),
  );
}
