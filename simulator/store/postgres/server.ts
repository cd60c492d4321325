/**
 * The PostgreSQL of a deployment, as one node uses it: a few connections for all its worlds, and the sign of life that keeps
 * its leases. The driver is loaded here, and only here.
 *
 * **Invariants.** The node's row says until when nobody may take its worlds; the epoch of a world alone says who may write.
 *
 * **Bounds.** `mostConnections` whatever the number of worlds; a statement is given up after `answerMs`.
 */
import type { ClientBase, Pool } from "pg";
import { failureOf } from "./failure.ts";
import { requireDurability } from "./lease.ts";
import { migrate } from "./migrations.ts";

export interface ServerOptions {
  readonly url: string;
  /** One for each deployment. */
  readonly schema: string;
  /** The name of this node. */
  readonly node: string;
  /** After this time without a sign of life, another node may take the worlds of this one. */
  readonly leaseMs?: number;
  /** A statement that was not answered for so long has an unknown outcome. */
  readonly answerMs?: number;
  /** Take a server that acknowledges before it has flushed. */
  readonly allowAsynchronousCommit?: boolean;
}

export interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number;
  /** What the server warned of: a commit that its standby may not have, for one. */
  readonly warning: string | null;
}

/** A world of this node. */
export interface OwnedRow {
  readonly name: string;
  /** Of its lease. */
  readonly epoch: string;
  /** By a node that gives signs of life. */
  readonly isFollowed: boolean;
}

const isFollowedSql = `EXISTS (SELECT FROM follower JOIN node ON node.name = follower.node
  WHERE follower.world = world.name AND node.until > clock_timestamp())`;

const mostConnections = 8;

export class StoreServer {
  readonly node: string;
  readonly #pool: Pool;
  /** Without a sign of life for so long, another node may take the worlds of this one. */
  readonly leaseMs: number;
  readonly #schema: string;
  /** Where other nodes find this one: `host:port`. */
  #address: string | null = null;

  constructor(pool: Pool, { node, schema, leaseMs = 3000 }: ServerOptions) {
    this.#pool = pool;
    this.#schema = schema;
    this.node = node;
    this.leaseMs = leaseMs;
  }

  /** Connects, brings the schema up to date, and gives the first sign of life. */
  static async connect(options: ServerOptions): Promise<StoreServer> {
    const { Pool: PostgresPool, escapeIdentifier } = (await import("pg")).default;
    const schema = escapeIdentifier(options.schema);
    const pool = new PostgresPool({
      connectionString: options.url,
      application_name: `gatewright ${options.node}`,
      connectionTimeoutMillis: 10_000,
      query_timeout: options.answerMs ?? 10_000,
      keepAlive: true,
      max: mostConnections,
      // as: the driver waits for a promise, and its types do not know.
      onConnect: ((client) => client.query(`SET search_path TO ${schema}`)) as (client: ClientBase) => void,
    });
    // A connection that ends fails the statement that waits for it, if any, and is replaced by the next one.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const server = new StoreServer(pool, options);
    try {
      const client = await pool.connect();
      try {
        await requireDurability(client, options);
        await migrate(client, options.schema);
      } finally {
        client.release();
      }
      await server.live();
    } catch (error) {
      await pool.end().catch(() => {});
      throw failureOf(error, "while the store was opened", false);
    }
    return server;
  }

  /** From the next sign of life on. */
  set address(hostAndPort: string) {
    this.#address = hostAndPort;
  }

  /** How often a sign of life is due, in milliseconds. */
  get liveEveryMs(): number {
    return this.leaseMs / 3;
  }

  /** A sign of life, which keeps the leases of this node. Answers with its worlds. */
  async live(): Promise<ReadonlyMap<string, OwnedRow>> {
    const text = `WITH alive AS (
        INSERT INTO node VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
        ON CONFLICT (name) DO UPDATE SET address = excluded.address, until = excluded.until)
      SELECT name, lease_epoch AS epoch, ${isFollowedSql} AS "isFollowed" FROM world WHERE owner = $1`;
    const values = [this.node, this.#address, this.leaseMs];
    const { rows } = await this.ask<OwnedRow>(text, values);
    return new Map(rows.map((row) => [row.name, row]));
  }

  /** One statement, which is one transaction. With a name it is prepared under that. */
  async ask<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    name?: string,
  ): Promise<Answer<Row>> {
    const client = await this.#pool.connect();
    let warning: string | null = null;
    const warned = ({
      code,
      message,
    }: {
      readonly code?: string | undefined;
      readonly message?: string | undefined;
    }): void => {
      if (code !== "00000") warning = message ?? "a warning without words";
    };
    client.on("notice", warned);
    try {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows, rowCount } = await client.query<Row>(query);
      client.off("notice", warned);
      client.release();
      return { rows, rowCount: rowCount ?? 0, warning };
    } catch (error) {
      client.off("notice", warned);
      // Also after a statement that was only given up: its answer may still come.
      client.release(true);
      throw error;
    }
  }

  /**
   * Hears what owners tell, until the connection ends, which `ended` hears, or the returned function is called. It takes one
   * of the connections.
   */
  async listen(heard: (told: string) => void, ended: () => void): Promise<() => void> {
    const client = await this.#pool.connect();
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      client.release(true);
      ended();
    };
    client.once("error", end);
    client.once("end", end);
    client.on("notification", ({ payload = "" }) => heard(payload));
    try {
      await client.query(`LISTEN ${client.escapeIdentifier(this.#schema)}`);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /** Leaves the node's worlds to the others at once. */
  async close(): Promise<void> {
    const text = "DELETE FROM node WHERE name = $1";
    await this.ask(text, [this.node]).catch(() => {});
    await this.#pool.end();
  }
}
