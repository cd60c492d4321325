import { Client } from "undici";

/** Well below the idle timeout of servers; the timers of undici do not run while this process is busy. */
const longestRestMs = 2_000;

/**
 * The connections to one target, each for one request at a time. The traffic rules limit how many are needed at once.
 *
 * A connection that was idle for too long is closed: the target may close it at any time, and a busy process notices that
 * too late. The next request would be lost, and the target blamed for it.
 */
export class Connections {
  readonly #open: () => Client;
  /** In the order of their last use. */
  readonly #idle: { readonly client: Client; readonly usedAt: number }[] = [];
  readonly #busy = new Set<Client>();

  constructor(origin: string, options: Client.Options) {
    this.#open = () => new Client(origin, options);
  }

  /** `send` has the connection until its promise settles. One that is `fresh` is not used again. */
  async use<Answer>(send: (client: Client) => Promise<Answer>, fresh: boolean): Promise<Answer> {
    const client = fresh ? this.#open() : this.#rested();
    this.#busy.add(client);
    try {
      return await send(client);
    } finally {
      this.#busy.delete(client);
      if (fresh || client.destroyed) void client.destroy();
      else this.#idle.push({ client, usedAt: performance.now() });
    }
  }

  async destroy(): Promise<void> {
    const all = [...this.#busy, ...this.#idle.splice(0).map(({ client }) => client)];
    await Promise.all(all.map((client) => client.destroy()));
  }

  #rested(): Client {
    const since = performance.now() - longestRestMs;
    const stale = this.#idle.filter(({ usedAt }) => usedAt < since);
    for (const { client } of stale) void client.destroy();
    this.#idle.splice(0, stale.length);
    return this.#idle.pop()?.client ?? this.#open();
  }
}
