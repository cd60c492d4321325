import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { Reply, TransportOutcome } from "../model/exchange.ts";
import { SafetyStop } from "../model/outcome.ts";
import { type Connector, placeOf } from "./connect.ts";
import { decoded, ReplyProblem } from "./http-response.ts";
import type { RawResult } from "./raw-client.ts";

/** The text or bytes of one frame. */
export interface Received {
  readonly body: Uint8Array;
  readonly binary: boolean;
  readonly at: number;
}

export interface Ended {
  readonly code: number;
  readonly reason: string;
  /** Why the kit closed the connection, or the error in the received data. */
  readonly problem?: string;
  readonly at: number;
}

export interface StreamAddress {
  readonly url: URL;
  readonly headers: readonly (readonly [string, string])[];
  readonly deadlineMs: number;
  readonly connect: Connector;
  readonly allowance: StreamAllowance;
}

export const streamLimits = {
  message: 1024 * 1024,
  fragments: 128,
  messages: 10_000,
  bytes: 8 * 1024 * 1024,
  pings: 1000,
  refusal: 64 * 1024,
  closeMs: 1000,
} as const;

/** The memory limit for the connections of a run together. */
export class StreamAllowance {
  #left: number;
  constructor(bytes = 64 * 1024 * 1024) {
    this.#left = bytes;
  }
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

/**
 * One WebSocket to a target that may be hostile: no redirect, no compression, no sub-protocol. Messages, fragments,
 * bytes and pings are counted, and exceeding a limit ends the connection with a reason. All data before the end is kept
 * in order; a late listener receives all of it.
 */
export class StreamSocket {
  readonly received: Received[] = [];
  ended: Ended | undefined;
  onChange: () => void = () => undefined;
  readonly #socket: WebSocket;
  readonly #allowance: StreamAllowance;
  #raw: Socket | undefined;
  #bytes = 0;
  #pings = 0;
  #problem: string | undefined;

  /** The handshake has one deadline as a whole: a target that sends single bytes does not extend it. */
  static async open(address: StreamAddress): Promise<RawResult & { readonly socket?: StreamSocket }> {
    const { url, headers, deadlineMs, connect, allowance } = address;
    // Loaded on demand, because most runs open no stream.
    const { WebSocket } = await import("ws");
    const socket = new WebSocket(url, [], {
      finishRequest: (request) => {
        for (const [name, values] of grouped(headers)) request.setHeader(name, values);
        request.end();
      },
      // as: Node takes a socket later, too, which the types of `ws` do not know.
      createConnection: ((_options: unknown, done: (error: Error | null, socket?: Socket) => void) => {
        connect(placeOf(url), (error, opened) => (error === null ? done(null, opened) : done(error)));
      }) as never,
      followRedirects: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: streamLimits.message,
      maxFragments: streamLimits.fragments,
      maxBufferedChunks: 4096,
    });
    const stream = new StreamSocket(socket, allowance);
    return stream.#handshake(deadlineMs);
  }

  // biome-ignore lint/style/useConsistentMemberAccessibility: only `open` makes one, and a constructor has no other word
  private constructor(socket: WebSocket, allowance: StreamAllowance) {
    this.#socket = socket;
    this.#allowance = allowance;
    socket.on("message", (data: Buffer, binary) => this.#keep(data, binary));
    socket.on("ping", (data) => this.#pinged(data));
    socket.on("error", (error) => this.#broken(error));
    socket.on("close", (code, reason) => this.#end(code, reason.toString("utf8")));
  }

  #handshake(deadlineMs: number): Promise<RawResult & { readonly socket?: StreamSocket }> {
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      let reply: Reply | undefined;
      let reading = false;
      const settle = (result: RawResult & { readonly socket?: StreamSocket }): void => {
        clearTimeout(timer);
        if (result.socket === undefined) socket.terminate();
        resolve(result);
      };
      const timer = setTimeout(
        () => settle({ transport: "timeout", problem: `no handshake within ${deadlineMs} ms` }),
        deadlineMs,
      );
      socket.once("upgrade", (response) => {
        reply = { status: response.statusCode ?? 101, headers: pairsOf(response), body: new Uint8Array() };
        this.#raw = response.socket;
      });
      socket.once("unexpected-response", (request, response) => {
        reading = true;
        void refusalOf(response).then((result) => {
          request.destroy();
          settle(result);
        });
      });
      socket.once("open", () =>
        settle({ transport: "response", ...(reply === undefined ? {} : { reply }), socket: this }),
      );
      socket.once("error", (error) => {
        if (reading) return;
        clearTimeout(timer);
        if (error instanceof SafetyStop) reject(error);
        else settle(failureOf(error));
      });
    });
  }

  /**
   * The data since the last call. It also resets the counters, so a caller that takes data in time may listen for any
   * length of time.
   */
  take(): Received[] {
    this.#allowance.giveBack(this.#bytes);
    this.#bytes = 0;
    this.#pings = 0;
    return this.received.splice(0);
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data, () => undefined);
  }

