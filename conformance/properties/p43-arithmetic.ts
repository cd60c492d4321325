import type { Expectation, WrittenStep } from "../model/language.ts";
import type { ProductPlan } from "../model/profile.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { rounded, tradingWithOurselves } from "./market-buys.ts";
import {
  bookVars,
  cancelling,
  isUncapped,
  limitOrder,
  matched,
  mirrored,
  opposite,
  reached,
  roomFor,
  type Side,
  seen,
  standing,
  tradeAt,
  untouched,
  valueOf,
} from "./own-book.ts";
import { affordable, walk } from "./p21-walks-the-book.ts";
import { type ModelOrder, PriceTime } from "./price-time.ts";
import type { Plan, Situation } from "./property.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { noRoom, unknownPrice } from "./table-orders.ts";
import { call } from "./templates.ts";
import { largestVars, paid, repeated, theirFunds, walletsBefore } from "./wallet-steps.ts";

/** The price step of the plans that do not use the step of the product. */
const cent = "0.01";

/**
 * P-43: the numbers of an order are those of its fills. One order of the trader trades with orders of the counterparty.
 * The model computes the fills, and from the fills the quantity, value, average and received amount of the order, to
 * the last digit that the target uses. Both sides show one value. If wallets can be read, they have changed by these
 * amounts, by the fees once, and hold no more than before; a repeat of the order changes nothing. An offer beyond the
 * limit is not touched. A MARKET BUY is sized by its value, so the quantity is read from the target; the value must pay
 * for it, and the cost is computed. The amounts are ordinary ones, or as large as the limits of the product and the
 * wallets allow, which shows numbers with too few bits. A few plain orders trade with the finest steps of prices and of
 * quantities: an average must be exact to the last digit.
 */
const table: Table = {
  id: "P-43",
  title: "The amounts of an order are those of its fills, and so is its cost",
  spec: [
    "ORD-53",
    "ORD-54",
    "ORD-55",
    "ORD-56",
    "ORD-60",
    "PLC-06",
    "PLC-10",
    "PLC-31",
    "PLC-36",
    "PLC-38",
    "STA-05",
  ],
  assumes: ["AS-23", "AS-31"],
  safety: "trades",
  requires: tradingWithOurselves,
  cost: { requests: 40, orders: 9 },
  staging: 3,
  dimensions: {
    fills: ["one", "four at one price", "over three prices"],
    side: ["BUY", "SELL"],
    type: ["LIMIT", "MARKET", "STOP_LIMIT"],
    role: ["taker", "maker", "taker, then maker"],
    digits: ["short", "at the increment", "long"],
    end: ["filled", "cancelled", "filled, and the last has more"],
    amount: ["ordinary", "the largest"],
    product: ["liquid", "finestPrice", "finestQuantity"],
  },
  strength: 3,
  // Refunds after the largest sums with the most digits.
  closer: [{ end: "cancelled", amount: "the largest", digits: "long" }],
  cannot: ({ fills, type, side, role, digits, end, amount, product }) => {
    const plain =
      type === "LIMIT" && digits === "at the increment" && end === "filled" && amount === "ordinary";
    if (product !== "liquid" && (!plain || fills === "four at one price"))
      return "on other products only a few plain orders trade";
    if (type === "MARKET" && role !== "taker") return "a MARKET order never rests";
    if (type === "MARKET" && end === "cancelled") return "a MARKET order has ended when it has traded";
    if (type === "MARKET" && side === "BUY" && end !== "filled")
      return "the last offer that a MARKET BUY meets is never used up";
    if (role === "taker, then maker" && (fills === "one" || type === "STOP_LIMIT"))
      return "an order trades a part at once and rests with the remainder";
    return role === "maker" && fills === "over three prices"
      ? "an order that waits has one price"
      : undefined;
  },
  lacks: ({ digits, end, amount, product = "" }, situation) => {
    const other = product === "liquid" ? undefined : noOther(product, situation);
    if (other !== undefined) return other;
    const tooLarge = amount === "the largest" ? noLargest(situation) : undefined;
    if (tooLarge !== undefined) return tooLarge;
    if (digits !== "short" && stepsOf(product, situation)?.qtyStep === undefined)
      return "the profile states no qtyStep of the most liquid product";
    return end === "cancelled" && typeof situation.profile.operations["cancelOrder"] !== "object"
      ? "cancelOrder is not mapped"
      : undefined;
  },
  plan: (tuple, situation) => planOf(tuple, stepsOf(tuple["product"] ?? "", situation)),
};
export const arithmetic = tableProperty(table);

