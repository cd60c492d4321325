/** The books of a world in PostgreSQL: its journal, decided again from the first entry into a SQLite with the readable rows. */

import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { worldOf } from "../../simulator/capsule/world-line.ts";
import { commandKinds } from "../../simulator/domain/command.ts";
import { audit } from "../../simulator/engine/invariants.ts";
import { beginning, replayChecked } from "../../simulator/sequencer/recover.ts";
import type { Sqlite } from "../../simulator/store/driver.ts";
import { openJournal } from "../../simulator/store/open-journal.ts";
import type { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { onCopy } from "./books.ts";

/** In the schema of `serve`. */
const entriesSql = `SELECT seq::integer, elapsed, kind, command, encode(hash, 'hex') AS hash
  FROM gatewright.journal WHERE world = 'main' ORDER BY seq`;
const worldSql = `SELECT file, epoch, created_at, engine_version FROM gatewright.world WHERE name = 'main'`;

/** Throws where an entry does not follow from the ones before: its hash is another one. */
export async function inStoredBooks<T>(
  server: PostgresServer,
  scratch: string,
  judge: (books: Sqlite) => T,
): Promise<T> {
  const [row] = await server.ask(worldSql);
  const built = worldOf(JSON.parse(String(row?.["file"])) as object);
  if (!built.ok) throw new Error(built.error);
  const { world } = built.value;
  const now = Number(row?.["created_at"]);
  const engineVersion = String(row?.["engine_version"]);
  const folder = mkdtempSync(path.join(scratch, "books-"));
  const file = path.join(folder, "books.db");
  const journal = openJournal({ file, world, now, epoch: Number(row?.["epoch"]), engineVersion });
  const { state, hash: genesis } = beginning(journal.header, world);
  let hash = genesis;
  journal.begin();
  for (const stored of await server.ask(entriesSql)) {
    const kind = commandKinds[Number(stored["kind"])];
    if (kind === undefined) throw new Error(`the entry ${String(stored["seq"])} is of an unknown kind`);
    const entry = {
      seq: Number(stored["seq"]),
      at: now + Number(stored["elapsed"]),
      kind,
      command: String(stored["command"]),
      hash: String(stored["hash"]),
    };
    const replayed = replayChecked(state, hash, entry, engineVersion);
    hash = replayed.hash;
    journal.append(entry, replayed.events, state.changes.lines);
  }
  journal.commit();
  audit(state);
  journal.close();
  try {
    return onCopy(file, judge);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
