/** The reason why an order that has not ended waits, and the event that would make it trade. */
import type { Due, Order } from "../domain/order.ts";
import { remainingLots, type VenueState } from "../engine/state.ts";
import { isoTime } from "../wire/envelope.ts";
import { Amounts, type Fact } from "./fact.ts";
import { placeBehind } from "./queue.ts";

export function waitingFor(state: VenueState, order: Order): Fact[] {
  const { product, halted } = state.market(order.terms.product);
  const facts: Fact[] = [];
  if (order.phase !== "done" && halted)
    facts.push(
      now(state, "HALTED", `Trading in ${product.id} is halted: nothing trades until it is resumed.`),
    );
  if (order.phase !== "done") facts.push(waits(state, order));
  if (order.willSync === false)
    facts.push(
      now(state, "NEVER_SYNCED", "A fault keeps synced false for ever; the record is right all the same."),
    );
  return facts;
}

const now = (state: VenueState, code: Fact["code"], sentence: string, values: Fact["values"] = {}): Fact => ({
  code,
  sentence,
  values: { at: isoTime(state.now), ...values },
  entry: state.seq,
});

function waits(state: VenueState, order: Order): Fact {
  const { due, phase } = order;
  if (due?.action === "FinishCancel") {
    const at = isoTime(due.at);
    return now(
      state,
      "WAITS_FOR_CANCEL",
      `The cancellation takes effect at ${at}; until then it can trade.`,
      { due: at },
    );
  }
  if (due?.action === "TakeCourse") return waitsForCourse(state, order, due);
  if (phase === "unconfirmed") return waitsForExchange(state, order);
  if (phase === "queued" && due === null)
    return now(
      state,
      "NEVER_MATCHED",
      "A fault keeps the order from the market: nothing matches it until it is cancelled or expires.",
    );
  if (phase === "queued") {
    const at = isoTime(due?.at ?? state.now);
    return now(state, "WAITS_FOR_MATCHING", `It is matched at ${at} of market time.`, { due: at });
  }
  return phase === "waiting-for-stop" ? waitsForStop(state, order) : waitsForTrade(state, order);
}

function waitsForCourse(state: VenueState, { terms, phase }: Order, { at, acts = [] }: Due): Fact {
  const amounts = new Amounts(state.market(terms.product).product);
  const { does = "match", quantity = 0, price = 0, upTo } = acts[0] ?? {};
  const fill =
    upTo === undefined ? `${amounts.lots(quantity)} at ${amounts.price(price)}` : `up to ${upTo} %`;
  const next = does === "fill" ? `fill ${fill}` : does;
  const meanwhile =
    phase === "resting" ? "Until then it rests in the book and can trade." : "Until then nothing matches it.";
  return now(
    state,
    "WAITS_FOR_COURSE",
    `The course that a fault laid down goes on at ${isoTime(at)} of market time: ${next}. ${meanwhile}`,
    { due: isoTime(at), next, left: acts.length },
  );
}

function waitsForExchange(state: VenueState, { due }: Order): Fact {
  if (due === null)
    return now(
      state,
      "NEVER_CONFIRMED",
      "The exchange never answers by itself: a fault or a control keeps the order PENDING until a control confirms or ends it.",
    );
  const at = isoTime(due.at);
  const how = due.action === "FailOrder" ? "that it failed" : "that it is open";
  return now(state, "WAITS_FOR_EXCHANGE", `The exchange answers at ${at} of market time ${how}.`, {
    due: at,
  });
}

function waitsForStop(state: VenueState, { terms }: Order): Fact {
  const market = state.market(terms.product);
  const amounts = new Amounts(market.product);
  const [stop, last] = [amounts.price(terms.stopPrice ?? 0), amounts.price(market.tape.last)];
  const where = terms.side === "BUY" ? "or more" : "or less";
  return now(
    state,
    "WAITS_FOR_STOP",
    `A trade at ${stop} ${where} would trigger it. The last price is ${last}.`,
    { stopPrice: stop, lastPrice: last },
  );
}

function waitsForTrade(state: VenueState, order: Order): Fact {
  const { terms, slot } = order;
  const market = state.market(terms.product);
  const amounts = new Amounts(market.product);
  const price = terms.price ?? 0;
  const { ahead, orders } = placeBehind(market.book, terms.side, price, slot);
  const buys = terms.side === "BUY";
  const touch = market.book.bestPrice(buys ? "SELL" : "BUY");
  const rest = amounts.lots(remainingLots(order) ?? 0);
  const first =
    ahead === 0
      ? "It is the first at its price:"
      : `${amounts.lots(ahead)} in ${orders} orders at its price come first, then`;
  const offer = buys ? "SELL" : "BUY";
  const distance =
    touch === null
      ? `There is no ${offer} order now.`
      : `The best ${offer} order is at ${amounts.price(touch)}, ${amounts.price(Math.abs(touch - price))} away.`;
  return now(
    state,
    "WAITS_FOR_TRADE",
    `${rest} rest in the book. ${first} a ${offer} at ${amounts.price(price)} or ${buys ? "less" : "more"} fills it. ${distance}`,
    {
      remaining: rest,
      price: amounts.price(price),
      ahead: amounts.lots(ahead),
      ordersAhead: orders,
      touch: touch === null ? null : amounts.price(touch),
    },
  );
}