function noLargest({ profile }: Situation): string | undefined {
  if (!isUncapped(profile))
    return "the largest orders are tried on this machine only, without a cap on their value";
  return typeof profile.operations["wallets"] === "object"
    ? undefined
    : "wallets is not mapped, which tells how large an order can be";
}

function stepsOf(word: string, { profile, market }: Situation): ProductPlan | undefined {
  const { products } = profile.safety;
  return Object.keys(products).length === 0 ? undefined : products[market.product(word)];
}

function noOther(word: string, situation: Situation): string | undefined {
  const unknown = missing(situation, { products: [word] });
  if (unknown !== undefined) return unknown;
  const { priceStep } = stepsOf(word, situation) ?? {};
  if (priceStep === undefined) return `the profile states no priceStep of the ${word} product`;
  return situation.market.product(word) === situation.market.product("liquid")
    ? `the ${word} product is the one that trades best`
    : (unknownPrice(situation, word, "near") ?? noRoom(situation, word, priceStep));
}

/** Orders of the counterparty: the place, as for a buy order, and the units. */
const parts: Readonly<Record<string, readonly (readonly [place: number, units: string])[]>> = {
  one: [[8, "2"]],
  "four at one price": [
    [8, "1"],
    [8, "2"],
    [8, "1"],
    [8, "1"],
  ],
  "over three prices": [
    [4, "1"],
    [8, "2"],
    [12, "1"],
  ],
};

const unitOf = (digits: string | undefined, step: string): Value => {
  if (digits === "short") return "${size}";
  if (digits === "at the increment") return { $calc: `size + ${step}` };
  return { $calc: `(size * 1.23456789 / ${step} @ 0) * ${step}` };
};

const units = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((count) => [`units${count}`, { $calc: `unit * ${count}` }]),
);

function planOf(tuple: Tuple, { qtyStep = "0", priceStep = cent }: ProductPlan = {}): Plan {
  const { fills = "", side: word, type = "", role, digits, end, amount, product } = tuple;
  const isOther = product !== "liquid";
  const step = isOther ? priceStep : cent;
  const side = word as Side;
  const others = othersOf(fills, side);
  const last = others.at(-1);
  const mine = mineOf(others, side, end === "cancelled" ? 1 : 0);
  const more = end === "filled, and the last has more";
  if (more && last !== undefined) last.quantity = String(Number(last.quantity) + 2);
  const buys = type === "MARKET" && side === "BUY";
  const first = role === "taker" ? others.length : role === "maker" ? 0 : others.length - 1;
  const model = modelOf([...others.slice(0, first), mine, ...others.slice(first)]);
  const places = [...others.map(({ price }) => price), ...[2, 3, 14].map((place) => mirrored(place, side))];
  const theirs = others.map(offered);
  const ours = [...placed(mine, type), ...(type === "STOP_LIMIT" ? touch(side) : [])];
  const isLarge = amount === "the largest";
  const isPaid = type !== "STOP_LIMIT" && !isOther;
  const passed = role === "taker" && end === "cancelled" ? [beyond(side)] : [];
  const funds = [...(isPaid || isLarge ? walletsBefore : []), ...(isLarge ? theirFunds : [])];
  const judged = { type, side, fills, buys, others, end, step };
  return {
    // While wallets are compared, no other plan may change them.
    isolation: isPaid ? "account" : "product",
    vars: {
      ...bookVars(places, product, step, digits === "long" ? 1 : 0),
      unit: unitOf(digits, qtyStep),
      ...(isLarge ? largestVars : { size: "${quantity}" }),
      ...units,
      ...(buys ? marketBuyVars(others) : {}),
    },
    steps: [
      roomFor(step),
      ...funds,
      ...(type === "STOP_LIMIT" ? lastPrice(side) : []),
      ...passed.map(offered),
      ...theirs.slice(0, first),
      ...ours,
      ...(role === "taker" ? [] : [matched, ...theirs.slice(first)]),
      matched,
      ...others.map(({ id }, index) => metOnly(id, (buys || more) && index === others.length - 1)),
      ...(end === "cancelled" ? cancelled(model) : []),
      ...passed.map(() => leftAlone),
      shown(type, end),
      { assert: { of: "end" }, expect: { order: amounts(model, judged) } },
      { assert: { of: "end" }, expect: { order: received(side) } },
      ...(isPaid ? paid(side, model.fillsOf("mine").length) : []),
      ...repeated(isPaid),
    ],
  };
}

