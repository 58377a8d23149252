import { defineConfig } from "vitest/config";

/** One quick file: Stryker lists its mutants only after some test has passed. */
export default defineConfig({ test: { include: ["test/model/text.test.ts"] } });
