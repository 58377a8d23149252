import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take seconds, the slowest last: a mutant that a quick test kills never comes to them. */
const SLOW = [
  /\/queue\.test|\/numa|objects\.test|yaml|damage|pairs|twins/,
  /\/scenarios\//,
  /\/property\/|brute|live-property|generate|topology-index/,
];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const key = ({ moduleId }: TestSpecification) =>
      `${SLOW.findIndex((files) => files.test(moduleId)) + 1}${moduleId}`;
    return [...files].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }
}

/** What judges the solver and the topology, in one process. */
export default defineConfig({
  test: {
    include: [
      "test/{solver,topology,scenarios}/**/*.test.ts",
      "test/property/{solver,together,supply,limits}*.test.ts",
    ],
    testTimeout: 120_000,
    isolate: false,
    fileParallelism: false,
    sequence: { sequencer: QuickFirst },
  },
});
