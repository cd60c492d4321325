import { isWithin, type Profile } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { fieldsIn, noAmount, original } from "./order-states.ts";
import type { Plan, Situation } from "./property.ts";
import { connected, hangUp, heard, silence } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, shapeOf, sides, unknownPrice } from "./table-orders.ts";
import { orderOf } from "./templates.ts";

/**
 * P-48: what happens to an order is heard by its client, on the channel for it, with the claim for it, and by nobody else.
 * Clauses: EVT-02, EVT-06, EVT-07, EVT-09, EVT-11, OWN-06.
 * Oracle: whoever listens to orders hears the placement, the cancel, the fill; who comes later finds the order in what the channel begins
 * with, where the profile describes that; on channels of the market, after unsubscribing, without a claim that the profile states, and as
 * another client, the order's key is in no message, however often somebody subscribes, and whoever else listens. What is numbered has no gap.
 * Safety: orders rest far from the market; fills are left out where the profile allows no trades.
 */
const table: Table = {
  id: "P-48",
  title: "An order is heard by its client, where and when it should be, and by nobody else",
  spec: ["EVT-02", "EVT-06", "EVT-07", "EVT-09", "EVT-11", "OWN-06"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.subscribe"] },
  cost: { requests: 16, orders: 1 },
  staging: 2,
  dimensions: {
    channel: ["orders", "orderBook", "trades", "ticker", "wallets", "deposits"],
    event: ["placed", "cancelled", "filled", "refused"],
    claim: ["all", "its own alone", "another alone"],
    moment: ["after subscribing", "before subscribing", "on a new connection", "after unsubscribing"],
    listener: ["own", "other client"],
    times: ["once", "twice", "on two connections"],
    side: sides,
  },
  strength: 2,
  closer: [
    { listener: "other client" },
    { channel: "orders" },
    { listener: "other client", channel: "orders" },
  ],
  cannot: ({ listener, claim, times, moment }) => {
    if (listener === "other client" && claim !== "all")
      return "one key of another client is enough, and it has all claims";
    return times !== "once" && moment !== "after subscribing"
      ? "who subscribes more than once does so before something happens"
      : undefined;
  },
  lacks,
  plan,
};

export const stream = tableProperty(table);

type Kind = "orders" | "account" | "market";

const kindOf = (channel: string): Kind =>
  channel === "orders" ? "orders" : channel === "wallets" || channel === "deposits" ? "account" : "market";

const keys: Readonly<Record<string, Readonly<Record<Kind, string>>>> = {
  all: { orders: "trader", account: "trader", market: "trader" },
  "its own alone": { orders: "readOrders", account: "readAccount", market: "noClaim" },
  "another alone": { orders: "readAccount", account: "readOrders", market: "readOrders" },
};

const roleOf = ({ channel = "", claim = "", listener = "" }: Tuple): string =>
  listener === "other client" ? "otherClient" : (keys[claim]?.[kindOf(channel)] ?? "trader");

const stateOf: Readonly<Record<string, string>> = { placed: "resting" };

function lacks(tuple: Tuple, situation: Situation): string | undefined {
  const { channel = "", event = "", moment = "", times } = tuple;
  const { profile } = situation;
  const { allow } = profile.safety;
  const filled = event === "filled";
  if (filled && !isWithin("trades", allow)) return `the profile allows "${allow}" (safety.allow)`;
  if (times === "on two connections" && (profile.stream?.connections ?? 2) < 2)
    return "the profile allows one connection (ws.connections)";
  if (moment === "after unsubscribing" && profile.stream?.unsubscribe === undefined)
    return "the profile does not describe how to unsubscribe (ws.unsubscribe)";
  return (
    missing(situation, {
      credentials: [roleOf(tuple)],
      capabilities: [`ws.${channel}`, ...(filled ? ["liquidity.cross"] : [])],
      operations: filled ? ["readOrder"] : event === "cancelled" ? ["cancelOrder"] : [],
      products: ["liquid"],
    }) ??
    unknownPrice(situation, "liquid", "far") ??
    (filled ? unknownPrice(situation, "liquid", "cross") : undefined)
  );
}

function plan(tuple: Tuple, { profile }: Situation): Plan {
  const { event = "", side = "", moment = "", claim = "" } = tuple;
  const state = stateOf[event] ?? event;
  const valid = orderOf(shapeOf("LIMIT", side), "a", {
    ...fieldsIn(state, side, "LIMIT"),
    client_order_id: "${key}",
  });
  const happens = original(state === "refused" ? { ...valid, base_quantity: noAmount } : valid, state, side);
  const listens = listening(tuple, "first");
  const order: Readonly<Record<string, readonly ValueMap[]>> = {
    "after subscribing": [...listens, ...onceMore(tuple), ...happens],
    "before subscribing": [...happens, ...listens],
    "on a new connection": [...listens, hangUp, ...happens, ...listening(tuple, "second")],
    "after unsubscribing": [...listens, leaving(tuple), ...happens],
  };
  const numbered =
    profile.stream?.message.sequence !== undefined && profile.stream.message.sequence !== "none";
  return {
    vars: { key: { $uuid4: "a" }, ...marketOf("liquid") },
    steps: [
      ...(order[moment] ?? []),
      ...noticed(tuple, profile),
      ...(numbered && claim === "all"
        ? [
            { ws: { collect: { for: "100ms", as: "all", from: "connect" } } },
            { spec: ["EVT-11"], check: { numbered: "all" } },
          ]
        : []),
    ],
  };
}

const named = ({ channel = "" }: Tuple): ValueMap =>
  kindOf(channel) === "market" ? { channel, products: ["${product}"] } : { channel };

/** Without the claim a subscription may be refused, so only with it the answer is waited for. */
function asking(tuple: Tuple, id: string): ValueMap {
  const sure = tuple["claim"] !== "another alone";
  return { id, spec: ["EVT-06"], ws: { subscribe: { ...named(tuple), ...(sure ? {} : { ack: "none" }) } } };
}

const listening = (tuple: Tuple, id: string): ValueMap[] => [
  ...connected(`${id}Open`, { connect: { as: roleOf(tuple) } }),
  asking(tuple, `${id}Joined`),
];

const onSecond = (step: ValueMap): ValueMap => ({
  ...step,
  ws: { ...(step["ws"] as ValueMap), on: "second" },
});

/** A second subscription on the connection, or one on a second connection, which is that of the order's client. */
function onceMore(tuple: Tuple): ValueMap[] {
  const again = { ...asking(tuple, "onceMore"), onFail: "block" };
  if (tuple["times"] === "twice") return [again];
  if (tuple["times"] !== "on two connections") return [];
  const as = roleOf({ ...tuple, listener: "own" });
  return [...connected("secondOpen", { connect: { as } }), again].map(onSecond);
}

const leaving = (tuple: Tuple): ValueMap => ({ ws: { unsubscribe: named(tuple) } });

function noticed(tuple: Tuple, profile: Profile): ValueMap[] {
  const { channel = "", event = "", claim = "", moment = "", listener = "", times } = tuple;
  // What was sent before the answer to one more subscription has come before it, however busy everybody is.
  const again = claim === "another alone" || moment === "after unsubscribing" ? [] : [asking(tuple, "again")];
  const unheard = (...spec: string[]): ValueMap[] => [
    ...again,
    silence("unheard", { bodyText: { $contains: "${key}" } }, spec, "150ms"),
  ];
  if (listener === "other client") return unheard("EVT-09", "OWN-06");
  if (kindOf(channel) === "market") return unheard("EVT-09");
  if (channel !== "orders") return [];
  if (event === "refused") return unheard("EVT-07");
  const described = profile.stream?.channels["orders"];
  const closed = typeof described === "object" && described.claim === "read:orders";
  if (claim === "another alone") return closed ? unheard("EVT-06") : [];
  if (moment === "after unsubscribing") return unheard("EVT-06");
  const order = { id: { $eqVar: "order" } };
  const status =
    { placed: {}, cancelled: { status: "CANCELLED" }, filled: { status: "FILLED" } }[event] ?? {};
  if (moment === "after subscribing") {
    const told = { is: "order", order: { ...order, ...status } };
    const hears = (id: string): ValueMap => heard(id, told, ["EVT-07"], { from: "connect" });
    return [hears("heard"), ...(times === "on two connections" ? [onSecond(hears("heardToo"))] : [])];
  }
  // Whether what is over is among what a channel begins with is open.
  const begins = profile.stream?.events["orders"]?.fields["orders"] !== undefined;
  if (event !== "placed" || !begins) return [];
  return [heard("heard", { is: "orders", orders: { $some: order } }, ["EVT-07"], { from: "connect" })];
}
