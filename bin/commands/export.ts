/** From what was recorded to a scenario that anybody can run. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { listOf, record, text } from "../answer-shape.ts";
import {
  type AccessFlags,
  accessIn,
  answerOf,
  readAnswer,
  withAccessFlags,
  worldPath,
} from "../control-access.ts";
import { collect, secretFrom } from "../flag-values.ts";
import { show, tell } from "../screen.ts";

export function register(program: Command): void {
  withAccessFlags(
    program
      .command("export")
      .description("Make a scenario of a recording: plain YAML, which runs against any target."),
  )
    .argument(
      "[file]",
      "a recording, a capsule, a HAR file, the output of curl -v, a collection of Postman, a log of JSON lines, or a report of the kit; default: the exchange log of the running sandbox",
    )
    .requiredOption("--out <file>", "the scenario; its name becomes the id")
    .option(
      "--from <time>",
      "only what began then or later: 10s after the beginning, or a time with its zone",
    )
    .option("--to <time>", "only what began until then")
    .option("--key <name>", "only requests of this key (repeatable)", collect, [])
    .option("--only <pattern>", "only requests such as 'POST */order' (repeatable)", collect, [])
    .option(
      "--role <key=role>",
      "the role of a key of the recording, such as key-1=reader (repeatable)",
      collect,
      [],
    )
    .option("--spec <clause>", "a clause that the scenario is about (repeatable)", collect, [])
    .option("--title <text>", "the statement that the scenario tests")
    .option(
      "--profile <file>",
      "the profile with the names of the operations; default: those of the simulator",
    )
    .option(
      "--secret-env <variable>",
      "environment variable that holds the secret of a key: which signatures were right",
    )
    .option("--world <name>", "the world of the sandbox; default: main")
    .action(async (file, flags) => {
      const { key: keys, role: roles, readyFile, controlToken, allowHost, world, secretEnv, ...rest } = flags;
      const secret = secretEnv === undefined ? undefined : secretFrom(secretEnv);
      await kit.checkOutput("--out", flags.out);
      const said =
        file ?? ((): Promise<readonly unknown[]> => loggedIn({ readyFile, controlToken, allowHost, world }));
      const { text, steps, remarks } = await kit.exportFile({ file: said, keys, roles, secret, ...rest });
      await kit.writeOutput(flags.out, text);
      for (const remark of remarks) tell(`gatewright export: ${kit.printable(remark)}\n`);
      show(`${flags.out} has ${kit.counted(steps, "step")}; to run it: gatewright replay ${flags.out}\n`);
    });
}

interface LogFlags extends AccessFlags {
  readonly world?: string | undefined;
}

const listed = record({ exchanges: listOf(record({ requestId: text })) });

/** Number of the newest exchanges that are read: more than a scenario holds. */
const mostLogged = 1000;

async function loggedIn({ world, ...flags }: LogFlags): Promise<readonly unknown[]> {
  const access = await accessIn(flags);
  const path = `${worldPath(world)}/exchanges`;
  const listing = `${path}?limit=${mostLogged}`;
  const { exchanges } = await readAnswer(access, { path: listing }, listed);
  const found: unknown[] = [];
  for (const { requestId } of exchanges)
    found.push(await answerOf(access, { path: `${path}/${encodeURIComponent(requestId)}` }));
  return found;
}
