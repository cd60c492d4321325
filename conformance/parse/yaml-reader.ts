import { knownReading } from "./known-readings.ts";
import { prescan } from "./prescan.ts";
import type { RawReading } from "./yaml-child.ts";
import { YamlProcess } from "./yaml-process.ts";

/** What a build leaves for faster reading. */
export interface BuiltAhead {
  /** The folder of readings. */
  readonly known?: string;
  /** A module that is the YAML library. */
  readonly library?: string | undefined;
}

/**
 * Text to raw data. What the kit was built with is known by heart; everything else passes two fences, a scan of its
 * size and depth and then a process that may die of it. Invariant: no parser of YAML runs in this process.
 */
export class YamlReader {
  readonly #process: YamlProcess;
  readonly #known: string | undefined;

  constructor({ known, library }: BuiltAhead = {}) {
    this.#known = known;
    this.#process = new YamlProcess(library);
  }

  /** Starts the process ahead of its first file, for who knows that a stranger's file is coming. */
  start(): void {
    this.#process.start();
  }

  async read(text: string): Promise<RawReading> {
    const known = this.#known === undefined ? undefined : knownReading(this.#known, text);
    if (known !== undefined) return { problems: [], root: known };
    const scanned = prescan(text);
    if (scanned !== undefined) return { problems: [{ at: scanned.offset, message: scanned.message }] };
    return this.#process.read(text);
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }
}
