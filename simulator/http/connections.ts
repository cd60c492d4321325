/**
 * Tracks the open sockets of the server, to correct six things that Node does wrong:
 * - A request that cannot be parsed, and one that ends HTTP on its socket (CONNECT, Upgrade), must not overtake the
 *   answers to those before it: these were executed, and their answers have to reach the wire first.
 * - After an answer that closes the connection, a pipelined request must not be executed: its answer could
 *   never leave.
 * - Node reads a whole pipeline before the first answer is written. Only a few requests of a connection are served at
 *   a time; the others wait for their turn.
 * - A client that does not read its answer must not keep its socket.
 * - Sockets on which nothing is said must not take the places of clients.
 * - At shutdown, sockets without a request in progress close at once, and the others with their last answer.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Refusal, rawAnswer } from "./errors.ts";
import type { RequestIds } from "./request-id.ts";
import { takePath } from "./standard-requests.ts";
import { unreadable } from "./unreadable.ts";

interface Connection {
  /** Answers that have not left, the oldest first. The newest stays until the next request comes. */
  readonly answers: Answer[];
  /** The newest requests, while more answers are outstanding than may be. */
  readonly held: (() => void)[];
  /** An answer with `Connection: close` has been decided; nothing that comes after it is looked at. */
  closing: boolean;
  /** Bytes that are not a request have arrived. Requests before them are served, later ones are not. */
  unreadable: boolean;
  /** The socket has become a WebSocket. */
  upgraded: boolean;
  /** A signature has verified on it. */
  proven: boolean;
  /** Requests so far. */
  requests: number;
  /** The last request that it may have. */
  last: IncomingMessage | undefined;
  /** Unsent bytes of the socket at the last look, and the time since which they have not changed. */
  unsent: string;
  unsentSince: number;
}

interface Answer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface ConnectionsOptions {
  readonly most: number;
  /** How many requests a connection may have. */
  readonly mostRequests: number;
  readonly now: () => number;
  readonly requestIds: RequestIds;
  /** How many requests of one connection are served at a time. */
  readonly mostOutstanding: number;
  /** A socket is closed when its client has taken nothing of an answer for this long. */
  readonly answerTimeoutMs: number;
  readonly checkIntervalMs: number;
  /** Hears of a mistake of ours that closed a socket. */
  readonly failed: (error: unknown) => void;
  readonly refusedOnSocket: (refusal: RawRefusal) => void;
}

