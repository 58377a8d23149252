import { CLASS_ANNOTATION, type Json, type JsonObject } from "../../src/model/index.ts";

export type Mutable = { [key: string]: Json | undefined };

/** One pod template: a container named `main`, and whatever is added. */
export class PodBuilder {
  readonly metadata: Mutable = {};
  readonly spec: Mutable = {};
  readonly container: Mutable = { name: "main", image: "pause:3.10" };

  gpus(count: number, resource = "nvidia.com/gpu"): this {
    return this.limit(resource, String(count));
  }
  request(resource: string, amount: string): this {
    return this.resource("requests", resource, amount);
  }
  limit(resource: string, amount: string): this {
    return this.resource("limits", resource, amount);
  }
  cpu(amount: string): this {
    return this.request("cpu", amount);
  }
  memory(amount: string): this {
    return this.request("memory", amount);
  }
  image(image: string): this {
    this.container["image"] = image;
    return this;
  }
  env(name: string, value: string): this {
    return this.push(this.container, "env", { name, value });
  }
  podLabel(key: string, value: string): this {
    return this.put(this.metadata, "labels", key, value);
  }
  podAnnotation(key: string, value: string): this {
    return this.put(this.metadata, "annotations", key, value);
  }
  podClass(name: string): this {
    return this.podAnnotation(CLASS_ANNOTATION, name);
  }
  nodeSelector(key: string, value: string): this {
    return this.put(this.spec, "nodeSelector", key, value);
  }
  toleration(toleration: JsonObject): this {
    return this.push(this.spec, "tolerations", toleration);
  }
  /** One more required node affinity term. */
  nodeTerm(
    ...expressions: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
  ): this {
    const affinity = { ...(this.spec["affinity"] as Mutable | undefined) };
    const node = { ...(affinity["nodeAffinity"] as Mutable | undefined) };
    const key = "requiredDuringSchedulingIgnoredDuringExecution";
    const required = { ...(node[key] as Mutable | undefined) };
    required["nodeSelectorTerms"] = [
      ...((required["nodeSelectorTerms"] as Json[] | undefined) ?? []),
      { matchExpressions: [...expressions] },
    ];
    return this.podSpec({ affinity: { ...affinity, nodeAffinity: { ...node, [key]: required } } });
  }
  spread(constraint: JsonObject): this {
    return this.push(this.spec, "topologySpreadConstraints", {
      maxSkew: 1,
      whenUnsatisfiable: "DoNotSchedule",
      ...constraint,
    });
  }
  /** A claim made from a template, used by the main container. */
  claim(name: string, templateName: string): this {
    this.push(this.spec, "resourceClaims", { name, resourceClaimTemplateName: templateName });
    const resources = { ...(this.container["resources"] as Mutable | undefined) };
    resources["claims"] = [...((resources["claims"] as Json[] | undefined) ?? []), { name }];
    this.container["resources"] = resources;
    return this;
  }
  priority(className: string): this {
    return this.podSpec({ priorityClassName: className });
  }
  grace(seconds: number): this {
    return this.podSpec({ terminationGracePeriodSeconds: seconds });
  }
  serviceAccount(name: string): this {
    return this.podSpec({ serviceAccountName: name });
  }
  probe(
    kind: "readinessProbe" | "startupProbe" | "livenessProbe",
    probe: JsonObject = { httpGet: { path: "/health", port: 8000 } },
  ): this {
    return this.mainContainer({ [kind]: probe });
  }
  sidecar(container: JsonObject): this {
    return this.push(this.spec, "initContainers", { restartPolicy: "Always", ...container });
  }
  volume(volume: JsonObject): this {
    return this.push(this.spec, "volumes", volume);
  }
  gate(name: string): this {
    return this.push(this.spec, "schedulingGates", { name });
  }
  /** Fields of the PodSpec, as they stand. */
  podSpec(fields: JsonObject): this {
    Object.assign(this.spec, fields);
    return this;
  }
  /** Fields of the main container, as they stand. */
  mainContainer(fields: JsonObject): this {
    Object.assign(this.container, fields);
    return this;
  }

  /** The bare PodSpec. */
  buildSpec(): Mutable {
    const { containers, ...rest } = this.spec;
    return structuredClone({
      ...rest,
      containers: [this.container, ...((containers as Json[] | undefined) ?? [])],
    }) as Mutable;
  }
  buildTemplate(): Mutable {
    const metadata = structuredClone(this.metadata) as Mutable;
    return { ...(Object.keys(metadata).length === 0 ? {} : { metadata }), spec: this.buildSpec() };
  }

  private resource(part: string, resource: string, amount: string): this {
    const resources = { ...(this.container["resources"] as Mutable | undefined) };
    resources[part] = { ...(resources[part] as Mutable | undefined), [resource]: amount };
    this.container["resources"] = resources;
    return this;
  }
  private put(target: Mutable, field: string, key: string, value: Json): this {
    target[field] = { ...(target[field] as Mutable | undefined), [key]: value };
    return this;
  }
  private push(target: Mutable, field: string, item: Json): this {
    target[field] = [...((target[field] as Json[] | undefined) ?? []), item];
    return this;
  }
}
