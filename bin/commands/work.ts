/** `gatewright work`: a worker, which does the jobs of those who ask with --workers. */
import { availableParallelism } from "node:os";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { withVariables } from "../flag-environment.ts";
import { collect, eachIn, type FlagsOf, wholeNumber } from "../flag-values.ts";
import { StopOnSignal } from "../stop-on-signal.ts";

const declare = (program: Command) =>
  withVariables(program.command("work"))
    .description(
      "Do the jobs of those who ask with --workers: trials of mutants, shards of conform, situations of exam. Ends at SIGTERM, and gives back what it has.",
    )
    .requiredOption("--store <url>", "PostgreSQL that holds the jobs: postgres://user@host/name")
    .option(
      "--profile <file>",
      "also run shards for this profile, at the target and with the secrets of this environment (repeatable)",
      eachIn(collect),
      [],
    )
    .option(
      "--client <command>",
      "also run situations of exams of this client: the command as that of exam (repeatable)",
      eachIn(collect),
      [],
    )
    .option(
      "--jobs <number>",
      "trials and situations at once",
      wholeNumber(1, 256),
      2 * availableParallelism(),
    )
    .option("--until-empty", "end when no job is left, those of other workers included");

export const register = (program: Command): void => void declare(program).action(run);

async function run({ store, profile, client, jobs, untilEmpty }: FlagsOf<typeof declare>): Promise<void> {
  using stop = new StopOnSignal("the jobs under way are being given back");
  const { work } = await import("../work/take-jobs.ts");
  await work({
    url: store,
    version: kit.kitVersion(),
    jobs,
    profiles: profile,
    clients: client,
    untilEmpty: untilEmpty === true,
    signal: stop.signal,
  });
}
