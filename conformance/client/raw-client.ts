import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Reply, SentRequest, TransportOutcome } from "../model/exchange.ts";
import { type Connector, openSocket } from "./connect.ts";
import { parseResponse, ReplyProblem } from "./http-response.ts";

export interface RawAddress {
  readonly url: URL;
  readonly connect: Connector;
}

export interface RawResult {
  readonly transport: TransportOutcome;
  readonly reply?: Reply;
  readonly problem?: string;
  readonly uncertain?: true;
}

export interface RawOptions {
  readonly deadlineMs: number;
  readonly chunks?: readonly { readonly bytes: number; readonly pauseMs: number }[];
  readonly halfClose?: boolean;
  /** Closes the connection without waiting for the answer: after the whole request, or before its last byte. */
  readonly abandon?: Abandon;
}

export const abandonments = ["sent", "unsent"] as const;
export type Abandon = (typeof abandonments)[number];

const abandoned: RawResult = { transport: "closed", problem: "the kit hung up before the answer" };

/** Sends exactly these bytes over TCP, for requests that an HTTP client refuses to send. */
export async function sendRaw(address: RawAddress, bytes: Buffer, options: RawOptions): Promise<RawResult> {
  const connection = new RawConnection(address, options.deadlineMs);
  try {
    await connection.opened;
    let at = 0;
    for (const chunk of options.chunks ?? []) {
      await connection.write(bytes.subarray(at, at + chunk.bytes));
      at += chunk.bytes;
      await wait(chunk.pauseMs);
    }
    if (options.abandon !== undefined) {
      await connection.hangUp(bytes.subarray(at, options.abandon === "sent" ? undefined : -1));
      return abandoned;
    }
    await connection.write(bytes.subarray(at));
    if (options.halfClose === true) connection.halfClose();
    return await connection.result;
  } catch (error) {
    return failed(error);
  } finally {
    connection.close();
  }
}

/**
 * Sends all requests at the same time: every socket gets all bytes except the last. Then all last bytes are sent in one
 * turn of the event loop. Results are in the order of the requests.
 */
export async function sendTogether(
  address: RawAddress,
  requests: readonly Buffer[],
  deadlineMs: number,
  leaving: ReadonlySet<number> = new Set(),
): Promise<RawResult[]> {
  const connections = requests.map(() => new RawConnection(address, deadlineMs));
  try {
    const ready = await Promise.allSettled(
      connections.map(async (connection, index) => {
        await connection.opened;
        await connection.write((requests[index] ?? Buffer.alloc(0)).subarray(0, -1));
      }),
    );
    const departures: Promise<void>[] = [];
    for (const [index, connection] of connections.entries()) {
      if (ready[index]?.status !== "fulfilled") continue;
      const last = (requests[index] ?? Buffer.alloc(0)).subarray(-1);
      if (leaving.has(index)) departures.push(connection.hangUp(last));
      else connection.writeNow(last);
    }
    await Promise.all(departures);
    return await Promise.all(
      connections.map((connection, index) =>
        leaving.has(index) ? Promise.resolve(abandoned) : connection.result.catch(failed),
      ),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The bytes of a prepared request as HTTP/1.1, for a connection of its own. */
export function requestBytes(request: SentRequest, host: string): Buffer {
  const lines = [`${request.method} ${request.path} HTTP/1.1`];
  if (!request.headers.some(([name]) => name.toLowerCase() === "host")) lines.push(`Host: ${host}`);
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`);
  if (request.body.length > 0 || request.method === "POST")
    lines.push(`Content-Length: ${request.body.length}`);
  lines.push("Connection: close", "", "");
  return Buffer.concat([Buffer.from(lines.join("\r\n"), "latin1"), request.body]);
}

function failed(error: unknown): RawResult {
  if (error instanceof RawFailure) return { transport: error.outcome, problem: error.message };
  if (error instanceof ReplyProblem) return { transport: error.outcome, problem: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  const outcome =
    code === "ECONNREFUSED" ? "refused" : code === "ECONNRESET" || code === "EPIPE" ? "reset" : "closed";
  return { transport: outcome, problem: message };
}

class RawFailure extends Error {
  readonly outcome: TransportOutcome;
  constructor(outcome: TransportOutcome, message: string) {
    super(message);
    this.outcome = outcome;
  }
}

class RawConnection {
  #socket: Socket | undefined;
  #isClosed = false;
  readonly opened: Promise<void>;
  readonly result: Promise<RawResult>;

  constructor({ url, connect }: RawAddress, deadlineMs: number) {
    const opening = openSocket(url, connect);
    this.opened = opening.then((socket) => {
      this.#socket = socket;
      if (this.#isClosed) socket.destroy();
    });
    this.result = new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new RawFailure("timeout", `no complete response within ${deadlineMs} ms`)),
        deadlineMs,
      );
      opening
        .then(read)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject);
    });
    // Both promises may be rejected before any code awaits them.
    this.opened.catch(() => undefined);
    this.result.catch(() => undefined);
  }

  async write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#wire.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  writeNow(bytes: Buffer): void {
    this.#wire.write(bytes, () => undefined);
  }

  /** Sends the bytes and closes the connection without reading the answer. */
  hangUp(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wire.once("error", reject);
      this.#wire.end(bytes, () => {
        this.close();
        resolve();
      });
    });
  }

  halfClose(): void {
    this.#wire.end();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
  }

  get #wire(): Socket {
    if (this.#socket === undefined) throw new RawFailure("closed", "the connection is not open");
    return this.#socket;
  }
}

/** The answer that comes on this socket. */
function read(socket: Socket): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    // Parts of an answer are appended to one buffer: joining all parts again for each new one would take many times
    // the memory.
    let [bytes, size] = [Buffer.alloc(16 * 1024), 0];
    const settle = (ended: boolean): void => {
      try {
        const reply = parseResponse(bytes.subarray(0, size), ended);
        if (reply !== undefined) resolve({ transport: "response", reply });
        else if (ended)
          reject(new RawFailure("closed", "the connection was closed before a complete response"));
      } catch (error) {
        reject(error as Error);
      }
    };
    socket.on("data", (chunk: Buffer) => {
      if (size + chunk.length > bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, size)], 2 * (size + chunk.length));
      size += chunk.copy(bytes, size);
      settle(false);
    });
    socket.on("end", () => settle(true));
    socket.on("error", reject);
    socket.on("close", () => settle(true));
  });
}
