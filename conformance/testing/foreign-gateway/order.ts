import { ratio, rounded, textOf, times } from "./amounts.ts";
import { type Product, rates } from "./world.ts";

export type Side = "BUY" | "SELL";
export type Type = "LIMIT" | "MARKET" | "STOP_LIMIT";
type Status = "OPEN" | "FILLED" | "CANCELLED" | "PENDING";

/** The request of a client, checked. A MARKET BUY has `spend` and no quantity, everything else the other way round. */
export interface Draft {
  readonly product: Product;
  readonly side: Side;
  readonly type: Type;
  readonly clientOrderId: string;
  readonly quantity: bigint | undefined;
  readonly spend: bigint | undefined;
  readonly price: bigint | undefined;
  readonly stop: bigint | undefined;
}

export interface Order extends Draft {
  id: string;
  readonly ordinal: number;
  readonly client: string;
  readonly keyId: string;
  status: Status;
  filled: bigint;
  value: bigint;
  fees: bigint;
  held: bigint;
  readonly fills: { readonly price: bigint; readonly quantity: bigint }[];
  readonly created: number;
  updated: number;
  synced: boolean;
}

export type Record_ = Record<string, unknown>;

export const isLive = ({ status }: Order): boolean => status === "OPEN" || status === "PENDING";
export const leftOf = ({ quantity = 0n, filled }: Order): bigint => quantity - filled;

/** ISO 8601 with an offset in digits. */
export const instant = (time: number): string => new Date(time).toISOString().replace("Z", "+00:00");

/** An order as clients see it, without the fields that this gateway never fills in. */
export class Writer {
  view(order: Order): Record_ {
    const { product, side, type, quantity, spend, price, stop, filled, value } = order;
    return {
      id: order.id,
      clientOrderId: order.clientOrderId,
      externalId: order.synced ? `LX:${order.ordinal.toString(36)}` : null,
      userId: order.client,
      portfolioId: null,
      productId: product.id,
      side,
      type,
      status: order.status,
      synced: order.synced,
      timeInForce: type === "MARKET" ? "IOC" : "GTC",
      baseQuantity: quantity === undefined ? null : textOf(quantity),
      quoteValue: this.quoteValue(order),
      limitPrice: price === undefined ? null : textOf(price),
      stopPrice: stop === undefined ? null : textOf(stop),
      filledQuantity: textOf(filled),
      filledValue: textOf(value),
      averageFilledPrice: filled === 0n ? null : textOf(this.average(order)),
      netAverageFilledPrice: filled === 0n ? null : textOf(ratio(this.net(order), filled)),
      ...this.charges(order),
      totalUserRecieveAmount: filled === 0n ? null : textOf(this.received(order)),
      postOnly: spend === undefined && type !== "MARKET" ? false : null,
      createdAt: instant(order.created),
      updatedAt: instant(order.updated),
    };
  }

  quoteValue({ quantity, price, spend }: Order): string | null {
    if (spend !== undefined) return textOf(spend);
    return quantity === undefined || price === undefined ? null : textOf(times(quantity, price));
  }

  average({ value, filled }: Order): bigint {
    return ratio(value, filled);
  }

  /** The value with the fees where they go: a buyer pays them, a seller gets less. */
  net({ side, value, fees }: Order): bigint {
    return side === "BUY" ? value + fees : value - fees;
  }

  received(order: Order): bigint {
    return order.side === "BUY" ? order.filled : order.value - order.fees;
  }

  charges({ fees }: Order): Record_ {
    const exchange = rounded(times(fees, rates.exchangePart), 10);
    return { fees: textOf(fees), exchangeFee: textOf(exchange), commission: textOf(fees - exchange) };
  }
}
