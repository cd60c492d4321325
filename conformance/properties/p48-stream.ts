import type { Expectation, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin, type Profile } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import {
  fieldsIn,
  insideVars,
  isInside,
  isMet,
  isStop,
  noAmount,
  original,
  partFilled,
} from "./order-states.ts";
import type { Plan, Situation } from "./property.ts";
import {
  asking,
  claimFor,
  kindOf,
  leaving,
  listening,
  onceMore,
  onSecond,
  otherThan,
  roleOf,
  strangerTo,
  withAnother,
} from "./stream-listeners.ts";
import { hangUp, heard, silence } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, shapeOf, sides, unknownPrice } from "./table-orders.ts";
import { orderOf } from "./templates.ts";

/**
 * P-48: events of an order go to its client, on the right channel, with the right claim, and to no other client.
 * Clauses: EVT-02, EVT-06, EVT-07, EVT-09, EVT-11, OWN-06, CLM-03, STA-05.
 * Oracle: a connection with a subscription to orders gets the placement, the cancel, and the fill by any client. A
 * later connection finds the order in the first messages of the channel, if the profile describes these. On market
 * channels, after unsubscribing, without a claim that the profile states, and for another client, no message contains
 * the key of the order, with any number of subscriptions, any other channels of the connection, and any other
 * connections before or at the same time. Numbered messages have no gap. A cancel keeps the fills.
 * Safety: orders rest far from the market; fills are left out if the profile allows no trades.
 */
