import { request as httpRequest, type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Connector, openSocket } from "../client/connect.ts";
import { goneOf, pairs, passBody, passedBack, refuse } from "./forwarding.ts";
import { FrameReader } from "./frame-reader.ts";
import type { OpenExchange, Recorder } from "./recorder.ts";

export interface StreamRelay {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly base: URL;
  readonly connect: Connector;
  readonly recorder: Recorder;
  readonly unreadMs: number;
  /** Functions that end the open streams. */
  readonly streams: Set<() => void>;
}

/**
 * Passes a WebSocket on as bytes, both ways, and reads its messages beside. Only the head of the handshake is written
 * anew, with the Host of the target and without the offer of compression, which would hide the messages. Nothing that
 * the client sends behind its handshake is passed on before the gateway has accepted it: it would be a request that
 * nobody sees.
 */
export function relayStream(relay: StreamRelay): void {
  const { request, socket, base, connect, recorder, streams } = relay;
  const { method = "GET", url: target = "/", rawHeaders } = request;
  const exchange = recorder.begin({ method, target, headers: pairs(rawHeaders) });
  const end = (problem: string): void => {
    exchange.end({ problem });
    streams.delete(stop);
    socket.destroy();
  };
  const stop = (): void => end("the recorder was stopped");
  streams.add(stop);
  socket.on("close", () => end("the client left before the answer"));
  openSocket(base, connect)
    .then((upstream) => {
      socket.on("close", () => upstream.destroy());
      return ask(relay, upstream);
    })
    .then((answer) => passOn(relay, exchange, answer))
    .catch((error: Error) => {
      exchange.end({ problem: `no answer: ${error.message}` });
      refuse(responseOn(request, socket), 502, `gatewright record: ${error.message}`);
    });
}

interface Answered {
  readonly head: IncomingMessage;
  /** What follows a handshake that was accepted. */
  readonly stream?: Duplex;
}

function ask({ request, base }: StreamRelay, upstream: Socket): Promise<Answered> {
  const { method = "GET", url: target = "/", rawHeaders } = request;
  const headers = pairs(rawHeaders)
    .filter(([name]) => name.toLowerCase() !== "sec-websocket-extensions")
    .flatMap(([name, value]) => [name, name.toLowerCase() === "host" ? base.host : value]);
  return new Promise((resolve, reject) => {
    httpRequest({ method, path: target, headers, createConnection: () => upstream })
      .on("upgrade", (head, stream, first) => {
        stream.unshift(first);
        resolve({ head, stream });
      })
      .on("response", (head) => resolve({ head }))
      .on("error", reject)
      .end();
  });
}

function passOn(
  relay: StreamRelay,
  exchange: OpenExchange,
  { head, stream }: Answered,
): Promise<void> | void {
  if (stream === undefined) return passRefusal(relay, exchange, head);
  const { statusMessage = "", rawHeaders } = head;
  exchange.end({ answer: { status: 101, headers: pairs(rawHeaders) } });
  const lines = pairs(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  relay.socket.write(`HTTP/1.1 101 ${statusMessage}\r\n${lines.join("")}\r\n`);
  relay.socket.unshift(relay.head);
  const sides = [relay.socket, stream] as const;
  for (const [from, side] of [
    ["client", relay.socket],
    ["gateway", stream],
  ] as const) {
    const reader = new FrameReader();
    side
      .on("data", (bytes: Buffer) => {
        for (const frame of reader.read(bytes)) exchange.frame(from, frame);
      })
      .on("error", () => side.destroy())
      .on("close", () => sides.map((each) => each.destroy()));
  }
  relay.socket.pipe(stream).pipe(relay.socket);
}

/** An answer of HTTP on a socket that Node has handed over. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // as: the server listens on TCP.
  response.assignSocket(socket as Socket);
  return response.once("finish", () => socket.end());
}

async function passRefusal(
  { request, socket, unreadMs }: StreamRelay,
  exchange: OpenExchange,
  answer: IncomingMessage,
): Promise<void> {
  const { statusCode: status = 502, rawHeaders } = answer;
  const response = responseOn(request, socket).writeHead(status, passedBack(rawHeaders));
  const body = answer as AsyncIterable<Buffer>;
  const problem = await passBody(body, response, goneOf(response), unreadMs, exchange.answer.look).then(
    () => ({}),
    () => ({ problem: "the connection ended within the answer" }),
  );
  exchange.end({ answer: { status, headers: pairs(rawHeaders) }, ...problem });
}
