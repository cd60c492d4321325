/** `gatewright capsule`: a world of a sandbox as the file of a bug report. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { capsuleOfFile } from "../../simulator/index.ts";
import { count, record, text } from "../answer-shape.ts";
import { CommandFailure } from "../command-failure.ts";
import { accessIn, readAnswer, withAccessFlags, worldPath } from "../control-access.ts";
import { type FlagsOf, readSeed } from "../flag-values.ts";
import { show, tell } from "../screen.ts";

const declare = (program: Command) =>
  withAccessFlags(
    program
      .command("capsule")
      .description(
        "Write a world of a running sandbox, or the database of one that does not run, into one file, without secrets: its world file, its journal, and what clients said. `gatewright replay` runs it anywhere.",
      ),
  )
    .requiredOption("--out <file>", "the capsule, such as lost-fill.capsule")
    .option("--world <name>", "the world of the sandbox; default: main. With --db, its world file")
    .option("--db <file>", "the database of a sandbox that does not run")
    .option("--seed <number>", "with --db: the seed, if it differs from that of the world file", readSeed);

export const register = (program: Command): void => void declare(program).action(write);

type Flags = FlagsOf<typeof declare>;

async function write(flags: Flags): Promise<void> {
  const { out, db, seed } = flags;
  await kit.checkOutput("--out", out);
  if (db === undefined && seed !== undefined)
    throw new CommandFailure("--seed goes with --db: a running sandbox knows its seed");
  const { bytes, entries, exchanges, leftOut } =
    db === undefined ? await ofSandbox(flags) : await ofFile(db, flags);
  await kit.writeOutput(out, bytes);
  if (leftOut > 0)
    tell(
      `gatewright capsule: ${kit.counted(leftOut, "exchange")} left out: a client had put a secret into it\n`,
    );
  const holds = `${entries} entries, ${exchanges} exchanges, ${bytes.length} bytes`;
  show(`${out} has ${holds}; to run it: gatewright replay ${out}\n`);
}

interface Written {
  readonly bytes: Buffer;
  readonly entries: number;
  readonly exchanges: number;
  readonly leftOut: number;
}

const written = record({ file: text, entries: count, exchanges: count, leftOut: count });

async function ofSandbox({ world, ...access }: Flags): Promise<Written> {
  const asked = { path: `${worldPath(world)}/capsule` };
  const { file, ...counts } = await readAnswer(await accessIn(access), asked, written);
  return { ...counts, bytes: Buffer.from(file, "base64") };
}

async function ofFile(db: string, { world, seed, readyFile, controlToken }: Flags): Promise<Written> {
  if (readyFile !== undefined || controlToken !== undefined)
    throw new CommandFailure(
      "--db names a sandbox that does not run: leave it out, or the flags of one that runs",
    );
  return capsuleOfFile({
    db,
    ...(world === undefined ? {} : { world }),
    ...(seed === undefined ? {} : { seed }),
    onNotice: (sentence) => tell(`gatewright capsule: ${kit.printable(sentence)}\n`),
  });
}
