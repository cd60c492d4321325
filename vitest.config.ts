import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{simulator,conformance,bin,bench,fixtures,docs}/**/*.test.ts"],
    // One process per file: a test that opens sockets or SQLite files cannot disturb another file's.
    pool: "forks",
    // Most tests wait for a socket or a clock, so no core is kept free.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
