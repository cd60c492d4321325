import type { Expectation, WrittenStep } from "../model/language.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  isUncapped,
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
import { type ModelOrder, PriceTime } from "./price-time.ts";
import type { Plan } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { call, type Judged, key } from "./templates.ts";

interface Neighbour {
  readonly at: "before" | "behind";
  readonly went: "cancelled" | "filled" | "refused";
}

const neighbours: Readonly<Record<string, Neighbour>> = {
  "one before it was cancelled": { at: "before", went: "cancelled" },
  "one behind it was cancelled": { at: "behind", went: "cancelled" },
  "one before it was filled": { at: "before", went: "filled" },
  "one behind it was refused": { at: "behind", went: "refused" },
};

/**
 * P-49: of two orders the better price trades first, and at one price the older order, with any sizes, also after a
 * part of it has traded. The model decides which is first. A neighbour in the queue, just before the first order or
 * behind it, may have been cancelled, filled or refused before, and may belong to another client.
 * Oracle: while the first order is not filled, the other one is untouched; and after the neighbour is gone, that one
 * still trades.
 */
const table: Table = {
  id: "P-49",
  title: "The better price trades first, and at one price the older order",
  spec: ["PLC-37", "PLC-38"],
  assumes: ["AS-31"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 30, orders: 7 },
  staging: 2,
  dimensions: {
    decides: ["price", "time"],
    makers: ["SELL", "BUY"],
    taker: ["LIMIT", "MARKET"],
    first: ["came earlier", "came later"],
    size: ["same", "smaller", "larger"],
    before: ["nothing", "a part was taken", ...Object.keys(neighbours)],
    others: ["the same client's", "another client's"],
  },
  strength: 2,
  closer: [{ decides: "price", others: "another client's" }],
  cannot: ({ decides, first }) =>
    decides === "time" && first === "came later"
      ? "at one price only the earlier order can be first"
      : undefined,
  lacks: ({ before = "", others }, situation) => {
    const went = neighbours[before]?.went;
    if (went === "refused" && !isUncapped(situation.profile))
      return "an order beyond the available funds is tried on this machine only, without a cap on its value";
    return missing(situation, {
      operations: went === "cancelled" ? ["cancelOrder"] : [],
      credentials: others === "another client's" ? ["otherClient"] : [],
    });
  },
  plan,
};
export const priority = tableProperty(table);

const units: Readonly<Record<string, readonly [first: string, other: string]>> = {
  same: ["2", "2"],
  smaller: ["1", "3"],
  larger: ["3", "1"],
};

interface Placed extends Omit<ModelOrder, "price"> {
  readonly price: string;
  readonly as: string;
}

function plan({ decides, makers, taker, first, size = "", before = "", others }: Tuple): Plan {
  const makerSide = makers as Side;
  const side = opposite(makerSide);
  const [near, far] = decides === "price" ? [mirrored(4, side), mirrored(12, side)] : ["8", "8"];
  const [wanted = "", other = ""] = units[size] ?? [];
  const isPart = before === "a part was taken";
  const theirs = { side: makerSide, as: others === "another client's" ? "otherClient" : "counterparty" };
  const own = isPart ? `${Number(wanted) + 1}` : wanted;
  const better: Placed = { id: "better", side: makerSide, as: "counterparty", price: near, quantity: own };
  const worse: Placed = { id: "worse", ...theirs, price: far, quantity: other };
  const beside: Placed = { id: "beside", ...theirs, price: near, quantity: "1" };
  const neighbour = neighbours[before];
  const isFilled = neighbour?.went === "filled";
  const kept = neighbour?.went === "refused" ? [] : [beside];
  const queue = neighbour?.at === "before" ? [beside, better] : [better, ...kept];
  const orders = neighbour === undefined ? [better] : queue;
  const placed = first === "came earlier" ? [...orders, worse] : [worse, ...orders];
  const book = new PriceTime();
  for (const order of placed) if (order !== beside || isFilled) book.place(order);
  if (isPart || isFilled) book.place({ id: "part", side, price: near, quantity: "1" });
  book.place({ id: "take", side, price: far, quantity: wanted });
  const winner = book.fillsOf("take")[0]?.maker === "better" ? better : worse;
  const loser = winner === better ? worse : better;
  const clause = decides === "price" ? "PLC-37" : "PLC-38";
  return {
    isolation: "product",
    vars: { ...bookVars([near, far]), unit: "${quantity}", ...amounts(wanted, other, near) },
    steps: [
      room,
      ...placed.map(({ id, as, price, quantity }) =>
        standing(id, as, limitOrder(makerSide, price, `\${units${quantity}}`)),
      ),
      ...(neighbour === undefined ? [] : gone(neighbour, beside)),
      ...(isPart || isFilled ? parted(side, near) : []),
      ...(isFilled ? [reached("went", "beside", beside.as, filled, "the part met another")] : []),
      ...taken(taker === "LIMIT" ? limitOrder(side, far, `\${units${wanted}}`) : marketOrder(side, wanted)),
      read("first", winner),
      read("other", loser, {
        expect: {
          $switch: "${first.order.status}",
          OPEN: { order: { filledQuantity: { $cite: clause, is: untouched } } },
          PENDING: { order: { filledQuantity: { $cite: clause, is: untouched } } },
        },
      }),
      ...(neighbour === undefined ? [] : stillTrades(side, far, loser)),
    ],
  };
}

