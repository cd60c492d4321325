import { prescan } from "./prescan.ts";
import type { RawReading } from "./yaml-child.ts";
import { YamlProcess } from "./yaml-process.ts";

/**
 * Text to raw data, past two fences: a scan of its size and depth, and then a process that may die of it.
 * Invariant: no parser of YAML runs in this process.
 */
export class YamlReader {
  readonly #process = new YamlProcess();

  /** Starts the process ahead of its first file, so that it loads while there is other work to do. */
  start(): void {
    this.#process.start();
  }

  async read(text: string): Promise<RawReading> {
    const scanned = prescan(text);
    if (scanned !== undefined) return { problems: [{ at: scanned.offset, message: scanned.message }] };
    return this.#process.read(text);
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }
}
