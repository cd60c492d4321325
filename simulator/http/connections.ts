/**
 * What the server knows about its open sockets, so that three things can be done right that Node does wrong:
 * - A request that cannot be parsed must not overtake the answer to the one before it on the same socket:
 *   that one was executed, and its answer has to reach the wire first.
 * - After an answer that closes the connection, a pipelined request must not be executed: its answer could
 *   never leave.
 * - At shutdown, sockets without a request in progress close at once, and the others with their last answer.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errorBody, errorHeaders, type Refusal, statusOf } from "./errors.ts";
import type { RequestIds } from "./request-id.ts";

interface Connection {
  /** The answer to the newest request, and to the one before it. Older ones are finished before these are. */
  newest: Answer | null;
  previous: Answer | null;
  /** An answer with `Connection: close` has been decided; nothing that comes after it is looked at. */
  condemned: boolean;
  /** The socket has become a WebSocket. */
  upgraded: boolean;
}

interface Answer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ConnectionsOptions {
  readonly now: () => number;
  readonly requestIds: RequestIds;
}

export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #options: ConnectionsOptions;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Has to be called before any other listener of `request` is added. */
  watch(server: Server): void {
    server.on("connection", (socket) => {
      this.#open.set(socket, { newest: null, previous: null, condemned: false, upgraded: false });
      socket.once("close", () => this.#open.delete(socket));
    });
    const note = (request: IncomingMessage, response: ServerResponse): void => this.#note(request, response);
    server.prependListener("request", note);
    server.prependListener("checkContinue", note);
    server.prependListener("checkExpectation", note);
  }

  /** Returns false when an earlier answer on this socket closes it: the request must then not be touched. */
  mayServe(socket: Socket): boolean {
    return this.#open.get(socket)?.condemned !== true;
  }

  /**
   * The socket becomes a WebSocket: only the stream knows when it is idle. At the very end it is destroyed
   * all the same.
   */
  release(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.upgraded = true;
  }

  condemn(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.condemned = true;
  }

  /** For the `clientError` event: what arrived is not HTTP, is too large, or took too long. */
  refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const refusal = unreadable(error);
    if (refusal === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = this.#open.get(socket);
    this.condemn(socket);
    const pending = connection === undefined ? null : lastComplete(connection);
    const answered = connection?.newest?.request.complete === false && connection.newest.response.headersSent;
    const finish = (): void => (answered ? endSoon(socket) : writeRaw(socket, this.#raw(refusal)));
    if (pending === null || pending.response.writableFinished) finish();
    else pending.response.once("close", finish);
  }

  /** The refusal of a handshake or of a method that Node hands over as a bare socket. */
  refuseSocket(socket: Socket, refusal: Refusal, target = ""): void {
    if (socket.writable) writeRaw(socket, this.#raw({ ...refusal, close: true }, target));
    else socket.destroy();
  }

  /** Closes what is idle, and lets each busy socket close with the last of its answers. */
  drain(): void {
    for (const [socket, { newest, upgraded }] of this.#open) {
      if (upgraded) continue;
      if (newest === null || newest.response.writableFinished) socket.destroySoon();
      else if (newest.response.headersSent) newest.response.once("close", () => socket.destroySoon());
      else newest.response.setHeader("connection", "close");
    }
  }

  destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  get size(): number {
    return this.#open.size;
  }

  #note(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.previous = connection.newest;
    connection.newest = { request, response };
  }

  #raw(refusal: Refusal, target = ""): string {
    const { now, requestIds } = this.#options;
    const requestId = requestIds(undefined);
    const body = errorBody(refusal, { target, requestId, now: now() });
    const headers = { ...errorHeaders(refusal), "x-request-id": requestId, connection: "close" };
    const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const status = statusOf(refusal);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${head}\r\n${body}`;
  }
}

/** The newest answer whose request has arrived whole. Of an incomplete one nobody will ever answer more. */
const lastComplete = ({ newest, previous }: Connection): Answer | null =>
  newest === null || newest.request.complete ? newest : previous;

const LONGEST_FAREWELL_MS = 1000;

function writeRaw(socket: Socket, text: string): void {
  socket.end(text);
  endSoon(socket);
}

/** A peer that never reads must not keep the socket open. */
function endSoon(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), LONGEST_FAREWELL_MS).unref();
}

/** Null where there is nobody left to tell. */
function unreadable(error: NodeJS.ErrnoException): Refusal | null {
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "REQUEST_TIMEOUT", message: "The request did not arrive in time.", close: true };
    case "HPE_HEADER_OVERFLOW":
      return {
        code: "HEADERS_TOO_LARGE",
        message: "The request line and headers are too large.",
        close: true,
      };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return {
        code: "PAYLOAD_TOO_LARGE",
        message: "The chunk extensions of the body are too large.",
        close: true,
      };
    case "HPE_INVALID_VERSION":
      return { code: "HTTP_VERSION_NOT_SUPPORTED", message: "Only HTTP/1.1 is spoken here.", close: true };
    default:
      return {
        code: "MALFORMED_REQUEST",
        message: "This is not a request that HTTP/1.1 allows.",
        close: true,
      };
  }
}