const filled: Expectation = { order: { status: "FILLED" } };

const parted = (side: Side, price: string): WrittenStep[] => [
  standing("part", "trader", limitOrder(side, price, "${units1}")),
  matched,
  reached("parted", "part", "trader", filled, "the part met nobody"),
];

const taken = (body: ValueMap): WrittenStep[] => [
  standing("take", "trader", body),
  matched,
  reached(
    "taken",
    "take",
    "trader",
    { order: { filledQuantity: { $dec: { gt: "0" } } } },
    "the order did not trade",
  ),
];

/**
 * The change of the neighbour before the trade; a neighbour that is filled trades with the first order that arrives.
 */
function gone({ went }: Neighbour, { as, side, price }: Placed): WrittenStep[] {
  if (went === "cancelled")
    return [
      call(
        "cancel",
        "cancelOrder",
        { as, params: { id: "${besideOrder}" } },
        { note: "the neighbour could not be cancelled", onFail: "block", expect: { status: "2xx" } },
      ),
      matched,
      reached("went", "beside", as, { order: { status: "CANCELLED" } }, "the neighbour was not cancelled"),
    ];
  if (went === "filled") return [];
  const body = {
    ...limitOrder(side, price, "${tooMuch}"),
    client_order_id: key("beside"),
    product: "${product}",
  };
  return [
    call(
      "beside",
      "placeOrder",
      { as, body },
      {
        note: "an order beyond the available funds was accepted",
        onFail: "block",
        expect: { $macro: "rejected" },
      },
    ),
  ];
}

/** The remainder of the two orders is bought or sold as well. */
const stillTrades = (side: Side, far: string, { id, as }: Placed): WrittenStep[] => [
  standing("rest", "trader", limitOrder(side, far, "${all}")),
  matched,
  seen("trades", id, as, { order: { filledQuantity: { $dec: { gt: "0" } } } }, { spec: ["PLC-37"] }),
];

/** A quantity for each number of units that a plan with these sizes may use. */
function amounts(wanted: string, other: string, near: string): ValueMap {
  const counts = new Set(["1", wanted, other, String(Number(wanted) + 1)]);
  return {
    ...Object.fromEntries(
      [...counts].map((count): [string, Value] => [`units${count}`, { $calc: `unit * ${count}` }]),
    ),
    all: { $calc: `unit * ${Number(wanted) + Number(other)}` },
    tooMuch: { $calc: "unit * 1000000000" },
    value: { $calc: `round(unit * ${wanted} * price${near}, 2, down)` },
  };
}

const marketOrder = (side: Side, wanted: string): ValueMap =>
  side === "BUY"
    ? { side, type: "MARKET", quote_value: "${value}" }
    : { side, type: "MARKET", base_quantity: `\${units${wanted}}` };

function read(step: string, { id, as }: Placed, judged: Judged = {}): WrittenStep {
  return call(step, "readOrder", { as, params: { id: `\${${id}Order}` } }, judged);
}
