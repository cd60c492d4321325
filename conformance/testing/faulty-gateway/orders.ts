import { setTimeout as wait } from "node:timers/promises";
import { Book, type Resting, text, unit, units } from "./book.ts";
import type { Way, Wrong } from "./defects.ts";
import { type Fields, recordOf, withShortTrigger } from "./order-fields.ts";

export interface Answer {
  readonly status: number;
  readonly message?: string;
  readonly data?: unknown;
}

export interface Order {
  readonly client: string;
  readonly record: Record<string, unknown>;
  /** As it was first answered. */
  readonly first: Readonly<Record<string, unknown>>;
  readonly resting: Resting;
  /** The states in which it was shown, each with its time, the newest last. */
  readonly history: { readonly at: number; readonly record: Record<string, unknown> }[];
}

/** So much later than they happen things are read, and cancels done, by a gateway that does so. */
const lateMs = 400;

export const limits = { min: "0.0001", max: "100" } as const;

const decimal = (value: unknown): value is string =>
  typeof value === "string" && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) && units(value) > 0n;

/** Orders of all clients, the keys they were placed under, and the book they meet in. */
export class Orders {
  readonly byId = new Map<string, Order>();
  readonly #keys = new Map<string, Order>();
  readonly #wrong: Wrong;
  readonly #ways: readonly Way[];
  readonly #book: Book;
  readonly #afterNextOrder: (() => void)[] = [];

  constructor(wrong: Wrong, ways: readonly Way[]) {
    this.#wrong = wrong;
    this.#ways = ways;
    this.#book = new Book(wrong);
  }

  open(client: string): Record<string, unknown>[] {
    const found = [...this.byId.values()]
      .filter((order) => order.client === client)
      .map((order) => this.read(order));
    return found.flatMap((record) => (record?.["status"] === "OPEN" ? [record] : []));
  }

