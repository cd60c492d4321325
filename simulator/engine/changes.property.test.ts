/** A follower of the changes of entries knows orders, wallets, deposits and books without the state. */
import { expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import type { Wallet } from "../domain/account.ts";
import type { Order, OrderNumber, Side } from "../domain/order.ts";
import type { Changes } from "./changes.ts";
import type { Deposit, VenueState } from "./state.ts";
import { Drive } from "./testing/drive.ts";
import { recordUnrulyScript } from "./testing/script.ts";

/** The visible part of an order record. */
const shown = ({ terms, phase: _, slot: __, hold: ___, due: ____, syncAt: _____, ...record }: Order) => ({
  ...record,
  number: terms.number,
});

class Follower {
  readonly orders = new Map<OrderNumber, Order>();
  readonly wallets = new Map<string, Wallet>();
  readonly deposits = new Map<number, Deposit>();
  readonly levels = new Map<string, number>();
  readonly sequences = new Map<number, number>();

  constructor(state: VenueState) {
    for (const client of state.clients)
      for (const [asset, wallet] of client.wallets) this.wallets.set(`${client.index} ${asset}`, wallet);
  }

  follow({ orders, wallets, deposits, books }: Changes): void {
    for (const { event, order } of orders) {
      const { number } = order.terms;
      const isEndOfFill = event.kind === "OrderClosed" && event.status === "FILLED";
      const known = this.orders.get(number)?.revision ?? 0;
      expect(order.revision).toBe(known + (isEndOfFill ? 0 : 1));
      this.orders.set(number, order);
    }
    for (const { client, asset, before, after } of wallets) {
      expect(before).toEqual(this.wallets.get(`${client} ${asset}`) ?? null);
      this.wallets.set(`${client} ${asset}`, after);
    }
    for (const deposit of deposits) this.deposits.set(deposit.number, deposit);
    for (const { product, bookSequence, levels } of books) {
      expect(bookSequence).toBe((this.sequences.get(product) ?? 0) + 1);
      this.sequences.set(product, bookSequence);
      for (const { side, price, quantity } of levels) this.#setLevel(`${product} ${side} ${price}`, quantity);
    }
  }

  #setLevel(key: string, quantity: number): void {
    if (quantity === 0) this.levels.delete(key);
    else this.levels.set(key, quantity);
  }
}

function compare(follower: Follower, state: VenueState): void {
  expect([...follower.orders.values()].map(shown)).toEqual([...state.orders.values()].map(shown));
  expect([...follower.deposits.values()]).toEqual(state.deposits);
  const wallets = state.clients.flatMap(({ index, wallets }) =>
    [...wallets].map(([asset, wallet]): [string, Wallet] => [`${index} ${asset}`, wallet]),
  );
  expect(follower.wallets).toEqual(new Map(wallets));
  const levels = state.markets.flatMap(({ product, book }) =>
    (["BUY", "SELL"] as const).flatMap((side: Side) =>
      book
        .depth(side, Infinity)
        .map(({ price, quantity }): [string, number] => [`${product.index} ${side} ${price}`, quantity]),
    ),
  );
  expect(follower.levels).toEqual(new Map(levels));
}

test.each(sampled(4, [1, 2, 3, 4, 5, 6, 7, 8]))("followed through a random script, seed %i", (seed) => {
  const { spec, steps } = recordUnrulyScript(seed, 250);
  const drive = new Drive(spec);
  const follower = new Follower(drive.state);
  for (const { wait, command } of steps) {
    drive.advance(wait);
    drive.submit(command);
    for (const { changes } of drive.take()) follower.follow(changes);
    compare(follower, drive.state);
  }
  expect(follower.orders.size).toBeGreaterThan(50);
});
