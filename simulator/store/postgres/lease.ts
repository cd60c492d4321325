/** The lease of a world, and what a server must promise before one is taken. */
import type { ClientBase } from "pg";
import type { VenueHeader } from "../../sequencer/ports.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { type FollowedRow, followedSql } from "./followers.ts";
import type { ServerOptions, StoreServer } from "./server.ts";
import { nameWorlds } from "./views.ts";

/** A world of the store, and what it gets when it is new. */
export interface StoredWorld {
  readonly name: string;
  readonly header: VenueHeader;
  /** The world as data, secrets included: any node builds it from this. */
  readonly file: string;
}

/** The row of a world as its new owner found it. */
export interface Taken {
  readonly epoch: string;
  readonly seq: string;
  readonly hash: Buffer | null;
  readonly header: VenueHeader;
}

export async function requireDurability(
  client: ClientBase,
  { allowAsynchronousCommit = false }: ServerOptions,
): Promise<void> {
  const { rows } = await client.query<{ synchronous_commit: string }>("SHOW synchronous_commit");
  if (rows[0]?.synchronous_commit !== "off" || allowAsynchronousCommit) return;
  throw new StoreFailure(
    "other",
    "PostgreSQL has synchronous_commit=off: it acknowledges what a crash can lose. Switch it on, or ask for it.",
  );
}

/** The node that has a world; both are null while nobody has it, and the address also until the node has told it. */
export interface Holder {
  readonly node: string | null;
  /** `host:port` */
  readonly address: string | null;
}

const headerSql = `jsonb_build_object('world', world, 'worldDigest', world_digest, 'seed', seed,
  'engineVersion', engine_version, 'epoch', epoch, 'createdAt', created_at)`;

const isAlive = "node.until > clock_timestamp()";

/** Undefined: the store has no such world. */
export async function holderOf(server: StoreServer, world: string): Promise<Holder | undefined> {
  const { rows } = await server.ask<Holder>(
    `SELECT node.name AS node, address FROM world LEFT JOIN node ON node.name = owner AND ${isAlive}
     WHERE world.name = $1`,
    [world],
    "holder",
  );
  return rows[0];
}

/** Whether a node at this address (`host:port`) gives signs of life. */
export async function livesAt(server: StoreServer, address: string): Promise<boolean> {
  const text = `SELECT FROM node WHERE address = $1 AND ${isAlive}`;
  const { rowCount } = await server.ask(text, [address]);
  return rowCount > 0;
}

/** The world as data, of which any node builds it; undefined without such a world. */
export async function fileOf(server: StoreServer, world: string): Promise<string | undefined> {
  const { rows } = await server.ask<{ file: string }>("SELECT file FROM world WHERE name = $1", [world]);
  return rows[0]?.file;
}

/** A node that gives signs of life, the names of its worlds, and those that it follows. */
export interface NodeRow {
  readonly name: string;
  readonly address: string | null;
  readonly worlds: readonly string[];
  readonly follows: readonly FollowedRow[];
}

export async function nodesOf(server: StoreServer): Promise<readonly NodeRow[]> {
  const { rows } = await server.ask<NodeRow>(
    `SELECT node.name, address, array(SELECT world.name FROM world WHERE owner = node.name ORDER BY 1) AS worlds,
       ${followedSql} AS follows
     FROM node WHERE ${isAlive} ORDER BY node.name`,
  );
  return rows;
}

/** Each world as its last commit left it, with the node that has it: the oldest first, at most so many. */
export async function worldsOf(server: StoreServer, most: number) {
  const { rows } = await server.ask<{
    name: string;
    seed: string;
    seq: string;
    hash: string;
    epoch: number;
    node: string | null;
  }>(
    `SELECT world.name, seed, seq, coalesce(encode(hash, 'hex'), '') AS hash, epoch, node.name AS node
     FROM world LEFT JOIN node ON node.name = owner AND ${isAlive} ORDER BY id LIMIT $1`,
    [most],
  );
  return rows.map((row) => ({ ...row, seed: Number(row.seed), seq: Number(row.seq) }));
}

/** Another node has the world. */
export class WorldHeld extends StoreFailure {
  readonly holder: Holder;

  constructor(world: string, holder: Holder) {
    super("busy", `The node ${holder.node} holds the world ${world}.`);
    this.holder = holder;
  }
}

/** False: there is a world of this name already. */
export async function addWorld(server: StoreServer, { name, header, file }: StoredWorld): Promise<boolean> {
  const { world, worldDigest, seed, engineVersion, epoch, createdAt } = header;
  const { rowCount } = await server.ask(
    `WITH made AS (
       INSERT INTO world (name, file, world, world_digest, seed, engine_version, epoch, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING name, world), ${nameWorlds}
     SELECT FROM made`,
    [name, file, world, worldDigest, seed, engineVersion, epoch, createdAt],
  );
  return rowCount === 1;
}

/** Raises the epoch, which shuts the owner before out. A world that is there has to be the same. */
export async function takeOver(server: StoreServer, { name, header }: StoredWorld): Promise<Taken> {
  const { rows } = await server.ask<Taken>(
    `UPDATE world SET lease_epoch = lease_epoch + 1, owner = $2, used_at = clock_timestamp()
      WHERE name = $1 AND (owner = $2 OR NOT EXISTS (SELECT FROM node WHERE node.name = world.owner AND ${isAlive}))
      RETURNING lease_epoch AS epoch, seq, hash, ${headerSql} AS header`,
    [name, server.node],
  );
  const [row] = rows;
  if (row === undefined) throw new WorldHeld(name, (await holderOf(server, name)) ?? nobody);
  requireSame(name, row.header, header);
  return row;
}

/** A world of the store, whoever has it; undefined without one of this name. It has to be the same as `own`. */
export async function findWorld(
  server: StoreServer,
  name: string,
  own: VenueHeader,
): Promise<{ readonly id: string; readonly header: VenueHeader } | undefined> {
  const { rows } = await server.ask<{ id: string; header: VenueHeader }>(
    `SELECT id, ${headerSql} AS header FROM world WHERE name = $1`,
    [name],
  );
  const [row] = rows;
  if (row !== undefined) requireSame(name, row.header, own);
  return row;
}

function requireSame(name: string, stored: VenueHeader, own: VenueHeader): void {
  if (stored.worldDigest === own.worldDigest && stored.seed === own.seed) return;
  throw new StoreFailure("other", `The world ${name} of the store was made from another world file or seed.`);
}

/**
 * Deletes the worlds beside `main` that nobody has used for so long, and names them. What a node had was in use until its
 * last sign of life.
 */
export async function deleteUnused(
  server: StoreServer,
  main: string,
  days: number,
): Promise<readonly string[]> {
  const { rows } = await server.ask<{ name: string }>(
    `DELETE FROM world WHERE name <> $1 AND used_at < clock_timestamp() - make_interval(days => $2)
       AND NOT EXISTS (SELECT FROM node
         WHERE node.name = world.owner AND node.until > clock_timestamp() - make_interval(days => $2))
     RETURNING name`,
    [main, days],
  );
  return rows.map(({ name }) => name);
}

const nobody: Holder = { node: null, address: null };
