/** A client of the stream for tests: it signs its handshake, keeps every message, and waits for what a test expects. */
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Client, JsonObject, Options } from "./client.ts";
import { asObject } from "./client.ts";

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** The answer to a handshake that was refused. */
export interface RefusedHandshake {
  readonly status: number;
  readonly body: JsonObject;
}

const timeoutMs = 60_000;

export class StreamClient {
  readonly messages: JsonObject[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<Closed>;
  /** Set: hears every message, and none is kept but the answers to pings. */
  onMessage: ((message: JsonObject) => void) | null = null;
  #waiting: (() => void)[] = [];
  #read = 0;
  #pings = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => {
        resolve({ code, reason: reason.toString() });
        this.#notify();
      });
    });
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      // as: text messages arrive as one buffer.
      const message = asObject(JSON.parse((data as Buffer).toString()));
      this.onMessage?.(message);
      if (this.onMessage === null || message["type"] === "pong") this.messages.push(message);
      this.#notify();
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  subscribe(channel: string, more: JsonObject = {}): void {
    this.send({ type: "subscribe", channel, ...more });
  }

  /** The next message that was not looked at yet and that is meant; those before it are passed over. */
  async next(isMeant: (message: JsonObject) => boolean = () => true): Promise<JsonObject> {
    for (;;) {
      while (this.#read < this.messages.length) {
        const message = this.messages[this.#read++];
        if (message !== undefined && isMeant(message)) return message;
      }
      await this.#change();
    }
  }

  nextOf(type: string, channel?: string): Promise<JsonObject> {
    return this.next(
      (message) => message["type"] === type && (channel === undefined || message["channel"] === channel),
    );
  }

  /** Everything that the venue had to say until it answered this ping. */
  async caughtUp(): Promise<readonly JsonObject[]> {
    const requestId = `caught-up-${this.#pings++}`;
    this.send({ type: "ping", requestId });
    for (;;) {
      const at = this.messages.findIndex((message) => message["requestId"] === requestId);
      if (at >= 0) return this.messages.slice(0, at);
      await this.#change();
    }
  }

  /** The socket under the WebSocket, for tests that stop reading or write what no library would. */
  get raw(): Socket {
    // as: ws keeps it here and does not publish it.
    return (this.socket as unknown as { readonly _socket: Socket })._socket;
  }

  async close(): Promise<Closed> {
    this.socket.close();
    return this.closed;
  }

  async #change(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) {
      const { code, reason } = await this.closed;
      throw new Error(`closed with ${code} ${reason} after ${JSON.stringify(this.messages.slice(-3))}`);
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing came after ${JSON.stringify(this.messages.slice(-3))}`)),
        timeoutMs,
      );
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #notify(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

function dial(client: Client, options: Options): WebSocket {
  const { target, headers } = client.prepare("GET", "/ws", options);
  const url = `${new URL(client.baseUrl).origin.replace("http", "ws")}${target}`;
  return new WebSocket(url, { headers, perMessageDeflate: false });
}

/** Rejects when the handshake is refused. */
export function connectStream(client: Client, options: Options = {}): Promise<StreamClient> {
  const socket = dial(client, options);
  const stream = new StreamClient(socket);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(stream));
    socket.once("error", reject);
  });
}

/** Rejects when the handshake is accepted. */
export function refusedStream(client: Client, options: Options = {}): Promise<RefusedHandshake> {
  const socket = dial(client, options);
  return new Promise((resolve, reject) => {
    socket.on("error", () => undefined);
    socket.once("open", () => {
      socket.terminate();
      reject(new Error("the handshake was accepted"));
    });
    socket.once("unexpected-response", (_request, response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const body = asObject(JSON.parse(Buffer.concat(chunks).toString()));
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
  });
}
