import { OrderBook as NodejsOrderBook } from "nodejs-order-book";
import { collectGarbage } from "./lib/held.ts";
import {
  type BookUnderTest,
  Engine,
  FlatIndex,
  firstOther,
  MapIndex,
  nodejsOrderBook,
  Orderbook,
  orderbookMatchEngine,
  ours,
  sideOf,
} from "./lib/order-books.ts";
import { type Candidate, compare } from "./lib/paired.ts";
import { goal, heading, print, short, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";
import { makeStream, type Stream, type StreamCommand } from "./lib/stream.ts";

refuseBusyMachine();

const peerBooks = { "nodejs-order-book": nodejsOrderBook, "orderbook-match-engine": orderbookMatchEngine };

/**
 * Each slice starts after the garbage of the slice before was collected, and with its code compiled for speed again:
 * V8 throws away code that has not run for a few collections, and the peers between two of our slices make many.
 */
async function rate(
  make: () => BookUnderTest,
  stream: Stream,
): Promise<{ perSecond: number; depth: string }> {
  collectGarbage();
  await warmUp(make);
  let micros = 0;
  let commands = 0;
  let depth = "";
  while (micros < leastMicros) {
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
 * few milliseconds only, and during those the threads of the compiler and the collector would be half of the measured
 * time.
 */
const leastMicros = 250_000;

const warmUpStream = makeStream(100, 30_000, 1);

/** The same for every candidate. */
async function warmUp(make: () => BookUnderTest): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const venue = make();
    await venue.run(warmUpStream.seed);
    await venue.run(warmUpStream.commands);
  }
}

async function againstPeers(): Promise<void> {
  const makers = { gatewright: () => ours(), ...peerBooks };
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

/** Orders in addition to those of the stream, in batches so that no list of a million commands is in memory. */
function* others(count: number, levels: number): IterableIterator<StreamCommand[]> {
  for (let from = 0; from < count; from += 1000) {
    yield Array.from({ length: Math.min(1000, count - from) }, (_, offset): StreamCommand => {
      const at = from + offset;
      const level = 1 + (at % levels);
      const [side, away] = at % 2 === 0 ? (["BUY", -level] as const) : (["SELL", level] as const);
      return { kind: "add", id: firstOther + at, side, price: 1_000_000 + away, quantity: 10 };
    });
  }
}

/** CPU of one command in ns, the best of five rounds. */
async function cost(make: () => BookUnderTest, levels: number, orders: number): Promise<number> {
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
  const flat = (): BookUnderTest => ours(new FlatIndex());
  const mapped = (): BookUnderTest => ours(new MapIndex());
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
