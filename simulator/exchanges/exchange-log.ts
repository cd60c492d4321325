/**
 * The exchange log: the newest exchanges of all worlds of a process, in a ring.
 *
 * **Invariants.** It is never in the path of a commit: an exchange waits in memory and is written later, by a connection and
 * to a file of its own. It has a bound in rows and one in bytes; the oldest notes make room for new ones.
 * No failure of it reaches a request: the log says one sentence and goes on in memory.
 *
 * **Cost.** To make an exchange presentable and to write it takes the time of half an order. So a request leaves a note,
 * and the log writes when nothing comes for a moment, at the latest after `latestMs`, a few in each turn of the event loop;
 * and of a flood only the newest: the others are dropped and counted. Read requests wait for nothing: they write first.
 *
 * **Known limits.** A process that is killed loses what waits, and a power cut the newest rows: nothing waits for the disk
 * here.
 */
import type { SignatureSearch } from "../auth/signature-search.ts";
import { Doctor } from "../doctor/doctor.ts";
import { memory } from "../store/database.ts";
import type { Sqlite } from "../store/driver.ts";
import type { Exchange } from "./exchange.ts";
import { isOurLog, type OpenLog, openLog } from "./exchange-file.ts";

export interface ExchangeLogOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  /** Hears why the file cannot be used. */
  readonly notice: (sentence: string) => void;
  readonly mostRows?: number;
  readonly mostBytes?: number;
}

/** An exchange with its place in the log. */
export interface LoggedExchange extends Exchange {
  readonly number: number;
}

export interface ExchangeFilter {
  readonly world: string;
  readonly limit: number;
  /** Only exchanges behind this number; null for the newest. */
  readonly after: number | null;
  readonly key: string | null;
  /** `404`, or `4xx` for all of a class. */
  readonly status: string | null;
  /** The beginning of the target. */
  readonly path: string | null;
}

/** Makes the exchange. In a flood most are dropped before, and cost nothing. */
export type Note = () => Exchange;

const quietMs = 100;
const latestMs = 5000;
const mostWaiting = 5000;
/** Written in one turn of the event loop: a few milliseconds. */
const portion = 50;

export class ExchangeLog {
  readonly #options: Required<ExchangeLogOptions>;
  readonly #doctor = new Doctor();
  #file: string;
  #opened: OpenLog | null = null;
  #waiting: Note[] = [];
  /** Where the oldest is, once the list is full and goes round. */
  #oldest = 0;
  /** They are being written, and make no room for newer ones any more. */
  #leaving: Note[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waitingSince = 0;
  /** How many came, now and at the last look. */
  #came = 0;
  #seen = 0;
  #dropped = 0;
  #isClosed = false;

  constructor(options: ExchangeLogOptions) {
    this.#options = { mostRows: 10_000, mostBytes: 67_108_864, ...options };
    this.#file = options.file;
  }

  /** Exchanges that came faster than they could be written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** After the end of the log, which a connection may outlive, nothing is kept. An unfinished search goes on. */
  append(note: Note, search: SignatureSearch | null = null): void {
    if (this.#isClosed) return;
    const kept = search?.isOver === false ? this.#examine(note(), search) : note;
    this.#came += 1;
    if (this.#waiting.length < mostWaiting) this.#waiting.push(kept);
    else {
      this.#waiting[this.#oldest] = kept;
      this.#oldest = (this.#oldest + 1) % mostWaiting;
      this.#dropped += 1;
    }
    if (this.#timer !== null) return;
    this.#waitingSince = performance.now();
    this.#look();
  }

  /** Exchanges of another log, the oldest first: all are kept, however many come at once. */
  fill(exchanges: readonly Exchange[]): void {
    for (const [at, exchange] of exchanges.entries()) {
      if (at % mostWaiting === 0) this.#writeAll();
      this.append(() => exchange);
    }
  }

  /** The oldest first. Without `after` they are the newest of all that fit the filter. */
  list({ world, limit, after, key, status, path }: ExchangeFilter): LoggedExchange[] {
    const wheres = ["world = @world"];
    if (after !== null) wheres.push("number > @after");
    if (key !== null) wheres.push("key = @key");
    if (status !== null) wheres.push(status.endsWith("xx") ? "status / 100 = @status" : "status = @status");
    if (path !== null) wheres.push("substr(target, 1, length(@path)) = @path");
    const order = after === null ? "DESC" : "ASC";
    const sql = `SELECT number, record FROM exchange WHERE ${wheres.join(" AND ")} ORDER BY number ${order} LIMIT @limit`;
    const values = { world, limit, after, key, status: Number.parseInt(status ?? "", 10), path };
    const found = this.#read((db) => db.prepare<[object], Row>(sql).all(values)).map(exchangeOf);
    return after === null ? found.reverse() : found;
  }

  /** The newest with this id. */
  find(world: string, id: string): LoggedExchange | undefined {
    const sql = "SELECT number, record FROM exchange WHERE id = ? AND world = ? ORDER BY number DESC LIMIT 1";
    return this.#read((db) => db.prepare<[string, string], Row>(sql).all(id, world)).map(exchangeOf)[0];
  }

  /** The same, once the search for the mistake behind its signature has ended. */
  async examined(exchange: LoggedExchange): Promise<LoggedExchange> {
    if (exchange.signature?.state !== "unfinished") return exchange;
    await this.#doctor.settled(nameOf(exchange));
    return this.find(exchange.world, exchange.id) ?? exchange;
  }

  /** The newest request to the trading routes whose body holds this text. */
  findInBody(world: string, text: string): LoggedExchange | undefined {
    const sql = `SELECT number, record FROM exchange WHERE world = ? AND json_extract(record, '$.request.body.text') LIKE ?
      ORDER BY number DESC LIMIT 1`;
    const pattern = `%${text.replaceAll(/[%_]/g, "")}%`;
    return this.#read((db) => db.prepare<[string, string], Row>(sql).all(world, pattern)).map(exchangeOf)[0];
  }

  /** The world is gone, or begins anew. */
  forget(world: string): void {
    if (this.#opened === null && this.#waiting.length === 0) return;
    this.#read((db) => db.prepare("DELETE FROM exchange WHERE world = ?").run(world));
    this.#attempt((opened) => opened.count());
  }

  /** Writes what waits. */
  close(): void {
    this.#isClosed = true;
    this.#doctor.close();
    this.#writeAll();
    this.#opened?.db.close();
    this.#opened = null;
  }

  #read<T>(read: (db: Sqlite) => T): T {
    this.#writeAll();
    return this.#attempt(({ db }) => read(db));
  }

  /** It is written with what the search has found until then, and once more when the search is over. */
  #examine(exchange: Exchange, search: SignatureSearch): Note {
    const found: Note = () => ({ ...exchange, signature: search.diagnosis });
    this.#doctor.examine(nameOf(exchange), search, () => {
      try {
        this.#attempt((opened) => opened.replace(exchange, found()));
      } catch {
        // As with an exchange that cannot be written: nothing else may fail because of that.
      }
    });
    return found;
  }

