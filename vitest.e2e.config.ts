import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What all files together must have done is asked at the end. */
const LAST = "permissions.test.ts";

class Ordered extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith(LAST);
    return [...sorted.filter((one) => !isLast(one)), ...sorted.filter(isLast)];
  }
}

export default defineConfig({
  test: {
    name: "e2e",
    include: ["test/e2e/**/*.test.ts"],
    globalSetup: ["test/e2e/support/binaries.ts"],
    sequence: { sequencer: Ordered },
    // Each file runs a control plane or two, and two cores are enough for that.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
