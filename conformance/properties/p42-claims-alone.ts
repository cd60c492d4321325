import { claimNames } from "../contract/vocabulary.ts";
import type { Call, WrittenStep } from "../model/language.ts";
import { isOurs, type Profile } from "../model/profile.ts";
import { claimsFor, closed, open, placing } from "./claims.ts";
import type { Tuple } from "./covering-array.ts";
import type { Plan, Situation } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import {
  call,
  firstPlacement,
  type Judged,
  market,
  nowhere,
  orderOf,
  type Shape,
  shapes,
} from "./templates.ts";

/**
 * P-42: a key with one claim opens the routes of that claim and no others, with every order.
 * Table: the claim of the key; the operation, with the claim that the profile states for it; and the order that is
 * placed, repeated, read or cancelled. Every combination is tried.
 * Oracle: with one of the claims of an operation neither 401 nor 403; without it one of them, or 404 for an order that the key may not see. An
 * order placed without the claim is in no list, and a cancel without it changes nothing. Safety: an order that a key
 * may place is invalid, and an order that is read or cancelled rests far from the market.
 */
const resting: Readonly<Record<string, Shape>> = { LIMIT: shapes.limitBuy, STOP_LIMIT: shapes.stopLimitSell };
const placed: Readonly<Record<string, Shape>> = {
  ...resting,
  "MARKET BUY": shapes.marketBuy,
  "MARKET SELL": shapes.marketSell,
};
const ofOneOrder = ["readOrder", "cancelOrder", "repeat"];

const table: Table = {
  id: "P-42",
  title: "A key with one claim opens the routes of that claim and no others",
  spec: ["CLM-01", "CLM-02", "CLM-03", "CLM-05", "CLM-06", "PLC-34", "EPT-08"],
  assumes: ["AS-07"],
  safety: "rests",
  cost: { requests: 4, orders: 2 },
  staging: 12,
  dimensions: {
    claim: claimNames,
    operation: [
      "placeOrder",
      "repeat",
      "openOrders",
      "cancelOrder",
      "readOrder",
      "listOrders",
      "products",
      "ungroupedProducts",
      "orderBook",
      "candles",
      "assets",
      "wallets",
      "account",
      "accountSettings",
      "depositAddresses",
      "deposits",
    ],
    order: ["none", ...Object.keys(placed)],
  },
  strength: 3,
  cannot: ({ operation = "", order = "" }) => {
    if (operation === "placeOrder") return order === "none" ? "what is placed is an order" : undefined;
    if (!ofOneOrder.includes(operation)) return order === "none" ? undefined : "it is about no order";
    return resting[order] === undefined ? "no such order rests until somebody comes" : undefined;
  },
  lacks: ({ claim = "", operation = "", order = "" }, { profile }) => {
    if (roleWith(claim, profile) === undefined)
      return `the profile has no key of this client with ${claim} alone`;
    if (claimsFor(operation, profile).length === 0) return `the profile states no claim for ${operation}`;
    if (!isOurs(profile) && order !== "none" && order !== "LIMIT")
      return "on another machine only a LIMIT may rest";
    const route = operation === "repeat" ? "placeOrder" : operation;
    return typeof profile.operations[route] === "object" ? undefined : `${operation} is not mapped`;
  },
  plan: planOf,
};

export const claimsAlone = tableProperty(table);

function roleWith(claim: string, { credentials }: Profile): string | undefined {
  return Object.values(credentials).find(
    ({ claims, client }) => client === credentials["trader"]?.client && claims.join() === claim,
  )?.role;
}

const clauses: Readonly<Record<string, string>> = { openOrders: "CLM-05", products: "CLM-06" };

/**
 * Without the claim, the request is repeated with a query, because some targets look up the claim by the request target
 * as sent.
 */
function planOf(tuple: Tuple, { profile }: Situation): Plan {
  const { claim = "", operation = "" } = tuple;
  const { steps, ...plan } = plainPlan(tuple, profile);
  if (claimsFor(operation, profile).includes(claim)) return { ...plan, steps };
  return {
    ...plan,
    steps: steps.flatMap((step) =>
      step.id === "asked" || step.id === "place" ? [step, withQuery(step)] : [step],
    ),
  };
}

/** A target without such a parameter may refuse it. */
const withQuery = ({ id, call: asked, ...step }: WrittenStep): WrittenStep => ({
  ...step,
  id: `${id ?? ""}WithQuery`,
  call: { ...asked, query: [["limit", "1"]] },
  expect: { status: { $in: [400, 401, 403, 404] } },
});

function plainPlan({ claim = "", operation = "", order = "" }: Tuple, profile: Profile): Plan {
  const as = roleWith(claim, profile) ?? "trader";
  const may = claimsFor(operation, profile).includes(claim);
  const shape = placed[order] ?? shapes.limitBuy;
  if (operation === "placeOrder") {
    const step = placing(as, may, shape);
    return { vars: market, steps: may ? [step] : [step, nowhere("nothing", "a")] };
  }
  const spec = [may ? "CLM-03" : (clauses[operation] ?? "CLM-03")];
  if (!ofOneOrder.includes(operation)) {
    const params = aimed(operation);
    return {
      vars: market,
      steps: [call("asked", operation, { as, ...params }, { spec, expect: may ? open : closed })],
    };
  }
  const mine = firstPlacement("mine", orderOf(shape, "a"), "order");
  if (operation === "repeat") {
    const judged: Judged = { spec: [may ? "CLM-02" : "CLM-01"], expect: may ? open : closed };
    return {
      vars: market,
      steps: [...mine, call("asked", "placeOrder", { as, body: orderOf(shape, "a") }, judged)],
    };
  }
  const asked = call(
    "asked",
    operation,
    { as, params: { id: "${order}" } },
    { spec, expect: may ? open : { status: { $in: [401, 403, 404] } } },
  );
  const steps = [...mine, asked];
  return { vars: market, steps: operation === "cancelOrder" && !may ? [...steps, stillOpen] : steps };
}

const aimed = (operation: string): Call =>
  operation === "orderBook" || operation === "candles" ? { params: { product: "${product}" } } : {};

/** Some lists show an order only a moment after its placement. */
const stillOpen: WrittenStep = {
  id: "stillOpen",
  spec: ["CLM-03"],
  poll: {
    call: { op: "openOrders" },
    until: { anywhere: { object: { id: { $eqVar: "order" } } } },
    every: "100ms",
    within: "5s",
  },
};
