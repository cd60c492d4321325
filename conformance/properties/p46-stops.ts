import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  limitOrder,
  matched,
  mirrored,
  opposite,
  reached,
  room,
  type Side,
  seen,
  standing,
} from "./own-book.ts";
import type { Plan } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";

/**
 * P-46: a stop waits until somebody has traded at its trigger or beyond, and then it is a limit order like any other.
 * First a trade of our own sets the last price before the trigger; then something happens short of it, at it or beyond it: a trade,
 * or an offer that nobody takes. A limit that meets that offer trades with it; one that does not is met by an order that comes later.
 * Oracle: it is filled, at its limit or better, exactly when a trade has reached the trigger.
 */
const table: Table = {
  id: "P-46",
  title: "A stop is triggered by a trade at its trigger or beyond, and by nothing else",
  spec: ["PLC-39"],
  assumes: ["AS-32"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 24, orders: 6 },
  staging: 2,
  dimensions: {
    side: ["BUY", "SELL"],
    direction: ["up", "down"],
    by: ["trade", "quote"],
    reach: ["at the trigger", "beyond", "short of it"],
    limit: ["meets the offer", "waits"],
  },
  strength: 3,
  cannot: ({ side, direction }) =>
    (side === "BUY") === (direction === "up")
      ? undefined
      : "a stop behind the last price is refused or fires at once, and the choice is open",
  plan,
};
export const stops = tableProperty(table);

const places: Readonly<Record<string, number>> = { "at the trigger": 8, beyond: 11, "short of it": 7 };

function plan({ side: word, by, reach = "", limit }: Tuple): Plan {
  const side = word as Side;
  const [quiet, trigger, there] = [mirrored(2, side), mirrored(8, side), mirrored(places[reach] ?? 8, side)];
  const price = mirrored(limit === "waits" ? 5 : 13, side);
  const fires = by === "trade" && reach !== "short of it";
  const stop = {
    ...limitOrder(side, price, "${quantity}"),
    type: "STOP_LIMIT",
    stop_price: `\${price${trigger}}`,
  };
  return {
    isolation: "product",
    vars: { ...bookVars([quiet, trigger, there, price]), two: { $calc: "quantity * 2" } },
    steps: [
      room,
      standing("quietMaker", "counterparty", limitOrder(opposite(side), quiet, "${quantity}")),
      standing("quiet", "trader", limitOrder(side, quiet, "${quantity}")),
      matched,
      tradedAt("quieted", "quiet", quiet, "the last price could not be set by a trade of our own"),
      standing("stop", "trader", stop),
      standing("offer", "counterparty", limitOrder(opposite(side), there, "${two}")),
      ...(by === "trade" ? [standing("touch", "trader", limitOrder(side, there, "${quantity}"))] : []),
      matched,
      ...(by === "trade"
        ? [tradedAt("touched", "touch", there, "the price could not be moved by a trade of our own")]
        : []),
      ...(limit === "waits"
        ? [standing("later", "counterparty", limitOrder(opposite(side), price, "${quantity}")), matched]
        : []),
      fires ? triggered(side, price) : waiting,
    ],
  };
}

const tradedAt = (step: string, order: string, place: string, note: string): ValueMap =>
  reached(
    step,
    order,
    "trader",
    { order: { status: "FILLED", averageFilledPrice: { $dec: `\${price${place}}` } } },
    note,
  );

const triggered = (side: Side, price: string): ValueMap => {
  const within = { [side === "BUY" ? "lte" : "gte"]: `\${price${price}}` };
  return seen("fires", "stop", "trader", {
    order: { status: "FILLED", averageFilledPrice: { $dec: within } },
  });
};

const waiting: ValueMap = {
  id: "waits",
  never: {
    call: { op: "readOrder", params: { id: "${stopOrder}" } },
    match: { order: { filledQuantity: { $dec: { gt: "0" } } } },
    for: "100ms",
    every: "50ms",
  },
};
