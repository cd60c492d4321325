/** Any program with its URL can trade with the key, so the path holds a token, and it serves this machine alone. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect, portNumber, secretFrom } from "../flag-values.ts";
import { readyFileFor } from "../run-file.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("proxy")
    .description("Run a signing reverse proxy on this machine, for tools that cannot sign.")
    .option("--target <url>", "base address of the gateway; taken from --ready-file when that is given")
    .option("--sign <name>", "name of the key in the ready file", "trader")
    .option("--ready-file <file>", "the line of `gatewright serve --json`")
    .option("--key-id <id>", "key id, without a ready file")
    .option("--secret-env <variable>", "environment variable that holds the secret, without a ready file")
    .option("--host <address>", "address to listen on; this machine only", "127.0.0.1")
    .option("--port <number>", "port to listen on, 0 for any free one", portNumber, 0)
    .option(
      "--allow-host <name>",
      "a host on another machine that may be the target (repeatable)",
      collect,
      [],
    )
    .option("--token <text>", "first segment of every path; default: a new one at each start")
    .option("--json", "print one JSON line when ready")
    .action(async (options) => {
      const credential = await credentialOf(options);
      const proxy = await kit.startSigningProxy({
        ...credential,
        host: options.host,
        port: options.port,
        allowHosts: options.allowHost,
        ...(options.token === undefined ? {} : { token: options.token }),
      });
      const ready = {
        event: "ready",
        url: proxy.url,
        target: credential.target,
        keyId: credential.keyId,
        pid: process.pid,
      };
      show(
        options.json === true
          ? `${jsonText(ready)}\n`
          : `Signing for ${credential.keyId}: ${proxy.url} → ${credential.target}\nThe path holds the token of this start: anyone who has the URL can trade with this key.\n`,
      );
      const stop = (): void => void proxy.close();
      process.once("SIGINT", stop).once("SIGTERM", stop);
    });
}

interface ProxyFlags {
  readonly target?: string | undefined;
  readonly sign: string;
  readonly readyFile?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
}

async function credentialOf(flags: ProxyFlags) {
  const { target, sign, keyId, secretEnv } = flags;
  const readyFile = readyFileFor(flags.readyFile, [target, keyId, secretEnv]);
  if (readyFile !== undefined) {
    const ready = await kit.readReadyFile(readyFile);
    return { target: target ?? ready.baseUrl, ...kit.keyIn(ready, sign) };
  }
  if (target === undefined || keyId === undefined || secretEnv === undefined) {
    throw new CommandFailure("give --ready-file FILE, or --target URL with --key-id and --secret-env");
  }
  return { target, keyId, secret: secretFrom(secretEnv) };
}