const offered = ({ id, side, price, quantity }: Priced): WrittenStep =>
  standing(id, "counterparty", limitOrder(side, price, `\${units${quantity}}`));

const beyond = (side: Side): Priced => ({
  id: "beyond",
  side: opposite(side),
  price: mirrored(14, side),
  quantity: "1",
});

function modelOf(inTurn: readonly ModelOrder[]): PriceTime {
  const model = new PriceTime();
  for (const order of inTurn) model.place(order);
  return model;
}

const othersOf = (fills: string, side: Side): Priced[] =>
  (parts[fills] ?? []).map(([place, quantity], index) => ({
    id: `other${index + 1}`,
    side: opposite(side),
    price: mirrored(place, side),
    quantity,
  }));

/** The order under test, for all that the counterparty offers and a little more. */
function mineOf(others: readonly Priced[], side: Side, beyond: number): Priced {
  const all = others.reduce((sum, { quantity }) => sum + Number(quantity), beyond);
  return { id: "mine", side, price: others.at(-1)?.price ?? "8", quantity: String(all) };
}

type Priced = Omit<ModelOrder, "quantity"> & { readonly price: string; quantity: string };

/** The order under test. A stop has its trigger at a price without orders, until `touch` moves the price there. */
function placed({ side, price, quantity }: Priced, type: string): WrittenStep[] {
  const sized = `\${units${quantity}}`;
  if (type === "MARKET")
    return [
      standing("mine", "trader", {
        side,
        type,
        ...(side === "BUY" ? { quote_value: "${value}" } : { base_quantity: sized }),
      }),
    ];
  const order = limitOrder(side, price, sized);
  if (type === "LIMIT") return [standing("mine", "trader", order)];
  return [standing("mine", "trader", { ...order, type, stop_price: `\${price${mirrored(3, side)}}` })];
}

/** A trade of the kit before the trigger of the stop. */
function lastPrice(side: Side): WrittenStep[] {
  return tradeAt("quiet", mirrored(2, side), side, "the last price could not be set by a trade of our own");
}

/** A trade of the kit at the trigger. */
function touch(side: Side): WrittenStep[] {
  return tradeAt("touch", mirrored(3, side), side, "the trigger could not be touched by a trade of our own");
}

/** The counterparty's orders traded with this order only: they are filled, except for the last one, which is larger. */
function metOnly(id: string, hasMore: boolean): WrittenStep {
  const filled = hasMore ? { filledQuantity: { $dec: { gt: "0" } } } : { status: "FILLED" };
  return reached(
    `${id}Met`,
    id,
    "counterparty",
    { order: { ...filled, filledValue: { $type: "string" } } },
    "the order met orders of other clients",
    { capture: { [`${id}Quantity`]: "#order/filledQuantity", [`${id}Value`]: "#order/filledValue" } },
  );
}

function cancelled(model: PriceTime): WrittenStep[] {
  const filled: Expectation = { order: { filledQuantity: { $decVar: `unit * ${model.filled("mine")}` } } };
  return [
    seen("before", "mine", "trader", filled, { spec: ["ORD-53"], capture: { feesBefore: "#order/fees" } }),
    cancelling("mine"),
    matched,
  ];
}

/** The order never trades beyond its limit, however many fills it has. */
const leftAlone: WrittenStep = call(
  "leftAlone",
  "readOrder",
  { as: "counterparty", params: { id: "${beyondOrder}" } },
  { spec: ["PLC-31"], expect: { order: { filledQuantity: untouched } } },
);

function shown(type: string, end: string | undefined): WrittenStep {
  const status =
    end === "cancelled" || type === "MARKET" ? { $in: ["CANCELLED", "EXPIRED", "FILLED"] } : "FILLED";
  return seen(
    "end",
    "mine",
    "trader",
    { order: { status } },
    {
      spec: [end === "cancelled" ? "STA-05" : "ORD-53"],
      capture: {
        got: "#order/filledQuantity",
        value: "#order/filledValue",
        fees: "#order/fees",
        received: "#order/totalUserRecieveAmount",
      },
    },
  );
}

