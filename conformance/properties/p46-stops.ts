import type { Expectation, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
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
  seen,
  standing,
  untouched,
} from "./own-book.ts";
import type { Plan, Situation } from "./property.ts";
import { elsewhereOf, noneElsewhere, undisturbed, waitingElsewhere } from "./stops-elsewhere.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { call } from "./templates.ts";
import { tradedOnce, walletsBefore } from "./wallet-steps.ts";

/**
 * P-46: a stop waits until a trade at its trigger or beyond, and is then a limit order like any other.
 * First a trade of the kit sets the last price before the trigger. Then there is a trade short of the trigger, at it or
 * beyond it, or an offer that does not trade. If the limit meets that offer, the stop trades with it; otherwise a later
 * order trades with the stop. The trade may be by the client of the stop or by another. Other stops may wait, of the
 * same client or another, at its trigger or others, and one for a product with an asset in common. An earlier stop may
 * have been cancelled.
 * Oracle: each stop is filled, at its limit or better, exactly when a trade of its product has reached its trigger, and
 * trades once: the wallets of the base asset show no more than the quantity of the orders.
 */
const table: Table = {
  id: "P-46",
  title: "A stop is triggered by a trade at its trigger or beyond, and by nothing else",
  spec: ["PLC-39", "ORD-60"],
  assumes: ["AS-32"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 40, orders: 9 },
  staging: 2,
  dimensions: {
    side: ["BUY", "SELL"],
    direction: ["up", "down"],
    by: ["trade", "another client's trade", "quote"],
    reach: ["at the trigger", "beyond", "short of it"],
    limit: ["meets the offer", "waits"],
    others: [
      "none",
      "one at its trigger",
      "two at other triggers",
      "another client's",
      "one that was cancelled",
    ],
    elsewhere: ["nothing", "the same base", "the same quote"],
  },
  strength: 2,
  closer: [{ by: "trade" }],
  cannot: ({ side, direction }) =>
    (side === "BUY") === (direction === "up")
      ? undefined
      : "a stop behind the last price is refused or fires at once, and the choice is open",
  lacks: ({ by, others, elsewhere = "" }, situation) =>
    missing(situation, {
      credentials: [by, others].some((one) => one?.startsWith("another client's")) ? ["otherClient"] : [],
      operations: others === "one that was cancelled" ? ["cancelOrder"] : [],
    }) ?? noneElsewhere(elsewhere, situation),
  plan,
};
export const stops = tableProperty(table);

const places: Readonly<Record<string, number>> = { "at the trigger": 8, beyond: 11, "short of it": 7 };

interface Stop {
  readonly id: string;
  readonly as: string;
  readonly trigger: string;
}

/** A trade that reaches the trigger reaches it for all of them, or for none. */
function stopsOf(others: string, side: Side, isShort: boolean): Stop[] {
  const [next, last] = isShort ? [9, 10] : [7, 5];
  const of = (id: string, place: number, as = "trader"): Stop => ({ id, as, trigger: mirrored(place, side) });
  if (others === "one at its trigger") return [of("stop", 8), of("stop2", 8)];
  if (others === "two at other triggers") return [of("stop", 8), of("stop2", next), of("stop3", last)];
  if (others === "another client's") return [of("stop", 8), of("stop2", 8, "otherClient")];
  return [of("stop", 8)];
}

