import { knownReading } from "./known-readings.ts";
import { prescan } from "./prescan.ts";
import type { RawReading } from "./yaml-child.ts";
import { YamlProcess } from "./yaml-process.ts";

/**
 * Turns text into raw data behind two protections: a scan of size and depth, and a separate process that a hostile file
 * may abort. Invariant: no YAML parser runs in this process.
 */
export class YamlReader {
  readonly #process = new YamlProcess();

  async read(text: string): Promise<RawReading> {
    const known = knownReading(text);
    if (known !== undefined) return known;
    const scanned = prescan(text);
    if (scanned !== undefined) return { problems: [{ at: scanned.offset, message: scanned.message }] };
    return this.#process.read(text);
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }
}
