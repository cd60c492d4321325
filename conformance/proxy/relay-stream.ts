import type { IncomingMessage } from "node:http";
import { connect as connectPlain, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { pairs } from "./forwarding.ts";
import { FrameReader } from "./frame-reader.ts";
import type { OpenExchange, Recorder, SeenAnswer } from "./recorder.ts";

export interface StreamRelay {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly base: URL;
  readonly lookup: LookupFunction;
  readonly recorder: Recorder;
  /** Functions that end the open streams. */
  readonly streams: Set<() => void>;
}

/**
 * Passes a WebSocket on as bytes, both ways, and reads its messages beside. Only the head of the handshake is written
 * anew, with the Host of the target and without the offer of compression, which would hide the messages.
 */
export function relayStream({ request, socket, head, base, lookup, recorder, streams }: StreamRelay): void {
  const { method = "GET", url: target = "/", rawHeaders } = request;
  const exchange = recorder.begin({ method, target, headers: pairs(rawHeaders) });
  const port = Number(base.port) || (base.protocol === "https:" ? 443 : 80);
  const host = base.hostname.replace(/^\[|\]$/g, "");
  const upstream =
    base.protocol === "https:"
      ? connectTls({ host, port, lookup, servername: host })
      : connectPlain({ host, port, lookup });
  const fromGateway = new GatewaySide(exchange);
  const fromClient = new FrameReader();
  const clientSent = (bytes: Buffer): void => {
    for (const frame of fromClient.read(bytes)) exchange.frame("client", frame);
  };
  const end = (problem: string): void => {
    exchange.end({ answer: fromGateway.answer, problem });
    streams.delete(stop);
    socket.destroy();
    upstream.destroy();
  };
  const stop = (): void => end("the recorder was stopped");
  streams.add(stop);
  upstream.write(headOf(request, base.host));
  upstream.write(head);
  clientSent(head);
  socket.on("data", clientSent);
  upstream.on("data", (bytes: Buffer) => fromGateway.read(bytes));
  socket.pipe(upstream);
  upstream.pipe(socket);
  for (const side of [socket, upstream])
    side
      .on("error", (error: Error) => end(error.message))
      .on("close", () => end("the connection was closed"));
}

function headOf({ method, url, rawHeaders }: IncomingMessage, host: string): string {
  const headers = pairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== "sec-websocket-extensions")
    .map(([name, value]) => `${name}: ${name.toLowerCase() === "host" ? host : value}`);
  return `${[`${method ?? "GET"} ${url ?? "/"} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n`;
}

const longestHead = 65_536;

/** The bytes of the gateway: the head of its answer, and then messages, or the body of a refusal. */
class GatewaySide {
  readonly #exchange: OpenExchange;
  readonly #frames = new FrameReader();
  #head = Buffer.alloc(0);
  answer: SeenAnswer | undefined;

  constructor(exchange: OpenExchange) {
    this.#exchange = exchange;
  }

  read(bytes: Buffer): void {
    if (this.answer !== undefined) return this.#readOn(bytes);
    if (this.#head.length > longestHead) return;
    this.#head = Buffer.concat([this.#head, bytes]);
    const end = this.#head.indexOf("\r\n\r\n");
    if (end === -1) return;
    const [first = "", ...lines] = this.#head.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    this.answer = { status, headers };
    // The line of a stream stands before those of its messages.
    if (status === 101) this.#exchange.end({ answer: this.answer });
    this.#readOn(this.#head.subarray(end + 4));
  }

  #readOn(bytes: Buffer): void {
    if (this.answer?.status !== 101) return this.#exchange.answer.look(bytes);
    for (const frame of this.#frames.read(bytes)) this.#exchange.frame("gateway", frame);
  }
}
