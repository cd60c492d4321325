/** `gatewright replay FILE.capsule`: on this machine, without a target. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import {
  isCapsule,
  mostCapsuleBytes,
  type OpenedCapsule,
  openCapsule,
  StartFailure,
  serveCapsule,
} from "../../simulator/index.ts";
import { CommandFailure } from "../command-failure.ts";
import { show, tell } from "../screen.ts";
import { Foreground } from "../serve/foreground.ts";
import { verdictText } from "./shown.ts";
import { stepThrough } from "./step.ts";

export interface CapsuleFlags {
  readonly until?: number | undefined;
  readonly step?: true | undefined;
  readonly serve?: true | undefined;
  readonly port?: number | undefined;
  readonly json?: true | undefined;
}

/** By its name, or by how it begins. An unreadable file is no capsule, and is refused as a scenario. */
export async function namesCapsule(file: string): Promise<boolean> {
  if (file.endsWith(".capsule")) return true;
  try {
    // Without the flag a pipe without a writer would be waited for.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return isCapsule(buffer.subarray(0, bytesRead));
  } catch {
    return false;
  }
}

export async function replayCapsule(file: string, flags: CapsuleFlags): Promise<void> {
  if (flags.step === true && flags.serve === true)
    throw new CommandFailure(
      "--step and --serve exclude each other: the one shows entries, the other opens the venue",
    );
  const capsule = await opened(file);
  const { entries } = capsule.header;
  const { until = entries } = flags;
  if (until > entries) throw new CommandFailure(`--until ${until}: ${file} ends with entry ${entries}`);
  if (capsule.remark !== null) tell(`gatewright replay: ${kit.printable(capsule.remark)}\n`);
  const replay = capsule.replay();
  if (flags.step === true) await stepThrough(replay, Math.max(flags.until ?? 1, 1));
  else while (replay.next(until) !== undefined);
  (flags.json === true ? tell : show)(verdictText(replay));
  if (replay.difference !== null) process.exitCode = exitCodes.nonConformant;
  else if (flags.serve === true)
    await Foreground.start(flags.json === true, (heard) =>
      serveCapsule(capsule, { port: flags.port ?? 0, until, ...heard }),
    );
}

async function opened(file: string): Promise<OpenedCapsule> {
  const bytes = await kit.readBytesCapped("capsule", file, mostCapsuleBytes);
  const name = kit.printable(file);
  if (!isCapsule(bytes))
    throw new CommandFailure(
      `${name}:1: it does not begin as gzip does, so it is no capsule: copy it again, as bytes`,
    );
  return openCapsule(bytes, name).catch((error: unknown) => {
    throw error instanceof StartFailure ? new CommandFailure(kit.printable(error.message)) : error;
  });
}
