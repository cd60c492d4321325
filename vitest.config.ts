/**
 * Tests are next to the code that they test, in every room. This file sets how many run at once, and the time limits.
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const rooms = "{simulator,conformance,bin,bench,fixtures,docs,tools}";
const whole = `${rooms}/**/*.int.test.ts`;

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${rooms}/**/*.test.ts`],
          exclude: [whole],
          // To start a process and to load the code anew for each of so many files takes longer than most of them.
          isolate: false,
        },
      },
      // One process per file: a test that opens sockets or SQLite files cannot disturb another file's, nor one that mocks
      // a module, which in the process of others is too late.
      { extends: true, test: { name: "int", include: [whole] } },
    ],
    pool: "forks",
    // Most tests wait for a socket or a clock now and then, so one file more than there are cores is under way.
    maxWorkers: availableParallelism() + 1,
    // For a test that hangs. How long one takes is a matter of the machine and of what else it does, and is no test.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