/** A refusal that is written to the socket itself: of bytes that are not HTTP, and of handshakes. */
export interface RawRefusal {
  readonly socket: Socket;
  /** Undefined when none could be read. */
  readonly request: IncomingMessage | undefined;
  readonly id: string;
  readonly target: string;
  readonly refusal: Refusal;
  readonly body: string;
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
      const known = this.#open.get(socket);
      this.#open.set(socket, {
        answers: [],
        held: [],
        closing: false,
        unreadable: false,
        upgraded: false,
        proven: known?.proven ?? false,
        requests: known?.requests ?? 0,
        last: undefined,
        unsent: nothing,
        unsentSince: 0,
      });
      if (known !== undefined) return;
      socket.once("close", () => this.#open.delete(socket));
      if (this.#open.size > this.#options.most) this.#makeRoomFor(socket);
    });
    const note = (request: IncomingMessage, response: ServerResponse): void => this.#note(request, response);
    server.prependListener("request", note);
    server.prependListener("checkContinue", note);
    server.prependListener("checkExpectation", note);
    const check = setInterval(() => this.#closeWhatIsNotRead(), this.#options.checkIntervalMs).unref();
    server.once("close", () => clearInterval(check));
  }

  /**
   * Runs `serve` now, or when fewer answers are outstanding on the connection. Never, once an earlier answer closes
   * it: the request must then not be touched.
   */
  admit(request: IncomingMessage, serve: () => void): void {
    const connection = this.#open.get(request.socket);
    // A request that Fastify injects has no connection.
    if (connection === undefined) return serve();
    if (connection.closing || connection.unreadable) return;
    if (connection.last !== undefined && connection.last !== request) return;
    const { answers, held } = connection;
    if (held.length === 0 && answers.length <= this.#options.mostOutstanding) return serve();
    held.push(serve);
    if (held.length === 1) this.#waitForRoom(connection);
  }

  /**
   * For a request that ends HTTP on its socket. `take` runs once every answer before it has left, and not at all when
   * one of them closed the connection.
   */
  afterAnswers(socket: Socket, take: () => void): void {
    const connection = this.#open.get(socket);
    const last = connection?.answers.at(-1)?.response;
    const proceed = (): void => {
      if (connection?.closing === true || !socket.writable) return socket.destroySoon();
      try {
        take();
      } catch (error) {
        this.#options.failed(error);
        socket.destroy();
      }
    };
    // Finished is not enough: until it is closed, Node still sets the time-out of an idle connection.
    if (last === undefined || last.closed) proceed();
    else last.once("close", proceed);
  }

  /**
   * The socket becomes a WebSocket: only the stream knows when it is idle. At the very end it is destroyed
   * all the same.
   */
  release(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.upgraded = true;
  }

  /** Its place is not given to a newcomer while there are strangers. */
  prove(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.proven = true;
  }

  closeAfterReply(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.closing = true;
  }

  /** For the `clientError` event: the request is not HTTP, is too large, or took too long. */
  refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const refusal = unreadable(error);
    if (refusal === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = this.#open.get(socket);
    if (connection === undefined || connection.unreadable) return;
    connection.unreadable = true;
    const newest = connection.answers.at(-1);
    const pending = lastComplete(connection);
    const answered = newest?.request.complete === false && newest.response.headersSent;
    const finish = (): void => (answered ? endSoon(socket) : writeRaw(socket, this.#raw(socket, refusal)));
    if (pending === undefined || pending.response.writableFinished) finish();
    else pending.response.once("close", finish);
  }

  /** The id of the exchange, for a request that Fastify does not see. */
  idOf(request: IncomingMessage): string {
    return this.#options.requestIds(request.headers["x-request-id"]);
  }

  /** The refusal of a handshake or of a method that Node hands over as a bare socket. */
  refuseSocket(request: IncomingMessage, refusal: Refusal): void {
    const { socket } = request;
    if (socket.writable) writeRaw(socket, this.#raw(socket, { ...refusal, close: true }, request));
    else socket.destroy();
  }

  /** Closes what is idle, and lets each busy socket close with the last of its answers. */
  drain(): void {
    for (const [socket, { answers, upgraded }] of this.#open) {
      if (upgraded) continue;
      const newest = answers.at(-1);
      if (newest === undefined || newest.response.writableFinished) socket.destroySoon();
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
    takePath(request);
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    dropClosed(connection);
    connection.answers.push({ request, response });
    connection.requests += 1;
    if (connection.requests < this.#options.mostRequests) return;
    connection.last ??= request;
    // Left to itself, Node says so too, but goes on to answer what is already there: 503, without a body.
    response.setHeader("connection", "close");
  }

  /** Ends the oldest connection that waits for nothing: of a stranger, or else of a client; or else the new one. */
  #makeRoomFor(newcomer: Socket): void {
    let client: Socket | undefined;
    for (const [socket, connection] of this.#open) {
      const newest = connection.answers.at(-1)?.response;
      if (socket === newcomer || connection.upgraded || newest?.closed === false) continue;
      if (!connection.proven) return this.#end(socket);
      client ??= socket;
    }
    this.#end(client ?? newcomer);
  }

  #end(socket: Socket): void {
    this.#open.delete(socket);
    socket.destroy();
  }

  /** Answers leave in the order of their requests, so the oldest is the next to make room. */
  #waitForRoom(connection: Connection): void {
    connection.answers[0]?.response.once("close", () => {
      dropClosed(connection);
      while (
        connection.held.length > 0 &&
        connection.answers.length - connection.held.length < this.#options.mostOutstanding
      ) {
        const serve = connection.held.shift();
        if (!connection.closing) serve?.();
      }
      if (connection.held.length > 0) this.#waitForRoom(connection);
    });
  }

  #closeWhatIsNotRead(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#open) {
      if (connection.upgraded) continue;
      const unsent = unsentOf(socket);
      if (unsent === nothing || unsent !== connection.unsent) {
        connection.unsent = unsent;
        connection.unsentSince = now;
      } else if (now - connection.unsentSince >= this.#options.answerTimeoutMs) socket.destroy();
    }
  }

  #raw(socket: Socket, refusal: Refusal, request?: IncomingMessage): string {
    const { now, requestIds, refusedOnSocket } = this.#options;
    const target = request?.url ?? "";
    const requestId = requestIds(request?.headers["x-request-id"]);
    const { body, text } = rawAnswer(refusal, { target, requestId, now: now() });
    refusedOnSocket({ socket, request, id: requestId, target, refusal, body });
    return text;
  }
}

/** The newest answer whose request has arrived whole. An incomplete request gets no further answer. */
const lastComplete = ({ answers }: Connection): Answer | undefined =>
  answers.at(-1)?.request.complete === false ? answers.at(-2) : answers.at(-1);

function dropClosed({ answers }: Connection): void {
  while (answers[0]?.response.closed === true) answers.shift();
}

const nothing = "0 0";

/** Bytes that wait in the socket and, of these, bytes that the system has not taken: a long answer is one write. */
function unsentOf(socket: Socket): string {
  // as: Node does not publish the queue of a handle, and uses it itself to tell a slow reader from one that stopped.
  const { _handle } = socket as unknown as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.writableLength} ${_handle?.writeQueueSize ?? 0}`;
}

const closeTimeoutMs = 1000;

function writeRaw(socket: Socket, text: string): void {
  socket.end(text);
  endSoon(socket);
}

/** A peer that never reads must not keep the socket open. */
function endSoon(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), closeTimeoutMs).unref();
}
