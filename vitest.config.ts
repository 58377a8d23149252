import { defineConfig } from "vitest/config";

// Machines are noisy: a timeout is there to end what hangs, not to judge what is slow.
const HANGS_MS = 120_000;

export default defineConfig({
  test: {
    // By default one core is left to watch mode's other work.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/tls/**", "test/cli/**", "test/kube/**", "test/e2e/**"],
          testTimeout: HANGS_MS,
          // Pure code keeps no state between files, so one load of its modules serves them all.
          isolate: false,
        },
      },
      {
        test: {
          name: "tls",
          include: ["test/tls/**/*.test.ts", "test/cli/**/*.test.ts", "test/kube/**/*.test.ts"],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
        },
      },
    ],
  },
});