const table: Table = {
  id: "P-48",
  title: "The events of an order go to its client, where and when they should, and to no other client",
  spec: ["EVT-02", "EVT-06", "EVT-07", "EVT-09", "EVT-11", "OWN-06", "CLM-03", "STA-05"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.subscribe"] },
  cost: { requests: 24, orders: 5 },
  staging: 2,
  durable: ["EVT-09", "OWN-06"],
  dimensions: {
    channel: ["orders", "orderBook", "trades", "ticker", "wallets", "deposits"],
    event: [
      "placed",
      "cancelled",
      "filled",
      "refused",
      "waiting",
      "filled by another",
      "partly filled",
      "partly filled and cancelled",
      "gone off",
    ],
    claim: ["all", "its own alone", "another alone"],
    moment: ["after subscribing", "before subscribing", "on a new connection", "after unsubscribing"],
    listener: ["own", "other client", "who met it"],
    times: ["once", "twice", "left and again", "on two connections", "on two, and one closed"],
    beside: [
      "nothing",
      "another client's connection before",
      "another channel before",
      "another channel after",
      "another channel, left again",
    ],
    side: sides,
  },
  strength: 2,
  closer: [
    { listener: "other client" },
    { listener: "other client", channel: "orders" },
    { listener: "own", channel: "orders", claim: "all" },
    { channel: "orders", claim: "another alone" },
  ],
  cannot,
  lacks,
  plan,
};

export const stream = tableProperty(table);

/**
 * An order that trades with the counterparty rests between bid and ask of a product that no other plan uses. Other
 * plans need not wait for it.
 */
const productFor = (event: string): string => (isInside(event) ? "spare" : "tradable");

const stateOf: Readonly<Record<string, string>> = { placed: "resting" };

function cannot(tuple: Tuple): string | undefined {
  const { listener, claim, times, event = "", moment = "", beside, channel = "" } = tuple;
  if (listener !== "own" && claim !== "all")
    return "one key of another client is enough, and it has all claims";
  if (listener === "who met it" && !isMet(event))
    return "the other side of its trades is not a client of the kit";
  if (times !== "once" && moment !== "after subscribing")
    return "repeated subscriptions are made before the first event";
  if (event === "refused" && (claim !== "all" || times !== "once" || beside !== "nothing"))
    return "a refused order has no events for any subscriber";
  const plain = channel === "orders" && claim === "all" && times === "once" && !withAnother(beside);
  if (isInside(event) && !plain)
    return "fills between bid and ask are tried with a plain subscription to orders";
  const busy = times !== "once" || withAnother(beside);
  if ((event === "filled" || event === "waiting") && listener === "own" && busy)
    return "such a connection is tried with a placement and a cancel";
  if (claim === "another alone" && event !== "placed" && event !== "filled")
    return "without the claim there are no events of any order";
  if (beside === "nothing") return undefined;
  if (times !== "once" || !["after subscribing", "before subscribing"].includes(moment))
    return "other actions of a connection are tried with one subscription";
  if (!withAnother(beside)) return undefined;
  if (claim === "its own alone") return "that key opens no other channel";
  // Next to the channel of orders, the events of an order may arrive; without the claim for the book, the
  // book may not.
  const onlyRefused =
    channel === "orderBook" && claim === "another alone" && beside === "another channel before";
  return channel === "orders" || onlyRefused
    ? undefined
    : "only the channel of orders is tried together with others";
}

function lacks(tuple: Tuple, situation: Situation): string | undefined {
  const { channel = "", event = "", moment = "", times, beside = "" } = tuple;
  const { profile } = situation;
  const { allow } = profile.safety;
  const filled = event === "filled" || isInside(event);
  if (filled && !isWithin("trades", allow)) return `the profile allows "${allow}" (safety.allow)`;
  if (isStop(event) && !isOurs(profile)) return "stop orders are tried on this machine only";
  if (times?.startsWith("on two") === true && (profile.stream?.connections ?? 2) < 2)
    return "the profile allows one connection (ws.connections)";
  const leaves =
    moment === "after unsubscribing" || times === "left and again" || beside.endsWith("left again");
  if (leaves && profile.stream?.unsubscribe === undefined)
    return "the profile does not describe how to unsubscribe (ws.unsubscribe)";
  if (moment === "after unsubscribing" && (profile.stream?.unsubscribed ?? "none") === "none")
    return "the profile does not describe what confirms that a channel was left (ws.unsubscribed)";
  const stranger = beside === "another client's connection before" ? [strangerTo(tuple)] : [];
  return (
    missing(situation, {
      credentials: [roleOf(tuple), ...stranger, ...(isInside(event) ? ["counterparty"] : [])],
      capabilities: [
        `ws.${channel}`,
        ...(withAnother(beside) ? [`ws.${otherThan(tuple)}`] : []),
        ...(filled ? ["liquidity.cross"] : []),
      ],
      operations: [...(filled ? ["readOrder"] : []), ...(event.endsWith("cancelled") ? ["cancelOrder"] : [])],
      products: [productFor(event)],
    }) ??
    unknownClaim(tuple, profile) ??
    unknownPrice(situation, productFor(event), "far") ??
    (filled ? unknownPrice(situation, productFor(event), "cross") : undefined) ??
    (isInside(event) ? unknownPrice(situation, productFor(event), "near") : undefined)
  );
}

/** A key that is refused one channel must be able to subscribe to the other. */
function unknownClaim(tuple: Tuple, { credentials }: Profile): string | undefined {
  const { claim, beside } = tuple;
  if (claim !== "another alone" || !withAnother(beside)) return undefined;
  const [role, wanted] = [roleOf(tuple), claimFor[otherThan(tuple)] ?? ""];
  const has = credentials[role]?.claims.includes(wanted) === true;
  return has ? undefined : `the profile does not say that ${role} has ${wanted}`;
}

function plan(tuple: Tuple, situation: Situation): Plan {
  const { event = "", side = "", moment = "", claim = "" } = tuple;
  const { message } = situation.profile.stream ?? {};
  const state = stateOf[event] ?? event;
  const type = isStop(event) ? "STOP_LIMIT" : "LIMIT";
  const valid = orderOf(shapeOf(type, side), "a", {
    ...fieldsIn(state, side, type),
    client_order_id: "${key}",
  });
  const happens = original(state === "refused" ? { ...valid, base_quantity: noAmount } : valid, state, side);
  const listens = listening(tuple, "first");
  const order: Readonly<Record<string, readonly WrittenStep[]>> = {
    "after subscribing": [...listens, ...onceMore(tuple), ...happens],
    "before subscribing": [...happens, ...listens],
    "on a new connection": [...listens, hangUp, ...happens, ...listening(tuple, "second")],
    "after unsubscribing": [...listens, leaving(tuple), ...happens],
  };
  const isNumbered = message?.sequence !== undefined && message.sequence !== "none";
  const numbered: readonly WrittenStep[] = [
    { ws: { collect: { for: "20ms", as: "all", from: "connect" } } },
    { spec: ["EVT-11"], check: { numbered: "all" } },
  ];
  return {
    ...(isInside(event) ? { isolation: "product" as const } : {}),
    vars: {
      key: { $uuid4: "a" },
      ...marketOf(productFor(event)),
      ...insideVars(event, situation),
    },
    steps: [
      ...(order[moment] ?? []),
      ...noticed(tuple, situation.profile),
      ...(isNumbered && claim === "all" ? numbered : []),
    ],
  };
}

/** The fields of the order that an event must show. */
const told: Readonly<Record<string, ValueMap>> = {
  cancelled: { status: "CANCELLED" },
  filled: { status: "FILLED" },
  "filled by another": { status: "FILLED" },
  "partly filled": partFilled,
  "partly filled and cancelled": { status: "CANCELLED" },
};

/** A cancel that shows the filled quantity shows the quantity that was filled before. */
const keptOf = (order: ValueMap): ValueMap => {
  const filledQuantity = { $optional: { $nullable: { $dec: { gt: "0" } } } };
  return { is: "order", order: { ...order, status: "CANCELLED", filledQuantity } };
};

function noticed(tuple: Tuple, profile: Profile): WrittenStep[] {
  const { channel = "", event = "", claim = "", moment = "", listener = "", times } = tuple;
  // Messages that were sent before the answer to one more subscription have arrived before it, even on a busy
  // machine.
  const again = claim === "another alone" || moment === "after unsubscribing" ? [] : [asking(tuple, "again")];
  const unheard = (match: Expectation, ...spec: string[]): WrittenStep[] => [
    ...again,
    silence("unheard", match, spec, again.length > 0 ? "100ms" : "150ms"),
  ];
  const ofOrder: Expectation = { bodyText: { $contains: "${key}" } };
  if (listener !== "own") return unheard(ofOrder, "EVT-09", "OWN-06");
  const described = profile.stream?.channels[channel];
  const needed = typeof described === "object" ? described.claim : undefined;
  const closed = claim === "another alone" && needed === claimFor[channel];
  if (closed && channel === "orderBook") return unheard({ event: { is: "book", bids: "$any" } }, "CLM-03");
  if (kindOf(channel) === "market") return unheard(ofOrder, "EVT-09");
  if (channel !== "orders") return [];
  if (event === "refused") return unheard(ofOrder, "EVT-07");
  if (claim === "another alone") return closed ? unheard(ofOrder, "CLM-03") : [];
  if (moment === "after unsubscribing") return unheard(ofOrder, "EVT-06");
  const order = { id: { $eqVar: "order" } };
  if (moment === "after subscribing") {
    const change = { is: "order", order: { ...order, ...told[event] } };
    const hears = (id: string): WrittenStep => heard(id, change, ["EVT-07"], { from: "connect" });
    return [
      hears("heard"),
      ...(times === "on two connections" ? [onSecond(hears("heardToo"))] : []),
      ...(event === "partly filled and cancelled"
        ? [heard("kept", keptOf(order), ["STA-05"], { from: "connect" })]
        : []),
    ];
  }
  // Whether an ended order or a waiting stop is in the first messages of a channel is open.
  const begins = profile.stream?.events["orders"]?.fields["orders"] !== undefined;
  if (!["placed", "partly filled", "gone off"].includes(event) || !begins) return [];
  return [heard("heard", { is: "orders", orders: { $some: order } }, ["EVT-07"], { from: "connect" })];
}
