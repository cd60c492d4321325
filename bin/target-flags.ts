import type { Command } from "@commander-js/extra-typings";
import * as kit from "../conformance/commands.ts";
import { CommandFailure } from "./command-failure.ts";
import { environmentWithoutOurs } from "./environment.ts";
import { secretFrom } from "./flag-values.ts";
import { findReadyFile } from "./run-file.ts";
import { tell } from "./screen.ts";

/** The flags with which every command of the kit names its target. */
export interface TargetFlags {
  readonly target?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
  readonly profile?: string | undefined;
  readonly readyFile?: string | undefined;
}

export function withTargetFlags<Args extends unknown[]>(command: Command<Args>) {
  return command
    .option("--target <url>", "base address of a target on this machine, ending in /api/v1/trading")
    .option("--key-id <id>", "key id for --target")
    .option("--secret-env <variable>", "environment variable that holds the secret for --target")
    .option("--profile <file>", "description of the target: address, credentials, operations, limits")
    .option("--ready-file <file>", "the line of `gatewright serve --json`: the target is that sandbox");
}

/** The flags again, as words of a command. */
export function targetWords({ target, keyId, secretEnv, profile, readyFile }: TargetFlags): string[] {
  return [
    ...flagWords("profile", profile),
    ...flagWords("ready-file", readyFile),
    ...flagWords("target", target),
    ...flagWords("key-id", keyId),
    ...flagWords("secret-env", secretEnv),
  ];
}

export function flagWords(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return [`--${name}`, /^[\w./:+@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`];
}

/** Says when a killed run has left orders at this target, and how to cancel them. */
export async function tellOfEarlierRuns(
  flags: TargetFlags,
  target: Awaited<ReturnType<typeof targetOf>>,
): Promise<void> {
  // A profile that cannot be read is reported by the command itself.
  const left = await kit.leftByEarlierRuns(target).catch(() => 0);
  if (left === 0) return;
  tell(
    `gatewright: an earlier run ended before it could cancel ${left === 1 ? "an order" : `${left} orders`}: ${["gatewright cleanup", ...targetWords(flags)].join(" ")}\n`,
  );
}

/** One way of naming the target, and a sentence about it when it is none or two. */
export async function targetOf(flags: TargetFlags) {
  const { target, keyId, secretEnv, profile } = flags;
  const found = findReadyFile(flags.readyFile, [target, keyId, secretEnv, profile]);
  if (found !== undefined) {
    // What the environment holds is not for a sandbox that nobody has named.
    const around = found.isNamed ? process.env : environmentWithoutOurs();
    const environment = { ...around, ...kit.environmentOf(await kit.readReadyFile(found.file)) };
    return { profile: profile ?? `${kit.packageRoot()}/fixtures/profiles/simulator.yaml`, environment };
  }
  if (profile !== undefined) {
    if (target !== undefined) throw new CommandFailure("give --profile or --target, not both");
    return { profile };
  }
  if (target === undefined)
    throw new CommandFailure(
      "no sandbox runs in this folder: give --profile FILE, or --ready-file FILE of a running sandbox, or --target URL with --key-id and --secret-env",
    );
  if (keyId === undefined || secretEnv === undefined)
    throw new CommandFailure("--target needs --key-id and --secret-env");
  return { target, keyId, secret: secretFrom(secretEnv) };
}
