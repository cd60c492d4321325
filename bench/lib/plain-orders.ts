/**
 * The schema most would write: text everywhere, a random UUID as key, a unique index on the client's id and two indexes
 * to read by. The database has the settings of the store.
 */
import { randomUUID } from "node:crypto";
import { openDatabase } from "../../simulator/store/database.ts";

export type PlainRow = readonly string[];

/** The body of a LIMIT order. */
export interface PlainOrder {
  readonly client_order_id: string;
  readonly product: string;
  readonly side: string;
  readonly type: string;
  readonly base_quantity: string;
  readonly price: string;
}

export const plainOrder = (): PlainOrder => ({
  client_order_id: randomUUID(),
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.001",
  price: "50000",
});

export function plainRow(user: string, order: PlainOrder): PlainRow {
  const now = new Date().toISOString();
  const { client_order_id, product, side, type, base_quantity, price } = order;
  const terms = [product, side, client_order_id, type, "OPEN", base_quantity, price, "0", "0"];
  return [randomUUID(), now, now, user, ...terms];
}

export class PlainOrders {
  readonly #db;
  readonly #insert;

  constructor(file: string) {
    this.#db = openDatabase(file);
    this.#db.exec(`CREATE TABLE orders (
      id TEXT PRIMARY KEY, created_at TEXT, updated_at TEXT, user_id TEXT, product_id TEXT, side TEXT,
      client_order_id TEXT UNIQUE, type TEXT, status TEXT, base_quantity TEXT, limit_price TEXT, filled_quantity TEXT,
      fees TEXT);
      CREATE INDEX by_user ON orders (user_id, created_at); CREATE INDEX by_status ON orders (status, product_id);`);
    const insert = this.#db.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insert = this.#db.transaction((rows: readonly PlainRow[]) => {
      for (const row of rows) insert.run(...row);
    });
  }

  /** One transaction. */
  add(rows: readonly PlainRow[]): void {
    this.#insert(rows);
  }

  close(): void {
    this.#db.pragma("wal_checkpoint(TRUNCATE)");
    this.#db.close();
  }
}
