import { counted } from "../model/counted.ts";
import type { RowResult } from "../model/outcome.ts";
import { printable } from "../model/printable.ts";
import { painter, type Terminal } from "./terminal.ts";

/**
 * The progress of a run. On a terminal one line counts, and cases that did not pass stay above it. In a log every case is
 * a line, and the cursor does not move.
 */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #terminal: Terminal;
  readonly #moving: boolean;
  readonly #counts = new Map<RowResult["outcome"], number>();
  #done = 0;

  constructor(write: (text: string) => void, terminal: Terminal, moving: boolean) {
    this.#write = write;
    this.#terminal = terminal;
    this.#moving = moving;
  }

  row(result: Pick<RowResult, "id" | "outcome" | "durationMs" | "reason">): void {
    const { outcome } = result;
    this.#done += 1;
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (!this.#moving) {
      this.#write(`${this.#line(result)}\n`);
      return;
    }
    const lasting = outcome !== "passed" && outcome !== "notApplicable" && outcome !== "blocked";
    this.#write(`\r\u001b[K${lasting ? `${this.#line(result)}\n` : ""}${this.#count(result.id)}`);
  }

  /** Removes the counting line, so that the report starts on an empty one. */
  end(): void {
    if (this.#moving && this.#done > 0) this.#write("\r\u001b[K");
  }

  #line({
    id,
    outcome,
    durationMs,
    reason,
  }: Pick<RowResult, "id" | "outcome" | "durationMs" | "reason">): string {
    const word = painter(this.#terminal)(colours[outcome], words[outcome].padEnd(7));
    const why = reason === undefined ? "" : `: ${reason.split("\n")[0]}`;
    const room = Math.min(this.#terminal.columns, 120) - 18;
    return `${word} ${cut(printable(`${id}${why}`), room).padEnd(room)} ${String(durationMs).padStart(6)} ms`;
  }

  #count(id: string): string {
    const said = [...this.#counts].map(([outcome, count]) => `${count} ${words[outcome]}`);
    return cut(
      `${counted(this.#done, "case")}: ${said.join(", ")} · ${printable(id)}`,
      this.#terminal.columns - 1,
    );
  }
}

const words: Readonly<Record<RowResult["outcome"], string>> = {
  passed: "ok",
  failed: "FAILED",
  warned: "warned",
  blocked: "BLOCKED",
  notApplicable: "n/a",
  filtered: "left",
  error: "ERROR",
};

const colours = {
  passed: "green",
  failed: "red",
  warned: "yellow",
  blocked: "yellow",
  notApplicable: "dim",
  filtered: "dim",
  error: "red",
} as const;

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
