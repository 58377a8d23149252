import {
  arrayAt,
  integerAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  parseJvmMemory,
  parseQuantity,
  schedulerUnits,
  stringAt,
  unitsText,
  valueAt,
} from "../model/index.ts";
import { secondaryPath } from "./path.ts";
import type { ExpressionScope, TemplateEntry } from "./types.ts";

type Outside = NonNullable<TemplateEntry["outside"]>;
type Evaluate = (expression: string) => unknown;

/** Spark never adds less than this to an executor's memory. */
const LEAST_OVERHEAD_BYTES = 384 * 2 ** 20;

/** The PodSpec with the resources that stand outside it put into the container they size, as Kubernetes quantities. */
export function withOutside(
  spec: JsonObject,
  outside: Outside,
  scope: ExpressionScope,
  itemPath: Path,
  evaluate: Evaluate,
): JsonObject {
  if (outside.when !== undefined && evaluate(outside.when) !== true) return spec;
  const at = (path: string | undefined): Json | undefined =>
    path === undefined ? undefined : (valueAt(scope.object, secondaryPath(path, itemPath)) ?? undefined);
  const requests: Record<string, Json> = Object.create(null);
  const limits: Record<string, Json> = Object.create(null);

  const cpu =
    quantityText(at(outside.cpuRequest)) ?? quantityText(at(outside.cpu)) ?? computed(outside.defaults?.cpu, evaluate);
  if (cpu !== undefined) requests["cpu"] = cpu;
  const bytes = memoryBytes(at(outside.memory) ?? computed(outside.defaults?.memory, evaluate), outside);
  if (bytes !== undefined)
    requests["memory"] = unitsText(
      "memory",
      bytes + overheadBytes(bytes, at(outside.memoryOverhead), outside, evaluate),
    );
  const gpu = at(outside.gpu);
  const [name, quantity] = [stringAt(gpu, ["name"]), integerAt(gpu, ["quantity"])];
  if (name !== undefined && quantity !== undefined) requests[name] = limits[name] = String(quantity);
  const resources = at(outside.resources);
  for (const [part, target] of [
    ["requests", requests],
    ["limits", limits],
  ] as const) {
    for (const [key, value] of Object.entries(objectAt(resources, [part]))) {
      const memory = key === "memory" ? memoryBytes(value, outside) : undefined;
      if (memory !== undefined) target[key] = unitsText("memory", memory);
      else if (value !== undefined && value !== null) target[key] = value;
    }
  }
  if (Object.keys(requests).length + Object.keys(limits).length === 0) return spec;
  return { ...spec, containers: sized(arrayAt(spec, ["containers"]), outside, requests, limits) };
}

function sized(
  containers: readonly Json[],
  outside: Outside,
  requests: JsonObject,
  limits: JsonObject,
): readonly Json[] {
  const named = containers.findIndex((container) => stringAt(container, ["name"]) === outside.container);
  const index = named < 0 && outside.orFirst === true && isObject(containers[0]) ? 0 : named;
  const old = index < 0 ? { name: outside.container } : (containers[index] ?? null);
  const made: JsonObject = {
    ...(isObject(old) ? old : {}),
    resources: {
      ...objectAt(old, ["resources"]),
      requests: { ...objectAt(old, ["resources", "requests"]), ...requests },
      limits: { ...objectAt(old, ["resources", "limits"]), ...limits },
    },
  };
  return index < 0 ? [...containers, made] : containers.with(index, made);
}

function overheadBytes(memory: number, written: Json | undefined, outside: Outside, evaluate: Evaluate): number {
  if (outside.memoryOverhead === undefined) return 0;
  const given = memoryBytes(written, outside);
  if (given !== undefined) return given;
  const factor = Number(computed(outside.overheadFactor, evaluate) ?? Number.NaN);
  return Math.max(Number.isFinite(factor) && factor >= 0 ? Math.floor(memory * factor) : 0, LEAST_OVERHEAD_BYTES);
}

/** Flink falls back to a Kubernetes quantity where its own dialect does not read the text. */
function memoryBytes(value: Json | undefined, outside: Outside): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const jvm = outside.dialect === "jvm" ? parseJvmMemory(String(value), outside.plainUnit ?? "b") : undefined;
  if (jvm !== undefined) return jvm;
  const quantity = parseQuantity(value);
  return quantity === undefined ? undefined : schedulerUnits("memory", quantity);
}

function quantityText(value: Json | undefined): string | undefined {
  return (typeof value === "string" || typeof value === "number") && parseQuantity(value) !== undefined
    ? String(value)
    : undefined;
}

function computed(expression: string | undefined, evaluate: Evaluate): string | undefined {
  const value = expression === undefined ? undefined : evaluate(expression);
  return typeof value === "string" && value !== "" ? value : undefined;
}
