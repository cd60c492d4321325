/**
 * Compares the schema of a file with the schema that this program makes. A trigger runs inside our own statements,
 * and a view or a table in the place of ours answers for it, so nothing foreign is opened.
 */

import { StoreFailure } from "../sequencer/store-failure.ts";
import { memory } from "./database.ts";
import { type Sqlite, SqliteDatabase } from "./driver.ts";
import { migrate, schemaVersionOf } from "./migrations.ts";

interface Item {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

const mostNamed = 5;

/** What of a schema is not as `make` makes it in an empty database, in words. */
export function foreignIn(db: Sqlite, make: (empty: Sqlite) => void): readonly string[] {
  const expected = new Map(itemsMadeBy(make).map((item) => [keyOf(item), item]));
  const problems: string[] = [];
  for (const item of itemsOf(db)) {
    const ours = expected.get(keyOf(item));
    expected.delete(keyOf(item));
    if (ours === undefined) problems.push(`${shown(item)} is not ours`);
    else if (ours.sql !== item.sql || ours.table !== item.table) problems.push(`${shown(item)} was changed`);
  }
  for (const item of expected.values()) problems.push(`${shown(item)} is missing`);
  return problems;
}

/** A file of an older version is compared before it is brought up to date. */
export function requireOurSchema(db: Sqlite, file: string): void {
  const problems = foreignIn(db, (empty) => migrate(empty, schemaVersionOf(db)));
  if (problems.length === 0) return;
  const more = problems.length > mostNamed ? ` and ${problems.length - mostNamed} more` : "";
  throw new StoreFailure(
    "corrupt",
    `The schema of the database ${file} is not the one that Gatewright made: ` +
      `${problems.slice(0, mostNamed).join(", ")}${more}. Remove what was added with an SQLite tool while the venue is ` +
      "stopped, restore a copy that `gatewright backup` made, or choose another file with --db. The file was not changed.",
  );
}

function itemsMadeBy(make: (empty: Sqlite) => void): readonly Item[] {
  const db = new SqliteDatabase(memory);
  try {
    make(db);
    return itemsOf(db);
  } finally {
    db.close();
  }
}

const itemsOf = (db: Sqlite): readonly Item[] =>
  db.prepare<[], Item>("SELECT type, name, tbl_name AS 'table', sql FROM sqlite_schema ORDER BY rowid").all();

const keyOf = ({ type, name }: Item): string => `${type} ${name}`;

/** A name from the file is text from a stranger. */
const shown = ({ type, name, table }: Item): string =>
  `${plain(type)} "${plain(name)}"${name === table ? "" : ` on ${plain(table)}`}`;

const plain = (text: string): string => text.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, "?");