function plan(
  { side: word, by, reach = "", limit, others = "", elsewhere = "" }: Tuple,
  situation: Situation,
): Plan {
  const side = word as Side;
  const [quiet, there] = [mirrored(2, side), mirrored(places[reach] ?? 8, side)];
  const price = mirrored(limit === "waits" ? 5 : 13, side);
  const trades = by !== "quote";
  const toucher = by === "another client's trade" ? "otherClient" : "trader";
  const fires = trades && reach !== "short of it";
  const stops = stopsOf(others, side, reach === "short of it");
  const ours = stops.filter(({ as }) => as === "trader").length;
  const looks = fires && stops.length > 1;
  const beyond = elsewhereOf(elsewhere, situation);
  const prices = [quiet, there, price, ...stops.map(({ trigger }) => trigger)];
  return {
    // While wallets are compared, no other plan may change them.
    isolation: looks ? "account" : "product",
    vars: {
      ...bookVars(prices),
      // One offer more than needed: an order that trades twice finds it.
      enough: { $calc: `quantity * ${stops.length + 2}` },
      ...beyond?.vars(there),
    },
    steps: [
      room,
      ...(looks ? walletsBefore : []),
      standing("quietMaker", "counterparty", limitOrder(opposite(side), quiet, "${quantity}")),
      standing("quiet", "trader", limitOrder(side, quiet, "${quantity}")),
      matched,
      tradedAt("quieted", "quiet", quiet, "the last price could not be set by a trade of our own"),
      ...withNeighbour(others, side, price, stops),
      ...(beyond === undefined ? [] : waitingElsewhere(beyond)),
      standing("offer", "counterparty", limitOrder(opposite(side), there, "${enough}")),
      ...(trades ? [standing("touch", toucher, limitOrder(side, there, "${quantity}"))] : []),
      matched,
      ...(trades
        ? [tradedAt("touched", "touch", there, "the price could not be moved by a trade of our own", toucher)]
        : []),
      ...(limit === "waits"
        ? [standing("later", "counterparty", limitOrder(opposite(side), price, "${enough}")), matched]
        : []),
      ...(fires ? stops.map((one) => triggered(one, side, price)) : waiting(stops)),
      ...(beyond === undefined ? [] : [undisturbed]),
      ...(looks ? tradedOnce(side, `quantity * ${(toucher === "trader" ? 2 : 1) + ours}`) : []),
    ],
  };
}

/** The stops, and possibly one before them that is cancelled after they are placed. */
function withNeighbour(others: string, side: Side, price: string, stops: readonly Stop[]): WrittenStep[] {
  const placed = stops.map((one) => standing(one.id, one.as, stopOrder(side, price, one)));
  if (others !== "one that was cancelled") return placed;
  const gone = standing("gone", "trader", stopOrder(side, price, { trigger: mirrored(8, side) }));
  return [gone, ...placed, cancelling("gone"), matched];
}

const stopOrder = (side: Side, price: string, { trigger }: Pick<Stop, "trigger">): ValueMap => ({
  ...limitOrder(side, price, "${quantity}"),
  type: "STOP_LIMIT",
  stop_price: `\${price${trigger}}`,
});

const tradedAt = (step: string, order: string, place: string, note: string, as = "trader"): WrittenStep =>
  reached(
    step,
    order,
    as,
    { order: { status: "FILLED", averageFilledPrice: { $dec: `\${price${place}}` } } },
    note,
  );

function triggered({ id, as }: Stop, side: Side, price: string): WrittenStep {
  const within = { [side === "BUY" ? "lte" : "gte"]: `\${price${price}}` };
  const filled: Expectation = { order: { status: "FILLED", averageFilledPrice: { $dec: within } } };
  return seen(`${id}Fires`, id, as, filled, { spec: ["PLC-39"] });
}

/** The first stop is polled for a while, then the others are read. */
const waiting = ([first, ...others]: readonly Stop[]): WrittenStep[] => [
  ...(first === undefined ? [] : [watched(first)]),
  ...others.map(({ id, as }) =>
    call(
      `${id}Waits`,
      "readOrder",
      { as, params: { id: `\${${id}Order}` } },
      { spec: ["PLC-39"], expect: { order: { filledQuantity: untouched } } },
    ),
  ),
];

const watched = ({ id, as }: Stop): WrittenStep => ({
  id: `${id}Waits`,
  spec: ["PLC-39"],
  never: {
    call: { op: "readOrder", as, params: { id: `\${${id}Order}` } },
    match: { order: { filledQuantity: { $dec: { gt: "0" } } } },
    for: "100ms",
    every: "50ms",
  },
});
