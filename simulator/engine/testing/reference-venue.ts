/**
 * The reference venue: the contract of the simulator once more, slow and obvious, written a second time from the rules of the engine
 * and the register of freedoms without a look at the engine. Decimals instead of whole numbers, arrays that are scanned
 * and sorted instead of books, one function a rule. It knows nothing of numbers of entries, events or reconciliation:
 * only what a client can see of orders, fills and wallets.
 */
import type { Command, PlaceOrder } from "../../domain/command.ts";
import type { Side } from "../../domain/order.ts";
import { defaultSettings } from "../../domain/settings.ts";
import { type Decimal, decimal, larger, zero } from "./exact.ts";
import { dearestCost } from "./reference-fees.ts";
import {
  addLevel,
  end,
  isPassed,
  match,
  offered,
  priceOf,
  printTrade,
  type ReferenceBook,
  restingOn,
} from "./reference-matching.ts";
import {
  type ReferenceClient,
  type ReferenceFill,
  type ReferenceOrder,
  type ReferenceOutcome,
  type ReferenceProduct,
  referenceClient,
  referenceProduct,
  referenceRates,
  refuse,
  walletOf,
} from "./reference-model.ts";
import { checkPlacement } from "./reference-rules.ts";
import { start, type VenueSpec } from "./venue-spec.ts";

const done: ReferenceOutcome = { kind: "done" };

export class ReferenceVenue {
  readonly clients: readonly ReferenceClient[];
  readonly products: readonly ReferenceProduct[];
  readonly book: ReferenceBook;
  /** Every order ever accepted; `book.orders` holds those that are not over. */
  readonly orders: ReferenceOrder[] = [];
  #now = start;
  readonly #ids: (number: number) => number;

  /** `ids` turns the order number of a command into the id of the order here. */
  constructor(spec: VenueSpec, ids: (number: number) => number) {
    this.clients = spec.clients.map(referenceClient);
    this.products = spec.products.map((product) => referenceProduct(spec, product));
    this.book = {
      orders: [],
      levels: [],
      arrivals: 0,
      settings: { ...defaultSettings, ...spec.settings },
      fills: [],
      triggered: [],
    };
    this.#ids = ids;
  }

  get fills(): readonly ReferenceFill[] {
    return this.book.fills;
  }

