/** Nodes that share a PostgreSQL, each a process of its own, behind a balancer that gives each connection to the next one. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { pipeline } from "node:stream";
import { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { type Ready, type ServedVenue, startVenue } from "../crash/served-venue.ts";

export class Cluster {
  readonly postgres: PostgresServer;
  readonly #flags: readonly string[];
  /** By their names, in the order of their starts. */
  readonly nodes = new Map<string, ServedVenue>();
  #balancer: Server | undefined;
  #turn = 0;

  constructor(postgres: PostgresServer, flags: readonly string[]) {
    this.postgres = postgres;
    this.#flags = ["--control-token", randomBytes(24).toString("hex"), ...flags];
  }

  /** `flags` of each node, besides those of the store. */
  static async start(names: readonly string[], flags: readonly string[] = []): Promise<Cluster> {
    const cluster = new Cluster(await PostgresServer.start(), flags);
    for (const name of names) await cluster.add(name);
    return cluster;
  }

  /** `more` flags, of this node alone. */
  async add(name: string, more: readonly string[] = []): Promise<ServedVenue> {
    const store = ["--store", this.postgres.url, "--node", name];
    const node = await startVenue({ flags: [...store, ...this.#flags, ...more] });
    this.nodes.set(name, node);
    return node;
  }

  /** SIGKILL, and another process of that name. */
  async replace(name: string): Promise<void> {
    const killed = this.nodes.get(name);
    this.nodes.delete(name);
    await killed?.kill();
    await this.add(name);
  }

  /** The ready line of a node, with the addresses of the balancer. */
  async balanced(): Promise<Ready> {
    this.#balancer ??= createServer((client) => {
      const all = [...this.nodes.values()];
      const { hostname, port } = new URL(all[(this.#turn += 1) % all.length]?.ready.baseUrl ?? "");
      const node = connect({ host: hostname, port: Number(port) });
      pipeline(client, node, () => client.destroy());
      pipeline(node, client, () => client.destroy());
    });
    const balancer = this.#balancer;
    if (!balancer.listening)
      await new Promise<void>((resolve) => void balancer.listen(0, "127.0.0.1", resolve));
    // as: a server that listens on TCP has such an address.
    const { port } = balancer.address() as AddressInfo;
    const [first] = this.nodes.values();
    const text = JSON.stringify(first?.ready).replace(/127\.0\.0\.1:\d+/g, `127.0.0.1:${port}`);
    return JSON.parse(text) as Ready;
  }

  async close(): Promise<void> {
    this.#balancer?.close();
    for (const node of this.nodes.values()) await node.kill();
    await this.postgres.remove();
  }
}

/** Resident memory in bytes, and the CPU time so far in milliseconds. */
export function usageOf({ ready: { pid } }: ServedVenue): { readonly bytes: number; readonly cpuMs: number } {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { bytes: pages * 4096, cpuMs: ticks * 10 };
}
