/**
 * The stream of a gateway that connects again by itself: after a pause that grows up to a limit and is partly
 * random. Silence counts as a lost connection. It gives up if another handshake would be refused again.
 */
import type { Reader } from "../../conformance/commands.ts";

type Opened = Awaited<ReturnType<Reader["open"]>>;
type Open = Extract<Opened, { socket: unknown }>;

export interface FeedOptions {
  /** One handshake, freshly signed. */
  readonly open: () => Promise<Opened>;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onLost: (reason: string, againInMs: number) => void;
  readonly onRefused: (status: number, body: string) => void;
}

const silenceMs = 5_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

export class Feed {
  readonly #options: FeedOptions;
  #connection: Open | undefined;
  #again: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Why the connection of the moment ends, where the other side does not say it. */
  #reason = "";
  #stopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  start(): void {
    this.#reason = "";
    this.#options.open().then(
      (opened) => this.#opened(opened),
      (error: unknown) => this.#lost((error as Error).message),
    );
  }

  send(message: object): void {
    // A connection that ends during this time reports it itself.
    this.#connection?.say(message).catch(() => undefined);
  }

  /** Leaves this connection for another one. */
  reconnect(reason: string): void {
    this.#reason = reason;
    this.#connection?.socket.terminate();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#again);
    this.#connection?.socket.close(1000, "");
  }

  #opened(opened: Opened): void {
    if ("refusal" in opened) return this.#refused(opened.refusal);
    if (this.#stopped) return opened.socket.terminate();
    this.#connection = opened;
    const { socket } = opened;
    const silence = setTimeout(() => {
      this.#reason = `no message for ${silenceMs / 1000} s`;
      socket.terminate();
    }, silenceMs);
    this.#options.onOpen();
    socket.onChange = () => {
      for (const { body } of socket.take()) {
        if (this.#stopped) break;
        silence.refresh();
        this.#failures = 0;
        this.#options.onText(Buffer.from(body).toString());
      }
      const { ended } = socket;
      if (ended === undefined || this.#connection !== opened) return;
      clearTimeout(silence);
      this.#connection = undefined;
      const said =
        ended.problem ?? [`code ${ended.code}`, ended.reason].filter((part) => part !== "").join(" ");
      this.#lost(this.#reason || said);
    };
    // Messages that arrived with the handshake are already there.
    socket.onChange();
  }

  #refused({ status, body }: { readonly status: number; readonly body: string }): void {
    const passes = status === 429 || status >= 500;
    if (passes) this.#lost(`the handshake was answered ${status}`);
    else if (!this.#stopped) this.#options.onRefused(status, body);
  }

  #lost(reason: string): void {
    if (this.#stopped) return;
    const longest = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    const pause = Math.round(longest * (0.5 + Math.random() / 2));
    this.#failures += 1;
    this.#options.onLost(reason, pause);
    this.#again = setTimeout(() => this.start(), pause);
  }
}
