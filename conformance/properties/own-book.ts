import type { Expectation, WrittenStep } from "../model/language.ts";
import { isOurs, type Profile } from "../model/profile.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { PriceTime } from "./price-time.ts";
import { call, type Judged, key, settle } from "./templates.ts";

/**
 * The kit's own book: the counterparty and the trader place orders inside the spread, at sixteenths of it above the
 * best bid. No other orders are there, so every trade is between the two. If the market has moved, a plan is BLOCKED.
 */
export type Side = "BUY" | "SELL";
export const opposite = (side: Side): Side => (side === "BUY" ? "SELL" : "BUY");

/** For a buy order the place itself, for a sell order the same place counted from the other end. */
export const mirrored = (place: number, side: Side): string => String(side === "BUY" ? place : 16 - place);

/**
 * With `beside`, each price is that many steps away from its place, so that it has as many digits as prices can have.
 */
export function bookVars(places: readonly string[], word = "liquid", step = "tick", beside = 0): ValueMap {
  return {
    product: { $product: word },
    quantity: { $qty: { size: "typical", product: "${product}" } },
    bid: { $price: { side: "BUY", away: "near", product: "${product}" } },
    ask: { $price: { side: "SELL", away: "near", product: "${product}" } },
    tick: { $step: { of: "price", product: "${product}" } },
    unit: { $step: { of: "value", product: "${product}" } },
    quote: { $pair: { product: "${product}", form: "{quote}" } },
    base: { $pair: { product: "${product}", form: "{base}" } },
    ...Object.fromEntries(
      [...new Set(places)].map((place) => [
        `price${place}`,
        {
          $calc: `bid + ((ask - bid) * ${place} / (16 * ${step}) @ 0${beside === 0 ? "" : ` + ${beside}`}) * ${step}`,
        },
      ]),
    ),
  };
}

export const matched = settle;

/** The spread must have at least sixteen price steps. */
export const roomFor = (step: string): WrittenStep => ({
  note: "the spread has no room for prices of our own",
  onFail: "block",
  assert: { left: { $calc: `(ask - bid) / ${step} @ 8` }, is: { $dec: { gte: "16" } } },
});

export const room = roomFor("tick");

/**
 * Places an order of one of the kit's clients. If it is not placed, the plan is BLOCKED. Afterwards `${idOrder}` is its
 * id.
 */
export function standing(id: string, as: string, fields: ValueMap): WrittenStep {
  return call(
    id,
    "placeOrder",
    { as, body: { ...fields, client_order_id: key(id), product: "${product}" } },
    {
      note: "the target did not accept the order",
      onFail: "block",
      expect: { body: { data: { type: "NEW_ORDER" } } },
      capture: { [`${id}Order`]: "#/data/order/id" },
    },
  );
}

export const limitOrder = (side: Side, place: string, quantity: string): ValueMap => ({
  side,
  type: "LIMIT",
  base_quantity: quantity,
  price: `\${price${place}}`,
});

/** Reads an order of the kit until the condition holds. */
export function seen(
  step: string,
  order: string,
  as: string,
  until: Expectation,
  judged: Judged = {},
): WrittenStep {
  return {
    id: step,
    poll: {
      call: { op: "readOrder", as, params: { id: `\${${order}Order}` } },
      until,
      every: "40ms",
      within: "3s",
    },
    ...judged,
  };
}

/** Like `seen`, and the plan is BLOCKED if the condition does not become true. */
export const reached = (
  step: string,
  order: string,
  as: string,
  until: Expectation,
  note: string,
  more: Judged = {},
): WrittenStep => seen(step, order, as, until, { note, onFail: "block", ...more });

/** A trade between the kit's clients at that place; the trader is on this side of it. */
export function tradeAt(name: string, place: string, side: Side, note: string): WrittenStep[] {
  return [
    standing(`${name}Maker`, "counterparty", limitOrder(opposite(side), place, "${quantity}")),
    standing(name, "trader", limitOrder(side, place, "${quantity}")),
    matched,
    reached(`${name}Traded`, name, "trader", { order: { status: "FILLED" } }, note),
  ];
}

/** Cancels an order of the trader. If that fails, the plan is BLOCKED. */
export const cancelling = (order: string): WrittenStep =>
  call(
    "cancel",
    "cancelOrder",
    { params: { id: `\${${order}Order}` } },
    { note: "the order could not be cancelled", onFail: "block", expect: { status: "2xx" } },
  );

/** May an order have any size? Only on this machine, if the profile states no cap. */
export const isUncapped = (profile: Profile): boolean =>
  isOurs(profile) && Object.keys(profile.safety.notionalPerOrder).length === 0;

export const untouched: Value = { $optional: { $nullable: { $dec: "0" } } };

/** The value of the fills of an order in the quote asset: `unit * 2 * price8 + …`. */
export function valueOf(model: PriceTime, id: string): string {
  return model
    .fillsOf(id)
    .map(({ quantity, price }) => `unit * ${quantity} * price${price}`)
    .join(" + ");
}