interface Judged {
  readonly type: string;
  readonly side: Side;
  readonly fills: string;
  readonly buys: boolean;
  readonly others: readonly Priced[];
  readonly end: string | undefined;
  /** Of prices. */
  readonly step: string;
}

function amounts(model: PriceTime, { type, fills, buys, others, end, step }: Judged): ValueMap {
  const count = model.fillsOf("mine").length;
  const near = (cost: string): Value =>
    rounded(count, (tolerance) => ({ near: { $calc: cost }, tol: tolerance }));
  // Within its limit a LIMIT order may trade at another price than that of the resting order; a MARKET order
  // has no limit.
  const clause = type !== "MARKET" && fills === "over three prices" ? "PLC-38" : "ORD-55";
  const kept = end === "cancelled";
  // The fee of the value that is shown, or of the value before rounding.
  const averages = [
    "filledValue / filledQuantity",
    ...(buys ? [] : [`(${valueOf(model, "mine")}) / (unit * ${model.filled("mine")})`]),
  ];
  const quantity: Value = buys
    ? {
        $cite: "PLC-06",
        is: {
          $allOf: [
            { $decVar: others.map(({ id }) => `${id}Quantity`).join(" + ") },
            { $dec: { lte: { $eqVar: "most" } } },
          ],
        },
      }
    : { $cite: kept ? "STA-05" : "ORD-53", is: { $decVar: `unit * ${model.filled("mine")}` } };
  const both = others.map(({ id }) => `${id}Value`).join(" + ");
  return {
    filledQuantity: quantity,
    filledValue: {
      $allOf: [
        {
          $cite: "ORD-55",
          is: rounded(2 * count, (tolerance) => ({ near: { $calc: both }, tol: tolerance })),
        },
        { $cite: clause, is: near(buys ? "cost" : valueOf(model, "mine")) },
        ...(buys ? [{ $cite: "PLC-06", is: { $dec: { lte: { $calc: "spend + 0.01" } } } }] : []),
      ],
    },
    averageFilledPrice: {
      $cite: "ORD-54",
      is: maybe({
        $anyOf: averages.map((average) => ({ $dec: { near: { $calc: `${average} @ 12` }, tol: step } })),
      }),
    },
    fees: kept
      ? { $cite: "STA-05", is: maybe({ $decVar: "feesBefore" }) }
      : { $cite: "ORD-58", is: maybe({ $dec: { gte: "0", lt: { $calc: "filledValue" } } }) },
  };
}

/**
 * In the quote asset the value without the fees, or with them if they are taken from elsewhere; in the base asset no
 * more than was bought.
 */
function received(side: Side): ValueMap {
  const nothing: Value = { $optional: { $type: "null" } };
  const amount: Value =
    side === "BUY"
      ? { $dec: { gt: "0", lte: { $calc: "filledQuantity" } } }
      : { $dec: { lte: { $calc: "filledValue" }, gte: { $calc: "filledValue - fees - 0.01" } } };
  return {
    $anyOf: [
      { totalUserRecieveAmount: nothing },
      ...(side === "SELL" ? [{ fees: nothing }] : []),
      { totalUserRecieveAmount: { $cite: "ORD-56", is: amount } },
    ],
  };
}

const maybe = (matcher: Value): Value => ({ $optional: { $nullable: matcher } });

/** The budget pays for all but half of the last unit, and for no more; the quantity determines the cost. */
function marketBuyVars(others: readonly Priced[]): ValueMap {
  const last = others.at(-1)?.price ?? "8";
  const all = others.map(({ quantity, price }) => `unit * ${quantity} * price${price}`).join(" + ");
  return {
    ...Object.fromEntries(
      others.flatMap(({ price, quantity }, index): [string, Value][] => [
        [`price${index + 1}`, `\${price${price}}`],
        [`size${index + 1}`, { $calc: `unit * ${quantity}` }],
      ]),
    ),
    spend: { $calc: `round(${all} - unit * price${last} / 2 @ 8, 2, down)` },
    value: "${spend}",
    ...walk("cost", "got", others.length),
    ...affordable(others.length),
  };
}
