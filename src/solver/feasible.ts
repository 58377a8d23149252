import {
  allows,
  covers,
  durationText,
  type HostPort,
  NODE_NAME_FIELD,
  type Requirement,
  requirementText,
  type Taint,
} from "../model/index.ts";
import { type Field, portColumn } from "./field.ts";
import { isSlow, selectsKind } from "./scaleup.ts";
import { isPassing, isTolerated, type Shape } from "./shape.ts";
import { type Screen, SELECTED, TOLERATED } from "./topology-index.ts";

const UNSCHEDULABLE: Taint = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" };

/**
 * Filters in the scheduler's order: ready, cordoned, node name, taints, node selection, then the labels that spreading needs, then pods that
 * keep others off. Each distinct taint list and label value is judged once, so that a row costs a few table lookups.
 */
export function screen(field: Field, shape: Shape): Screen {
  if (field.rows > field.existing) return filtered(field, shape);
  // Of existing nodes alone the filters see labels, taints and states, which the index has as long as it lives.
  const { screens } = field.index;
  const key = `${field.nominal} ${shape.screen()}`;
  return screens.get(key) ?? screens.set(key, filtered(field, shape));
}

function filtered(field: Field, shape: Shape): Screen {
  const { topology, taintsOf, taintLists, states } = field.index;
  const texts: string[] = [""];
  const intern = (text: string): number => {
    const known = texts.indexOf(text);
    return known === -1 ? texts.push(text) - 1 : known;
  };
  const code = new Uint16Array(field.rows);
  const affine = new Uint8Array(field.rows);
  const bound = shape.set.pod.nodeName;
  const cordon = !isTolerated(shape.tolerations, UNSCHEDULABLE) && bound === undefined && !field.nominal;
  const byTaints = taintLists.map((list) => taintCode(list, shape, field.nominal, intern));
  const selection = selectionCodes(field, shape.selection, intern);
  const labels = shape.spreads.filter((rule) => !rule.soft).map((rule) => ({ rule, of: field.key(rule.key).of }));
  const [notReady, cordoned] = [intern("not ready"), intern("cordoned")];
  const ending = new Uint16Array(shape.outlasts.length === 0 ? 0 : field.existing);
  for (const { rows, text } of shape.outlasts) for (const row of rows) ending[row] = intern(text);
  const awaited = new Uint16Array(field.kinds.length === 0 ? 0 : field.existing);
  for (const { starting, pool } of field.kinds)
    for (const row of starting) awaited[row] = intern(`starting, and counted with the new nodes of pool ${pool.name}`);
  for (let row = 0; row < field.existing; row += 1) {
    const taints = byTaints[taintsOf[row] ?? 0] ?? 0;
    const selected = selection[row] ?? 0;
    const state = states[row] ?? 0;
    affine[row] = (selected === 0 ? SELECTED : 0) | (taints === 0 ? TOLERATED : 0);
    const coming = awaited[row] ?? 0;
    // Its domain is there already, for spreading.
    if (coming !== 0) code[row] = coming;
    else if (!field.nominal && (state & 1) !== 0) code[row] = notReady;
    else if (cordon && (state & 2) !== 0) code[row] = cordoned;
    else if (bound !== undefined && topology.nodes[row]?.name !== bound)
      code[row] = intern(`the pod names node ${bound}`);
    else code[row] = taints !== 0 ? taints : selected !== 0 ? selected : (ending[row] ?? 0);
  }
  const byKind = field.kinds.map((kind) =>
    bound !== undefined
      ? intern(`the pod names node ${bound}`)
      : shape.step.rung.source !== "new"
        ? intern("new nodes are for the next rung")
        : kind.pool.capacityType !== shape.step.rung.capacityType
          ? intern(`not ${shape.step.rung.capacityType}`)
          : isSlow(kind, shape, kind.waitMs)
            ? intern(slowText(kind.leadMs, shape))
            : outlastedCode(kind.pool.name, shape, intern) ||
              taintCode(kind.taints, shape, false, intern) ||
              (selectsKind(kind, shape, !field.hopeful) ? 0 : intern(selectionText(shape))),
  );
  for (let row = field.existing; row < field.rows; row += 1) {
    code[row] = byKind[field.kindOf[row] ?? 0] ?? 0;
    affine[row] = code[row] === 0 ? SELECTED | TOLERATED : 0;
  }
  // What a pool does not declare its nodes may have all the same.
  const known = field.hopeful ? field.existing : field.rows;
  for (const { rule, of } of labels)
    for (let row = 0; row < known; row += 1)
      if (code[row] === 0 && of[row] === -1) code[row] = intern(`no label ${rule.key}, which spreading needs`);
  byCompany(field, shape, code, intern);
  return { code, texts, affine };
}

