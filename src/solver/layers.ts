import { EVERY_DOMAIN } from "../model/index.ts";
import type { Field } from "./field.ts";
import type { Shape } from "./shape.ts";
import { type Domains, type Screen, SELECTED, TOLERATED } from "./topology-index.ts";

/**
 * A partition of the rows that limits how many pods its domains take: a spread rule (the pods of any two domains differ by at most
 * maxSkew), or groups that must not be torn apart.
 */
export interface Layer {
  readonly domains: Domains;
  /** By domain: 0 does not count, 1 counts once a new node is there, 2 counts. */
  readonly counts: Uint8Array;
  readonly rule: SpreadLayer | GroupRule;
}

interface SpreadLayer {
  readonly kind: "spread";
  readonly maxSkew: number;
  readonly minDomains: number;
  /** Domains from this one on are nodes without the label, which take any number; absent: there are none. */
  readonly free?: number;
}

/** By domain the fewest and the most groups; absent: 0, and as many as there is room for. */
interface GroupRule {
  readonly kind: "group";
  readonly size: number;
  readonly least?: Int32Array;
  readonly most?: Int32Array;
}

/** Groups that a domain must have and may have, a broken one counted as one. */
export function groupBounds({ least, most }: GroupRule, domain: number): readonly [number, number] {
  return [least?.[domain] ?? 0, most?.[domain] ?? Number.POSITIVE_INFINITY];
}

/** How far the preferences of an attempt are kept: levels widened by `widen` steps (`none`: given up), soft spreading kept or not. */
export interface Stage {
  readonly widen: number | "none";
  readonly spread: boolean;
}

export const STRICT: Stage = { widen: 0, spread: true };

/** The level that the shape's units share at this stage. */
export function levelAt(shape: Shape, stage: Stage): number | undefined {
  if (shape.level === undefined || !shape.soft || stage.widen === 0) return shape.level;
  const wider = stage.widen === "none" ? -1 : shape.level - stage.widen;
  return wider < 0 ? undefined : wider;
}

/** The level that all units of the workload share, until those units become as wide. */
export function withinAt(shape: Shape, stage: Stage): number | undefined {
  const level = levelAt(shape, stage);
  return shape.within === undefined || level === undefined || level < shape.within ? undefined : shape.within;
}

/** The levels of which all pods of the shape share one domain, from wide to narrow; of `shared` ones all sets of the workload choose the same. */
export function choicesOf(shape: Shape, stage: Stage): readonly { readonly level: number; readonly shared: boolean }[] {
  const level = levelAt(shape, stage);
  const within = withinAt(shape, stage);
  const outer = within === undefined ? [] : [{ level: within, shared: true }];
  if (level === undefined || shape.required === 0) return [];
  if (shape.unit === "group") return outer;
  return shape.unit === "workload" ? [{ level, shared: true }] : [...outer, { level, shared: false }];
}

/** Bounds on groups that the other sets of the workload set. */
export type GroupBounds = Pick<GroupRule, "least" | "most">;

/** Does the rule let the domain take any number. */
export const isFree = ({ free }: SpreadLayer, domain: number): boolean => free !== undefined && domain >= free;

export function layersOf(
  field: Field,
  shape: Shape,
  screened: Screen,
  cap: Int32Array,
  stage: Stage,
  bounds: GroupBounds = {},
): readonly Layer[] {
  const layers: Layer[] = [];
  // A node that lacks the label of one hard rule counts for none.
  const hard = shape.spreads.filter(({ soft }) => !soft).map(({ key }) => field.key(key).of);
  const counted = (row: number): boolean => hard.every((of) => of[row] !== -1);
  for (const rule of shape.spreads) {
    if (rule.soft && !stage.spread) continue;
    const domains = field.key(rule.key);
    if (field.hopeful && hasUnplaced(field, domains, cap)) continue;
    const counts = new Uint8Array(domains.names.length);
    const asked = (rule.ignoreSelection ? 0 : SELECTED) | (rule.ignoreTaints ? 0 : TOLERATED);
    for (let row = 0; row < field.rows; row += 1) {
      const domain = domains.of[row] ?? -1;
      if (domain === -1 || ((screened.affine[row] ?? 0) & asked) !== asked || !(rule.soft || counted(row))) continue;
      const value = row < field.existing ? 2 : 1;
      if ((counts[domain] ?? 0) < value) counts[domain] = value;
    }
    layers.push({ domains, counts, rule: { kind: "spread", maxSkew: rule.maxSkew, minDomains: rule.minDomains } });
  }
  for (const key of shape.company.alone) {
    const domains = field.apart(key);
    const counts = new Uint8Array(domains.names.length).fill(2);
    layers.push({
      domains,
      counts,
      rule: { kind: "spread", maxSkew: 1, minDomains: EVERY_DOMAIN, free: domains.labelled },
    });
  }
  const level = levelAt(shape, stage);
  if (shape.unit === "group" && level !== undefined) {
    const domains = field.level(level);
    if (!(field.hopeful && hasUnplaced(field, domains, cap)))
      layers.push({
        domains,
        counts: new Uint8Array(domains.names.length).fill(2),
        rule: { kind: "group", size: shape.groupSize, ...(shape.separate ? { most: ones(domains) } : {}), ...bounds },
      });
  }
  return layers;
}

/** Is there room on a row whose domain is not known. */
export function hasUnplaced(field: Field, domains: Domains, cap: Int32Array): boolean {
  for (let row = 0; row < field.rows; row += 1) if ((domains.of[row] ?? -1) === -1 && (cap[row] ?? 0) > 0) return true;
  return false;
}

const ones = ({ names }: Domains): Int32Array => new Int32Array(names.length).fill(1);
