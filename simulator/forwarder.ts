/**
 * Passes requests and handshakes on to the node that has their world. That node verifies signatures and tokens: here nothing
 * but the head is read.
 *
 * **Invariants.** A request names the nodes that have passed it on (`forwardedBy`), so that their number can be bounded. A
 * client that is told "nothing was done" was told the truth: no byte of its request had left.
 *
 * **Bounds.** A node that takes no connection within `mostWaitMs` counts as gone. One that has taken a request is waited for
 * as long as it gives signs of life. The listener bounds all else.
 */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "./http/errors.ts";
import type { Listener } from "./http/listener.ts";
import type { Handshake } from "./http/upgrade.ts";

/** The header with the nodes that have passed a request on, separated by commas. */
export const forwardedBy = "x-gatewright-node";

const mostWaitMs = 5000;
/** How often it is asked whether a node that has not answered yet lives. */
const askEveryMs = 1000;

/** Of one connection, and not of the request. `Expect` was answered here. */
const hopByHop = new Set(["connection", "keep-alive", "proxy-connection", "expect"]);

export const ownerGone: Refusal = {
  code: "NOT_READY",
  message:
    "The node that serves this world does not answer, and another one takes it over. Nothing was done: send it again.",
  close: true,
};
const ownerLost: Refusal = {
  code: "OUTCOME_UNKNOWN",
  message:
    "The node that serves this world has gone before it answered. Send the request again with the same client_order_id; the answer shows whether it was executed",
  close: true,
};

export interface Destination {
  readonly host: string;
  readonly port: number;
  /** The nodes that have passed the request on, this one last. */
  readonly through: readonly string[];
  /** Whether the store has signs of life of that node. */
  readonly lives: () => Promise<boolean>;
}

/** `host:port`, with IPv6 in brackets. */
export function destinationOf(address: string): Pick<Destination, "host" | "port"> {
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 80) };
}

export class Forwarder {
  readonly #listener: Listener;
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 64 });

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** False: the node could not be reached, and nothing of the request has been read. `answered` is called before the answer leaves. */
  request(
    request: FastifyRequest,
    reply: FastifyReply,
    to: Destination,
    answered: () => void,
  ): Promise<boolean> {
    const { raw } = request;
    const { method = "", url: path = "" } = raw;
    const headers = headersFor(raw, to);
    const { host, port } = to;
    const upstream = http.request({ host, port, method, path, headers, agent: this.#agent, setHost: false });
    let isReached = false;
    const reached = (): void => {
      isReached = true;
      endWithoutLife(upstream, to);
      raw.pipe(upstream);
    };
    upstream.once("socket", (socket) => {
      if (socket.connecting) whenConnected(socket, reached);
      else reached();
    });
    reply.raw.once("close", () => upstream.destroy());
    return new Promise((resolve) => {
      upstream.once("error", () => {
        if (isReached && reply.raw.headersSent) reply.raw.destroy();
        else if (isReached) this.#listener.refuse(request, reply, ownerLost);
        resolve(isReached);
      });
      upstream.once("response", (answer) => {
        answered();
        reply.hijack();
        reply.raw.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer));
        pipeline(answer, reply.raw, () => {});
        resolve(true);
      });
    });
  }

  /** As `request`, for the handshake of a stream and all that follows it. */
  handshake({ request, socket, head, accept }: Handshake, to: Destination): Promise<boolean> {
    const owner = connect({ host: to.host, port: to.port });
    return new Promise((resolve) => {
      owner.once("error", () => resolve(false));
      whenConnected(owner, () => {
        const lines = [`${request.method} ${request.url} HTTP/1.1`];
        const headers = headersFor(request, to, new Set());
        for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
        accept();
        endWithoutLife(owner, to);
        owner.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
        pipeline(socket, owner, () => {});
        pipeline(owner, socket, () => {});
        resolve(true);
      });
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** A node that was paused, or whose machine is gone, would be waited for without an end. */
function endWithoutLife(waiting: ClientRequest | Socket, { lives }: Destination): void {
  const look = async (): Promise<void> => {
    if (!(await lives())) waiting.destroy(new Error("the node gives no sign of life"));
  };
  const looking = setInterval(() => void look(), askEveryMs).unref();
  waiting.once("close", () => clearInterval(looking));
}

function whenConnected(socket: Socket, then: () => void): void {
  const late = setTimeout(() => socket.destroy(new Error("no answer")), mostWaitMs);
  socket.once("close", () => clearTimeout(late));
  socket.once("connect", () => {
    clearTimeout(late);
    then();
  });
}

const headersFor = (request: IncomingMessage, { through }: Destination, without = hopByHop): string[] => [
  ...endToEnd(request, new Set([...without, forwardedBy])),
  forwardedBy,
  through.join(),
];

/** Names and values by turns, as they came. */
const endToEnd = ({ rawHeaders }: IncomingMessage, without = hopByHop): string[] =>
  rawHeaders.filter((_, at) => !without.has((rawHeaders[at - (at % 2)] ?? "").toLowerCase()));