  ping(data: string): void {
    this.#socket.ping(data, true, () => undefined);
  }

  /** Sends bytes that are no frame, or a wrong one; they are neither masked nor counted here. */
  sendBytes(bytes: Uint8Array): void {
    this.#raw?.write(bytes, () => undefined);
  }

  /** A target that does not answer the close is disconnected after a second. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.cut("its close was not answered"), streamLimits.closeMs);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Frees the kept data. */
  release(): void {
    this.terminate();
    this.#allowance.giveBack(this.#bytes);
    this.#bytes = 0;
  }

  #keep(data: Buffer, binary: boolean): void {
    if (this.ended !== undefined || this.#problem !== undefined) return;
    const { messages, bytes } = streamLimits;
    if (this.received.length >= messages) return this.cut(`more than ${messages} messages`);
    if (this.#bytes + data.length > bytes) return this.cut(`more than ${bytes} bytes`);
    if (!this.#allowance.take(data.length)) return this.cut("more than all connections of a run may keep");
    this.#bytes += data.length;
    this.received.push({ body: data, binary, at: performance.now() });
    this.onChange();
  }

  #pinged(data: Buffer): void {
    this.#pings += 1;
    if (this.#pings > streamLimits.pings) this.cut(`more than ${streamLimits.pings} pings`);
    else this.#socket.pong(data, true, () => undefined);
  }

  /** Disconnects a target that sends more than may be kept. */
  cut(problem: string): void {
    this.#problem ??= `the kit hung up: ${problem}`;
    this.terminate();
  }

  /** A wrong frame ends the connection at once, because the data after it cannot be trusted. */
  #broken(error: Error): void {
    this.#problem ??= error.message;
    this.terminate();
  }

  #end(code: number, reason: string): void {
    const problem = this.#problem === undefined ? {} : { problem: this.#problem };
    this.ended ??= { code, reason, ...problem, at: performance.now() };
    this.onChange();
  }
}

/** A repeated header has a list of values. */
function grouped(headers: StreamAddress["headers"]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, value] of headers) found.set(name, [...(found.get(name) ?? []), value]);
  return found;
}

function pairsOf({ rawHeaders }: IncomingMessage): (readonly [string, string])[] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""] as const] : [],
  );
}

/** The answer in place of an upgrade; the deadline of the handshake limits a body that does not end. */
async function refusalOf(response: IncomingMessage): Promise<RawResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > streamLimits.refusal)
        throw new ReplyProblem("tooLarge", `the refusal is larger than ${streamLimits.refusal} bytes`);
      chunks.push(chunk);
    }
    const reply = {
      status: response.statusCode ?? 0,
      headers: pairsOf(response),
      body: Buffer.concat(chunks),
    };
    return { transport: "response", reply: decoded(reply) };
  } catch (error) {
    if (error instanceof ReplyProblem) return { transport: error.outcome, problem: error.message };
    return { transport: "closed", problem: (error as Error).message };
  }
}

function failureOf(error: NodeJS.ErrnoException): RawResult {
  const { code = "", message } = error;
  const outcomes: Readonly<Record<string, TransportOutcome>> = {
    ECONNREFUSED: "refused",
    ENOTFOUND: "refused",
    EAI_AGAIN: "refused",
    ECONNRESET: "closed",
    EPIPE: "reset",
    HPE_HEADER_OVERFLOW: "tooLarge",
  };
  return { transport: outcomes[code] ?? "malformed", problem: message };
}
