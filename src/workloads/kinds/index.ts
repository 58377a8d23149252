import type { KindEntry } from "../types.ts";
import { argo } from "./argo.ts";
import { batch } from "./batch.ts";
import { between, builtin } from "./builtin.ts";
import { kubeflow } from "./kubeflow.ts";
import { ray } from "./ray.ts";
import { serving } from "./serving.ts";
import { streaming } from "./streaming.ts";

/** Every kind that is known without a file under `policies/kinds/`. */
export const kinds: readonly KindEntry[] = [
  ...builtin,
  ...ray,
  ...batch,
  ...kubeflow,
  ...streaming,
  ...serving,
  ...argo,
  ...between,
];
