import { isOurs, isWithin } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { listed, soon } from "./order-states.ts";
import type { Plan, Situation } from "./property.ts";
import { connected, heard, subscribed } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, productWords, shapeOf, sides, types, unknownPrice } from "./table-orders.ts";
import { call, orderOf, place, settle } from "./templates.ts";

/**
 * P-47: the list with groups, the list without and the stream know the same products, and an order of any type is taken or refused
 * as they say.
 * Clauses: PRD-01, PRD-19, PRD-20, PLC-26, PLC-34, EVT-08.
 * Oracle: a product of the profile stands in each list once, as open, and has a book on the stream; orders for it are answered as orders.
 * One that is closed is refused with 400, whatever is ordered, and leaves nothing.
 * Safety: orders rest far from the market; what trades is left out where the profile allows no trades.
 */
const table: Table = {
  id: "P-47",
  title: "Lists, stream and orders agree about each product",
  spec: ["PRD-01", "PRD-19", "PRD-20", "PLC-26", "PLC-34", "EVT-08"],
  safety: "rests",
  cost: { requests: 6, orders: 1 },
  staging: 2,
  dimensions: {
    view: ["grouped", "ungrouped", "stream"],
    product: [...productWords, "closed"],
    type: types,
    side: sides,
  },
  strength: 2,
  cannot: ({ view, product }) =>
    view === "stream" && product === "closed"
      ? "what the stream says of a product that is closed is open"
      : undefined,
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

function plan({ view = "", product = "", type = "", side = "" }: Tuple): Plan {
  const closed = product === "closed";
  const named = closed ? "${closed}" : "${product}";
  const body = orderOf(shapeOf(type, side), "a", { client_order_id: "${key}", product: named });
  return {
    vars: {
      key: { $uuid4: "a" },
      ...marketOf(closed ? "tradable" : product),
      closed: { $fact: "disabledProduct" },
    },
    steps: [...seen(view, named, closed), ...(closed ? refused(body) : taken(body, type))],
  };
}

function seen(view: string, product: string, closed: boolean): ValueMap[] {
  if (view === "stream")
    return [
      ...connected("open"),
      subscribed("joined", "orderBook", [product]),
      heard("book", { is: "book", product: { $optional: product } }, ["EVT-08"], { from: "connect" }),
    ];
  const [op, clause] = view === "grouped" ? ["products", "PRD-01"] : ["ungroupedProducts", "PRD-20"];
  // Closed for this account, it may be listed or not, and as open: the list is everybody's.
  const once = {
    object: closed ? { id: product } : { id: product, apiEnabled: true },
    times: closed ? { lte: 1 } : 1,
  };
  return [call("listed", op ?? "", {}, { spec: [clause ?? ""], expect: { status: "2xx", anywhere: once } })];
}

const refused = (body: ValueMap): ValueMap[] => [
  place("refused", body, { spec: ["PLC-26"], expect: { status: 400 } }),
  call("nowhere", "openOrders", {}, { spec: ["PLC-34"], expect: listed(0) }),
];

/** A LIMIT far from the market needs no more than a product; what others need the target may lack. */
function taken(body: ValueMap, type: string): ValueMap[] {
  const taking = place("taken", body, {
    spec: ["PRD-19"],
    expect: { $anyOf: [{ $macro: "placed" }, ...(type === "LIMIT" ? [] : [{ $macro: "rejected" }])] },
  });
  if (type !== "MARKET") return [taking];
  const over = { call: { op: "openOrders" }, until: listed(0), ...soon };
  return [taking, settle, { note: "a MARKET order ends", onFail: "block", poll: over }];
}