/** What pods that stand there, and the pods' own rules about them, close. An empty node has none. */
function byCompany(field: Field, shape: Shape, code: Uint16Array, intern: (text: string) => number): void {
  const { near, alone, barred } = shape.company;
  const close = (key: string, codeOf: (name: string | undefined, row: number) => number): void => {
    const { of, names } = field.key(key);
    for (let row = 0; row < field.rows; row += 1) if (code[row] === 0) code[row] = codeOf(names[of[row] ?? -1], row);
  };
  for (const key of near?.keys ?? []) {
    const bare = intern(`no label ${key}, which pod affinity needs`);
    const nobody = intern(`no pod that the pod affinity over ${key} asks for`);
    // Whom pods of the workload lead elsewhere is for the search to say.
    const places = field.nominal || near?.follows !== undefined ? undefined : near?.places;
    const values = places === undefined ? undefined : (places.get(key) ?? new Set());
    close(key, (name, row) => {
      // The label that a new node gets may be any that its pool does not declare.
      if (name === undefined) return field.hopeful && row >= field.existing ? 0 : bare;
      return values === undefined || values.has(name) ? 0 : nobody;
    });
  }
  for (const key of alone) {
    const open = intern(`no label ${key} declared, and pod anti-affinity counts by it`);
    close(key, (name, row) => (name === undefined && row >= field.existing && !field.hopeful ? open : 0));
  }
  if (field.nominal) return;
  for (const [key, values] of [...shape.apart.barred, ...barred]) {
    const codes = new Map([...values].map(([value, text]) => [value, intern(text)]));
    close(key, (name) => (name === undefined ? 0 : (codes.get(name) ?? 0)));
  }
}

const slowText = (leadMs: number, shape: Shape): string =>
  `it takes about ${durationText(leadMs)} to start, and the class${shape.of} waits at most ${durationText(shape.set.ladder.maxProvisioningMs)}`;

function outlastedCode(pool: string, shape: Shape, intern: (text: string) => number): number {
  const found = shape.outlasts.find((one) => one.pool === pool);
  return found === undefined ? 0 : intern(found.text);
}

function taintCode(taints: readonly Taint[], shape: Shape, nominal: boolean, intern: (text: string) => number): number {
  for (const taint of taints) {
    if (isTolerated(shape.tolerations, taint) || (nominal && isPassing(taint))) continue;
    // A pod that names its node passes the scheduler by; the kubelet then looks at NoExecute only.
    if (shape.set.pod.nodeName !== undefined && taint.effect === "NoSchedule") continue;
    return intern(`taint ${taint.key}${taint.value === "" ? "" : `=${taint.value}`}:${taint.effect} not tolerated`);
  }
  return 0;
}

/** By row: 0 where the selection holds, else the code of what does not. Requirement by requirement, so that a row costs one lookup each. */
function selectionCodes(field: Field, selection: Shape["selection"], intern: (text: string) => number): Uint16Array {
  const codes = new Uint16Array(field.existing);
  const [only] = selection;
  if (selection.length === 1 && only !== undefined) {
    for (const one of only.values()) {
      const code = intern(`label ${nodeText(one)} does not hold`);
      markUnmet(field, one, codes, code);
    }
    return codes;
  }
  const none = intern(
    selection.length === 0
      ? "the node affinity matches no node"
      : `none of the ${selection.length} node affinity terms holds`,
  );
  codes.fill(none);
  for (const term of selection) {
    const unmet = new Uint16Array(field.existing);
    for (const one of term.values()) markUnmet(field, one, unmet, 1);
    for (let row = 0; row < field.existing; row += 1) if (unmet[row] === 0) codes[row] = 0;
  }
  return codes;
}

/** Writes `code` where the requirement does not hold and nothing else is written yet. */
function markUnmet(field: Field, one: Requirement, codes: Uint16Array, code: number): void {
  const { of, values } = field.index.column(one.key);
  const unmet = new Uint8Array(values.length + 1);
  unmet[0] = one.absent ? 0 : 1;
  for (const [index, value] of values.entries()) unmet[index + 1] = allows(one, value) ? 0 : 1;
  for (let row = 0; row < field.existing; row += 1)
    if (codes[row] === 0 && unmet[(of[row] ?? -1) + 1] === 1) codes[row] = code;
}

function nodeText(one: Requirement): string {
  return one.key === NODE_NAME_FIELD ? requirementText({ ...one, key: "node name" }) : requirementText(one);
}

export function selectionText(shape: Shape): string {
  const [only] = shape.selection;
  if (shape.selection.length !== 1 || only === undefined) return "no node affinity term holds";
  return `label ${[...only.values()].map(requirementText).join(", ")} does not hold`;
}

/** Column numbers and amounts of a shape's needs and ports. */
export interface Amounts {
  readonly columns: Int32Array;
  readonly amounts: Float64Array;
}

/** Its own, and those of others that one at every address takes with it. */
function portsTaken({ ports }: Field, shape: Shape): readonly HostPort[] {
  const beside = ports.filter((port) => !shape.ports.includes(port) && shape.ports.some((own) => covers(own, port)));
  return [...shape.ports, ...beside];
}

export function amountsIn(field: Field, shape: Shape): Amounts {
  const list = [
    ...shape.needs.map(({ resource, amount }) => [field.columns.indexOf(resource), amount] as const),
    ...portsTaken(field, shape).map((port) => [field.columns.indexOf(portColumn(port)), 1] as const),
  ];
  return {
    columns: Int32Array.from(list, ([column]) => column),
    amounts: Float64Array.from(list, ([, amount]) => amount),
  };
}
