/**
 * A terminal as a window: its own screen, so that what was there before comes back; no cursor; keys without Enter. Every
 * way out leaves the terminal as it was found, an exit of the process included.
 */
import { createLogUpdate } from "log-update";
import type { Size } from "./frame.ts";

export interface Input {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: "data", listener: (data: Buffer | string) => void): unknown;
  off(event: "data", listener: (data: Buffer | string) => void): unknown;
}

export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

const enter = "\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H";
const clear = "\u001b[2J\u001b[H";
const leave = "\u001b[0m\u001b[?25h\u001b[?1049l";
/** Often enough to look alive, seldom enough to cost nothing. */
const frameMs = 80;

export class Screen {
  readonly #output: Output;
  readonly #input: Input;
  readonly #draw: (size: Size) => readonly string[];
  readonly #quit: () => void;
  #update: ReturnType<typeof createLogUpdate>;
  #due: NodeJS.Timeout | undefined;
  #open = true;

  constructor(output: Output, input: Input, draw: (size: Size) => readonly string[], quit: () => void) {
    this.#output = output;
    this.#input = input;
    this.#draw = draw;
    this.#quit = quit;
    this.#update = createLogUpdate(output as NodeJS.WriteStream, { showCursor: true });
    output.write(enter);
    output.on("resize", this.#resized);
    process.on("exit", this.#leave);
    if (input.isTTY === true) {
      input.setRawMode?.(true);
      input.on("data", this.#key);
      input.resume();
    }
    this.#paint();
  }

  /** Something changed: it is drawn with the next frame. */
  changed(): void {
    if (this.#open) this.#due ??= setTimeout(() => this.#paint(), frameMs);
  }

  close(): void {
    clearTimeout(this.#due);
    this.#output.off("resize", this.#resized);
    process.off("exit", this.#leave);
    if (this.#input.isTTY === true) {
      this.#input.off("data", this.#key);
      this.#input.setRawMode?.(false);
      this.#input.pause();
    }
    this.#leave();
  }

  readonly #leave = (): void => {
    if (this.#open) this.#output.write(leave);
    this.#open = false;
  };

  /** Ctrl-C comes as a character, because the terminal hands over every key. */
  readonly #key = (data: Buffer | string): void => {
    if (/[qQ\u0003\u0004]/.test(data.toString())) this.#quit();
  };

  /** The old frame was cut for another size: begin on an empty window. */
  readonly #resized = (): void => {
    this.#output.write(clear);
    this.#update = createLogUpdate(this.#output as NodeJS.WriteStream, { showCursor: true });
    this.#paint();
  };

  #paint(): void {
    this.#due = undefined;
    const { columns = 80, rows = 24 } = this.#output;
    this.#update(this.#draw({ columns, rows }).join("\n"));
  }
}
