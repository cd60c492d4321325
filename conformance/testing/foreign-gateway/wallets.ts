import { fixed, textOf, times } from "./amounts.ts";
import { leftOf, type Order, type Record_ } from "./order.ts";
import { clients, house, opening, rates } from "./world.ts";

interface Wallet {
  readonly asset: string;
  balance: bigint;
  hold: bigint;
}

/** The funds of clients, and how much of them their orders hold. The house has unlimited funds. */
export class Wallets {
  readonly #wallets = new Map<string, Wallet>(
    clients.flatMap((client) =>
      Object.entries(opening).map(([asset, amount]) => [
        `${client} ${asset}`,
        { asset, balance: fixed(amount), hold: 0n },
      ]),
    ),
  );

  of(client: string, asset: string): Wallet {
    return this.#wallets.get(`${client} ${asset}`) ?? { asset, balance: 0n, hold: 0n };
  }

  list(client: string): Record_[] {
    return Object.keys(opening).map((asset) => {
      const { balance, hold } = this.of(client, asset);
      return { asset, balance: textOf(balance), hold: textOf(hold), available: textOf(balance - hold) };
    });
  }

  assetOf({ side, product }: Order): string {
    return side === "BUY" ? product.quote : product.base;
  }

  /** All that what is left of an order can still cost. */
  needed(order: Order): bigint {
    if (order.side === "SELL") return leftOf(order);
    const value =
      order.spend === undefined ? times(leftOf(order), order.price ?? 0n) : order.spend - order.value;
    return value + times(value, rates.taker);
  }

  covers(order: Order): boolean {
    const { balance, hold } = this.of(order.client, this.assetOf(order));
    return balance - hold >= this.needed(order);
  }

  hold(order: Order, amount: bigint): void {
    this.of(order.client, this.assetOf(order)).hold += amount - order.held;
    order.held = amount;
  }

  /** Both halves of one fill, paid and received, the fee always in the quote asset. */
  move({ client, side, product }: Order, quantity: bigint, value: bigint, fee: bigint): void {
    if (client === house) return;
    const sign = side === "BUY" ? 1n : -1n;
    this.of(client, product.base).balance += sign * quantity;
    this.of(client, product.quote).balance -= sign * value + fee;
  }
}
