import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Identity } from "../../domain/identity.ts";
import { describeWorld } from "../../world/describe-world.ts";
import { SqliteDatabase } from "../driver.ts";
import { PostgresServer, postgresPrograms, withoutPostgres } from "../testing/postgres-server.ts";
import { openSample, start } from "../testing/sample.ts";
import { useScratch } from "../testing/scratch.ts";
import { smallWorld } from "../testing/small-world.ts";
import { appendTraded } from "../testing/traded-sample.ts";
import { PostgresJournal } from "./journal.ts";
import { addWorld, type StoredWorld } from "./lease.ts";
import { StoreServer } from "./server.ts";

const isMissing = postgresPrograms === null;
const scratch = useScratch();
let server: PostgresServer;
let node: StoreServer;

const header = {
  world: canonicalize(describeWorld({ ...smallWorld, halted: new Set() })) as string,
  worldDigest: "0".repeat(64),
  seed: smallWorld.seed,
  engineVersion: "test",
  epoch: 0,
  createdAt: start,
};
const named = (name: string): StoredWorld => ({ name, header, file: "{}" });

async function take(name: string): Promise<PostgresJournal> {
  await addWorld(node, named(name));
  return PostgresJournal.take(node, named(name));
}

beforeAll(async () => {
  if (isMissing) return;
  server = await PostgresServer.start();
  node = await StoreServer.connect({ url: server.url, schema: "views", node: "one" });
  await appendTraded(await take("traded"));
  // The rows of another world are not those of this one.
  await appendTraded(await take("another"));
});
afterAll(async () => {
  await node?.close();
  await server?.remove();
});

type Row = Readonly<Record<string, unknown>>;

/** Numbers as digits and times as text, as the other store may have them. */
const plain = (rows: readonly Row[], without: readonly string[] = []): Row[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !without.includes(name))
        .map(([name, value]) => [
          name,
          value === null ? null : value instanceof Date ? value.toISOString() : String(value),
        ]),
    ),
  );

const inStore = async (sql: string, world: string): Promise<Row[]> =>
  plain((await node.ask<Row>(sql.replace("WHERE", "WHERE world = $1 AND"), [world])).rows, ["world"]);

function inFile(sql: string): Row[] {
  const file = `${scratch()}/v.db`;
  const journal = openSample(file);
  void appendTraded(journal);
  journal.close();
  const db = new SqliteDatabase(file, { readonly: true });
  db.defaultSafeIntegers();
  const rows = db.prepare(sql).all() as Row[];
  db.close();
  return plain(rows);
}

describe.skipIf(isMissing)(
  isMissing ? `views of PostgreSQL. ${withoutPostgres}` : "views of PostgreSQL",
  () => {
    test.each([
      ["orders", "id"],
      ["fills", "trade"],
      ["balances", "client, asset"],
    ])("%s show what those of a file show", async (view, order) => {
      const sql = `SELECT * FROM ${view} WHERE 1 = 1 ORDER BY ${order}`;
      const rows = inFile(sql);
      expect(rows.length).toBeGreaterThan(1);
      expect(await inStore(sql, "traded")).toEqual(rows);
    });

    test("ids are those of the interface, for any seed", async () => {
      for (const [seed, number] of [
        [7, 1],
        [2 ** 31 + 5, 123_456],
        [2 ** 32 - 1, 2 ** 32 - 1],
      ] as const) {
        const { rows } = await node.ask("SELECT order_id($1, $2) AS id", [seed, number]);
        expect(rows).toEqual([{ id: new Identity(seed, "order").idOf(number) }]);
      }
    });

    test("a fork shows what came before it", async () => {
      const file = openSample(`${scratch()}/fork.db`);
      void appendTraded(file);
      const fork = await take("fork");
      fork.begin();
      for (const entry of file.entriesAfter(0)) if (entry.seq <= 2) fork.append(entry);
      await fork.commit();
      file.close();
      await fork.takeResults("traded");
      const sql = "SELECT * FROM fills WHERE true ORDER BY trade";
      expect(await inStore(sql, "fork")).toEqual(await inStore(sql, "traded"));
      expect(await inStore("SELECT status FROM orders WHERE id = 1", "fork")).toEqual([{ status: "FILLED" }]);
    });
  },
);
