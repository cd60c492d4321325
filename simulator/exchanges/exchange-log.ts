/**
 * The exchange log: the newest exchanges of all worlds of a process, in a ring.
 *
 * **Invariants.** It is never in the path of a commit: an exchange waits in memory and is written later, by a connection and
 * to a file of its own. What waits and what is written each have a bound in number and one in bytes; the oldest make room.
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
import type { Exchange, ExchangeFilter, ExchangeReader, LoggedExchange } from "./exchange.ts";
import { type Bounds, exchangesIn, type OpenLog } from "./exchange-file.ts";
import { defaultBounds, openLog } from "./open-log.ts";
import { mostWaiting, type Note, type WaitingNote, WaitingNotes } from "./waiting-notes.ts";

export interface ExchangeLogOptions extends Partial<Bounds> {
  /** A file, or `:memory:`. */
  readonly file: string;
  /** Hears why the file cannot be used. */
  readonly notice: (sentence: string) => void;
}

const quietMs = 100;
const latestMs = 5000;
/** Written in one turn of the event loop: a few milliseconds. */
const portion = 50;
/** The memory that an exchange is taken to keep, if its size was not given. */
const typicalBytes = 1024;

export class ExchangeLog implements ExchangeReader {
  readonly #options: Required<ExchangeLogOptions>;
  readonly #doctor = new Doctor();
  #file: string;
  #opened: OpenLog | null = null;
  readonly #waiting = new WaitingNotes();
  /** They are being written, and make no room for newer ones any more. */
  #leaving: Note[] = [];
  #timer: NodeJS.Timeout | null = null;
  #waitingSince = 0;
  /** How many came, now and at the last look. */
  #came = 0;
  #seen = 0;
  #unwritten = 0;
  #isClosed = false;

  constructor(options: ExchangeLogOptions) {
    this.#options = { ...defaultBounds, ...options };
    this.#file = options.file;
  }

  /** Exchanges that came faster than they could be written, and refusals that were like too many others. */
  get dropped(): number {
    return this.#waiting.dropped + this.#unwritten;
  }

  /** After the end of the log, which a connection may outlive, nothing is kept. An unfinished search goes on. */
  append(
    note: Note,
    search: SignatureSearch | null = null,
    { bytes = typicalBytes, like = null }: Partial<WaitingNote> = {},
  ): void {
    if (this.#isClosed) return;
    if (search?.isOver === false) this.#examine(note, search);
    this.#came += 1;
    this.#waiting.add({ note, bytes, like });
    if (this.#timer !== null) return;
    this.#waitingSince = performance.now();
    this.#look();
  }

  /** Exchanges of another log, the oldest first: all are kept, however many come at once. */
  fill(exchanges: readonly Exchange[]): void {
    for (const [at, exchange] of exchanges.entries()) {
      if (at % mostWaiting === 0) this.#writeAll();
      this.append(() => exchange, null, { bytes: 0 });
    }
  }

  /** The oldest first. Without `after`, the newest that fit the filter. */
  list({ world, limit, after, key, status, path }: ExchangeFilter): LoggedExchange[] {
    const wheres = ["world = @world"];
    if (after !== null) wheres.push("number > @after");
    if (key !== null) wheres.push("key = @key");
    if (status !== null) wheres.push(status.endsWith("xx") ? "status / 100 = @status" : "status = @status");
    if (path !== null) wheres.push("substr(target, 1, length(@path)) = @path");
    const order = after === null ? "DESC" : "ASC";
    const sql = `SELECT number, record FROM exchange WHERE ${wheres.join(" AND ")} ORDER BY number ${order}`;
    const values = { world, after, key, status: Number.parseInt(status ?? "", 10), path };
    const found = this.#read(({ db }) => exchangesIn(db, sql, values, limit));
    return after === null ? found.reverse() : found;
  }

  /** The newest with this id. */
  find(world: string, id: string): LoggedExchange | undefined {
    const sql = "SELECT number, record FROM exchange WHERE id = ? AND world = ? ORDER BY number DESC";
    return this.#read(({ db }) => exchangesIn(db, sql, [id, world], 1))[0];
  }

  /** The same, once the search for the mistake behind its signature has ended. */
  async examined(exchange: LoggedExchange): Promise<LoggedExchange> {
    if (exchange.signature?.state !== "unfinished") return exchange;
    await this.#doctor.settled(nameOf(exchange));
    return this.find(exchange.world, exchange.id) ?? exchange;
  }

  /** The newest request to the trading routes whose body holds this text. */
  findInBody(world: string, text: string): LoggedExchange | undefined {
    const sql = `SELECT number, record FROM exchange WHERE world = ? AND
      CASE WHEN json_valid(record) THEN json_extract(record, '$.request.body.text') END LIKE ? ORDER BY number DESC`;
    const pattern = `%${text.replaceAll(/[%_]/g, "")}%`;
    return this.#read(({ db }) => exchangesIn(db, sql, [world, pattern], 1))[0];
  }

  /** The world is gone, or begins anew. */
  forget(world: string): void {
    if (this.#opened === null && this.#waiting.count === 0) return;
    this.#read((opened) => {
      opened.db.prepare("DELETE FROM exchange WHERE world = ?").run(world);
      opened.count();
    });
  }

  /** Writes what waits. */
  close(): void {
    this.#isClosed = true;
    this.#doctor.close();
    this.#writeAll();
    this.#opened?.db.close();
    this.#opened = null;
  }

  #read<T>(read: (opened: OpenLog) => T): T {
    this.#writeAll();
    return this.#attempt(read);
  }

  /** It is written with what the search has found until then, and once more when the search is over. */
  #examine(note: Note, search: SignatureSearch): void {
    this.#doctor.examine(nameOf(note()), search, () => {
      try {
        this.#attempt((opened) => opened.replace(note()));
      } catch {
        // As with an exchange that cannot be written: nothing else may fail because of that.
      }
    });
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
    this.#leaving.push(...this.#waiting.take());
  }

  #write(notes: readonly Note[]): void {
    if (notes.length === 0) return;
    try {
      const exchanges = notes.map((note) => note());
      this.#attempt((opened) => opened.write(exchanges));
    } catch {
      // Not even memory takes them, and no request may fail because of that.
      this.#unwritten += notes.length;
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
    const opened = openLog(this.#file, this.#options, this.#options.notice);
    if (opened.ok) return opened.value;
    this.#moveToMemory(opened.error);
    const again = openLog(this.#file, this.#options, this.#options.notice);
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

const nameOf = ({ world, id }: Exchange): string => `${world} ${id}`;
