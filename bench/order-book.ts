/**
 * The book against the strongest npm order books, same stream, equal final depth.
 *
 * A command here is what a peer's API takes: add a limit order (matching what crosses) or cancel one by id. Accounts,
 * fees, holds and the journal are not part of it: `bench/storage.ts` drives the venue with all of them.
 *
 * Our book takes slots and not ids, so the bench keeps the slot of each id. Against the peers it uses a `Map`, since they
 * take any id. Growth is measured twice: with a flat table by number, which costs next to nothing and leaves the book
 * itself, where the goals apply; and with a `Map`, as the venue finds its order records, where rehashing at 10^6
 * entries costs more than the book. Cancels hit orders of the stream; the others that make up 10^6 stand among them.
 *
 * Every candidate runs warm, as a venue does, and time is CPU time of the process with its collector's threads: slices
 * of a few milliseconds beside slices of seconds are at the mercy of the other tenants by the clock on the wall.
 */
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { OrderBook as NodejsOrderBook } from "nodejs-order-book";
import { lots, ticks } from "../simulator/domain/amount.ts";
import { FastBook } from "../simulator/engine/book/fast-book.ts";
import { NO_SLOT } from "../simulator/engine/book/order-book.ts";
import { type Candidate, compare } from "./lib/paired.ts";
import { goal, heading, print, short, table } from "./lib/print.ts";
import { makeStream, type Stream, type StreamCommand } from "./lib/stream.ts";

// The package is CommonJS with a default export inside; require gives it as its documentation shows it.
interface MatchEngine {
  add(id: number, side: number, price: string, quantity: string): Promise<unknown>;
  cancel(id: number): Promise<unknown>;
  getOrderbook(): { readonly asks: readonly Quote[]; readonly bids: readonly Quote[] };
}
interface Quote {
  readonly price: string;
  readonly quantity: string;
}
interface MatchEnginePackage {
  readonly default: new (options: { orderbook: unknown }) => MatchEngine;
  readonly Orderbook: new (options: { limit: number }) => unknown;
  readonly TRADE_SIDE: { readonly ASK: number; readonly BID: number };
}
const {
  default: Engine,
  Orderbook,
  TRADE_SIDE,
} = createRequire(import.meta.url)("orderbook-match-engine") as MatchEnginePackage;

const sideOf = (side: "BUY" | "SELL"): number => (side === "BUY" ? TRADE_SIDE.BID : TRADE_SIDE.ASK);

interface Venue {
  readonly run: (commands: readonly StreamCommand[]) => void | Promise<void>;
  readonly depth: () => string;
}

/** Where an order stands. */
interface SlotIndex {
  slotOf(id: number): number;
  set(id: number, slot: number): void;
  delete(id: number): void;
}

class MapIndex implements SlotIndex {
  private readonly slots = new Map<number, number>();

  slotOf(id: number): number {
    return this.slots.get(id) ?? NO_SLOT;
  }

  set(id: number, slot: number): void {
    this.slots.set(id, slot);
  }

  delete(id: number): void {
    this.slots.delete(id);
  }
}

/** Order numbers are handed out in sequence, so a table by number is dense. */
class FlatIndex implements SlotIndex {
  private readonly slots = new Int32Array(MOST_IDS).fill(NO_SLOT);

  slotOf(id: number): number {
    return this.slots[id] ?? NO_SLOT;
  }

  set(id: number, slot: number): void {
    this.slots[id] = slot;
  }

  delete(id: number): void {
    this.slots[id] = NO_SLOT;
  }
}

/** Ids of the stream stay below `OTHERS`, all ids below `MOST_IDS`. */
const OTHERS = 700_000;
const MOST_IDS = 2_000_000;

