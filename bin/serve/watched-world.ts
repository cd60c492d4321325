/**
 * `serve --watch`: the sandbox begins anew when a file of its world has changed.
 *
 * **Invariant.** No change is missed: the state of the files is taken before they are read, at the start, too.
 *
 * **Known limits.** The files are looked at every 300 ms, because not every file system tells of a change.
 */
import { stat } from "node:fs/promises";
import process from "node:process";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { StartFailure } from "../../simulator/index.ts";
import { say } from "./log.ts";

const everyMs = 300;

export class WatchedWorld {
  /** As the flag has it. */
  readonly #world: string;
  /** The files of the world, once all of it has been checked. @throws StartFailure */
  readonly #read: () => Promise<readonly string[]>;
  #files: readonly string[];
  #state: string;

  constructor(
    world: string,
    read: () => Promise<readonly string[]>,
    files: readonly string[],
    state: string,
  ) {
    this.#world = world;
    this.#read = read;
    this.#files = files;
    this.#state = state;
  }

  /** To be called before the sandbox starts. @throws StartFailure */
  static async of(world: string, read: () => Promise<readonly string[]>): Promise<WatchedWorld> {
    const files = await read();
    return new WatchedWorld(world, read, files, await stateOf(files));
  }

  /** Keeps no process alive. */
  begin(restart: () => Promise<void>): void {
    const look = async (): Promise<void> => {
      await this.#look(restart);
      setTimeout(() => void look(), everyMs).unref();
    };
    void look();
  }

  async #look(restart: () => Promise<void>): Promise<void> {
    const state = await stateOf(this.#files);
    if (state === this.#state) return;
    this.#state = state;
    try {
      this.#files = await this.#read();
      // A file that is named anew counts from now on.
      this.#state = await stateOf(this.#files);
    } catch (error) {
      return this.#refused(error, " and is refused, so the sandbox goes on as it was");
    }
    try {
      await restart();
      say(`${this.#world} has changed: the sandbox has begun anew with it`);
    } catch (error) {
      this.#refused(error, ", and the sandbox cannot start again");
      process.exitCode = exitCodes.usage;
    }
  }

  #refused(error: unknown, what: string): void {
    if (!(error instanceof StartFailure)) throw error;
    say(`${this.#world} has changed${what}:\n${error.message}`);
  }
}

/** Of each file when it was changed and how long it is; of one that is not there, nothing. */
async function stateOf(files: readonly string[]): Promise<string> {
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return stats.map((one) => `${one?.mtimeMs} ${one?.size} ${one?.ino}`).join("\n");
}
