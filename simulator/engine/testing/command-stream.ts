/** Random commands that make a busy venue: prices near the touch, sizes near what is there, mistakes on purpose. */
import type { Command, PlaceOrder, SyntheticLevel } from "../../domain/command.ts";
import type { Side } from "../../domain/order.ts";
import { ceilAt, type Decimal, decimal, larger, smaller } from "./exact.ts";
import type { Random } from "./random.ts";
import { type Activity, modes, type RandomVenue, rates } from "./random-venue.ts";
import { largestSizes, type ReferenceClient } from "./reference-model.ts";
import type { ReferenceVenue } from "./reference-venue.ts";
import type { ProductSpec } from "./venue-spec.ts";

/** Rounding modes of decimal.js. */
const up = 0;
const down = 1;

const weights = {
  limit: 34,
  market: 16,
  stop: 9,
  replay: 3,
  mistake: 4,
  cancel: 10,
  expire: 2,
  refresh: 6,
  print: 2,
  adjust: 4,
  halt: 2,
  apiEnabled: 1,
  tradingEnabled: 1,
  rules: 2,
  fees: 2,
  settings: 1,
} as const;

export class CommandStream {
  readonly #random: Random;
  readonly #venue: RandomVenue;
  /** Read for the state of the market, never for what is right. */
  readonly #seen: ReferenceVenue;
  readonly #numberOf: (count: number) => number;
  readonly #placed: PlaceOrder[] = [];
  /** A better market for the order that has just been placed. */
  #better: Command | null = null;

  constructor(random: Random, venue: RandomVenue, seen: ReferenceVenue, numberOf: (count: number) => number) {
    this.#random = random;
    this.#venue = venue;
    this.#seen = seen;
    this.#numberOf = numberOf;
  }

  next(): Command {
    const random = this.#random;
    const better = this.#better;
    this.#better = null;
    if (better !== null) return better;
    const product = random.pick(this.#venue.activity);
    const client = random.int(0, this.#venue.spec.clients.length - 1);
    const kind = random.weighted(weights);
    switch (kind) {
      case "limit":
      case "market":
      case "stop":
        return this.#remember(this.#order(kind, product, client));
      case "replay":
        return this.#replay(product, client);
      case "mistake":
        return this.#mistake(product, client);
      case "cancel":
      case "expire":
        return this.#close(kind);
      case "refresh":
        return { kind: "RefreshLiquidity", product: product.id, levels: this.#ladder(product) };
      case "print":
        return {
          kind: "PrintTrade",
          product: product.id,
          price: this.#price(product).toFixed(),
          quantity: this.#size(product),
        };
      case "adjust":
        return this.#adjust(client);
      case "halt":
        return { kind: "SetHalted", product: product.id, halted: random.chance(0.15) };
      case "apiEnabled":
        return { kind: "SetApiEnabled", product: product.id, enabled: random.chance(0.88) };
      case "tradingEnabled":
        return { kind: "SetTradingEnabled", client, enabled: random.chance(0.9) };
      case "rules":
        return this.#rules(product, client);
      case "fees":
        return this.#fees(client);
      case "settings":
        return this.#settings();
    }
  }

  #settings(): Command {
    const random = this.#random;
    return {
      kind: "ChangeSettings",
      settings: {
        stp: random.pick(modes),
        releaseImprovement: random.pick(["at-end", "per-fill"]),
        marketBuySizeCheck: random.pick(["estimate", "estimate", "quote-limits"]),
      },
    };
  }

  #order(kind: "limit" | "market" | "stop", product: ProductSpec & Activity, client: number): PlaceOrder {
    const random = this.#random;
    const side: Side = random.pick(["BUY", "SELL"]);
    const isMarketBuy = kind === "market" && side === "BUY";
    const price = this.#price(product);
    return {
      kind: "PlaceOrder",
      client,
      clientOrderId: random.chance(0.5) ? random.uuid() : random.uuid().toUpperCase(),
      product: product.id,
      side,
      type: kind === "stop" ? "STOP_LIMIT" : kind === "market" ? "MARKET" : "LIMIT",
      baseQuantity: isMarketBuy ? null : this.#size(product),
      price: kind === "market" ? null : this.#spelled(price),
      stopPrice: kind === "stop" ? this.#stop(product, side).toFixed() : null,
      quoteValue: isMarketBuy ? this.#budget(product, client, price).toFixed() : null,
      fault: null,
    };
  }

  /** Anything, or exactly what the best ask costs: then the budget ends where the level does. */
  #budget(product: ProductSpec & Activity, client: number, price: Decimal): Decimal {
    const random = this.#random;
    const seen = this.#seen;
    const scale = product.id === "OIL-EUR" ? 2 : 8;
    const best = seen.bestAsk(product.id);
    const owner = seen.clients[client];
    if (best === null || owner === undefined || random.chance(0.6)) {
      return price
        .times(this.#size(product))
        .times(random.pick(["0.3", "1", "1.5"]))
        .toDecimalPlaces(scale, up);
    }
    const size = random.chance(0.2) ? this.#largestSize(product, owner, best.price) : best.size;
    const value = best.price.times(size);
    return ceilAt(value.times(owner.rates.takerCommission), scale)
      .plus(ceilAt(value.times(owner.rates.takerExchange), scale))
      .plus(ceilAt(value, scale));
  }

  /** The largest size; plenty of it is offered for less before the order matches. */
  #largestSize(product: ProductSpec & Activity, owner: ReferenceClient, ask: Decimal): Decimal {
    const known = this.#seen.products.filter((candidate) => candidate.id === product.id);
    const largest = known
      .flatMap((candidate) => largestSizes(owner, candidate))
      .reduce(smaller, decimal(product.size * product.step).times(product.baseIncrement));
    const price = larger(decimal(product.priceIncrement), ask.minus(product.priceIncrement)).toFixed();
    const levels: SyntheticLevel[] = [{ side: "SELL", price, quantity: largest.times(2).toFixed() }];
    this.#better = { kind: "RefreshLiquidity", product: product.id, levels };
    return largest;
  }

