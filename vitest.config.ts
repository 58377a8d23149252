import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/tls/**", "test/cli/**", "test/kube/**"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "tls",
          include: ["test/tls/**/*.test.ts", "test/cli/**/*.test.ts", "test/kube/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
