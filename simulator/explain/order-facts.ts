/** The facts that one event adds to the story of an order. Pure: `state` is that right before the event is applied. */

import { ticksTimesLots, units } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Order, OrderNumber, OrderTerms } from "../domain/order.ts";
import { addFill } from "../engine/fees.ts";
import type { VenueState } from "../engine/state.ts";
import { isoTime } from "../wire/envelope.ts";
import { choicesInForce } from "../world/freedoms.ts";
import { defaultServerSettings } from "../world/server-settings.ts";
import { Amounts, type Fact, type FactCode, percent } from "./fact.ts";
import { faultSentence } from "./fault-sentence.ts";
import { freedomsFact } from "./freedoms-fact.ts";
import { placeBehind } from "./queue.ts";

/** An event of the journal, with what it came from. */
export interface Happened {
  readonly entry: number;
  readonly at: number;
  readonly command: Command;
  readonly event: Event;
  readonly state: VenueState;
}

/** Facts of the order with this number; none when the event is about others. */
export function factsOf(happened: Happened, number: OrderNumber): Fact[] {
  const { event, entry, at } = happened;
  const told = tellers(happened, event, number);
  return told.map(({ code, sentence, values = {} }) => ({
    code,
    sentence,
    values: { at: isoTime(at), ...values },
    entry,
  }));
}

type Told = Pick<Fact, "code" | "sentence"> & Partial<Pick<Fact, "values">>;

function tellers(happened: Happened, event: Event, number: OrderNumber): Told[] {
  if (event.kind === "OrderAccepted") return event.terms.number === number ? accepted(happened, event) : [];
  if (event.kind === "Traded")
    return event.taker === number || event.maker === number ? [traded(happened, event, number)] : [];
  if (event.kind === "OrdersSynced")
    return event.orders.includes(number)
      ? [{ code: "SYNCED", sentence: "The gateway has caught up with the exchange: synced is true." }]
      : [];
  if (!("order" in event) || event.order !== number || event.kind === "CourseTaken") return [];
  return [aboutOne(happened, event, happened.state.order(number))];
}

type AboutOne = Exclude<Extract<Event, { readonly order: OrderNumber }>, Event<"CourseTaken">>;

function aboutOne({ state, command }: Happened, event: AboutOne, order: Order): Told {
  const market = state.market(order.terms.product);
  const amounts = new Amounts(market.product);
  switch (event.kind) {
    case "OrderConfirmed":
      return {
        code: "CONFIRMED",
        sentence: `The exchange confirmed the order. It is matched at ${isoTime(event.matchAt)}.`,
        values: { matchAt: isoTime(event.matchAt) },
      };
    case "OrderHeld":
      return { code: "HELD", sentence: "A control of the sandbox keeps the exchange from answering." };
    case "StopArmed": {
      const [stop, last] = [amounts.price(order.terms.stopPrice ?? 0), amounts.price(market.tape.last)];
      return {
        code: "STOP_ARMED",
        sentence: `The stop price ${stop} is not reached: the last price is ${last}. The order waits outside the book.`,
        values: { stopPrice: stop, lastPrice: last },
      };
    }
    case "StopTriggered": {
      const [stop, last] = [amounts.price(order.terms.stopPrice ?? 0), amounts.price(market.tape.last)];
      return {
        code: "STOP_TRIGGERED",
        sentence: `The last price ${last} reached the stop price ${stop}: from here on it is a LIMIT order.`,
        values: { stopPrice: stop, lastPrice: last },
      };
    }
    case "OrderRested":
      return rested(state, event, order);
    case "OrderReduced":
      return {
        code: "REDUCED",
        sentence: `It met an order of the same client: self-trade prevention took ${amounts.lots(event.quantity)} away.`,
        values: { quantity: amounts.lots(event.quantity) },
      };
    case "CancelRequested":
      return cancelRequested(event, order);
    case "OrderClosed":
      return closed(command, event, order, amounts);
  }
}

function cancelRequested({ finishAt }: Event<"CancelRequested">, { willCancel }: Order): Told {
  const at = finishAt === null ? null : isoTime(finishAt);
  const refused =
    typeof willCancel === "number"
      ? `is refused after ${willCancel} ms of market time`
      : "never takes effect";
  const then = at === null ? `A fault was asked for: it ${refused}` : `The exchange ends the order at ${at}`;
  return {
    code: "CANCEL_REQUESTED",
    sentence: `The client asked for the cancellation. ${then}.`,
    values: { finishAt: at },
  };
}

function accepted({ state, command, entry }: Happened, event: Event<"OrderAccepted">): Told[] {
  const { terms, status, hold } = event;
  const { product } = state.market(terms.product);
  const amounts = new Amounts(product);
  const held = terms.side === "BUY" ? amounts.quote(hold) : amounts.base(hold);
  const fault = command.kind === "PlaceOrder" ? command.fault : null;
  const story: Told[] = [
    {
      code: "ACCEPTED",
      sentence:
        `${state.client(terms.client).name} placed ${wanted(terms, amounts)}. The order became entry ${entry} with the status ` +
        `${status}, and ${held} went on hold.`,
      values: { status, hold: held, clientOrderId: terms.clientOrderId, product: product.id },
    },
  ];
  story.push(...freedomsFact(choicesInForce(state.settings, defaultServerSettings)));
  if (fault !== null)
    story.push({ code: "FAULT", sentence: faultSentence(fault, terms.type), values: { fault: fault.kind } });
  if (status === "FAILED")
    story.push({ code: "FAILED", sentence: `The order failed at once: ${event.reason ?? "no reason"}.` });
  return story;
}

