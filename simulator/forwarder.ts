/**
 * The port of a node that waits for its world. Each connection goes on, byte for byte, to the node that has the world: that
 * one verifies signatures and tokens, and nothing is read here.
 *
 * **Bounds.** At most `mostConnections`; one that cannot be passed on is answered 503 and closed.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { pipeline } from "node:stream";
import { rawAnswer } from "./http/errors.ts";
import { createRequestIds } from "./http/request-id.ts";

const mostConnections = 1000;
/** How long the other node may take to answer the telephone, and a client that cannot be passed on to say something. */
const mostWaitMs = 5000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export class Forwarder {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #own: Address;
  #target: Address | null = null;

  constructor(server: Server, own: Address) {
    this.#server = server;
    this.#own = own;
    server.on("connection", (client) => this.#take(client));
  }

  static async listen({ host, port }: Address): Promise<Forwarder> {
    const server = createServer({ allowHalfOpen: true });
    server.maxConnections = mostConnections;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen({ host, port }, resolve);
    });
    const bound = server.address();
    return new Forwarder(server, {
      host,
      port: typeof bound === "object" && bound !== null ? bound.port : port,
    });
  }

  get port(): number {
    return this.#own.port;
  }

  /** `host:port` of the node that has the world; null while that is not known. */
  aim(address: string | null): void {
    const target = address === null ? null : read(address);
    // The node that had this address before has left it in the store: to call it would be to call oneself, for ever.
    this.#target = target === null || this.#isOwn(target) ? null : target;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #isOwn({ host, port }: Address): boolean {
    if (port !== this.#own.port) return false;
    const mine = Object.values(networkInterfaces()).flatMap((found = []) =>
      found.map(({ address }) => address),
    );
    return ["localhost", this.#own.host, ...mine].includes(host);
  }

  #take(client: Socket): void {
    this.#open.add(client);
    client.once("close", () => this.#open.delete(client));
    client.on("error", () => client.destroy());
    if (this.#target === null) return refuse(client);
    const owner = connect(this.#target);
    const late = setTimeout(() => owner.destroy(new Error("no answer")), mostWaitMs);
    owner.once("error", () => refuse(client));
    owner.once("close", () => clearTimeout(late));
    owner.once("connect", () => {
      clearTimeout(late);
      owner.removeAllListeners("error");
      pipeline(client, owner, () => {});
      pipeline(owner, client, () => {});
    });
  }
}

/** IPv6 stands in brackets. */
function read(address: string): Address {
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 80) };
}

const requestIds = createRequestIds("waiting");

function refuse(client: Socket): void {
  if (client.destroyed) return;
  const message =
    "The node that serves this world has gone, and this one takes it over. Nothing was done: send it again.";
  client.setTimeout(mostWaitMs, () => client.destroy());
  client.once("data", () => {
    const context = { target: "", requestId: requestIds(undefined), now: Date.now() };
    client.end(rawAnswer({ code: "NOT_READY", message, close: true }, context).text);
  });
}
