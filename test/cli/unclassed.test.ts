import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plimsoll } from "./plimsoll.ts";

const job = (annotation: string) => `apiVersion: batch/v1
kind: Job
metadata:
  name: train
  annotations: {${annotation}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "train:1", resources: {limits: {nvidia.com/gpu: 8}}}]
`;

test.each([
  [
    "a misspelt class annotation is told, at its place",
    "plimsoll.dev/workload-clas: training-gang",
    /job\.yaml:5:17: warning UnknownAnnotation: There is no annotation plimsoll\.dev\/workload-clas/,
  ],
  [
    "a workload that asks for a device and names no class is told",
    "team: a",
    /job\.yaml:1:1: info Unclassed: Job train asks for a device and names no class/,
  ],
])("%s", async (_name, annotation, expected) => {
  const file = join(await mkdtemp(join(tmpdir(), "plimsoll-unclassed-")), "job.yaml");
  await writeFile(file, job(annotation));
  const { status, out } = await plimsoll(["check", file]);
  expect(out).toMatch(expected);
  expect(status).toBe(0);
});
