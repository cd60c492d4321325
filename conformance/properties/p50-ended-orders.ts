import type { WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  cancelling,
  limitOrder,
  matched,
  mirrored,
  opposite,
  reached,
  room,
  type Side,
  standing,
  tradeAt,
} from "./own-book.ts";
import type { Plan } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call } from "./templates.ts";

/**
 * P-50: an order that has ended takes no part in later trades. It ended while it waited for its trigger or in the book,
 * after it was triggered, after a partial fill, or when it was filled. Then its trigger is touched, or it is cancelled
 * once more, and an order at its price arrives. With any answer to the cancel, the status and the filled quantity stay
 * as they were at the end of the order.
 */
const table: Table = {
  id: "P-50",
  title: "An order that has ended does not trade again",
  spec: ["STA-04", "STA-06"],
  safety: "trades",
  requires: { ...tradingWithOurselves, operations: ["readOrder", "cancelOrder"] },
  cost: { requests: 30, orders: 8 },
  staging: 1,
  dimensions: {
    type: ["LIMIT", "STOP_LIMIT"],
    side: ["BUY", "SELL"],
    ended: ["while it waited", "when it had gone off", "filled in part", "filled"],
    afterwards: ["an order at its price", "a better one", "a cancel"],
  },
  strength: 3,
  cannot: ({ type, ended }) =>
    type === "LIMIT" && ended === "when it had gone off" ? "a LIMIT does not go off" : undefined,
  plan,
};
export const endedOrders = tableProperty(table);

/** For a buy order: the price is the limit, at which no order rests until the counterparty places one. */
const places = { quiet: 2, price: 5, trigger: 8, better: 4 } as const;

function plan({ type, side: word, ended = "", afterwards }: Tuple): Plan {
  const side = word as Side;
  const place = (name: keyof typeof places): string => mirrored(places[name], side);
  const isStop = type === "STOP_LIMIT";
  const waited = ended === "while it waited";
  const part = { "filled in part": "${quantity}", filled: "${two}" }[ended];
  const order = limitOrder(side, place("price"), "${two}");
  const theirs = (id: string, at: keyof typeof places, quantity: string): WrittenStep =>
    standing(id, "counterparty", limitOrder(opposite(side), place(at), quantity));
  const touch = tradeAt("touch", place("trigger"), side, "the trigger could not be touched");
  return {
    isolation: "product",
    vars: {
      ...bookVars(Object.values(places).map((one) => mirrored(one, side))),
      two: { $calc: "quantity * 2" },
    },
    steps: [
      room,
      ...(isStop ? tradeAt("quiet", place("quiet"), side, "the last price could not be set") : []),
      standing(
        "mine",
        "trader",
        isStop ? { ...order, type, stop_price: `\${price${place("trigger")}}` } : order,
      ),
      ...(isStop && !waited ? touch : []),
      ...(part === undefined ? [] : [theirs("part", "price", part), matched, filled(part)]),
      ...(ended === "filled" ? [] : [cancelling("mine"), matched]),
      over,
      ...(isStop && waited ? touch : []),
      ...(afterwards === "a cancel" ? cancelledAgain : []),
      theirs("late", afterwards === "a better one" ? "better" : "price", "${two}"),
      matched,
      noMoreThan(part ?? "0"),
    ],
  };
}

const filled = (quantity: string): WrittenStep =>
  reached(
    "parted",
    "mine",
    "trader",
    { order: { filledQuantity: { $dec: quantity } } },
    "the order did not trade",
  );

const over: WrittenStep = reached(
  "over",
  "mine",
  "trader",
  { order: { status: { $in: ["CANCELLED", "EXPIRED", "FILLED"] } } },
  "the order did not end",
  { capture: { ended: "#order/status" } },
);

const cancelledAgain: readonly WrittenStep[] = [
  call("again", "cancelOrder", { params: { id: "${mineOrder}" } }),
  call(
    "same",
    "readOrder",
    { params: { id: "${mineOrder}" } },
    { spec: ["STA-04"], expect: { order: { status: { $eqVar: "ended" } } } },
  ),
];

const noMoreThan = (quantity: string): WrittenStep => ({
  id: "stays",
  spec: ["STA-06"],
  never: {
    call: { op: "readOrder", params: { id: "${mineOrder}" } },
    match: { order: { filledQuantity: { $dec: { gt: quantity } } } },
    for: "100ms",
    every: "50ms",
  },
});
