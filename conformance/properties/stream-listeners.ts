import type { Subscribe, WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import { connected, hangUp } from "./stream-steps.ts";

/**
 * The subscribers of P-48: their keys, their channels, and the other actions of the connection before the first event
 * of the order.
 */
type Kind = "orders" | "account" | "market";

export const kindOf = (channel: string): Kind =>
  channel === "orders" ? "orders" : channel === "wallets" || channel === "deposits" ? "account" : "market";

/** `noClaim` may have market data only. */
const keys: Readonly<Record<string, Readonly<Record<Kind, string>>>> = {
  all: { orders: "trader", account: "trader", market: "trader" },
  "its own alone": { orders: "readOrders", account: "readAccount", market: "noClaim" },
  "another alone": { orders: "noClaim", account: "readOrders", market: "readOrders" },
};

export const roleOf = ({ channel = "", claim = "", listener = "" }: Tuple): string =>
  strangers[listener] ?? keys[claim]?.[kindOf(channel)] ?? "trader";

const strangers: Readonly<Record<string, string>> = {
  "other client": "otherClient",
  "who met it": "counterparty",
};

/** The owner and the other client, in both directions. */
export const strangerTo = ({ listener }: Tuple): string => (listener === "own" ? "otherClient" : "trader");

export const withAnother = (beside = ""): boolean => beside.startsWith("another channel");

/** The other channel of the same connection: a key that lacks the claim for one channel has the claim for the other. */
export const otherThan = ({ channel }: Tuple): string => (channel === "orders" ? "orderBook" : "orders");

export const claimFor: Readonly<Record<string, string>> = {
  orders: "read:orders",
  orderBook: "read:market-data",
};

const named = (channel: string): Subscribe =>
  kindOf(channel) === "market" ? { channel, products: ["${product}"] } : { channel };

/** Without the claim a subscription may be refused, and then nothing is left, so the answers are awaited only with it. */
const asked = ({ channel = "", claim }: Tuple): Subscribe => ({
  ...named(channel),
  ...(claim === "another alone" ? { ack: "none" } : {}),
});

export function asking(tuple: Tuple, id: string): WrittenStep {
  return { id, spec: ["EVT-06"], ws: { subscribe: asked(tuple) } };
}

export function listening(tuple: Tuple, id: string): WrittenStep[] {
  const { beside = "" } = tuple;
  const stranger = [
    ...connected(`${id}Stranger`, { connect: { as: strangerTo(tuple) } }),
    asking({ ...tuple, claim: "all" }, `${id}StrangerJoined`),
    hangUp,
  ];
  const other = named(otherThan(tuple));
  const another: WrittenStep = {
    id: `${id}Another`,
    spec: ["EVT-06"],
    onFail: "block",
    ws: { subscribe: other },
  };
  const joined = asking(tuple, `${id}Joined`);
  const subscriptions: Readonly<Record<string, readonly WrittenStep[]>> = {
    "another channel before": [another, joined],
    "another channel after": [joined, another],
    "another channel, left again": [joined, another, { ws: { unsubscribe: other } }],
  };
  return [
    ...(withAnother(beside) || beside === "nothing" ? [] : stranger),
    ...connected(`${id}Open`, { connect: { as: roleOf(tuple) } }),
    ...(subscriptions[beside] ?? [joined]),
  ];
}

export const onSecond = (step: WrittenStep): WrittenStep => ({
  ...step,
  ws: { ...step.ws, on: "second" },
});

/** A second subscription on the connection, or one on a second connection, which is that of the order's client. */
export function onceMore(tuple: Tuple): WrittenStep[] {
  const again: WrittenStep = { ...asking(tuple, "onceMore"), onFail: "block" };
  if (tuple["times"] === "twice") return [again];
  if (tuple["times"] === "left and again") return [leaving(tuple), again];
  if (tuple["times"]?.startsWith("on two") !== true) return [];
  const as = roleOf({ ...tuple, listener: "own" });
  const closed = tuple["times"] === "on two, and one closed" ? [hangUp] : [];
  return [...connected("secondOpen", { connect: { as } }), again, ...closed].map(onSecond);
}

export const leaving = (tuple: Tuple): WrittenStep => ({ ws: { unsubscribe: asked(tuple) } });
