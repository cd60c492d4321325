/** A terminal without a window: it draws what is written to it as a real one does, and its keys can be pressed. */
import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import xterm from "@xterm/headless";
import type { Size } from "../frame.ts";
import type { Input, Output } from "../screen.ts";

export class FakeTerminal {
  /** Everything that was written, escapes included. */
  written = "";
  readonly output: Output;
  readonly input: Input;
  /** Whether keys are handed over one by one; null before the first request. */
  raw: boolean | null = null;
  readonly #keys = new EventEmitter();
  readonly #xterm: xterm.Terminal;
  readonly #size: { columns: number; rows: number };

  constructor({ columns, rows }: Size) {
    this.#xterm = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
    this.#size = { columns, rows };
    const write = (chunk: Buffer, done: () => void): void => {
      this.written += chunk.toString();
      this.#xterm.write(chunk.toString(), done);
    };
    const output = new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk, done) });
    this.output = Object.assign(output, { isTTY: true }, this.#size);
    this.input = {
      isTTY: true,
      setRawMode: (raw) => (this.raw = raw),
      resume: () => undefined,
      pause: () => undefined,
      on: (event, listener) => this.#keys.on(event, listener),
      off: (event, listener) => this.#keys.off(event, listener),
    };
  }

  press(key: string): void {
    this.#keys.emit("data", Buffer.from(key));
  }

  resize({ columns, rows }: Size): void {
    this.#xterm.resize(columns, rows);
    Object.assign(this.output, { columns, rows });
    this.output.emit("resize");
  }

  /** Whether a program has a screen of its own at the moment. */
  get occupied(): boolean {
    return this.#xterm.buffer.active.type === "alternate";
  }

  get cursorShown(): boolean {
    return this.written.lastIndexOf("\u001b[?25h") > this.written.lastIndexOf("\u001b[?25l");
  }

  /** The window, line by line, without blanks at the ends. */
  lines(): string[] {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: this.#xterm.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }
}
