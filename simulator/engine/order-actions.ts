/**
 * The actions of the controls on one order: fill it, let the exchange cancel it, or keep the exchange from
 * answering. The rules are those of any other trade: fees, holds and the tape see no difference.
 */
import { type Lots, lots, type Ticks, ticksTimesLots, units } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import type { Order, OrderNumber } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { lotsOf, lotsText, ticksOf, ticksText } from "../domain/steps.ts";
import { syntheticOrder } from "./book/order-book.ts";
import { type Deciders, done, invalid, offLot, offTick, rejected } from "./decision.ts";
import { addFill } from "./fees.ts";
import { closeCompleted, increase, noCharge } from "./match.ts";
import { remainingLots, type VenueState } from "./state.ts";

export const notFound: Rejection = { code: "ORDER_NOT_FOUND", message: "There is no such order" };

export const noRecord = "The exchange has no record of the order";

export const closing = (
  order: OrderNumber,
  status: "CANCELLED" | "EXPIRED" | "FAILED",
  reason: string,
): Event => ({ kind: "OrderClosed", order, status, reason });

export const orderActions: Deciders<"FillOrder" | "HoldOrder"> = {
  FillOrder: (state, { order: number, quantity: text, price: priceText }) => {
    const order = state.orders.get(number);
    if (order === undefined) return rejected(notFound);
    if (order.phase !== "resting") return rejected(notNow(order, "rests in the book", "is filled here"));
    const { product } = state.market(order.terms.product);
    const left = remainingLots(order) ?? lots(0);
    const quantity = text === null ? left : lotsOf(product, text);
    if (quantity === null) return offLot("quantity", text ?? "", product);
    if (quantity > left)
      return invalid("quantity", `quantity must be at most what is left, ${lotsText(product, left)}`);
    const { side, price: limit } = order.terms;
    const price = priceText === undefined ? limit : ticksOf(product, priceText);
    if (price === null || limit === null) return offTick("price", priceText ?? "", product);
    if (side === "BUY" ? price > limit : price < limit)
      return invalid(
        "price",
        `price ${ticksText(product, price)} is worse for the ${side} order than its limit: it must be ${ticksText(product, limit)} or ${side === "BUY" ? "less" : "more"}`,
      );
    return done(fill(state, order, quantity, price), number);
  },
  HoldOrder: (state, { order: number }) => {
    const order = state.orders.get(number);
    if (order === undefined) return rejected(notFound);
    if (order.status !== "PENDING") return rejected(notNow(order, "is PENDING", "is held"));
    return done([{ kind: "OrderHeld", order: number }], number);
  },
};

/** The synthetic market takes the order, even if other orders are in front of it in the queue, or if it is not in the book. */
export function fill(state: VenueState, order: Order, quantity: Lots, price: Ticks): Event[] {
  const { terms } = order;
  const { product } = state.market(terms.product);
  const notional = units(ticksTimesLots(price, quantity) * product.unitsPerTickLot);
  const trade: Event = {
    kind: "Traded",
    trade: state.trades + 1,
    product: product.index,
    price,
    quantity,
    takerSide: terms.side === "BUY" ? "SELL" : "BUY",
    taker: syntheticOrder,
    maker: terms.number,
    takerCharge: noCharge,
    makerCharge: increase(order, addFill(order, notional, terms.rates, "maker", terms.side, product.quote)),
  };
  return quantity === remainingLots(order) ? [trade, closeCompleted(order)] : [trade];
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