function ours(slots: SlotIndex = new MapIndex()): Venue {
  const book = new FastBook();
  const add = (command: Extract<StreamCommand, { kind: "add" }>): void => {
    const { side, price, id } = command;
    const far = side === "BUY" ? "SELL" : "BUY";
    let left = command.quantity;
    for (let slot = book.first(far); slot !== NO_SLOT && left > 0; slot = book.first(far)) {
      const best = book.price(slot);
      if (side === "BUY" ? best > price : best < price) break;
      const quantity = Math.min(left, book.remaining(slot));
      left -= quantity;
      const maker = book.order(slot);
      if (book.reduce(slot, lots(quantity))) slots.delete(maker);
    }
    if (left > 0) slots.set(id, book.add(side, ticks(price), lots(left), 1, id));
  };
  return {
    run: (commands) => {
      for (const command of commands) {
        if (command.kind === "add") add(command);
        else {
          const slot = slots.slotOf(command.id);
          if (slot !== NO_SLOT) {
            book.remove(slot);
            slots.delete(command.id);
          }
        }
      }
    },
    depth: () =>
      JSON.stringify(
        [book.depth("BUY", 5), book.depth("SELL", 5)].map((side) => side.map((l) => [l.price, l.quantity])),
      ),
  };
}

function nodejsOrderBook(): Venue {
  const book = new NodejsOrderBook();
  return {
    run: (commands) => {
      for (const command of commands) {
        if (command.kind === "cancel") book.cancel(String(command.id));
        else {
          const side = command.side === "BUY" ? "buy" : "sell";
          book.limit({ side, id: String(command.id), size: command.quantity, price: command.price } as never);
        }
      }
    },
    depth: () => {
      const [asks, bids] = book.depth() as [number[][], number[][]];
      return JSON.stringify([bids.slice(0, 5), asks.slice(0, 5)]);
    },
  };
}

function orderbookMatchEngine(): Venue {
  const orderbook = new Orderbook({ limit: 5 });
  const engine = new Engine({ orderbook });
  const gone = async (id: number): Promise<void> => {
    await engine.cancel(id).catch(() => undefined);
  };
  return {
    run: async (commands) => {
      for (const command of commands) {
        if (command.kind === "cancel") await gone(command.id);
        else
          await engine.add(command.id, sideOf(command.side), String(command.price), String(command.quantity));
      }
    },
    depth: () => {
      const { bids, asks } = engine.getOrderbook();
      const pairs = (side: readonly Quote[]): number[][] =>
        side.slice(0, 5).map((l) => [Number(l.price), Number(l.quantity)]);
      return JSON.stringify([pairs(bids), pairs(asks)]);
    },
  };
}

const PEERS = { "nodejs-order-book": nodejsOrderBook, "orderbook-match-engine": orderbookMatchEngine };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Each slice starts with the garbage of whoever ran before collected, and then with its code compiled for speed again:
 * V8 throws away code that has not run for a few collections, and the peers between two of our slices make many.
 */
async function rate(make: () => Venue, stream: Stream): Promise<{ perSecond: number; depth: string }> {
  collectGarbage();
  await warmUp(make);
  let micros = 0;
  let commands = 0;
  let depth = "";
  while (micros < LEAST_MICROS) {
    const venue = make();
    await venue.run(stream.seed);
    const before = process.cpuUsage();
    await venue.run(stream.commands);
    const { user, system } = process.cpuUsage(before);
    micros += user + system;
    commands += stream.commands.length;
    depth = venue.depth();
  }
  return { perSecond: (commands / micros) * 1e6, depth };
}

/**
 * A slice counts at least this much time, in as many fresh books as that takes. The stream keeps a fast book busy for a
 * few milliseconds only, and in those the threads of the compiler and the collector would be half of what is counted.
 */
const LEAST_MICROS = 250_000;

const WARM_UP = makeStream(100, 30_000, 1);

/** The same for every candidate. */
async function warmUp(make: () => Venue): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const venue = make();
    await venue.run(WARM_UP.seed);
    await venue.run(WARM_UP.commands);
  }
}

async function againstPeers(): Promise<void> {
  const makers = { gatewright: () => ours(), ...PEERS };
  for (const levels of [100, 1_000, 10_000, 100_000]) {
    const stream = makeStream(levels, 30_000, levels);
    const depths = new Map<string, string>();
    const candidates: Candidate[] = Object.entries(makers).map(([name, make]) => ({
      name,
      slice: async () => {
        const result = await rate(make, stream);
        depths.set(name, result.depth);
        return result.perSecond;
      },
    }));
    heading(`Order books, ${short(levels)} levels a side, ${short(stream.commands.length)} commands`);
    const rows = await compare("gatewright", candidates, levels >= 100_000 ? 5 : 9);
    table(rows, "gatewright", "commands/s of CPU");
    for (const [name, depth] of depths) {
      if (depth !== depths.get("gatewright"))
        console.log(`${name} ends with another depth: ${depth.slice(0, 120)}`);
    }
    const best = Math.max(...rows.filter((row) => row.name !== "gatewright").map((row) => row.ratio.median));
    goal(
      `at least 10x the best npm order book at ${short(levels)} levels`,
      1 / best >= 10,
      `${(1 / best).toFixed(1)}x`,
    );
  }
}

