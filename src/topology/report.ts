import { type Diagnostic, type Json, stringAt } from "../model/index.ts";
import type { Entry } from "./documents.ts";
import { type Faults, faultText } from "./fields.ts";

/** An object that cannot be read at all. */
export function malformed(entry: Entry, message: string): Diagnostic {
  return leftOut(entry, describe(entry, entry.object), message);
}

/** An object of which some field is faulty. */
export function skipped(entry: Entry, problems: Faults): Diagnostic {
  const [first] = problems.found;
  const more = problems.found.length > 1 ? ` (and ${problems.found.length - 1} more)` : "";
  const text = first === undefined ? "" : faultText(first);
  const diagnostic = leftOut(entry, `${describe(entry, entry.object)}:`, `${text}${more}`);
  return first === undefined ? diagnostic : { ...diagnostic, path: first.path };
}

export function repeated(entry: Entry): Diagnostic {
  const source = entry.position();
  return {
    code: "ClusterDuplicate",
    severity: "info",
    message: `${describe(entry, entry.object)} stands more than once; the last one counts.`,
    ...(source === undefined ? {} : { source }),
  };
}

export function withoutNamespace(namespace: string): Diagnostic {
  return {
    code: "ClusterNamespace",
    severity: "info",
    message: `Namespace ${namespace} has quotas or LimitRanges in the input but is not part of it itself; they are left out.`,
    hint: "Add namespaces to the export: kubectl get nodes,pods,namespaces,limitranges,resourcequotas -A -o json.",
  };
}

function leftOut(entry: Entry, what: string, message: string): Diagnostic {
  const source = entry.position();
  return {
    code: "ClusterObject",
    severity: "warning",
    message: `${what} ${message}; it is left out.`,
    hint: "Export the object again with kubectl get -o yaml, or correct it.",
    ...(source === undefined ? {} : { source }),
  };
}

function describe(entry: Entry, object: Json): string {
  const kind = stringAt(object, ["kind"]) ?? "object";
  const name = stringAt(object, ["metadata", "name"]);
  const place = entry.label === "" ? "" : ` (${entry.label})`;
  return `${kind}${name === undefined ? "" : ` ${name}`}${place}`;
}