  /** Near the reference, so that both sides keep meeting. */
  #price(product: ProductSpec & Activity): Decimal {
    const ticks = decimal(product.reference).div(product.priceIncrement).toNumber();
    const away = this.#random.int(-product.spread, product.spread);
    return decimal(Math.max(1, ticks + away)).times(product.priceIncrement);
  }

  /** Beyond the last price on the side that waits; sometimes on it or past it. */
  #stop(product: ProductSpec & Activity, side: Side): Decimal {
    const last =
      this.#seen.products.find((candidate) => candidate.id === product.id)?.last ??
      decimal(product.reference);
    const away = this.#random.int(-1, 5) * (side === "BUY" ? 1 : -1);
    const ticks = last.div(product.priceIncrement).plus(away).toNumber();
    return decimal(Math.max(1, ticks)).times(product.priceIncrement);
  }

  #size(product: ProductSpec & Activity): string {
    const random = this.#random;
    const lots = random.chance(0.15)
      ? random.int(2, 5)
      : random.int(1, product.size) * product.step + random.int(0, 1);
    return this.#spelled(decimal(Math.max(2, lots)).times(product.baseIncrement));
  }

  /** Now and then with a trailing zero: the same value in other digits. */
  #spelled(value: Decimal): string {
    const text = value.toFixed();
    return this.#random.chance(0.1) ? (text.includes(".") ? `${text}0` : `${text}.0`) : text;
  }

  #replay(product: ProductSpec & Activity, client: number): Command {
    if (this.#placed.length === 0) return this.#remember(this.#order("limit", product, client));
    const first = this.#random.pick(this.#placed);
    const other = this.#order("limit", product, client);
    const { clientOrderId } = first;
    const spelling = this.#random.chance(0.5) ? clientOrderId.toUpperCase() : clientOrderId.toLowerCase();
    return this.#random.chance(0.5)
      ? { ...first, clientOrderId: spelling }
      : { ...other, clientOrderId: spelling };
  }

  /** One thing is wrong; now and then two are, and the order of the checks decides. */
  #mistake(product: ProductSpec & Activity, client: number): Command {
    const random = this.#random;
    const order = this.#order(random.pick(["limit", "limit", "market", "stop"]), product, client);
    const spoil = (from: PlaceOrder): PlaceOrder => {
      switch (random.int(0, 5)) {
        case 0:
          return { ...from, product: "DOGE-USD" };
        case 1:
          return from.price === null
            ? from
            : { ...from, price: `${from.price}${from.price.includes(".") ? "7" : ".7"}` };
        case 2:
          return from.baseQuantity === null ? from : { ...from, baseQuantity: "0.00000000033" };
        case 3:
          return from.baseQuantity === null ? from : { ...from, baseQuantity: "123456789012345" };
        case 4:
          return from.quoteValue === null
            ? from
            : {
                ...from,
                quoteValue: `${from.quoteValue}${from.quoteValue.includes(".") ? "000000003" : ".003"}`,
              };
        default:
          return from.baseQuantity === null
            ? from
            : {
                ...from,
                baseQuantity: `${from.baseQuantity}${from.baseQuantity.includes(".") ? "000000003" : ".3"}`,
              };
      }
    };
    return this.#remember(random.chance(0.2) ? spoil(spoil(order)) : spoil(order));
  }

  #close(kind: "cancel" | "expire"): Command {
    const random = this.#random;
    const seen = this.#seen;
    const isOpen = random.chance(0.85) && seen.book.orders.length > 0;
    const order = isOpen ? random.pick(seen.book.orders) : seen.orders[random.int(0, seen.orders.length)];
    const number = order === undefined ? 1_000_000_007 : this.#numberOf(order.id);
    if (kind === "expire") return { kind: "ExpireOrder", order: number };
    const owner = order === undefined || random.chance(0.05) ? random.int(0, 3) : order.client.index;
    return { kind: "CancelOrder", client: owner, order: number };
  }

  /** A ladder around the reference that does not cross itself, now and then with an empty side. */
  #ladder(product: ProductSpec & Activity): SyntheticLevel[] {
    const random = this.#random;
    const middle = decimal(product.reference).div(product.priceIncrement).toNumber() + random.int(-4, 4);
    const levels: SyntheticLevel[] = [];
    for (const side of ["SELL", "BUY"] as const) {
      const count = random.chance(0.2) ? 0 : random.int(1, 4);
      let ticks = middle;
      for (let level = 0; level < count; level++) {
        ticks += (side === "BUY" ? -1 : 1) * random.int(1, 3);
        if (ticks < 1) break;
        const price = decimal(ticks).times(product.priceIncrement).toFixed();
        levels.push({ side, price, quantity: this.#size(product) });
      }
    }
    return random.chance(0.3) ? levels.reverse() : levels;
  }

  #adjust(client: number): Command {
    const random = this.#random;
    const asset = random.pick(["USD", "EUR", "BTC", "OIL", "ETH"]);
    if (random.chance(0.3)) return this.#drain(client, random.chance(0.5) ? "EUR" : asset);
    const direction = random.pick(["credit", "debit"] as const);
    const amount = asset === "OIL" ? "40" : asset === "EUR" ? "33.33" : asset === "USD" ? "9000.01" : "0.25";
    return { kind: "AdjustBalance", client, asset, amount, direction };
  }

  /** Everything that is not on hold leaves: the cost of a fill must then come out of the fill. */
  #drain(client: number, asset: string): Command {
    const wallet = this.#seen.clients[client]?.wallets.get(asset);
    const scale = asset === "OIL" ? 1 : asset === "USD" || asset === "EUR" ? 2 : 8;
    const free = wallet?.balance.minus(wallet.hold).toDecimalPlaces(scale, down) ?? decimal(0);
    return { kind: "AdjustBalance", client, asset, amount: free.toFixed(), direction: "debit" };
  }

  #rules(product: ProductSpec & Activity, client: number): Command {
    const random = this.#random;
    const limit = (lots: number): string | null =>
      random.chance(0.5)
        ? null
        : decimal(lots * product.step)
            .times(product.baseIncrement)
            .toFixed();
    return {
      kind: "SetClientRules",
      client,
      product: product.id,
      enabled: random.chance(0.9),
      minOrderSize: limit(2),
      maxOrderSize: limit(30),
      minQuoteValue: random.chance(0.5) ? null : "0.01",
      maxQuoteValue: random.chance(0.7) ? null : "20000",
    };
  }

  #fees(client: number): Command {
    const { maker, taker, exchangeMaker, exchangeTaker } = this.#random.pick(rates);
    return {
      kind: "SetFees",
      client,
      model: exchangeTaker === undefined ? "ALL_IN" : "COST_PLUS",
      makerRate: maker,
      takerRate: taker,
      exchangeMakerRate: exchangeMaker ?? "0",
      exchangeTakerRate: exchangeTaker ?? "0",
    };
  }

  #remember(order: PlaceOrder): PlaceOrder {
    this.#placed.push(order);
    return order;
  }
}
