/**
 * `serve --watch`: the sandbox begins anew when a file of its world has changed.
 *
 * **Known limits.** The files are looked at every 300 ms, because not every file system tells of a change.
 */
import { unwatchFile, watchFile } from "node:fs";
import process from "node:process";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { StartFailure } from "../../simulator/index.ts";
import { say } from "./log.ts";

const everyMs = 300;

interface Watching {
  /** As the flag has it. */
  readonly world: string;
  /** The files of the world, once all of it has been checked. @throws StartFailure */
  readonly files: () => Promise<readonly string[]>;
  readonly restart: () => Promise<void>;
}

export async function watchWorld({ world, files, restart }: Watching): Promise<void> {
  let watched: readonly string[] = [];
  let [isChanged, isBusy] = [false, false];
  const changed = (): void => void begin();
  const follow = (found: readonly string[]): void => {
    for (const file of watched) unwatchFile(file, changed);
    for (const file of found) watchFile(file, { interval: everyMs, persistent: false }, changed);
    watched = found;
  };
  const begin = async (): Promise<void> => {
    isChanged = true;
    if (isBusy) return;
    isBusy = true;
    while (isChanged) {
      isChanged = false;
      const found = await checked(world, files);
      if (found === undefined) continue;
      follow(found);
      await restarted(world, restart);
    }
    isBusy = false;
  };
  follow(await files());
}

/** Without a sandbox nothing keeps the process alive. */
async function restarted(world: string, restart: Watching["restart"]): Promise<void> {
  try {
    await restart();
    say(`${world} has changed: the sandbox has begun anew with it`);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    say(`${world} has changed, and the sandbox cannot start again:\n${error.message}`);
    process.exitCode = exitCodes.usage;
  }
}

async function checked(world: string, files: Watching["files"]): Promise<readonly string[] | undefined> {
  try {
    return await files();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    say(`${world} has changed and is refused, so the sandbox goes on as it was:\n${error.message}`);
    return undefined;
  }
}
