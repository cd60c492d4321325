/**
 * The live feed: server-sent events that say how far a world has come. Each message holds numbers, not news: the last journal
 * entry, the newest exchange, open WebSockets, the state of the venue. The controls say what is new behind a number.
 *
 * **Why numbers.** A message is as small for one order as for a thousand, so a burst is one message every 100 ms. A reader that
 * comes back gets one message and has missed nothing: it asks the controls for what lies behind its own numbers.
 *
 * **Bounds.** At most `mostReaders` readers; the listener ends a connection that is not read for ten seconds. Nothing runs
 * while nobody listens.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExchangeReader } from "../exchanges/exchange.ts";
import { isoTime } from "../wire/envelope.ts";
import type { ControlledWorld, ControlledWorlds } from "./control-route.ts";

export const mostReaders = 64;
const everyMs = 100;
/** A reader that hears nothing for longer than this knows that the connection is gone. */
const aliveMs = 5_000;

interface Reader {
  readonly world: string;
  readonly reply: FastifyReply["raw"];
  told: string;
  quiet: number;
}

interface Standing {
  /** Of all that counts as news: it is told again only when this has changed. */
  readonly text: string;
  readonly message: string;
}

export class Feed {
  readonly #worlds: ControlledWorlds;
  readonly #exchanges: ExchangeReader | null;
  readonly #readers = new Set<Reader>();
  #timer: NodeJS.Timeout | null = null;

  constructor(worlds: ControlledWorlds, exchanges: ExchangeReader | null) {
    this.#worlds = worlds;
    this.#exchanges = exchanges;
  }

  get isFull(): boolean {
    return this.#readers.size >= mostReaders;
  }

  /** Answers with the feed of a world until the reader leaves; HEAD with its headers alone. */
  open(world: string, { method, raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.setHeader("content-type", "text/event-stream; charset=utf-8");
    raw.setHeader("cache-control", "no-store");
    raw.writeHead(200);
    if (method === "HEAD") {
      raw.end();
      return;
    }
    const reader: Reader = { world, reply: raw, told: "", quiet: 0 };
    const leave = (): void => {
      this.#readers.delete(reader);
      raw.end();
      if (this.#readers.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
    raw.once("close", leave);
    // A program that has closed its sending side has left.
    socket.once("end", leave);
    this.#readers.add(reader);
    this.#tell([reader]);
    this.#timer ??= setInterval(() => this.#tell(this.#readers), everyMs);
  }

  close(): void {
    for (const { reply } of this.#readers) reply.end();
  }

  /** Each world is asked once for all of its readers. */
  #tell(readers: Iterable<Reader>): void {
    const standings = new Map<string, Standing>();
    for (const reader of readers) {
      const { world: name, reply } = reader;
      // What it has not read yet is older than what it would get: the next message holds all of it.
      if (reply.writableNeedDrain) continue;
      const world = this.#worlds.get(name);
      if (world === undefined) {
        reply.end(message("gone", { world: name }, "gone"));
        continue;
      }
      // Its state is ahead of its store.
      if (world.venue.underWay !== null) continue;
      const standing = standings.get(name) ?? this.#standingOf(world);
      standings.set(name, standing);
      reader.quiet += everyMs;
      if (standing.text === reader.told && reader.quiet < aliveMs) continue;
      reader.told = standing.text;
      reader.quiet = 0;
      reply.write(standing.message);
    }
  }

  #standingOf({ name, venue, streams }: ControlledWorld): Standing {
    const [newest] = this.#exchanges?.list({ ...everything, world: name }) ?? [];
    const { epoch, mode, trouble, clock, state, hash } = venue;
    const standing = {
      world: name,
      epoch,
      mode,
      trouble,
      clock: clock.mode,
      seq: state.seq,
      hash,
      exchange: newest?.number ?? 0,
      connections: streams.size,
      worlds: this.#worlds.all().map((one) => one.name),
    };
    const shown = { ...standing, marketTime: isoTime(clock.now()) };
    return {
      text: JSON.stringify(standing),
      message: message("standing", shown, `${standing.seq}.${standing.exchange}`),
    };
  }
}

const everything = { limit: 1, after: null, key: null, status: null, path: null };

const message = (event: string, data: object, id: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