  /** Writes once nothing has come since the last look, or it is late. */
  #look(): void {
    this.#seen = this.#came;
    this.#timer = setTimeout(() => {
      const isLate = performance.now() - this.#waitingSince >= latestMs;
      const isDue = isLate || this.#came === this.#seen;
      if (!isDue || this.#leaving.length > 0) return this.#look();
      this.#empty();
      this.#writeInTurns();
    }, quietMs).unref();
  }

  #writeInTurns(): void {
    this.#write(this.#leaving.splice(0, portion));
    if (this.#leaving.length > 0) setImmediate(() => this.#writeInTurns());
  }

  #writeAll(): void {
    this.#empty();
    this.#write(this.#leaving.splice(0));
  }

  /** Notes that wait to be written, the oldest first. */
  #empty(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#leaving.push(...this.#waiting.slice(this.#oldest), ...this.#waiting.slice(0, this.#oldest));
    this.#waiting = [];
    this.#oldest = 0;
  }

  #write(notes: readonly Note[]): void {
    if (notes.length === 0) return;
    try {
      const exchanges = notes.map((note) => note());
      this.#attempt((opened) => opened.write(exchanges, this.#options));
    } catch {
      // Not even memory takes them, and no request may fail because of that.
      this.#dropped += notes.length;
    }
  }

  /** In the file; after a failure there, in memory. */
  #attempt<T>(use: (opened: OpenLog) => T): T {
    try {
      return use((this.#opened ??= this.#open()));
    } catch (error) {
      if (this.#file === memory) throw error;
      this.#opened?.db.close();
      this.#moveToMemory(error instanceof Error ? error.message : String(error));
      return use((this.#opened = this.#open()));
    }
  }

  #open(): OpenLog {
    const opened = openLog(this.#file);
    if (opened.ok) return opened.value;
    this.#moveToMemory(opened.error);
    const again = openLog(this.#file);
    if (again.ok) return again.value;
    throw new Error(again.error);
  }

  #moveToMemory(why: string): void {
    this.#options.notice(
      `The exchange log ${this.#file} cannot be used (${why}): exchanges are kept in memory. Move it away before the next start.`,
    );
    this.#file = memory;
  }
}

interface Row {
  readonly number: number;
  readonly record: string;
}

// as: the log wrote it, from an Exchange; that of an earlier build had no faults, freedoms, diagnosis and place.
const exchangeOf = ({ number, record }: Row): LoggedExchange => ({
  number,
  faults: [],
  freedoms: {},
  signature: null,
  place: null,
  ...(JSON.parse(record) as Omit<Exchange, "faults" | "freedoms" | "signature" | "place"> &
    Partial<Exchange>),
});

/** Those of a log that no process has open, the oldest first. */
export function exchangesKept(db: Sqlite, world: string): LoggedExchange[] {
  if (!isOurLog(db)) throw new Error("another program, or another version, wrote it");
  const sql = "SELECT number, record FROM exchange WHERE world = ? ORDER BY number";
  return db.prepare<[string], Row>(sql).all(world).map(exchangeOf);
}

const nameOf = ({ world, id }: Exchange): string => `${world} ${id}`;
