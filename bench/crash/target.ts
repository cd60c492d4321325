/** What the rounds put to the test: one venue over a file, or two nodes over a PostgreSQL. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Random } from "../../simulator/engine/testing/random.ts";
import type { Sqlite } from "../../simulator/store/driver.ts";
import { onCopy } from "./books.ts";
import { crashWorldText } from "./market.ts";
import { launch, type ServedVenue, type StartOptions, startVenue } from "./served-venue.ts";

export interface Target {
  /** Whether clients that lose their connection go on at the same address. */
  readonly outlives: boolean;
  /** Where clients may go, with all of it running; the first has the world. */
  venues(): Promise<readonly ServedVenue[]>;
  /** Does its damage while clients are at work; resolves when they may end. A sentence for each thing that is wrong. */
  fail(random: Random): Promise<readonly string[]>;
  /** Kills a start of one more, which takes place after so many milliseconds. */
  killStart(afterMs: number): Promise<void>;
  /** Reads the books as they are stored. */
  inBooks<T>(judge: (books: Sqlite) => T): Promise<T>;
  /** An orderly end. A sentence for each thing that is wrong. */
  stop(): Promise<readonly string[]>;
  /** How long nobody served the world, each time; where PostgreSQL or the way to it was away, from its return on. */
  readonly startMs: number[];
}

export function worldIn(folder: string): string {
  const world = path.join(folder, "crash-world.yaml");
  writeFileSync(world, crashWorldText);
  return world;
}

/** SIGKILL, and a new start on the same file. */
export class VenueOverFile implements Target {
  readonly outlives = false;
  readonly startMs: number[] = [];
  readonly #start: StartOptions & { readonly db: string };
  #venue: ServedVenue | undefined;

  constructor(folder: string, launcher: string | undefined) {
    this.#start = {
      db: path.join(folder, "crash.db"),
      flags: ["--world", worldIn(folder)],
      ...(launcher === undefined ? {} : { launcher }),
    };
  }

  async venues(): Promise<readonly ServedVenue[]> {
    if (this.#venue === undefined) {
      const began = performance.now();
      this.#venue = await startVenue(this.#start);
      this.startMs.push(Math.round(performance.now() - began));
    }
    return [this.#venue];
  }

  async fail(): Promise<readonly string[]> {
    await this.#venue?.kill();
    this.#venue = undefined;
    return [];
  }

  killStart(afterMs: number): Promise<void> {
    return killStart(this.#start, afterMs);
  }

  /** On a copy, before it is opened. */
  async inBooks<T>(judge: (books: Sqlite) => T): Promise<T> {
    return onCopy(this.#start.db, judge);
  }

  async stop(): Promise<readonly string[]> {
    return orderlyEnd(this.#venue);
  }
}

/** A crash during recovery is a crash like any other. */
export async function killStart(options: StartOptions, afterMs: number): Promise<void> {
  const { child, ended } = launch(options);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await ended;
}

export async function orderlyEnd(venue: ServedVenue | undefined): Promise<readonly string[]> {
  if (venue === undefined) return [];
  const { code, stderr } = await venue.stop();
  return code === 0 ? [] : [`SIGTERM ended with code ${code}: ${stderr}`];
}
