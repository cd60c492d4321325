/** The readable rows of a file, compared in their order with those that a replay gives. */
import type { LedgerLine } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import type { Sqlite } from "./driver.ts";
import type { Report } from "./open-to-check.ts";
import { rowsOf, type Table, type Values } from "./rows.ts";

const queries: Readonly<Record<Table, string>> = {
  fill: "SELECT * FROM fill ORDER BY trade",
  status_change: "SELECT seq, order_number, status, reason FROM status_change ORDER BY id",
  posting: "SELECT seq, owner, asset, amount, balance FROM posting ORDER BY id",
};

export class RowsToCheck {
  readonly #db: Sqlite;
  readonly #report: Report;
  readonly #open = new Map<Table, Iterator<Values, undefined>>();
  /** Tables of which a difference was reported: the first one says enough. */
  readonly #different = new Set<Table>();

  constructor(db: Sqlite, report: Report) {
    this.#db = db;
    this.#report = report;
  }

  compare(seq: number, events: readonly Event[], lines: readonly LedgerLine[]): void {
    for (const [table, values] of rowsOf(seq, events, lines)) this.#compareRow(table, seq, values);
  }

  /** After the last entry: nothing may be left. */
  finish(): void {
    for (const table of Object.keys(queries) as Table[]) {
      if (this.#different.has(table)) continue;
      const left = this.#next(table);
      if (left !== null) this.#differ(table, null, `it ends with rows that no entry gives: ${left}`);
    }
  }

  close(): void {
    for (const rows of this.#open.values()) rows.return?.();
    this.#open.clear();
  }

  #compareRow(table: Table, entry: number, expected: Values): void {
    if (this.#different.has(table)) return;
    const wanted = textOf(expected);
    const found = this.#next(table);
    if (found === wanted) return;
    this.#differ(table, entry, `entry ${entry} gives ${wanted}, and there is ${found ?? "nothing"}`);
  }

  #differ(table: Table, entry: number | null, how: string): void {
    this.#different.add(table);
    this.#report(`The table ${table} differs from the journal: ${how}.`, entry ?? undefined);
  }

  #next(table: Table): string | null {
    const rows = this.#open.get(table) ?? this.#begin(table);
    const step: IteratorResult<Values, undefined> = rows.next();
    return step.done === true ? null : textOf(step.value);
  }

  #begin(table: Table): Iterator<Values, undefined> {
    const rows: Iterator<Values, undefined> = this.#db
      .prepare<[], Values>(queries[table])
      .raw()
      .safeIntegers()
      .iterate();
    this.#open.set(table, rows);
    return rows;
  }
}

/** Texts come from the file: shown as JSON does, and in ASCII. */
const textOf = (values: Values): string =>
  values
    .map((value) => (typeof value === "string" ? JSON.stringify(value) : String(value)))
    .join(" ")
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, 300);
