/** The effects of a move of the clock on orders, trades and deposits, in a client's words: the first of them, and their number. */
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import type { OrderNumber } from "../domain/order.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { World } from "../domain/world.ts";
import type { ValueOf } from "../schema/fields.ts";
import type { CommittedEntry } from "../sequencer/sequencer.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Identities } from "../wire/identities.ts";
import { orderStatuses } from "../wire/order-components.ts";
import { count, decimal, list, oneOfText, productId, record, time, uuid } from "../wire/schema.ts";

/** The number of effects that are listed; the rest is counted. */
const mostListed = 100;

const kinds = [
  "OrderConfirmed",
  "OrderRested",
  "StopTriggered",
  "Traded",
  "OrderClosed",
  "OrdersSynced",
] as const;
const otherKinds = ["TradePrinted", "DepositCompleted"] as const;

export const effectsSchema = list(
  record(
    "One thing that happened.",
    {
      entry: count("Entry of the journal."),
      at: time("Market time."),
      kind: oneOfText("What happened.", [...kinds, ...otherKinds]),
      order: uuid("The order."),
      deposit: uuid("The deposit."),
      status: oneOfText("Status in which the order or deposit has ended.", [...orderStatuses, "CONFIRMED"]),
      product: productId("The product of a trade."),
      price: decimal("Price of a trade."),
      quantity: decimal("Quantity of a trade."),
    },
    ["order", "deposit", "status", "product", "price", "quantity"],
  ),
  `The first ${mostListed} effects on orders, trades and deposits.`,
);

type Listed = ValueOf<typeof effectsSchema>[number];
/** What an event did, without its place in the journal. */
type Effect = Omit<Listed, "entry" | "at">;

export class Effects {
  readonly listed: Listed[] = [];
  total = 0;
  entries = 0;
  readonly #products: readonly Product[];
  readonly #ids: Identities;

  constructor({ products }: World, ids: Identities) {
    this.#products = products;
    this.#ids = ids;
  }

  add(entries: readonly CommittedEntry[]): void {
    this.entries += entries.length;
    for (const { seq, at, events } of entries)
      for (const event of events)
        for (const effect of this.#effectsOf(event)) {
          this.total += 1;
          if (this.listed.length < mostListed) this.listed.push({ entry: seq, at: isoTime(at), ...effect });
        }
  }

  #effectsOf(event: Event): Effect[] {
    const { kind } = event;
    switch (kind) {
      case "OrderConfirmed":
      case "OrderRested":
      case "StopTriggered":
        return [{ kind, order: this.#idOf(event.order) }];
      case "OrderClosed":
        return [{ kind, order: this.#idOf(event.order), status: event.status }];
      case "OrdersSynced":
        return event.orders.map((order) => ({ kind, order: this.#idOf(order) }));
      // Number 0 on a side is the synthetic market, which no client asks about.
      case "Traded":
        return [event.taker, event.maker]
          .filter((order) => order !== 0)
          .map((order) => ({ kind, order: this.#idOf(order), ...this.#print(event) }));
      case "TradePrinted":
        return [{ kind, ...this.#print(event) }];
      case "DepositCompleted":
        return [{ kind, deposit: this.#ids.deposit.idOf(event.number), status: event.status }];
      default:
        return [];
    }
  }

  #idOf(order: OrderNumber): string {
    return this.#ids.order.idOf(order);
  }

  #print({ product: index, price, quantity }: Event<"TradePrinted" | "Traded">): Omit<Effect, "kind"> {
    const product = this.#products[index];
    return product === undefined
      ? {}
      : { product: product.id, price: ticksText(product, price), quantity: lotsText(product, quantity) };
  }
}
