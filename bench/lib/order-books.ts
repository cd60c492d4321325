/** The books that are compared: ours, with a table of slots as the bench keeps one, and two of npm. */
import { createRequire } from "node:module";
import { OrderBook as NodejsOrderBook } from "nodejs-order-book";
import { lots, ticks } from "../../simulator/domain/amount.ts";
import { LevelBook } from "../../simulator/engine/book/level-book.ts";
import { noSlot } from "../../simulator/engine/book/order-book.ts";
import { type StreamCommand } from "./stream.ts";

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
export const {
  default: Engine,
  Orderbook,
  TRADE_SIDE,
} = createRequire(import.meta.url)("orderbook-match-engine") as MatchEnginePackage;

export const sideOf = (side: "BUY" | "SELL"): number => (side === "BUY" ? TRADE_SIDE.BID : TRADE_SIDE.ASK);

export interface BookUnderTest {
  readonly run: (commands: readonly StreamCommand[]) => void | Promise<void>;
  readonly depth: () => string;
}

/** The place of an order. */
interface SlotIndex {
  slotOf(id: number): number;
  set(id: number, slot: number): void;
  delete(id: number): void;
}

export class MapIndex implements SlotIndex {
  readonly #slots = new Map<number, number>();

  slotOf(id: number): number {
    return this.#slots.get(id) ?? noSlot;
  }

  set(id: number, slot: number): void {
    this.#slots.set(id, slot);
  }

  delete(id: number): void {
    this.#slots.delete(id);
  }
}

/** Order numbers are handed out in sequence, so a table by number is dense. */
export class FlatIndex implements SlotIndex {
  readonly #slots = new Int32Array(mostIds).fill(noSlot);

  slotOf(id: number): number {
    return this.#slots[id] ?? noSlot;
  }

  set(id: number, slot: number): void {
    this.#slots[id] = slot;
  }

  delete(id: number): void {
    this.#slots[id] = noSlot;
  }
}

/** Ids of the stream stay below `firstOther`, all ids below `mostIds`. */
export const firstOther = 700_000;
const mostIds = 2_000_000;

export function ours(slots: SlotIndex = new MapIndex()): BookUnderTest {
  const book = new LevelBook();
  const add = (command: Extract<StreamCommand, { kind: "add" }>): void => {
    const { side, price, id } = command;
    const far = side === "BUY" ? "SELL" : "BUY";
    let left = command.quantity;
    for (let slot = book.first(far); slot !== noSlot && left > 0; slot = book.first(far)) {
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
          if (slot !== noSlot) {
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

export function nodejsOrderBook(): BookUnderTest {
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

export function orderbookMatchEngine(): BookUnderTest {
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
