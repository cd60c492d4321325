/** One watcher, three ways to show what it sees: a window on a terminal, lines in a pipe, JSON for a program. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { type FlagsOf, wholeNumber } from "../flag-values.ts";
import { gatewayOf } from "../watch/gateway.ts";
import { watch } from "../watch/watch.ts";

const declare = (program: Command) =>
  program
    .command("watch")
    .description(
      "Show the book, the trades and your own orders of one product as they change. It only reads.",
    )
    .option("--target <url>", "base address of the target; default: the sandbox of npm start")
    .option("--product <id>", "trading pair; default: BTC-USD, or the first one of the target")
    .option("--ready-file <file>", "the line of `gatewright serve --json`")
    .option("--sign <name>", "name of the key in the ready file, or of the demo key", "trader")
    .option("--key-id <id>", "key id, without a ready file")
    .option("--secret-env <variable>", "environment variable that holds the secret, without a ready file")
    .option("--seconds <number>", "stop after this many seconds", wholeNumber(1, 999_999))
    .option("--plain", "lines instead of a window, as in a pipe")
    .option("--json", "the messages of the stream, one line of JSON each");

export const register = (program: Command): void => void declare(program).action(run);

type Flags = FlagsOf<typeof declare>;

async function run(flags: Flags): Promise<void> {
  const gateway = await gatewayOf({ ...flags, key: flags.sign });
  const { stdin: input, stdout: output, env } = process;
  const window = output.isTTY === true && env["TERM"] !== "dumb" && flags.plain !== true;
  const kind = flags.json === true ? "json" : window ? "window" : "lines";
  const look = { colours: kit.terminalOf(output, env).colours, unicode: speaksUnicode(env) };
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop).once("SIGHUP", stop);
  const late = flags.seconds === undefined ? undefined : setTimeout(stop, flags.seconds * 1000);
  try {
    await watch(gateway, flags.product, { output, input, kind, look }, enough.signal);
  } finally {
    clearTimeout(late);
    process.off("SIGINT", stop).off("SIGTERM", stop).off("SIGHUP", stop);
  }
}

function speaksUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return /utf-?8/i.test(locale) || process.platform === "win32";
}
