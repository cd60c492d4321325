/** It sends nothing: its output is to be compared with a client's request. */
import { randomUUID } from "node:crypto";
import { type Command, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { secretFrom } from "../flag-values.ts";
import { readyFileFor } from "../run-file.ts";
import { show, tell } from "../screen.ts";

/** Where the demo sandbox listens, for a key that no ready file gave. */
const usualBaseUrl = "http://127.0.0.1:8080/api/v1/trading";

export function register(program: Command): void {
  program
    .command("sign")
    .description("Show body hash, canonical string, headers and a curl command of a signed request.")
    .requiredOption("--method <method>", "HTTP method")
    .requiredOption("--path <path>", "full path, for example /api/v1/trading/order/open; a query may follow")
    .addOption(
      new Option("--signed-path <form>", "whether the target signs the query too (F-signed-path)")
        .choices(["path", "path-and-query"] as const)
        .default("path" as const),
    )
    .option("--body <text>", "body, exactly as it will be sent")
    .option("--body-file <file>", "file with the body, byte for byte")
    .option("--ready-file <file>", "the line of `gatewright serve --json`")
    .option("--sign <name>", "name of the key in the ready file", "trader")
    .option("--key-id <id>", "key id, without a ready file")
    .option("--secret-env <variable>", "environment variable that holds the secret, without a ready file")
    .option("--timestamp <milliseconds>", "milliseconds since the epoch; now by default")
    .option("--nonce <uuid>", "a new UUID by default")
    .option(
      "--origin <url>",
      "scheme, host and port for the curl command; those of the ready file, else http://127.0.0.1:8080",
    )
    .action(async (options) => {
      if (options.body !== undefined && options.bodyFile !== undefined)
        throw new CommandFailure("give --body or --body-file, not both");
      if (!options.path.startsWith("/"))
        throw new CommandFailure("--path starts with / and holds the whole path (AUTH-16)");
      if (options.timestamp !== undefined && !/^[0-9]{1,16}$/.test(options.timestamp))
        throw new CommandFailure(
          `--timestamp is milliseconds since the epoch, digits only, was ${options.timestamp}`,
        );
      const body =
        options.bodyFile === undefined
          ? Buffer.from(options.body ?? "", "utf8")
          : await kit.readBytesCapped("body file", options.bodyFile, kit.mostBytes.small);
      const { baseUrl, ...key } = await signerOf(options);
      const usual = new URL(baseUrl);
      if (!options.path.startsWith(`${usual.pathname}/`))
        tell(
          `gatewright: --path ${options.path} does not begin with ${usual.pathname}/, as every path of the gateway does; it is signed as it is\n`,
        );
      const shown = kit.showSignature(
        {
          ...key,
          method: options.method.toUpperCase(),
          path: options.signedPath === "path" ? options.path.replace(/\?.*$/s, "") : options.path,
          timestamp: options.timestamp ?? String(Date.now()),
          nonce: options.nonce ?? randomUUID(),
          contentType: "application/json",
          body,
        },
        (options.origin ?? usual.origin) + options.path,
      );
      show(shown);
    });
}

interface KeyFlags {
  readonly readyFile?: string | undefined;
  readonly sign: string;
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
}

/** The key, and the gateway that it is for. */
async function signerOf({ sign, keyId, secretEnv, ...flags }: KeyFlags) {
  const readyFile = readyFileFor(flags.readyFile, [keyId, secretEnv]);
  if (readyFile !== undefined) {
    const ready = await kit.readReadyFile(readyFile);
    return { ...kit.keyIn(ready, sign), baseUrl: ready.baseUrl };
  }
  if (keyId === undefined || secretEnv === undefined)
    throw new CommandFailure("give --ready-file FILE of a running sandbox, or --key-id and --secret-env");
  return { keyId, secret: secretFrom(secretEnv), baseUrl: usualBaseUrl };
}
