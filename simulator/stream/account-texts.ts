/** Messages about a client's account, as the text after their number. */
import { ticksTimesLots } from "../domain/amount.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import type { Order } from "../domain/order.ts";
import { lotsText, ticksText } from "../domain/steps.ts";
import type { OrderChange, RevisingEvent } from "../engine/changes.ts";
import type { VenueState } from "../engine/state.ts";
import type { Component } from "../wire/components.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Identities } from "../wire/identities.ts";
import { orderJson } from "../wire/order-view.ts";
import type { Channel, OrderEventName } from "./channels.ts";

/** Orders of one snapshot message at most. */
const pageSize = 50;

const about = (kind: "snapshot" | "update", channel: Channel, at: number, data: string): string =>
  `,"type":"${kind}","channel":"${channel}","timestamp":"${isoTime(at)}","data":{${data}}}`;

/** One message, or several; the last is marked. */
export function orderSnapshots(
  state: VenueState,
  ids: Identities,
  orders: readonly Order[],
  at: number,
): string[] {
  const pages: string[] = [];
  for (let first = 0; first === 0 || first < orders.length; first += pageSize) {
    const page = orders.slice(first, first + pageSize).map((order) => orderJson(state, ids, order));
    const final = first + pageSize >= orders.length;
    pages.push(about("snapshot", "orders", at, `"orders":[${page.join()}],"final":${final}`));
  }
  return pages;
}

export function orderUpdate(
  state: VenueState,
  ids: Identities,
  { event, order }: OrderChange,
  at: number,
): string {
  const { product } = state.market(order.terms.product);
  const fill = event.kind === "Traded" ? `,"fill":${fillText(product, ids, event, order, at)}` : "";
  const data = `"event":"${nameOf(event)}","revision":${order.revision},"order":${orderJson(state, ids, order)}${fill}`;
  return about("update", "orders", at, data);
}

function nameOf(event: RevisingEvent): OrderEventName {
  switch (event.kind) {
    case "OrderAccepted":
      return event.status === "OPEN" ? "ACCEPTED" : event.status;
    case "OrderConfirmed":
      return "ACCEPTED";
    case "StopTriggered":
      return "TRIGGERED";
    case "Traded":
      return "FILL";
    case "OrderReduced":
      return "REDUCED";
    case "OrderClosed":
      return event.status === "FILLED" ? "FILL" : event.status;
    case "CancelRequested":
      return "CANCEL_REQUESTED";
    case "OrdersSynced":
      return "SYNCED";
  }
}

/** One side of a trade. Both sides have an id of their own. */
function fillText(
  product: Product,
  ids: Identities,
  event: Event<"Traded">,
  { terms }: Pick<Order, "terms">,
  at: number,
): string {
  const { trade, price, quantity } = event;
  const isTaker = terms.number === event.taker;
  const { commission, exchangeFee } = isTaker ? event.takerCharge : event.makerCharge;
  const money = (value: bigint): string => formatScaled(value, product.quote.scale);
  return (
    `{"fillId":"${ids.fill.idOf(2 * trade + (isTaker ? 0 : 1))}","tradeId":"${trade}",` +
    `"price":"${ticksText(product, price)}","quantity":"${lotsText(product, quantity)}",` +
    `"value":"${money(ticksTimesLots(price, quantity) * product.unitsPerTickLot)}",` +
    `"commission":"${money(commission)}","exchangeFee":"${money(exchangeFee)}",` +
    `"liquidity":"${isTaker ? "TAKER" : "MAKER"}","time":"${isoTime(at)}"}`
  );
}

export const walletSnapshot = (wallets: readonly Component<"Wallet">[], at: number): string =>
  about("snapshot", "wallets", at, `"wallets":${JSON.stringify(wallets)}`);

export const walletUpdate = (wallet: Component<"Wallet">, at: number): string =>
  about("update", "wallets", at, `"wallet":${JSON.stringify(wallet)}`);

export const depositSnapshot = (deposits: readonly Component<"Deposit">[], at: number): string =>
  about("snapshot", "deposits", at, `"deposits":${JSON.stringify(deposits)}`);

export const depositUpdate = (deposit: Component<"Deposit">, at: number): string =>
  about("update", "deposits", at, `"deposit":${JSON.stringify(deposit)}`);