/** Which peers are wrong on decimals: 0.1 + 0.2 against 0.3 must leave nothing. */
async function decimals(): Promise<void> {
  heading("Decimals: sell 0.1 and 0.2, then buy 0.3 at the same price");
  const first = new NodejsOrderBook();
  for (const [id, size] of [
    ["a", 0.1],
    ["b", 0.2],
  ] as const)
    first.limit({ side: "sell", id, size, price: 100 } as never);
  first.limit({ side: "buy", id: "c", size: 0.3, price: 100 } as never);
  const second = new Engine({ orderbook: new Orderbook({ limit: 5 }) });
  await second.add(1, sideOf("SELL"), "100", "0.1");
  await second.add(2, sideOf("SELL"), "100", "0.2");
  await second.add(3, sideOf("BUY"), "100", "0.3");
  print(
    ["book", "what is left"],
    [
      ["nodejs-order-book", JSON.stringify(first.depth())],
      ["orderbook-match-engine", JSON.stringify(second.getOrderbook())],
      ["gatewright", "nothing: quantities are whole lots"],
    ],
  );
}

/** Orders beside those of the stream, in batches so that no list of a million commands stands in memory. */
function* others(count: number, levels: number): IterableIterator<StreamCommand[]> {
  for (let from = 0; from < count; from += 1000) {
    yield Array.from({ length: Math.min(1000, count - from) }, (_, offset): StreamCommand => {
      const at = from + offset;
      const level = 1 + (at % levels);
      const [side, away] = at % 2 === 0 ? (["BUY", -level] as const) : (["SELL", level] as const);
      return { kind: "add", id: OTHERS + at, side, price: 1_000_000 + away, quantity: 10 };
    });
  }
}

/** CPU of one command in ns, the best of five rounds. */
async function cost(make: () => Venue, levels: number, orders: number): Promise<number> {
  const stream = makeStream(levels, 200_000, 7);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    collectGarbage();
    await warmUp(make);
    const venue = make();
    await venue.run(stream.seed);
    for (const batch of others(orders - levels * 4, levels)) await venue.run(batch);
    const before = process.cpuUsage();
    await venue.run(stream.commands);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, ((user + system) * 1000) / stream.commands.length);
  }
  return best;
}

/** Cost of one command from 10^3 to 10^6 open orders, and from 10^2 to 10^5 levels. */
async function growth(): Promise<void> {
  heading("Growth: CPU per command");
  const flat = (): Venue => ours(new FlatIndex());
  const mapped = (): Venue => ours(new MapIndex());
  const byOrders: [number, number, number][] = [];
  for (const orders of [1e3, 1e4, 1e5, 1e6])
    byOrders.push([orders, await cost(flat, 250, orders), await cost(mapped, 250, orders)]);
  const byLevels: [number, number, number][] = [];
  for (const levels of [1e2, 1e3, 1e4, 1e5])
    byLevels.push([levels, await cost(flat, levels, levels * 4), await cost(mapped, levels, levels * 4)]);
  const cells = (rows: readonly [number, number, number][]): string[][] =>
    rows.map(([n, book, map]) => [short(n), book.toFixed(0), map.toFixed(0)]);
  print(["open orders", "book, ns/command", "with a Map of ids"], cells(byOrders));
  console.log();
  print(["levels a side", "book, ns/command", "with a Map of ids"], cells(byLevels));
  const ratio = (rows: readonly [number, number, number][]): number =>
    (rows.at(-1)?.[1] ?? 0) / (rows[0]?.[1] ?? 1);
  goal(
    "a command at 10^6 open orders costs at most 2x of one at 10^3",
    ratio(byOrders) <= 2,
    `${ratio(byOrders).toFixed(2)}x`,
  );
  goal(
    "a command at 10^5 levels costs at most 4.5x of one at 10^2",
    ratio(byLevels) <= 4.5,
    `${ratio(byLevels).toFixed(2)}x`,
  );
}

await againstPeers();
await decimals();
await growth();
