import {
  APPLIED_ANNOTATION,
  arrayAt,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  DEFAULT_CLASS_LABEL,
  ENROLLED_LABEL,
  INTENT_ANNOTATION,
  type JsonObject,
  objectAt,
  RENEW_ANNOTATION,
  stringAt,
} from "../model/index.ts";
import type { KindEntry, KindTable, TemplateEntry } from "../workloads/index.ts";
import { EXEMPT_NAMESPACES } from "./context.ts";

/**
 * What a cluster must be told so that the right reviews reach us: webhook configurations and the policy that speaks for
 * us while we are away, generated from the kind table. Expressions are CEL as the API server evaluates it (with
 * optionals, Kubernetes 1.29 and later).
 */
export interface Registration {
  readonly mutating: JsonObject;
  readonly validating: JsonObject;
  readonly policy: JsonObject;
  readonly binding: JsonObject;
}

export interface RegistrationOptions {
  readonly name: string;
  readonly namespace: string;
  readonly service: string;
}

const OUR_ANNOTATIONS = [
  CLASS_ANNOTATION,
  INTENT_ANNOTATION,
  RENEW_ANNOTATION,
  DECISION_ANNOTATION,
  APPLIED_ANNOTATION,
];
/** Groups whose kinds have their pods at one of these places. */
const CORE_GROUPS = ["", "apps", "batch"];
const CORE_PODS = ["spec", "spec.template.spec", "spec.jobTemplate.spec.template.spec", "template.spec"];
const MUTATE_TIMEOUT_SECONDS = 5;
const VALIDATE_TIMEOUT_SECONDS = 5;

export function registration(kinds: KindTable, options: RegistrationOptions): Registration {
  const entries = kinds.entries.filter(({ life }) => life !== "derived");
  const rules = rulesFor(entries, ["CREATE", "UPDATE"]);
  const root = { name: "roots-only", expression: rootsOnly(kinds) };
  const alive = { name: "not-being-deleted", expression: "!has(object.metadata.deletionTimestamp)" };
  const changed = { name: "spec-or-our-annotations-changed", expression: changedExpression() };
  const mirror = {
    name: "no-mirror-pods",
    expression: "!(has(object.metadata.annotations) && 'kubernetes.io/config.mirror' in object.metadata.annotations)",
  };
  const classed = { name: "classed", expression: classedExpression(entries) };
  const conditions = [alive, mirror, root, changed];

  const webhook = (name: string, path: "/mutate" | "/validate", rest: JsonObject): JsonObject => ({
    name: `${name}.plimsoll.dev`,
    admissionReviewVersions: ["v1"],
    clientConfig: { service: { name: options.service, namespace: options.namespace, path, port: 443 } },
    matchPolicy: "Equivalent",
    // An allowed validate makes claim templates.
    sideEffects: path === "/validate" ? "NoneOnDryRun" : "None",
    ...rest,
  });
  const mutating: JsonObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: options.name },
    webhooks: [
      webhook("classed.mutate", "/mutate", {
        failurePolicy: "Ignore",
        reinvocationPolicy: "IfNeeded",
        timeoutSeconds: MUTATE_TIMEOUT_SECONDS,
        rules,
        namespaceSelector: selector(),
        matchConditions: [...conditions, classed],
      }),
      // Only a create can take the namespace's class; afterwards the decision on the object says so.
      webhook("default-class.mutate", "/mutate", {
        failurePolicy: "Ignore",
        reinvocationPolicy: "IfNeeded",
        timeoutSeconds: MUTATE_TIMEOUT_SECONDS,
        rules: rulesFor(entries, ["CREATE"]),
        namespaceSelector: selector({ key: DEFAULT_CLASS_LABEL, operator: "Exists" }),
        matchConditions: [alive, mirror, root, { name: "not-classed", expression: `!(${classed.expression})` }],
      }),
    ],
  };
  const open = webhook("classed.validate", "/validate", {
    failurePolicy: "Ignore",
    timeoutSeconds: VALIDATE_TIMEOUT_SECONDS,
    rules,
    namespaceSelector: selector({ key: ENROLLED_LABEL, operator: "NotIn", values: ["true"] }),
    matchConditions: [...conditions, classed],
  });
  const validating: JsonObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: options.name },
    webhooks: [open, ...[enforcing(open)].filter((one) => one !== undefined)],
  };

  const policyName = `${options.name}-decided`;
  const stamped = entries.filter(({ life }) => life !== "templateOnly");
  const policy: JsonObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName },
    spec: {
      // Of our own expressions only: an object that they cannot read (a null where a list belongs) is the webhook's to judge.
      failurePolicy: "Ignore",
      matchConstraints: {
        matchPolicy: "Equivalent",
        namespaceSelector: selector(),
        resourceRules: rulesFor(stamped, ["CREATE", "UPDATE"]),
      },
      matchConditions: [...conditions, { name: "classed", expression: classedExpression(stamped) }],
      validations: [
        {
          expression: `has(object.metadata.annotations) && '${DECISION_ANNOTATION}' in object.metadata.annotations`,
          message: `this workload names a workload class but carries no ${DECISION_ANNOTATION}: the Plimsoll webhook did not answer. Nothing was changed; apply it again when the webhook is back.`,
          reason: "Forbidden",
        },
      ],
    },
  };
  const binding: JsonObject = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName },
    spec: {
      policyName,
      validationActions: ["Deny"],
      matchResources: {
        matchPolicy: "Equivalent",
        namespaceSelector: selector({ key: ENROLLED_LABEL, operator: "In", values: ["true"] }),
      },
    },
  };
  return { mutating, validating, policy, binding };
}

