/**
 * A signed WebSocket to a gateway that connects again by itself: after a pause that grows, is never the same for
 * everybody and has an end. It takes silence for an end, too. It gives up where another handshake would be refused again.
 */
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";

export interface FeedOptions {
  readonly url: string;
  /** Freshly signed for each handshake. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onLost: (reason: string, againInMs: number) => void;
  readonly onRefused: (status: number, body: string) => void;
}

const HANDSHAKE_MS = 5_000;
const SILENCE_MS = 5_000;
const FAREWELL_MS = 500;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export class Feed {
  readonly #options: FeedOptions;
  #socket: WebSocket | undefined;
  #again: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Why the connection of the moment ends, where the other side does not say it. */
  #reason = "";
  #stopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  start(): void {
    const { url, headers, onOpen, onText, onRefused } = this.#options;
    const socket = new WebSocket(url, { headers: headers(), handshakeTimeout: HANDSHAKE_MS });
    this.#socket = socket;
    let silence: NodeJS.Timeout | undefined;
    this.#reason = "";
    socket.on("open", () => {
      silence = setTimeout(() => {
        this.#reason = `nothing was heard for ${SILENCE_MS / 1000} s`;
        socket.terminate();
      }, SILENCE_MS);
      onOpen();
    });
    socket.on("message", (data: Buffer) => {
      if (this.#stopped) return;
      silence?.refresh();
      this.#failures = 0;
      onText(data.toString());
    });
    socket.on("unexpected-response", (_request, response) => {
      const { statusCode = 0 } = response;
      this.#reason = `the handshake was answered ${statusCode}`;
      const passes = statusCode === 429 || statusCode >= 500;
      text(response).then(
        (body) => {
          if (!passes && !this.#stopped) onRefused(statusCode, body);
          socket.terminate();
        },
        () => socket.terminate(),
      );
    });
    socket.on("error", (error) => (this.#reason ||= error.message));
    socket.on("close", (code, said: Buffer) => {
      clearTimeout(silence);
      this.#lost(this.#reason || [`code ${code}`, said.toString()].filter((part) => part !== "").join(" "));
    });
  }

  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Leaves this connection for another one. */
  reconnect(reason: string): void {
    this.#reason = reason;
    this.#socket?.terminate();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#again);
    const socket = this.#socket;
    socket?.close(1000);
    setTimeout(() => socket?.terminate(), FAREWELL_MS).unref();
  }

  #lost(reason: string): void {
    if (this.#stopped) return;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    const pause = Math.round(longest * (0.5 + Math.random() / 2));
    this.#failures += 1;
    this.#options.onLost(reason, pause);
    this.#again = setTimeout(() => this.start(), pause);
  }
}
