/**
 * What a person at the controls makes of one order: fills it, lets the exchange cancel it, or keeps the exchange from
 * answering. The rules are those of any other trade: fees, holds and the tape see no difference.
 */
import { ticksTimesLots, units } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import type { Order } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { lotsOf, lotsText } from "../domain/steps.ts";
import { syntheticOrder } from "./book/order-book.ts";
import { type Deciders, done, invalid, offLot, rejected } from "./decision.ts";
import { addFill } from "./fees.ts";
import { increase, noCharge } from "./match.ts";
import { type Market, remainingLots } from "./state.ts";

export const notFound: Rejection = { code: "ORDER_NOT_FOUND", message: "There is no such order" };

export const orderActions: Deciders<"FillOrder" | "HoldOrder"> = {
  FillOrder: (state, { order: number, quantity: text }) => {
    const order = state.orders.get(number);
    if (order === undefined) return rejected(notFound);
    if (order.phase !== "resting") return rejected(notNow(order, "rests in the book", "is filled here"));
    const market = state.market(order.terms.product);
    const left = remainingLots(order) ?? 0;
    const quantity = text === null ? left : lotsOf(market.product, text);
    if (quantity === null) return offLot("quantity", text ?? "", market.product);
    if (quantity > left)
      return invalid("quantity", `quantity must be at most what is left, ${lotsText(market.product, left)}`);
    const fill = fillOf(order, market, quantity, state.trades + 1);
    const end: Event = { kind: "OrderClosed", order: number, status: "FILLED", reason: null };
    return done(quantity === left ? [fill, end] : [fill], number);
  },
  HoldOrder: (state, { order: number }) => {
    const order = state.orders.get(number);
    if (order === undefined) return rejected(notFound);
    if (order.status !== "PENDING") return rejected(notNow(order, "is PENDING", "is held"));
    return done([{ kind: "OrderHeld", order: number }], number);
  },
};

/** The synthetic market takes the order at its own price, whatever is in front of it in the queue. */
function fillOf(order: Order, market: Market, quantity: number, trade: number): Event<"Traded"> {
  const { terms } = order;
  const { product, book } = market;
  const price = book.price(order.slot);
  const lots = quantity as Event<"Traded">["quantity"];
  const notional = units(ticksTimesLots(price, lots) * product.unitsPerTickLot);
  return {
    kind: "Traded",
    trade,
    product: product.index,
    price,
    quantity: lots,
    takerSide: terms.side === "BUY" ? "SELL" : "BUY",
    taker: syntheticOrder,
    maker: terms.number,
    takerCharge: noCharge,
    makerCharge: increase(order, addFill(order, notional, terms.rates, "maker", terms.side, product.quote)),
  };
}

const phases = {
  unconfirmed: "waits for the exchange",
  queued: "waits to be matched",
  "waiting-for-stop": "waits for its stop price",
  resting: "rests in the book",
  done: "is at its end",
} as const;

const notNow = ({ status, phase }: Order, needed: string, action: string): Rejection => ({
  code: "CONFLICT",
  message: `The order is ${status} and ${phases[phase]}: only one that ${needed} ${action}`,
  status,
});