/**
 * The validating webhook of enrolled namespaces, made from the one of all others as it stands in a cluster, so that both are called at the
 * same place and for the same kinds. It fails closed. Besides classed work comes to it what may use a device, since these namespaces also
 * refuse devices without a class: every root of a kind whose pods only we can find, and of the others those whose pods ask for an extended
 * resource or a claim, so that ordinary work goes on while we are away. undefined: the entry is another one.
 */
export function enforcing(open: JsonObject): JsonObject | undefined {
  if (open["name"] !== "classed.validate.plimsoll.dev") return undefined;
  const selected = arrayAt(open, ["namespaceSelector", "matchExpressions"]).map((one) =>
    stringAt(one, ["key"]) === ENROLLED_LABEL ? { key: ENROLLED_LABEL, operator: "In", values: ["true"] } : one,
  );
  const { caBundle: _theirs, ...clientConfig } = objectAt(open, ["clientConfig"]);
  return {
    ...open,
    name: "enrolled.validate.plimsoll.dev",
    clientConfig,
    failurePolicy: "Fail",
    namespaceSelector: { ...objectAt(open, ["namespaceSelector"]), matchExpressions: selected },
    matchConditions: arrayAt(open, ["matchConditions"]).map((one) =>
      stringAt(one, ["name"]) === "classed"
        ? {
            name: "classed-or-asks-for-devices",
            expression: `(${stringAt(one, ["expression"])}) || ${mayUseDevices()}`,
          }
        : one,
    ),
  };
}

function mayUseDevices(): string {
  const named = (resources: string) => `${resources}.orValue({}).exists(name, name.contains('/'))`;
  const asks = CORE_PODS.map((path) => `object.?${path.replaceAll(".", ".?")}`).flatMap((pod) => [
    `${pod}.?resourceClaims.orValue([]).size() > 0`,
    ...["containers", "initContainers"].map(
      (list) =>
        `${pod}.?${list}.orValue([]).exists(one, ${named("one.?resources.?limits")} || ${named("one.?resources.?requests")})`,
    ),
  ]);
  return `!(request.kind.group in [${CORE_GROUPS.map((group) => `'${group}'`).join(", ")}]) || ${asks.join(" || ")}`;
}

