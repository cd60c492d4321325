/**
 * Tests stand beside what they test, in every room; how many run at once, and what may end one that hangs, stands
 * here.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{simulator,conformance,bin,bench,fixtures,docs,tools}/**/*.test.ts"],
    // One process per file: a test that opens sockets or SQLite files cannot disturb another file's.
    pool: "forks",
    // Most tests wait for a socket or a clock, so no core is kept free.
    maxWorkers: "100%",
    // For a test that hangs. How long one takes is a matter of the machine and of what else it does, and is no test.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