function wanted({ side, type, quantity, price, stopPrice, budget }: OrderTerms, amounts: Amounts): string {
  const size =
    quantity === null
      ? `for ${amounts.quote(budget ?? units(0n))}, fees included`
      : `of ${amounts.lots(quantity)}`;
  const limit = price === null ? "" : ` at ${amounts.price(price)}`;
  const stop = stopPrice === null ? "" : `, stop price ${amounts.price(stopPrice)}`;
  return `a ${type} ${side} ${size}${limit}${stop}`;
}

function rested(state: VenueState, { quantity }: Event<"OrderRested">, { terms }: Order): Told {
  const market = state.market(terms.product);
  const amounts = new Amounts(market.product);
  const price = terms.price ?? 0;
  const { ahead, orders } = placeBehind(market.book, terms.side, price);
  const touch = market.book.bestPrice(terms.side === "BUY" ? "SELL" : "BUY");
  const other =
    touch === null
      ? "There is no offer on the other side."
      : `The best offer on the other side is ${amounts.price(touch)}, ${amounts.price(Math.abs(touch - price))} away.`;
  return {
    code: "RESTED",
    sentence:
      `${amounts.lots(quantity)} entered the book at ${amounts.price(price)} behind ${amounts.lots(ahead)} in ${orders} ` +
      `${orders === 1 ? "order" : "orders"} at that price. ${other}`,
    values: {
      quantity: amounts.lots(quantity),
      price: amounts.price(price),
      ahead: amounts.lots(ahead),
      ordersAhead: orders,
      touch: touch === null ? null : amounts.price(touch),
    },
  };
}

function traded({ state, command }: Happened, event: Event<"Traded">, number: OrderNumber): Told {
  const order = state.order(number);
  const { product } = state.market(event.product);
  const amounts = new Amounts(product);
  const isTaker = event.taker === number;
  const role = isTaker ? "taker" : "maker";
  const other = isTaker ? event.maker : event.taker;
  const against =
    other === 0
      ? "the synthetic market"
      : `an order of ${state.client(state.order(other).terms.client).name} (entry ${other})`;
  const notional = units(ticksTimesLots(event.price, event.quantity) * product.unitsPerTickLot);
  const { rates } = order.terms;
  const tally = addFill(order, notional, rates, role, order.terms.side, product.quote);
  const charge = isTaker ? event.takerCharge : event.makerCharge;
  const [commissionRate, exchangeRate] = isTaker
    ? [rates.takerCommission, rates.takerExchange]
    : [rates.makerCommission, rates.makerExchange];
  const asked = command.kind === "FillOrder" || command.kind === "TakeCourse";
  const own = asked
    ? "the price that the sandbox was asked for"
    : "its own price, because it was in the book before";
  const whose = isTaker ? "the price of the order that was in the book before" : own;
  return {
    code: "TRADED",
    sentence:
      `${amounts.lots(event.quantity)} traded as ${role} against ${against} at ${amounts.price(event.price)}: ${whose}. ` +
      `${amounts.quote(notional)} at ${percent(commissionRate)} bring the commission to ${amounts.quote(tally.commission)} in all, ` +
      `rounded up, so this fill is charged ${amounts.quote(charge.commission)}; the exchange fee at ${percent(exchangeRate)} adds ` +
      `${amounts.quote(charge.exchangeFee)}.`,
    values: {
      trade: event.trade,
      role,
      against,
      quantity: amounts.lots(event.quantity),
      price: amounts.price(event.price),
      notional: amounts.quote(notional),
      commission: amounts.quote(charge.commission),
      commissionRate: percent(commissionRate),
      commissionInAll: amounts.quote(tally.commission),
      exchangeFee: amounts.quote(charge.exchangeFee),
      exchangeRate: percent(exchangeRate),
    },
  };
}

const causes: Partial<Record<Command["kind"], string>> = {
  CancelOrder: "The client cancelled it",
  FinishCancel: "The cancellation that the client had asked for took effect",
  CancelByExchange: "A control of the sandbox let the exchange cancel it",
  TakeCourse: "The course that a fault had laid down ended it",
  FillOrder: "A control of the sandbox filled it",
  ExpireOrder: "A control of the sandbox let it expire",
  ConfirmOrder: "The answer of the exchange came",
};

function closed(
  { kind }: Command,
  { status, reason }: Event<"OrderClosed">,
  { filled }: Order,
  amounts: Amounts,
): Told {
  const code: FactCode = status;
  const cause = causes[kind] ?? "Matching ended it";
  const why = reason === null || reason === "" ? "" : `: ${reason}`;
  return {
    code,
    sentence: `${cause}. It is ${status}${why}. ${amounts.lots(filled)} of it had traded; what was still on hold is free again.`,
    values: { status, reason, filled: amounts.lots(filled) },
  };
}