/** One rule for each API group and version, resources sorted. */
function rulesFor(entries: readonly KindEntry[], operations: readonly string[]): JsonObject[] {
  const byVersion = new Map<string, Set<string>>();
  for (const { apiVersion, plural } of entries) {
    const resources = byVersion.get(apiVersion) ?? new Set<string>();
    resources.add(plural);
    byVersion.set(apiVersion, resources);
  }
  return [...byVersion]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([apiVersion, resources]) => {
      const [group, version] = splitApiVersion(apiVersion);
      return { apiGroups: [group], apiVersions: [version], operations, resources: [...resources].sort(), scope: "*" };
    });
}

function splitApiVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function selector(...more: JsonObject[]): JsonObject {
  return {
    matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: EXEMPT_NAMESPACES }, ...more],
  };
}

/** False for objects that a controller of a kind in the table made, unless that kind only makes the real object later. */
function rootsOnly(kinds: KindTable): string {
  const makers = kinds.entries
    .filter(({ life, makes }) => life !== "templateOnly" && life !== "derived" && makes.length > 0)
    .map(({ apiVersion, kind }) => `'${splitApiVersion(apiVersion)[0]}/${kind}'`);
  const owner = "(owner.apiVersion.contains('/') ? owner.apiVersion.split('/')[0] : '') + '/' + owner.kind";
  return `!(has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(owner, owner.?controller.orValue(false) && (${owner}) in [${[...new Set(makers)].sort().join(", ")}]))`;
}

function changedExpression(): string {
  const bodies = ["spec", "template"].map(
    (field) => `object.?${field}.orValue(null) != oldObject.?${field}.orValue(null)`,
  );
  const annotations = OUR_ANNOTATIONS.map(
    (key) =>
      `object.metadata.?annotations[?'${key}'].orValue('') != oldObject.metadata.?annotations[?'${key}'].orValue('')`,
  );
  return `request.operation != 'UPDATE' || ${[...bodies, ...annotations].join(" || ")}`;
}

/** Annotated on the object (with a class or a decision) or at a template path of some kind; now or, on an update, before. */
function classedExpression(entries: readonly KindEntry[]): string {
  const templates = [
    ...new Set(entries.flatMap(({ templates }) => templates).flatMap((entry) => annotationPath(entry) ?? [])),
  ].sort();
  const on = (object: string) => {
    const own = [CLASS_ANNOTATION, DECISION_ANNOTATION]
      .map((key) => `'${key}' in ${object}.metadata.annotations`)
      .join(" || ");
    return [
      `(has(${object}.metadata.annotations) && (${own}))`,
      ...templates.map((path) => present(object, path.split("."), 0)),
    ].join(" || ");
  };
  return `${on("object")} || (request.operation == 'UPDATE' && (${on("oldObject")}))`;
}

/** Where the pods of a template get their annotations from; undefined where that is the object itself, or nowhere. */
function annotationPath(entry: TemplateEntry): string | undefined {
  if (entry.annotations === null || entry.shape === "Pod") return undefined;
  if (entry.annotations !== undefined)
    return entry.annotations === "metadata.annotations" ? undefined : entry.annotations;
  return entry.shape === "PodTemplateSpec" ? `${entry.path}.metadata.annotations` : undefined;
}

/** CEL: is the class annotation in the map at `path`, which may pass through lists `[*]` and maps `{*}`. */
function present(root: string, path: readonly string[], depth: number): string {
  let text = root;
  for (const [index, step] of path.entries()) {
    const match = /^(.*?)(\[\*\]|\{\*\})$/.exec(step);
    if (match === null) {
      text += `.?${step}`;
      continue;
    }
    const list = match[2] === "[*]";
    const item = `${list ? "item" : "key"}${depth}`;
    const collection = `${text}.?${match[1]}.orValue(${list ? "[]" : "{}"})`;
    const inner = list ? item : `${collection}[${item}]`;
    return `${collection}.exists(${item}, ${present(inner, path.slice(index + 1), depth + 1)})`;
  }
  return `${text}[?'${CLASS_ANNOTATION}'].hasValue()`;
}