  /** One side of a book, best first: `order: size @ price`, order 0 being the synthetic market. */
  describeSide(productId: string, side: Side): string[] {
    return restingOn(this.book, this.#product(productId), side).map((resting) => {
      const id = "level" in resting ? 0 : resting.order.id;
      return `${id}: ${offered(resting).toFixed()} @ ${priceOf(resting).toFixed()}`;
    });
  }

  /** Price and size of what a BUY would meet first. */
  bestAsk(productId: string): { readonly price: Decimal; readonly size: Decimal } | null {
    const best = restingOn(this.book, this.#product(productId), "SELL")[0];
    return best === undefined ? null : { price: priceOf(best), size: offered(best) };
  }

  /** Matches what falls due at or before `to`, then moves the clock there. */
  advance(to: number): void {
    for (;;) {
      const due = this.book.orders
        .filter((order) => order.phase === "queued" && order.matchAt <= to)
        .sort((a, b) => a.matchAt - b.matchAt || a.id - b.id)[0];
      if (due === undefined) break;
      this.#now = due.matchAt;
      this.#enter(due);
      this.#wakeStops();
    }
    this.#now = to;
  }

  handle(command: Command): ReferenceOutcome {
    const outcome = this.#dispatch(command);
    this.#wakeStops();
    this.book.orders = this.book.orders.filter((order) => order.phase !== "done");
    return outcome;
  }

  #dispatch(command: Command): ReferenceOutcome {
    switch (command.kind) {
      case "PlaceOrder":
        return this.#place(command);
      case "CancelOrder": {
        const order = this.orders[this.#ids(command.order) - 1];
        if (order === undefined || order.client.index !== command.client) return refuse("ORDER_NOT_FOUND");
        return this.#close(order, "CANCELLED");
      }
      case "ExpireOrder": {
        const order = this.orders[this.#ids(command.order) - 1];
        return order === undefined ? refuse("ORDER_NOT_FOUND") : this.#close(order, "EXPIRED");
      }
      case "RefreshLiquidity":
        return this.#refresh(command);
      case "PrintTrade":
        return this.#print(command);
      case "AdjustBalance":
        return this.#adjust(command);
      case "SetHalted":
        this.#product(command.product).halted = command.halted;
        return done;
      case "SetApiEnabled":
        this.#product(command.product).apiEnabled = command.enabled;
        return done;
      case "SetTradingEnabled":
        this.#client(command.client).tradingEnabled = command.enabled;
        return done;
      case "SetClientRules": {
        const { enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue } = command;
        const rules = { enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue };
        this.#client(command.client).rules.set(command.product, rules);
        return done;
      }
      case "SetFees":
        this.#client(command.client).rates = referenceRates({
          maker: command.makerRate,
          taker: command.takerRate,
          exchangeMaker: command.exchangeMakerRate,
          exchangeTaker: command.exchangeTakerRate,
        });
        return done;
      case "ChangeSettings":
        this.book.settings = { ...this.book.settings, ...command.settings };
        return done;
      default:
        throw new RangeError(`the reference venue does not know ${command.kind}`);
    }
  }

  #adjust({
    client,
    asset,
    amount: text,
    direction,
  }: Extract<Command, { kind: "AdjustBalance" }>): ReferenceOutcome {
    const wallet = walletOf(this.#client(client), asset);
    const amount = decimal(text);
    if (amount.isZero()) return refuse("INVALID_COMMAND");
    if (direction === "debit" && amount.gt(wallet.balance.minus(wallet.hold)))
      return refuse("INVALID_COMMAND");
    wallet.balance = direction === "credit" ? wallet.balance.plus(amount) : wallet.balance.minus(amount);
    return done;
  }

  #place(command: PlaceOrder): ReferenceOutcome {
    const client = this.#client(command.client);
    const id = command.clientOrderId.toLowerCase();
    const earlier = this.orders.find((order) => order.client === client && order.clientOrderId === id);
    if (earlier !== undefined) return { kind: "replayed", order: earlier.id };
    const product = this.products.find((candidate) => candidate.id === command.product);
    if (product === undefined) return refuse("PRODUCT_NOT_FOUND");
    const open = this.orders.filter((order) => order.client === client && order.phase !== "done").length;
    const ask = this.bestAsk(product.id);
    const refusal = checkPlacement(client, product, this.book.settings, open, ask?.price ?? null, command);
    if (refusal !== null) return refusal;
    const hold = holdFor(client, product, command);
    const asset = command.side === "BUY" ? product.quote.symbol : product.base.symbol;
    const wallet = walletOf(client, asset);
    if (hold.gt(wallet.balance.minus(wallet.hold))) return refuse("EXCHANGE_REJECTED", "INSUFFICIENT_FUNDS");
    wallet.hold = wallet.hold.plus(hold);
    const order = this.#accept(client, product, command, id, hold);
    if (this.book.settings.matchDelayMs === 0) this.#enter(order);
    return { kind: "accepted", order: order.id };
  }

  #accept(
    client: ReferenceClient,
    product: ReferenceProduct,
    command: PlaceOrder,
    clientOrderId: string,
    hold: Decimal,
  ): ReferenceOrder {
    const { side, type } = command;
    const isMarketBuy = type === "MARKET" && side === "BUY";
    const given = (text: string | null): Decimal | null => (text === null ? null : decimal(text));
    const order: ReferenceOrder = {
      id: this.orders.length + 1,
      client,
      product,
      clientOrderId,
      side,
      type,
      quantity: isMarketBuy ? null : given(command.baseQuantity),
      price: type === "MARKET" ? null : given(command.price),
      stop: type === "STOP_LIMIT" ? given(command.stopPrice) : null,
      budget: isMarketBuy ? given(command.quoteValue) : null,
      rates: client.rates,
      matchAt: this.#now + this.book.settings.matchDelayMs,
      status: "OPEN",
      phase: "queued",
      changes: 1,
      arrival: 0,
      filled: zero,
      removed: zero,
      value: zero,
      exactCommission: zero,
      exactExchangeFee: zero,
      commission: zero,
      exchangeFee: zero,
      hold,
    };
    this.orders.push(order);
    this.book.orders.push(order);
    return order;
  }

  /** The first event after acceptance: a stop begins to wait unless it has been passed meanwhile; the others match. */
  #enter(order: ReferenceOrder): void {
    order.changes++;
    const isWaiting = order.type === "STOP_LIMIT" && !isPassed(order.side, order.stop, order.product.last);
    if (isWaiting) order.phase = "waiting";
    else match(this.book, order);
  }

  /** Triggered stops enter one after the other; those that their trades trigger queue up behind them. */
  #wakeStops(): void {
    for (let next = this.book.triggered.shift(); next !== undefined; next = this.book.triggered.shift())
      match(this.book, next);
  }

  #close(order: ReferenceOrder, status: "CANCELLED" | "EXPIRED"): ReferenceOutcome {
    if (order.phase === "done") return refuse("ORDER_NOT_CANCELLABLE");
    end(order, status);
    return done;
  }

  #refresh(command: Extract<Command, { kind: "RefreshLiquidity" }>): ReferenceOutcome {
    const product = this.#product(command.product);
    this.book.levels = this.book.levels.filter((level) => level.product !== product);
    const levels = command.levels.map((level) => ({
      ...level,
      at: decimal(level.price),
      size: decimal(level.quantity),
    }));
    const buys = levels.filter((level) => level.side === "BUY").sort((a, b) => b.at.comparedTo(a.at));
    const sells = levels.filter((level) => level.side === "SELL").sort((a, b) => a.at.comparedTo(b.at));
    for (const { side, at, size } of [...buys, ...sells]) addLevel(this.book, product, side, at, size);
    return done;
  }

  #print({ product, price, quantity }: Extract<Command, { kind: "PrintTrade" }>): ReferenceOutcome {
    printTrade(this.book, this.#product(product), decimal(price), decimal(quantity));
    return done;
  }

  #client(index: number): ReferenceClient {
    const client = this.clients[index];
    if (client === undefined) throw new RangeError(`no client ${index}`);
    return client;
  }

  #product(id: string): ReferenceProduct {
    const product = this.products.find((candidate) => candidate.id === id);
    if (product === undefined) throw new RangeError(`no product ${id}`);
    return product;
  }
}

/** F-buy-hold. */
function holdFor(client: ReferenceClient, product: ReferenceProduct, command: PlaceOrder): Decimal {
  if (command.side === "SELL") return decimal(command.baseQuantity ?? "0");
  if (command.type === "MARKET") return decimal(command.quoteValue ?? "0");
  const notional = decimal(command.baseQuantity ?? "0").times(command.price ?? "0");
  return larger(zero, dearestCost(notional, client.rates, product));
}
