/**
 * Tests are next to the code that they test, in every room. This file sets how many run at once, and the time limits.
 */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const rooms = "{simulator,conformance,bin,bench,fixtures,docs,tools}";
/** They mock modules, which in a process that has loaded the modules for other files is too late. */
const mocking = [
  "simulator/acceptance/without-snapshot.int.test.ts",
  "bin/serve.int.test.ts",
  "bin/detection/trial.int.test.ts",
  "bin/commands/mutants.int.test.ts",
  "conformance/report/write-reports.test.ts",
];

/** Tests of whole programs take longest, so they begin first: otherwise the last of them would run alone. */
class WholeProgramsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [whole, parts]: [TestSpecification[], TestSpecification[]] = [[], []];
    for (const file of await super.sort(files))
      (file.moduleId.endsWith(".int.test.ts") ? whole : parts).push(file);
    return [...whole, ...parts];
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: [`${rooms}/**/*.test.ts`],
          exclude: mocking,
          // To start a process and to load the code anew for each of so many files takes longer than most of them.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: mocking, sequence: { groupOrder: 1 } } },
    ],
    sequence: { sequencer: WholeProgramsFirst },
    pool: "forks",
    // Each process runs many tests. With a young generation of the usual size, their garbage costs a tenth more CPU.
    execArgv: ["--max-semi-space-size=64"],
    // Many tests wait for a socket or a clock, so three files more than there are cores are under way.
    maxWorkers: availableParallelism() + 3,
    // For a test that hangs, and the same for all: how long one takes depends on the machine and on its load.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ["tools/property-seed.ts"],
    restoreMocks: true,
    unstubEnvs: true,
  },
});
