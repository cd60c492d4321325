import type { PlainExpectation, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { listed, type Poll, soon } from "./order-states.ts";
import type { Plan, Situation } from "./property.ts";
import { connected, heard, subscribed } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, productWords, shapeOf, sides, types, unknownPrice } from "./table-orders.ts";
import { call, type Judged, orderOf, place, sameOutcome, settle } from "./templates.ts";

/**
 * P-47: the list with groups, the list without groups and the stream have the same products. An order of any type is
 * accepted or refused accordingly, with and without amounts that it does not need.
 * Clauses: PRD-01, PRD-19, PRD-20, PLC-05, PLC-08, PLC-09, PLC-26, PLC-34, EVT-08.
 * Oracle: a product of the profile is in each list once, as open, and has a book on the stream. Orders for it get the
 * answer of an order, the same with and without ignored fields; an order that is accepted with base_quantity is
 * accepted without it. For a closed product every order is refused with 400 and has no effect.
 * Safety: orders rest far from the market; plans that trade are left out if the profile allows no trades.
 */
const table: Table = {
  id: "P-47",
  title: "Lists, stream and orders agree about each product",
  spec: ["PRD-01", "PRD-19", "PRD-20", "PLC-05", "PLC-08", "PLC-09", "PLC-26", "PLC-34", "EVT-08"],
  safety: "rests",
  cost: { requests: 8, orders: 2 },
  staging: 2,
  dimensions: {
    view: ["grouped", "ungrouped", "stream"],
    product: [...productWords, "closed"],
    type: types,
    side: sides,
    also: ["nothing", "base_quantity", "quote_value", "stop_price"],
  },
  strength: 2,
  // Refusals of closed products and optional quantities are tried with every order type and every product.
  closer: [{ product: "closed" }, { type: "MARKET", side: "BUY" }],
  cannot: ({ view, product, type, side, also }) => {
    if (view === "stream" && product === "closed")
      return "the messages of the stream about a closed product are open";
    return shapeOf(type ?? "", side ?? "").required.includes(also ?? "") ||
      (also === "base_quantity" && `${type} ${side}` !== "MARKET BUY")
      ? "an order of this type needs that amount"
      : undefined;
  },
  lacks,
  plan,
};

export const products = tableProperty(table);

function lacks({ view = "", product = "", type = "" }: Tuple, situation: Situation): string | undefined {
  const { profile } = situation;
  const { allow } = profile.safety;
  const closed = product === "closed";
  if (type === "MARKET" && !closed && !isWithin("trades", allow))
    return `the profile allows "${allow}" (safety.allow)`;
  if ((closed || type === "STOP_LIMIT") && !isOurs(profile))
    return "stop orders and products outside safety.products are tried on this machine only";
  return (
    missing(situation, {
      operations: view === "ungrouped" ? ["ungroupedProducts"] : [],
      capabilities: [
        ...(view === "stream" ? ["ws", "ws.orderBook"] : []),
        ...(type === "MARKET" ? ["liquidity.cross"] : []),
      ],
      facts: closed ? ["disabledProduct"] : [],
      products: [closed ? "tradable" : product],
    }) ?? unknownPrice(situation, closed ? "tradable" : product, "far")
  );
}

function plan({ view = "", product = "", type = "", side = "", also = "" }: Tuple): Plan {
  const closed = product === "closed";
  const named = closed ? "${closed}" : "${product}";
  const body = orderOf(shapeOf(type, side), "a", { client_order_id: "${key}", product: named });
  const extra = amounts[also] === undefined ? {} : { [also]: amounts[also] };
  return {
    vars: {
      key: { $uuid4: "a" },
      ...marketOf(closed ? "tradable" : product),
      closed: { $fact: "disabledProduct" },
    },
    steps: [
      ...seen(view, named, closed),
      ...(closed ? refused({ ...body, ...extra }) : taken(body, extra, type)),
    ],
  };
}

function seen(view: string, product: string, closed: boolean): WrittenStep[] {
  if (view === "stream")
    return [
      ...connected("open"),
      subscribed("joined", "orderBook", [product]),
      heard("book", { is: "book", product: { $optional: product } }, ["EVT-08"], { from: "connect" }),
    ];
  const [op, clause] = view === "grouped" ? ["products", "PRD-01"] : ["ungroupedProducts", "PRD-20"];
  // A product that is closed for this account may be listed or not, also as open: the list is the same for
  // all clients.
  const once: PlainExpectation["anywhere"] = {
    object: closed ? { id: product } : { id: product, apiEnabled: true },
    times: closed ? { lte: 1 } : 1,
  };
  return [call("listed", op ?? "", {}, { spec: [clause ?? ""], expect: { status: "2xx", anywhere: once } })];
}

/** Sizes and prices of other products may be wrong for a closed product, which is then refused for that reason. */
const guesses: readonly ValueMap[] = [
  {},
  { base_quantity: "1", quote_value: "10", price: "1", stop_price: "1" },
  { base_quantity: "100", quote_value: "1000", price: "0.10", stop_price: "0.10" },
];

const refused = (body: ValueMap): WrittenStep[] => [
  ...guesses.map((guess, index) => {
    const amounts = Object.entries(guess).filter(([field]) => body[field] !== undefined);
    const key = index === 0 ? {} : { client_order_id: `\${id.guess${index}}` };
    return place(
      index === 0 ? "refused" : `refused${index}`,
      { ...body, ...Object.fromEntries(amounts), ...key },
      {
        spec: ["PLC-26"],
        expect: { status: 400 },
      },
    );
  }),
  call("nowhere", "openOrders", {}, { spec: ["PLC-34"], expect: listed(0) }),
];

const amounts: ValueMap = { base_quantity: "${quantity}", quote_value: "${spend}", stop_price: "${far}" };

/** A LIMIT far from the market needs only a product; the target may lack something that other types need. */
function taken(body: ValueMap, extra: ValueMap, type: string): WrittenStep[] {
  const [also] = Object.keys(extra);
  const taking = place(
    "taken",
    body,
    also === undefined
      ? {
          spec: ["PRD-19"],
          expect: { $anyOf: [{ $macro: "placed" }, ...(type === "LIMIT" ? [] : [{ $macro: "rejected" }])] },
        }
      : likewise(also),
  );
  const beside = place(
    "beside",
    { ...body, ...extra, client_order_id: "${id.beside}" },
    { capture: { outcome: "#/data/type" } },
  );
  const steps = also === undefined ? [taking] : [beside, taking];
  if (type !== "MARKET") return steps;
  const over: Poll = { call: { op: "openOrders" }, until: listed(0), ...soon };
  return [...steps, settle, { note: "a MARKET order ends", onFail: "block", poll: over }];
}

/** A quantity that is not needed may be refused; an ignored field makes no difference. */
function likewise(also: string): Judged {
  const { "400": refusedToo, ...expect } = sameOutcome("beside", "outcome");
  if (also === "base_quantity") return { spec: ["PLC-05"], expect };
  return {
    spec: [also === "quote_value" ? "PLC-08" : "PLC-09"],
    expect: { ...expect, "400": refusedToo ?? {} },
  };
}