  /** The order as a read shows it; undefined while none does. */
  read({ record, history }: Order): Record<string, unknown> | undefined {
    if (!this.#ways.includes("reads-late")) return record;
    return history.findLast(({ at }) => at <= Date.now() - lateMs)?.record;
  }

  /** Records the orders that a trade has changed, where reads show them later. */
  #note(): void {
    if (!this.#ways.includes("reads-late")) return;
    for (const { record, history } of this.byId.values())
      if (JSON.stringify(history.at(-1)?.record) !== JSON.stringify(record))
        history.push({ at: Date.now(), record: { ...record } });
  }

  forgetKeys(): void {
    this.#keys.clear();
  }

  /** `gone` settles when the client has hung up, or when it is not going to. */
  async place(sent: Fields, client: string, gone: () => Promise<boolean>): Promise<Answer> {
    const fields = this.#read(sent);
    const problem = this.#problem(fields);
    if (problem !== undefined) return this.#refused(fields, client, problem);
    const key = `${client} ${String(fields["client_order_id"])}`;
    const known = this.#keys.get(key);
    if (this.#wrong("p18-looked-up-then-inserted")) await wait(5);
    if (known !== undefined && !this.#wrong("p16-repeat-makes-an-order") && !this.#isForgotten(known, fields))
      return this.#repeated(known, fields);
    const order = this.#create(fields, client);
    if (!(this.#wrong("p19-remembered-when-answered") && (await gone()))) this.#keys.set(key, order);
    const answer = { status: 200, data: { type: "NEW_ORDER", order: { ...order.record } } };
    this.#match(order, fields);
    for (const leave of this.#afterNextOrder.splice(0)) leave();
    // From here on it is what the exchange knows of it.
    Object.assign(order.record, { synced: true, externalId: `X-${this.byId.size}` });
    this.#note();
    return answer;
  }

  #read(sent: Fields): Fields {
    if (this.#wrong("p44-trigger-read-to-its-first-letter")) return withShortTrigger(sent);
    const { product, type } = sent;
    const unpacked = this.#wrong("p44-product-of-a-stop-taken-out-of-a-list") && type === "STOP_LIMIT";
    return unpacked && Array.isArray(product) ? { ...sent, product: product[0] as unknown } : sent;
  }

  /** A sale that is filled makes room for one of the same product at another price. */
  #isForgotten({ record }: Order, { side, type, price, product }: Fields): boolean {
    if (!this.#wrong("p40-filled-sales-known-by-their-price") || record["status"] !== "FILLED") return false;
    const isSuchSale = type === "LIMIT" && side === "SELL" && product === record["productId"];
    return isSuchSale && record["side"] === "SELL" && price !== record["limitPrice"];
  }

  cancel(order: Order): Answer {
    if (order.record["status"] !== "OPEN") return { status: 400, message: "the order has ended" };
    if (this.#ways.includes("cancels-later")) setTimeout(() => this.#end(order), lateMs);
    else this.#end(order);
    if (this.#wrong("p17-cancel-frees-the-key"))
      this.#keys.delete(`${order.client} ${String(order.record["clientOrderId"])}`);
    return { status: 200, data: order.record };
  }

  #end(order: Order): void {
    if (order.record["status"] !== "OPEN") return;
    order.record["status"] = "CANCELLED";
    const goesOff = this.#wrong("p50-cancelled-stops-go-off") && order.record["type"] === "STOP_LIMIT";
    const outOfTheBook = (): void => {
      order.resting.left = 0n;
      if (this.#wrong("p49-cancel-takes-the-next-too")) this.#book.dropBehind(order.resting);
    };
    // The moment ends with the next order, however late a busy machine brings it.
    if (this.#wrong("p52-cancelled-orders-met-for-a-moment")) this.#afterNextOrder.push(outOfTheBook);
    else if (!goesOff) outOfTheBook();
    this.#note();
  }

  #repeated(order: Order, fields: Fields): Answer {
    const known = this.#ways.includes("frozen-replays") ? order.first : order.record;
    const shown = this.#wrong("p16-repeat-shows-its-own-contents")
      ? { ...known, baseQuantity: fields["base_quantity"] ?? null }
      : known;
    return {
      status: 200,
      data: { type: "DUPLICATE_REPLAY", order: shown, message: "this key was used before" },
    };
  }

  #refused(fields: Fields, client: string, message: string): Answer {
    if (this.#wrong("p27-refused-orders-linger") && typeof fields["client_order_id"] === "string")
      this.#create({ ...fields, side: "BUY" }, client);
    const kept =
      this.#wrong("p44-refused-sales-use-their-id") &&
      fields["type"] === "MARKET" &&
      fields["side"] === "SELL";
    if (kept) {
      const order = this.#create(fields, client);
      order.record["status"] = "FAILED";
      this.#keys.set(`${client} ${String(fields["client_order_id"])}`, order);
    }
    return { status: 400, message };
  }

  #create(fields: Fields, client: string): Order {
    const record = recordOf(this.#misread(fields));
    if (this.#ways.includes("hides-triggers")) record["stopPrice"] = null;
    const filled = (quantity: bigint, value: bigint): void => {
      if (this.#wrong("p52-cancelled-orders-met-for-a-moment") && record["status"] === "CANCELLED") return;
      const quantities = units(String(record["filledQuantity"])) + quantity;
      const values = units(String(record["filledValue"])) + value;
      record["filledQuantity"] = text(quantities);
      record["filledValue"] = text(values);
      record["averageFilledPrice"] = text((values * unit) / quantities);
      if (order.resting.left === 0n) record["status"] = "FILLED";
      if (record["type"] === "MARKET" && record["side"] === "BUY") this.#charge(record, quantities, values);
    };
    const amount = (name: string): bigint => (decimal(fields[name]) ? units(String(fields[name])) : 0n);
    const resting: Resting = {
      side: String(fields["side"]),
      price: fields["type"] === "MARKET" ? 0n : amount("price"),
      left: amount("base_quantity"),
      filled,
    };
    const order = { client, record, first: { ...record }, resting, history: [] };
    this.byId.set(String(record["id"]), order);
    return order;
  }

  /** A thousandth, of what was paid or of what was bought; a gateway that says nothing of fees takes none. */
  #charge(record: Record<string, unknown>, quantity: bigint, value: bigint): void {
    const fromBase = this.#ways.includes("fees-from-base");
    if (!fromBase && !this.#ways.includes("fees-on-top") && !this.#ways.includes("fees-inside")) return;
    const fees = (fromBase ? quantity : value) / 1000n;
    const [paid, received] = fromBase ? [value, quantity - fees] : [value + fees, quantity];
    record["fees"] = text(fees);
    record["commission"] = text(fees);
    record["exchangeFee"] = "0";
    record["totalUserRecieveAmount"] = text(received);
    record["netAverageFilledPrice"] = text((paid * unit) / received);
  }

  #misread(fields: Fields): Fields {
    const { price, base_quantity: quantity } = fields;
    if (fields["side"] === undefined) return { ...fields, side: "BUY" };
    if (this.#wrong("digits-of-prices-dropped") && decimal(price))
      return { ...fields, price: price.replace(/(\.\d{5})\d+$/, "$1") };
    if (this.#wrong("p24-amounts-become-doubles"))
      return {
        ...fields,
        price: decimal(price) ? String(Number(price)) : price,
        base_quantity: decimal(quantity) ? Number(quantity).toFixed(20).replace(/0+$/, "") : quantity,
      };
    return fields;
  }

  #match({ record, resting }: Order, fields: Fields): void {
    if (fields["type"] === "LIMIT") return this.#book.limit(resting);
    const waits = this.#wrong("p51-any-trigger-is-waited-for") && fields["stop_price"] !== undefined;
    if (fields["type"] === "STOP_LIMIT" || waits)
      return this.#book.stop(units(String(fields["stop_price"])), resting);
    if (fields["type"] !== "MARKET") return;
    if (fields["side"] === "BUY") {
      const value = units(String(fields["quote_value"]));
      const budget = this.#ways.includes("fees-inside") ? (value * 1000n) / 1001n : value;
      this.#book.marketBuy(budget, { ...resting, left: 1_000_000n * unit });
      record["status"] = "FILLED";
    } else this.#book.limit(resting);
  }

  /** Rules 1 to 5 of POST /order, the grammar of the fields, and the limits of the client. */
  #problem(fields: Fields): string | undefined {
    const { side, type, product, client_order_id: key } = fields;
    if (side !== "BUY" && side !== "SELL" && !(this.#wrong("missing-side-accepted") && side === undefined))
      return "side must be BUY or SELL";
    if (type !== "LIMIT" && type !== "MARKET" && type !== "STOP_LIMIT")
      return "type must be LIMIT, MARKET or STOP_LIMIT";
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
    if (typeof key !== "string" || !uuid.test(key)) return "client_order_id must be a UUID v4";
    if (product !== "BTC-USD") return "product is not known";
    const missing = this.#needed(fields).find((name) => !decimal(fields[name]));
    if (missing !== undefined) return `${missing} must be a positive decimal string`;
    return type === "MARKET" && side === "BUY" ? undefined : this.#sizeProblem(fields["base_quantity"]);
  }

  #needed({ type, side }: Fields): string[] {
    if (type === "MARKET") return [side === "BUY" ? "quote_value" : "base_quantity"];
    const priced = ["base_quantity", "price"];
    return type === "LIMIT" ? priced : [...priced, "stop_price"];
  }

  #sizeProblem(quantity: unknown): string | undefined {
    if (!decimal(quantity)) return undefined;
    if (units(quantity) < units(limits.min)) return "the order is below the minimum";
    return units(quantity, "up") > units(limits.max) ? "the order is above the maximum" : undefined;
  }
}
