/** A reverse proxy that keeps what passes. It adds nothing to a request, so it needs no key. */
import process from "node:process";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { type FlagsOf, portNumber, secretFrom } from "../flag-values.ts";
import { readyFileFor } from "../run-file.ts";
import { jsonText, show, tell } from "../screen.ts";

const declare = (program: Command) =>
  program
    .command("record")
    .description("Record what a client and a gateway say to each other: a reverse proxy on this machine.")
    .option("--target <url>", "base address of the gateway; taken from --ready-file when that is given")
    .option(
      "--ready-file <file>",
      "the line of `gatewright serve --json`: address, and the names of the keys",
    )
    .requiredOption("--out <file>", "the recording; a new file")
    .option("--key-id <id>", "with --target: the key id of the client whose secret is given")
    .option(
      "--secret-env <variable>",
      "environment variable that holds its secret: the recording then says which signatures were right",
    )
    .option("--host <address>", "address to listen on; this machine only", "127.0.0.1")
    .option("--port <number>", "port to listen on, 0 for any free one", portNumber, 0)
    .option("--json", "print one JSON line when ready, and one at the end");

export const register = (program: Command): void => void declare(program).action(record);

type Flags = FlagsOf<typeof declare>;

async function record(flags: Flags): Promise<void> {
  await kit.checkOutput("--out", flags.out);
  const readyFile = readyFileFor(flags.readyFile, [flags.target]);
  const ready = readyFile === undefined ? undefined : await kit.readReadyFile(readyFile);
  const target = flags.target ?? ready?.baseUrl;
  if (target === undefined) throw new CommandFailure("give --target URL or --ready-file FILE");
  const keys = [...(ready?.keys ?? []), ...givenKey(flags)];
  const stopped = new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
  });
  const proxy = await kit.startRecordingProxy({
    target,
    file: flags.out,
    host: flags.host,
    port: flags.port,
    keys,
    notice: (sentence) => tell(`gatewright record: ${sentence}\n`),
  });
  show(
    flags.json === true
      ? `${jsonText({ event: "ready", url: proxy.url, target, file: flags.out, pid: process.pid })}\n`
      : `Recording into ${flags.out}: ${proxy.url} → ${target}\nGive your client this address. Ctrl-C ends the recording.\n`,
  );
  await stopped;
  const { exchanges, frames, leftOut } = await proxy.close();
  show(
    flags.json === true
      ? `${jsonText({ event: "end", exchanges, frames, leftOut })}\n`
      : `${kit.counted(exchanges, "exchange")} and ${kit.counted(frames, "message")} of streams in ${flags.out}\n`,
  );
}

function givenKey({
  keyId,
  secretEnv,
}: Flags): { readonly name: string; readonly keyId: string; readonly secret: string }[] {
  if (keyId === undefined && secretEnv === undefined) return [];
  if (keyId === undefined || secretEnv === undefined)
    throw new CommandFailure("give --key-id and --secret-env together");
  return [{ name: "trader", keyId, secret: secretFrom(secretEnv) }];
}
