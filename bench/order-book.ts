/**
 * The book against the strongest npm order books, same stream, equal final depth (goals 5 and 6).
 *
 * A command here is what a peer's API takes: add a limit order (matching what crosses) or cancel one by id. Accounts,
 * fees, holds and the journal are not part of it: `bench/storage.ts` drives the venue with all of them.
 */
import { createRequire } from "node:module";
import { OrderBook as NodejsOrderBook } from "nodejs-order-book";
import { lots, ticks } from "../simulator/domain/amount.ts";
import { NO_SLOT, OrderBook } from "../simulator/engine/order-book.ts";
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

function ours(): Venue {
  const book = new OrderBook();
  const slots = new Map<number, number>();
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
          const slot = slots.get(command.id);
          if (slot !== undefined) {
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

async function rate(make: () => Venue, stream: Stream): Promise<{ perSecond: number; depth: string }> {
  const venue = make();
  await venue.run(stream.seed);
  const start = process.hrtime.bigint();
  await venue.run(stream.commands);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return { perSecond: stream.commands.length / seconds, depth: venue.depth() };
}

async function againstPeers(): Promise<void> {
  for (const levels of [100, 1_000, 10_000, 100_000]) {
    const length = levels >= 100_000 ? 10_000 : 30_000;
    const stream = makeStream(levels, length, levels);
    const makers = { gatewright: ours, ...PEERS };
    const depths = new Map<string, string>();
    const candidates: Candidate[] = Object.entries(makers).map(([name, make]) => ({
      name,
      slice: async () => {
        const result = await rate(make, stream);
        depths.set(name, result.depth);
        return result.perSecond;
      },
    }));
    heading(`Order books, ${short(levels)} levels a side, ${short(length)} commands`);
    const rows = await compare("gatewright", candidates, levels >= 100_000 ? 3 : 5);
    table(rows, "gatewright", "commands/s");
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

/** Cost of one command from 10^3 to 10^6 open orders, and from 10^2 to 10^5 levels. */
async function growth(): Promise<void> {
  heading("Growth: CPU per command");
  const cost = async (levels: number, orders: number): Promise<number> => {
    const stream = makeStream(levels, 200_000, 7);
    const extra: StreamCommand[] = [];
    for (let id = 0; id < orders - levels * 4; id++) {
      const level = 1 + (id % levels);
      extra.push({
        kind: "add",
        id: 10_000_000 + id,
        side: id % 2 === 0 ? "BUY" : "SELL",
        price: 1_000_000 + (id % 2 === 0 ? -level : level),
        quantity: 10,
      });
    }
    const best: number[] = [];
    for (let round = 0; round < 3; round++) {
      const venue = ours();
      await venue.run(stream.seed);
      await venue.run(extra);
      const before = process.cpuUsage();
      await venue.run(stream.commands);
      const { user, system } = process.cpuUsage(before);
      best.push(((user + system) * 1000) / stream.commands.length);
    }
    return Math.min(...best);
  };
  const byOrders: [number, number][] = [];
  for (const orders of [1e3, 1e4, 1e5, 1e6]) byOrders.push([orders, await cost(250, orders)]);
  const byLevels: [number, number][] = [];
  for (const levels of [1e2, 1e3, 1e4, 1e5]) byLevels.push([levels, await cost(levels, levels * 4)]);
  print(
    ["open orders", "ns/command"],
    byOrders.map(([n, ns]) => [short(n), ns.toFixed(0)]),
  );
  console.log();
  print(
    ["levels a side", "ns/command"],
    byLevels.map(([n, ns]) => [short(n), ns.toFixed(0)]),
  );
  const ratio = (rows: readonly [number, number][]): number => (rows.at(-1)?.[1] ?? 0) / (rows[0]?.[1] ?? 1);
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
