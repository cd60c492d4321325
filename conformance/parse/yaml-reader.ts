import { knownReading } from "./known-readings.ts";
import { prescan } from "./prescan.ts";
import type { RawReading } from "./yaml-child.ts";
import { YamlProcess } from "./yaml-process.ts";

/**
 * Text to raw data. What the kit was built with is known by heart; everything else passes two fences, a scan of its
 * size and depth and then a process that may die of it. Invariant: no parser of YAML runs in this process.
 */
export class YamlReader {
  readonly #process = new YamlProcess();
  readonly #known: string | undefined;

  /** `known` is the folder of the readings that were made at build time. */
  constructor(known?: string) {
    this.#known = known;
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
