/** The rows of the exchange log: written within the bounds of the ring, and read as those of a stranger. */
import type { Sqlite } from "../store/driver.ts";
import type { Exchange, LoggedExchange } from "./exchange.ts";
import { exchangeIn } from "./kept-exchange.ts";

export interface Bounds {
  readonly mostRows: number;
  /** Of the pages of the file that hold something. */
  readonly mostBytes: number;
}

export const logSchema = `
  CREATE TABLE exchange (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL, world TEXT NOT NULL, key TEXT, status INTEGER NOT NULL, target TEXT NOT NULL, record TEXT NOT NULL
  ) STRICT;
`;

/** The part of the ring that makes room at once: rows that go together go faster. */
const room = 1 / 16;
/** The characters that are written before the file is measured again. */
const measureEvery = 1_048_576;

interface Row {
  readonly number: number;
  readonly record: string;
}

/** The open database, and how many rows are in it. */
export class OpenLog {
  readonly db: Sqlite;
  readonly #bounds: Bounds;
  readonly #insert;
  readonly #pagesUsed;
  readonly #pageBytes: number;
  #rows = 0;

  constructor(db: Sqlite, bounds: Bounds) {
    this.db = db;
    this.#bounds = bounds;
    this.#insert = db.prepare(
      "INSERT INTO exchange (id, world, key, status, target, record) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#pagesUsed = db
      .prepare<[], number>("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
      .pluck();
    this.#pageBytes = Number(db.pragma("page_size", { simple: true }));
    this.count();
  }

  /** After rows were removed by other means. */
  count(): void {
    this.#rows = this.db.prepare<[], number>("SELECT count(*) FROM exchange").pluck().get() ?? 0;
  }

  write(exchanges: readonly Exchange[]): void {
    this.db.transaction(() => {
      let written = 0;
      for (const exchange of exchanges) {
        const { id, world, key, answer, request } = exchange;
        const record = JSON.stringify(exchange);
        this.#insert.run(id, world, key, answer.status, request.target, record);
        this.#rows += 1;
        written += record.length;
        if (written < measureEvery) continue;
        written = 0;
        this.#keepWithin();
      }
      this.#keepWithin();
    })();
  }

  /** It may be gone already. */
  replace(exchange: Exchange): void {
    const { id, world, at, answer } = exchange;
    const sql = "SELECT number, record FROM exchange WHERE id = ? AND world = ? AND status = ?";
    const found = exchangesIn(this.db, sql, [id, world, answer.status]).find((one) => one.at === at);
    if (found === undefined) return;
    this.db
      .prepare("UPDATE exchange SET record = ? WHERE number = ?")
      .run(JSON.stringify(exchange), found.number);
  }

  #keepWithin(): void {
    const { mostRows, mostBytes } = this.#bounds;
    const isTooLarge = (): boolean => (this.#pagesUsed.get() ?? 0) * this.#pageBytes > mostBytes;
    while (this.#rows > mostRows || (this.#rows > 1 && isTooLarge())) this.#makeRoom();
  }

  #makeRoom(): void {
    const offset = Math.max(0, Math.ceil(this.#rows * room) - 1);
    const last = this.db
      .prepare<[number], number>("SELECT number FROM exchange ORDER BY number LIMIT 1 OFFSET ?")
      .pluck()
      .get(offset);
    if (last === undefined) return this.count();
    this.#rows -= this.db.prepare("DELETE FROM exchange WHERE number <= ?").run(last).changes;
  }
}

/** The exchanges that a query for `number` and `record` gives; what is none is skipped. */
export function exchangesIn(
  db: Sqlite,
  sql: string,
  values: readonly unknown[] | object,
  most: number = Number.MAX_SAFE_INTEGER,
): LoggedExchange[] {
  const found: LoggedExchange[] = [];
  for (const { number, record } of db.prepare<[unknown], Row>(sql).iterate(values)) {
    const exchange = exchangeIn(record);
    if (exchange !== undefined && found.push({ number, ...exchange }) >= most) break;
  }
  return found;
}
