import { amountOf } from "./amounts.ts";
import { Refusal } from "./authenticator.ts";
import type { Draft, Record_ } from "./order.ts";
import { type Product, products } from "./world.ts";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Reads the body of an order. Fields that a kind of order does not need are ignored. */
export class OrderReader {
  draft(bytes: Buffer): Draft {
    const body = this.parse(bytes);
    const { side, type, client_order_id: clientOrderId } = body;
    if (side !== "BUY" && side !== "SELL") throw new Refusal(400, "side: BUY or SELL");
    if (type !== "LIMIT" && type !== "MARKET" && type !== "STOP_LIMIT")
      throw new Refusal(400, "type: LIMIT, MARKET or STOP_LIMIT");
    if (typeof clientOrderId !== "string" || !version4.test(clientOrderId))
      throw new Refusal(400, "client_order_id: a UUID of version 4");
    const product = products.find(({ id }) => id === body["product"]);
    if (product === undefined) throw new Refusal(400, "product: there is none of this name");
    const isPriced = type !== "MARKET";
    const isBySpend = type === "MARKET" && side === "BUY";
    return {
      product,
      side,
      type,
      clientOrderId,
      ...this.size(body, product, isBySpend),
      price: isPriced ? this.price(body, "price", product) : undefined,
      stop: type === "STOP_LIMIT" ? this.price(body, "stop_price", product) : undefined,
    };
  }

  parse(bytes: Buffer): Record_ {
    let body: unknown;
    try {
      body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      throw new Refusal(400, "the body is not JSON");
    }
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new Refusal(400, "the body is not an object");
    return body as Record_;
  }

  size(body: Record_, product: Product, isBySpend: boolean): Pick<Draft, "quantity" | "spend"> {
    if (isBySpend) {
      if (body["base_quantity"] !== undefined && body["base_quantity"] !== null)
        this.positive(body, "base_quantity");
      return { quantity: undefined, spend: this.positive(body, "quote_value") };
    }
    return {
      quantity: this.whole(this.positive(body, "base_quantity"), product.quantityStep, "base_quantity"),
      spend: undefined,
    };
  }

  price(body: Record_, field: string, product: Product): bigint {
    return this.whole(this.positive(body, field), product.priceStep, field);
  }

  positive(body: Record_, field: string): bigint {
    const amount = amountOf(body[field]);
    if (amount === undefined || amount <= 0n)
      throw new Refusal(400, `${field}: a decimal above zero, as a string`);
    return amount;
  }

  whole(amount: bigint, step: bigint, field: string): bigint {
    if (amount % step !== 0n) throw new Refusal(400, `${field}: not a multiple of the increment`);
    return amount;
  }
}
