/**
 * The tables of a deployment: one schema for all its worlds, with the integers of the file. Numbered, forward only; a
 * migration that has been released never changes.
 */
import type { PoolClient } from "pg";
import { commandKinds } from "../../domain/command.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { readableViews } from "./views.ts";

/** `lease_epoch` is the fence: it grows with every owner. `seq` and `hash` are the head of the journal. */
const tables = `
CREATE TABLE node (
  name    text PRIMARY KEY,
  address text,
  until   timestamptz NOT NULL
);
CREATE TABLE world (
  name           text PRIMARY KEY,
  file           text NOT NULL,
  world          text NOT NULL,
  world_digest   text NOT NULL,
  seed           bigint NOT NULL,
  engine_version text NOT NULL,
  epoch          integer NOT NULL,
  created_at     bigint NOT NULL,
  owner          text,
  lease_epoch    bigint NOT NULL DEFAULT 0,
  seq            bigint NOT NULL DEFAULT 0,
  hash           bytea
);
CREATE INDEX world_owner ON world (owner);
CREATE TABLE journal (
  world   text NOT NULL REFERENCES world ON DELETE CASCADE,
  seq     bigint NOT NULL,
  elapsed bigint NOT NULL,
  kind    smallint NOT NULL,
  command text NOT NULL,
  hash    bytea NOT NULL,
  PRIMARY KEY (world, seq)
);
CREATE TABLE nonce (
  world       text NOT NULL REFERENCES world ON DELETE CASCADE,
  id          bigint GENERATED ALWAYS AS IDENTITY,
  key         integer NOT NULL,
  nonce       bytea NOT NULL,
  timestamp   bigint NOT NULL,
  received_at bigint NOT NULL,
  PRIMARY KEY (world, id)
);
CREATE TABLE nonce_floor (
  world     text NOT NULL REFERENCES world ON DELETE CASCADE,
  key       integer NOT NULL,
  timestamp bigint NOT NULL,
  PRIMARY KEY (world, key)
);
CREATE TABLE snapshot (
  world          text NOT NULL REFERENCES world ON DELETE CASCADE,
  seq            bigint NOT NULL,
  hash           bytea NOT NULL,
  engine_version text NOT NULL,
  checksum       bytea NOT NULL,
  body           bytea NOT NULL,
  PRIMARY KEY (world, seq)
);
CREATE TABLE command_kind (code smallint PRIMARY KEY, name text NOT NULL);
CREATE VIEW journal_readable AS
SELECT journal.world, journal.seq, to_timestamp((created_at + elapsed) / 1000.0) AS time,
  coalesce(command_kind.name, kind::text) AS kind, command, encode(journal.hash, 'hex') AS hash
FROM journal JOIN world ON world.name = journal.world LEFT JOIN command_kind ON command_kind.code = journal.kind;
`;

/** When a node took the world or let it go, whichever was last. */
const uses = "ALTER TABLE world ADD COLUMN used_at timestamptz NOT NULL DEFAULT clock_timestamp()";

/**
 * The nodes that follow a world, and where they stand. `trouble`: why one is out of service. `id` tells a world from another one
 * that had its name before.
 */
const followers = `
ALTER TABLE world ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;
CREATE TABLE follower (
  world   text NOT NULL REFERENCES world ON DELETE CASCADE,
  node    text NOT NULL REFERENCES node ON DELETE CASCADE,
  seq     bigint NOT NULL,
  trouble text,
  PRIMARY KEY (world, node)
);
`;

const migrations: readonly string[] = [tables, uses, followers, readableViews];

/** Makes the schema or brings it up to date, one node at a time, and uses it for all that follows. */
export async function migrate(client: PoolClient, schema: string): Promise<void> {
  const name = client.escapeIdentifier(schema);
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`gatewright ${schema}`]);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await client.query(`SET search_path TO ${name}`);
  await client.query("CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY)");
  const found = await client.query<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM migration",
  );
  const before = found.rows[0]?.version ?? 0;
  if (before > migrations.length)
    throw new StoreFailure(
      "newer-version",
      `The schema ${schema} has version ${before}, and this program knows ${migrations.length}. Start a newer one.`,
    );
  for (const [at, sql] of migrations.entries()) {
    if (at < before) continue;
    await client.query(sql);
    await client.query("INSERT INTO migration VALUES ($1)", [at + 1]);
  }
  await client.query(
    "INSERT INTO command_kind SELECT * FROM unnest($1::smallint[], $2::text[]) ON CONFLICT DO NOTHING",
    [commandKinds.map((_, code) => code), commandKinds],
  );
  await client.query("COMMIT");
}
