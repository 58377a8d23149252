import { expressionCompiler } from "./expression.ts";
import { kinds } from "./kinds/index.ts";
import type { Expression, KindEntry, KindTable } from "./types.ts";

export function builtinKinds(): KindTable {
  return tableOf(kinds);
}

/** The table with more kinds; an entry replaces one of the same apiVersion and kind. */
export function extendKinds(table: KindTable, entries: readonly KindEntry[]): KindTable {
  const added = new Set(entries.map((entry) => `${entry.apiVersion} ${entry.kind}`));
  return tableOf([...table.entries.filter((entry) => !added.has(`${entry.apiVersion} ${entry.kind}`)), ...entries]);
}

/** Is an owner of this kind in the table, whatever the version; its pods are then accounted to it. */
export function isTableKind(owner: { readonly apiVersion: string; readonly kind: string }, table: KindTable): boolean {
  return table.findOwner(groupOf(owner.apiVersion), owner.kind) !== undefined;
}

/** `apps` of `apps/v1`; empty for the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

function tableOf(entries: readonly KindEntry[]): KindTable {
  const exact = new Map<string, KindEntry>();
  const owners = new Map<string, KindEntry>();
  for (const entry of entries) {
    for (const version of [entry.apiVersion, ...(entry.versions ?? [])]) exact.set(`${version} ${entry.kind}`, entry);
    owners.set(`${groupOf(entry.apiVersion)}/${entry.kind}`, entry);
  }
  const compile = expressionCompiler();
  const compiled = new Map<string, Expression>();
  return {
    entries,
    find: (apiVersion, kind) => exact.get(`${apiVersion} ${kind}`),
    findOwner: (group, kind) => owners.get(`${group}/${kind}`),
    expression(text) {
      const known = compiled.get(text);
      if (known !== undefined) return known;
      const made = compile(text);
      compiled.set(text, made);
      return made;
    },
  };
}
