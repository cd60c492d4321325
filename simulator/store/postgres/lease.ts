/** The lease of a world, and what a server must promise before one is taken. */
import type { Client } from "pg";
import type { VenueHeader } from "../../sequencer/ports.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";

export interface PostgresOptions {
  readonly url: string;
  /** One for each deployment. */
  readonly schema: string;
  /** The name of the world, and the header that it gets when it is new. */
  readonly world: string;
  readonly header: VenueHeader;
  /** The name of this node. */
  readonly node: string;
  /** After this time without a write, another node may take the world over. */
  readonly leaseMs?: number;
  /** A commit that was not answered for so long has an unknown outcome. */
  readonly answerMs?: number;
  /** Take a server that acknowledges before it has flushed. */
  readonly allowAsynchronousCommit?: boolean;
}

/** The row of a world as its new owner found it. */
export interface Taken {
  readonly epoch: string;
  readonly seq: string;
  readonly hash: Buffer | null;
  readonly header: VenueHeader;
}

const takeSql = `
UPDATE world SET lease_epoch = lease_epoch + 1, owner = $2, address = NULL,
  lease_until = clock_timestamp() + $3 * interval '1 millisecond'
WHERE name = $1 AND (owner = $2 OR lease_until < clock_timestamp())
RETURNING lease_epoch AS epoch, seq, hash, jsonb_build_object('world', world, 'worldDigest', world_digest, 'seed', seed,
  'engineVersion', engine_version, 'epoch', epoch, 'createdAt', created_at) AS header`;

export const leaseOf = ({ leaseMs = 3000 }: PostgresOptions): number => leaseMs;

export async function requireDurability(
  client: Client,
  { allowAsynchronousCommit = false }: PostgresOptions,
): Promise<void> {
  const { rows } = await client.query<{ synchronous_commit: string }>("SHOW synchronous_commit");
  if (rows[0]?.synchronous_commit !== "off" || allowAsynchronousCommit) return;
  throw new StoreFailure(
    "other",
    "PostgreSQL has synchronous_commit=off: it acknowledges what a crash can lose. Switch it on, or ask for it.",
  );
}

/** Another node has the world. */
export class WorldHeld extends StoreFailure {
  /** Where it can be reached, as `host:port`; null while that is not known. */
  readonly address: string | null;

  constructor(world: string, owner: string, address: string | null) {
    super("busy", `The node ${owner} holds the world ${world}.`);
    this.address = address;
  }
}

async function heldBy(client: Client, world: string): Promise<WorldHeld> {
  const { rows } = await client.query<{ owner: string; address: string | null }>(
    "SELECT owner, address FROM world WHERE name = $1",
    [world],
  );
  return new WorldHeld(world, rows[0]?.owner ?? "", rows[0]?.address ?? null);
}

export async function takeOver(client: Client, options: PostgresOptions): Promise<Taken> {
  const { header, world, node } = options;
  const { worldDigest, seed, engineVersion, epoch, createdAt } = header;
  await client.query(
    `INSERT INTO world (name, world, world_digest, seed, engine_version, epoch, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [world, header.world, worldDigest, seed, engineVersion, epoch, createdAt],
  );
  const { rows } = await client.query<Taken>(takeSql, [world, node, leaseOf(options)]);
  const [row] = rows;
  if (row === undefined) throw await heldBy(client, world);
  if (row.header.worldDigest === worldDigest && row.header.seed === seed) return row;
  throw new StoreFailure(
    "other",
    `The world ${world} of the store was made from another world file or seed.`,
  );
}
