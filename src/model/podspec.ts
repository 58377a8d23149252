import type { SpreadConstraint } from "./demand.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { type HostPort, hostPort } from "./hostport.ts";
import {
  arrayAt,
  integerAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  stringAt,
  valueAt,
} from "./json.ts";
import { matchesOwn, type RuleOwner, standsAlone } from "./podrules.ts";
import {
  addTo,
  NODE_NAME_FIELD,
  type NodeSelection,
  type Requirement,
  type Requirements,
  requirement,
} from "./requirement.ts";
import type { TaintEffect, Toleration } from "./scheduling.ts";
import { selectorExpression } from "./selector.ts";

const TERMS: Path = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"];
const REQUIRED: Path = TERMS.slice(0, -1);

/**
 * Where a PodSpec lets its pod run: nodeSelector AND the ORed terms of required node affinity, as the scheduler reads them. Without
 * either it is one empty conjunction (every node); an empty list of terms, or only empty or faulty terms, match nothing.
 * Faults name what the API server would refuse, with paths relative to the spec.
 */
export function podSelection(spec: JsonObject): {
  readonly selection: NodeSelection;
  readonly faults: readonly Diagnostic[];
} {
  const faults: Diagnostic[] = [];
  let labels: Requirements = new Map();
  for (const [key, value] of Object.entries(objectAt(spec, ["nodeSelector"]))) {
    if (typeof value === "string") labels = addTo(labels, requirement(key, "In", [value]));
    else
      faults.push(
        fault(`nodeSelector ${key} must be a string, not ${JSON.stringify(value ?? null)}`, ["nodeSelector", key]),
      );
  }
  if (!isObject(valueAt(spec, REQUIRED))) return { selection: [labels], faults };
  const selection: Requirements[] = [];
  for (const [index, term] of arrayAt(spec, TERMS).entries()) {
    const own = termRequirements(term, [...TERMS, index], faults);
    if (own !== undefined) selection.push(own.reduce(addTo, labels));
  }
  return { selection, faults };
}

/** Undefined for a term that matches nothing: empty, or with an expression that the API server would refuse. */
function termRequirements(term: Json, path: Path, faults: Diagnostic[]): readonly Requirement[] | undefined {
  const requirements: Requirement[] = [];
  let sound = true;
  for (const field of ["matchExpressions", "matchFields"] as const) {
    for (const [index, expression] of arrayAt(term, [field]).entries()) {
      const one = selectorExpression(expression, field === "matchExpressions");
      if (one !== undefined && (field === "matchExpressions" || one.key === NODE_NAME_FIELD)) requirements.push(one);
      else {
        sound = false;
        faults.push(
          fault(`node affinity expression ${JSON.stringify(expression)} is not one that the API server accepts`, [
            ...path,
            field,
            index,
          ]),
        );
      }
    }
  }
  return sound && requirements.length > 0 ? requirements : undefined;
}

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** The tolerations of a PodSpec; entries that the API server would refuse tolerate nothing and are left out. */
export function podTolerations(spec: JsonObject): readonly Toleration[] {
  return arrayAt(spec, ["tolerations"]).flatMap((entry) => {
    const one = readToleration(entry);
    return one === undefined ? [] : [one];
  });
}

/** One core/v1 Toleration (also of a DRA device request). Undefined where the API server would refuse it. */
export function readToleration(entry: Json): Toleration | undefined {
  if (!isObject(entry)) return undefined;
  const key = stringAt(entry, ["key"]) ?? "";
  const operator = stringAt(entry, ["operator"]) || "Equal";
  const value = stringAt(entry, ["value"]) ?? "";
  const effect = stringAt(entry, ["effect"]) ?? "";
  const seconds = integerAt(entry, ["tolerationSeconds"]);
  if (operator !== "Equal" && operator !== "Exists") return undefined;
  if (key === "" && operator !== "Exists") return undefined;
  if (operator === "Exists" && value !== "") return undefined;
  if (effect !== "" && !EFFECTS.includes(effect)) return undefined;
  return {
    ...(key === "" ? {} : { key }),
    operator,
    ...(operator === "Exists" ? {} : { value }),
    ...(effect === "" ? {} : { effect: effect as TaintEffect }),
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  };
}

/** Ports that the pod takes on its node, in order; with hostNetwork every container port is one. Sidecars count. */
export function podHostPorts(spec: JsonObject): readonly HostPort[] {
  const ports = new Map<string, { readonly number: number; readonly port: HostPort }>();
  const hostNetwork = valueAt(spec, ["hostNetwork"]) === true;
  for (const container of [...arrayAt(spec, ["containers"]), ...arrayAt(spec, ["initContainers"]).filter(isSidecar)]) {
    for (const one of arrayAt(container, ["ports"])) {
      const number = integerAt(one, ["hostPort"]) || (hostNetwork ? integerAt(one, ["containerPort"]) : undefined);
      if (number === undefined || number <= 0 || number >= 65_536) continue;
      const port = hostPort(number, stringAt(one, ["protocol"]) ?? "", stringAt(one, ["hostIP"]) ?? "");
      ports.set(String(port), { number, port });
    }
  }
  const order = (a: HostPort, b: HostPort): number => (String(a) < String(b) ? -1 : 1);
  return [...ports.values()].sort((a, b) => a.number - b.number || order(a.port, b.port)).map(({ port }) => port);
}

/** More domains than there are: the least is then taken as nought, and each takes `maxSkew` pods. */
export const EVERY_DOMAIN = 2 ** 31 - 1;

/**
 * The hard spread constraints (DoNotSchedule, which is the default) on pods of this template among themselves, and those on pods that a required
 * anti-affinity keeps on nodes apart, which is as much as a spread of one pod a node.
 */
export function podSpread(owner: RuleOwner): readonly SpreadConstraint[] {
  const alone = { key: "kubernetes.io/hostname", maxSkew: 1, minDomains: EVERY_DOMAIN, ignoreTaints: true };
  return [...spreadConstraints(owner), ...(standsAlone(owner) ? [alone] : [])];
}

function spreadConstraints({ spec, labels }: RuleOwner): readonly SpreadConstraint[] {
  return arrayAt(spec, ["topologySpreadConstraints"]).flatMap((entry) => {
    const key = stringAt(entry, ["topologyKey"]) ?? "";
    const maxSkew = integerAt(entry, ["maxSkew"]) ?? 0;
    const minDomains = integerAt(entry, ["minDomains"]);
    if (key === "" || maxSkew < 1 || (stringAt(entry, ["whenUnsatisfiable"]) || "DoNotSchedule") !== "DoNotSchedule")
      return [];
    if (!matchesOwn(valueAt(entry, ["labelSelector"]), labels)) return [];
    const ignoreTaints = stringAt(entry, ["nodeTaintsPolicy"]) !== "Honor";
    const anyNode = stringAt(entry, ["nodeAffinityPolicy"]) === "Ignore" ? { ignoreSelection: true } : {};
    return [
      { key, maxSkew, ignoreTaints, ...anyNode, ...(minDomains === undefined || minDomains < 1 ? {} : { minDomains }) },
    ];
  });
}

/** An init container that keeps running beside the others. */
export function isSidecar(container: Json): boolean {
  return stringAt(container, ["restartPolicy"]) === "Always";
}

function fault(message: string, path: Path): Diagnostic {
  return { code: "PodSpecInvalid", severity: "error", message, path };
}
