/** The way of one node to PostgreSQL, which can be cut, fall silent, heal, and lead to another server. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * `cut`: connections end, and new ones are refused. `silent`: connections stay, and no byte passes. `deaf`: what the node says
 * arrives, and no answer comes back.
 */
export type CutKind = "cut" | "silent" | "deaf";
export const cutKinds: readonly CutKind[] = ["cut", "silent", "deaf"];

interface Pair {
  readonly node: Socket;
  readonly store: Socket;
}

export class StoreProxy {
  /** Of the server behind it. */
  target: number;
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  #kind: CutKind | undefined;

  constructor(target: number) {
    this.target = target;
    this.#listener = createServer((node) => this.#join(node));
  }

  /** The URL of a store behind a new proxy. */
  static async before(url: string): Promise<{ readonly proxy: StoreProxy; readonly url: string }> {
    const through = new URL(url);
    const proxy = new StoreProxy(Number(through.port));
    proxy.#listener.listen(0, "127.0.0.1");
    await once(proxy.#listener, "listening");
    // as: a server that listens on TCP has such an address.
    through.port = String((proxy.#listener.address() as AddressInfo).port);
    return { proxy, url: through.href };
  }

  /** Until `heal`. */
  fail(kind: CutKind): void {
    this.#kind = kind;
    for (const pair of this.#pairs) this.#direct(pair);
  }

  heal(): void {
    this.#kind = undefined;
    for (const pair of this.#pairs) this.#direct(pair);
  }

  close(): void {
    this.#listener.close();
    this.fail("cut");
  }

  #join(node: Socket): void {
    const store = connect({ host: "127.0.0.1", port: this.target });
    const pair = { node, store };
    this.#pairs.add(pair);
    for (const [from, to] of [
      [node, store],
      [store, node],
    ] as const) {
      from.on("error", () => from.destroy());
      from.once("close", () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
      from.on("data", (bytes) => void to.write(bytes));
    }
    this.#direct(pair);
  }

  /** What was held back goes on its way when it heals, as TCP does it. */
  #direct({ node, store }: Pair): void {
    if (this.#kind === "cut") {
      node.destroy();
      store.destroy();
      return;
    }
    if (this.#kind === "silent") node.pause();
    else node.resume();
    if (this.#kind === undefined) store.resume();
    else store.pause();
  }
}
