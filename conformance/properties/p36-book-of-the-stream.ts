import fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import { isWithin } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import { fieldsIn, original } from "./order-states.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { connected, heard, subscribed } from "./stream-steps.ts";
import { missing } from "./table.ts";
import { halfOf, marketOf, middleOf, unknownPrice } from "./table-orders.ts";
import { call, firstPlacement, orderOf, place, settle, shapes } from "./templates.ts";

/**
 * P-36: the book made from the messages is the book that can be read, after a few orders, cancels and trades.
 * Clause: EVT-08. Both books must carry a number, so that the same state can be compared.
 * Generator: up to four placements on either side, some cancelled and some of those placed again, before and after the
 * subscription, in front of an order that is deeper in the book and stays. If trades are allowed, mostly also a trade
 * of the kit with a part or all of a level between bid and ask.
 * Oracle: a replica that applies the messages one by one, compared level by level at the version of the read.
 * Shrinks to no placement: then the first snapshot is wrong. Safety: at most ten orders far from the market, and two
 * that trade with each other.
 */
export const bookOfTheStream: Property = {
  id: "P-36",
  title: "The book made from the stream is the book that can be read",
  spec: ["EVT-08"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.orderBook", "ws.bookVersion"], operations: ["orderBook"] },
  runs: { local: 8, staging: 2 },
  cost: { requests: 34, orders: 12 },
  plans: (situation) =>
    fc
      .record({
        early: fc.array(change, { maxLength: 2 }),
        late: fc.array(change, { maxLength: 2 }),
        met: mayTrade(situation) ? fc.option(trade, { freq: 3, nil: undefined }) : fc.constant(undefined),
      })
      .map(({ early, late, met }): Plan => {
        const cancels = typeof situation.profile.operations["cancelOrder"] === "object";
        const middle =
          met === undefined ? {} : { key: { $uuid4: "met" }, middle: middleOf(situation, "tradable") };
        const vars = { ...marketOf("tradable"), ...deeper(situation), ...middle };
        return { isolation: "product", vars, steps: stepsOf(early, late, met, cancels) };
      }),
};

/** An order of ours between bid and ask, and how much of it the counterparty takes. */
interface Trade {
  readonly side: "BUY" | "SELL";
  readonly state: "partly filled" | "filled by another";
}

const trade: fc.Arbitrary<Trade> = fc.record({
  side: fc.constantFrom("BUY" as const, "SELL" as const),
  state: fc.constantFrom("partly filled" as const, "filled by another" as const),
});

const mayTrade = (situation: Situation): boolean =>
  isWithin("trades", situation.profile.safety.allow) &&
  missing(situation, {
    credentials: ["counterparty"],
    operations: ["readOrder"],
    capabilities: ["liquidity.cross"],
  }) === undefined &&
  unknownPrice(situation, "tradable", "near") === undefined;

function trading({ side, state }: Trade): WrittenStep[] {
  const shape = side === "BUY" ? shapes.limitBuy : shapes.limitSell;
  return original(
    orderOf(shape, "met", { ...fieldsIn(state, side, "LIMIT"), client_order_id: "${key}" }),
    state,
    side,
  );
}

interface Change {
  readonly side: "limitBuy" | "limitSell";
  readonly fate: "kept" | "cancelled" | "again";
}

const change: fc.Arbitrary<Change> = fc.record({
  side: fc.constantFrom("limitBuy" as const, "limitSell" as const),
  fate: fc.constantFrom("kept", "cancelled", "again"),
});

function stepsOf(
  early: readonly Change[],
  late: readonly Change[],
  met: Trade | undefined,
  cancels: boolean,
): WrittenStep[] {
  const changes = (list: readonly Change[], when: string): WrittenStep[] =>
    list.flatMap((one, index) => changing(one, `${when}${index + 1}`, cancels));
  return [
    ...floors([...early, ...late]),
    ...changes(early, "early"),
    ...connected("open"),
    subscribed("joined", "orderBook", ["${product}"]),
    heard("whole", { is: "book" }, ["EVT-08"], { from: "connect", within: "10s" }),
    ...changes(late, "late"),
    ...(met === undefined ? [] : trading(met)),
    call("read", "orderBook", { params: { product: "${product}" } }, { expect: { status: "2xx" } }),
    { ws: { collect: { for: "250ms", as: "seen", from: "connect" } } },
    { spec: ["EVT-08"], check: { book: "seen", equals: "read" } },
  ];
}

/** Prices beyond those of the changes. A read may show a part of a deep book, so a level is known to be gone only where a deeper one is shown. */
const deeper = (situation: Situation): ValueMap => ({
  limitBuyFloor: halfOf("far", situation, "tradable", "BUY", "far"),
  limitSellFloor: { $calc: "farSell * 2" },
});

/** Their result is not judged: a target may refuse such prices. */
const floors = (all: readonly Change[]): WrittenStep[] =>
  [...new Set(all.map(({ side }) => side))].map((side) =>
    place(`${side}Floor`, orderOf(shapes[side], `${side}Floor`, { price: `\${${side}Floor}` })),
  );

function changing({ side, fate }: Change, name: string, cancels: boolean): WrittenStep[] {
  const placed = (slot: string): WrittenStep[] => [
    ...firstPlacement(slot, orderOf(shapes[side], slot), `${slot}Order`),
    settle,
  ];
  if (fate === "kept" || !cancels) return placed(name);
  const cancelled = [
    ...placed(name),
    call(`${name}Cancel`, "cancelOrder", { params: { id: `\${${name}Order}` } }),
    settle,
  ];
  return fate === "again" ? [...cancelled, ...placed(`${name}Again`)] : cancelled;
}
