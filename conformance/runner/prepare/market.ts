import {
  type ExactDecimal,
  parseDecimal,
  plain,
  rounded,
  scaleOf,
  unitOfScale,
} from "../../check/decimal.ts";
import { Blocked } from "../../model/outcome.ts";
import type { ProductPlan, Profile } from "../../model/profile.ts";
import { isMap, type Value } from "../../model/value.ts";
import type { ListedPair } from "../send/listing.ts";
import { type Book, bookPrice, stepOfProduct } from "./seen-prices.ts";

/** The target could provide the value, but has not been asked yet. */
export class NotSeenYet extends Error {}

/** Kinds that are a place in the list of candidates. */
const placed = ["tradable", "second", "third", "fourth", "fifth", "sixth"];

/** Kinds with the smallest step, of those that the profile states for tradable products. */
const steps: Readonly<Record<string, "priceStep" | "qtyStep">> = {
  finestPrice: "priceStep",
  finestQuantity: "qtyStep",
};

/**
 * Products, prices and sizes that a case may send. The profile has priority, then the target's own order book and
 * product list. A value that neither provides makes the case BLOCKED: the kit never invents a price.
 */
export class Market {
  readonly #profile: Profile;
  readonly #pairs: readonly ListedPair[];
  readonly #books: ReadonlyMap<string, Book>;

  readonly #seen: boolean;

  /** Only the profile's values, for callers that send nothing; asked for more, it throws NotSeenYet. */
  static unseen(profile: Profile): Market {
    return new Market(profile, [], new Map(), false);
  }

  constructor(profile: Profile, pairs: readonly ListedPair[], books: ReadonlyMap<string, Book>, seen = true) {
    this.#profile = profile;
    this.#seen = seen;
    this.#pairs = pairs;
    this.#books = books;
  }

  generate(name: string, argument: Value, lenient: boolean): Value {
    const options = isMap(argument) ? argument : {};
    const product = typeof options["product"] === "string" ? options["product"] : undefined;
    if (name === "$product") return this.product(String(argument));
    if (name === "$price")
      return this.#price(String(options["side"]), String(options["away"]), product, lenient);
    if (name === "$qty") return this.#quantity(String(options["size"] ?? argument), product, lenient);
    if (name === "$step") return this.#step(String(options["of"]), product, lenient);
    if (name === "$pair") return this.#respelled(String(options["product"]), String(options["form"]));
    if (name === "$spend") return this.#spend(String(options["size"] ?? argument), product, lenient);
    throw new Error(`there is no generator ${name}`);
  }

  product(kind: string): string {
    const candidates = this.candidates();
    const first = this.#chosen(kind, candidates);
    if (first === undefined && this.#profile.loopback && this.#planned().length === 0) this.#mustSee();
    if (first === undefined)
      throw new Blocked(
        `no ${kind} product is known: the target lists none that is enabled; state safety.products in the profile`,
      );
    return first;
  }

  /** The products with the smallest steps, if the profile states steps. */
  finest(): string[] {
    return Object.keys(steps).flatMap((kind) => this.#chosen(kind, this.candidates()) ?? []);
  }

  #chosen(kind: string, candidates: readonly string[]): string | undefined {
    const liquid = candidates.filter((id) => this.#plan(id).liquid === true);
    const [first = candidates[0], spare = first] = liquid;
    if (kind === "liquid" || kind === "spare") return kind === "liquid" ? first : spare;
    const step = steps[kind];
    if (step === undefined) return candidates[Math.max(0, placed.indexOf(kind))];
    const size = (id: string): number => Number(this.#plan(id)[step] ?? Number.NaN);
    const stated = liquid.filter((id) => !Number.isNaN(size(id)));
    return stated.toSorted((one, other) => size(one) - size(other))[0];
  }

  /** Products that the kit may order: those of the profile, and on this machine all listed and enabled ones. */
  candidates(): string[] {
    const enabled = this.#pairs.filter((pair) => pair.enabled).map((pair) => pair.id);
    const planned = this.#planned();
    if (planned.length > 0) return planned.filter((id) => enabled.length === 0 || enabled.includes(id));
    return this.#profile.loopback ? enabled : [];
  }

  #planned(): string[] {
    return Object.keys(this.#profile.safety.products);
  }

  #mustSee(): void {
    if (!this.#seen) throw new NotSeenYet();
  }

  /**
   * The assets of a pair in another form. A form that happens to be listed cannot represent a pair that does not exist.
   */
  #respelled(product: string, form: string): string {
    const [base = "", ...quote] = product.split("-");
    const text = form.replaceAll("{base}", () => base).replaceAll("{quote}", () => quote.join("-"));
    if (this.#pairs.some(({ id }) => id === text)) throw new Blocked(`the target lists ${text}`);
    return text;
  }

  #listed(product: string | undefined): ListedPair | undefined {
    return this.#pairs.find(({ id }) => id === product);
  }

  #plan(product: string): ProductPlan {
    return this.#profile.safety.products[product] ?? {};
  }

  /**
   * A price that cannot trade, and beyond which no price can. Undefined if neither the profile nor the book shows it.
   */
  farPrice(product: string, side: "BUY" | "SELL"): string | undefined {
    const { buyFar, sellFar } = this.#plan(product);
    const stated = side === "BUY" ? buyFar : sellFar;
    if (stated === undefined && this.#hasBooks()) this.#mustSee();
    return stated ?? bookPrice(this.#books.get(product), side, "far");
  }

  #hasBooks(): boolean {
    return typeof this.#profile.operations["orderBook"] === "object";
  }

  #price(side: string, away: string, product: string | undefined, lenient: boolean): string {
    if (lenient && product === undefined && this.candidates().length === 0) return "100.00";
    const id = product ?? this.product("tradable");
    const stated =
      this.#plan(id)[
        `${side === "BUY" ? "buy" : "sell"}${away[0]?.toUpperCase() ?? ""}${away.slice(1)}` as "buyFar"
      ];
    const found = stated ?? bookPrice(this.#books.get(id), side, away);
    if (found !== undefined) return found;
    if (lenient) return "100.00";
    if (this.#hasBooks()) this.#mustSee();
    const key = `safety.products.${id}.${side === "BUY" ? "buy" : "sell"}${away[0]?.toUpperCase() ?? ""}${away.slice(1)}`;
    throw new Blocked(
      `no ${away} price of ${id} is known: state ${key} in the profile, or ${this.#bookAdvice(id)}`,
    );
  }

  #bookAdvice(product: string): string {
    const book = this.#books.get(product);
    if (book === undefined) return this.#hasBooks() ? "see why orderBook does not answer" : "map orderBook";
    return book.isUnreadable === true
      ? "operations.orderBook.price: the book was read, and its levels have neither price nor [price, quantity]"
      : "wait until its book has orders on both sides: it was read, and has none";
  }

  #quantity(kind: string, product: string | undefined, lenient: boolean): string {
    const id = product ?? (lenient && this.candidates().length === 0 ? undefined : this.product("tradable"));
    const plan = id === undefined ? {} : this.#plan(id);
    if (kind === "typical" && plan.qty !== undefined) return plan.qty;
    const pair = this.#listed(id);
    const found = kind === "max" ? pair?.size("maxOrderSize") : smallest(pair);
    if (found !== undefined) return plain(kind === "typical" ? found.times(2) : found);
    if (plan.qty !== undefined && kind === "min") return plan.qty;
    if (lenient) return "1";
    this.#mustSee();
    throw new Blocked(`no ${kind} quantity is known: state safety.products with a qty in the profile`);
  }

  #spend(kind: string, product: string | undefined, lenient: boolean): string {
    const id = product ?? (lenient && this.candidates().length === 0 ? undefined : this.product("tradable"));
    const stated = id === undefined ? undefined : this.#plan(id).spend;
    if (stated !== undefined && kind === "typical") return stated;
    const listed = id === undefined ? undefined : this.#listedSpend(id);
    if (listed !== undefined) return plain(kind === "typical" ? listed.times(2) : listed);
    if (stated !== undefined) return stated;
    if (!lenient) this.#mustSee();
    const bought = id === undefined ? undefined : this.#costOfQuantity(id);
    if (bought !== undefined) return plain(bought);
    if (lenient) return "25.00";
    throw new Blocked(
      "no amount to spend is known: state safety.products with a spend in the profile, or with qty and sellFar",
    );
  }

  /** The amount to spend that a profile without one has. Undefined if neither the profile nor the target shows it. */
  usualSpend(product: string): string | undefined {
    const amount = this.#listedSpend(product)?.times(2) ?? this.#costOfQuantity(product);
    return amount === undefined ? undefined : plain(amount);
  }

  /**
   * The exchange's minimum value, and enough for the smallest quantity at the best ask, because a size limit may apply
   * to the quantity that a MARKET BUY buys.
   */
  #listedSpend(product: string): ExactDecimal | undefined {
    const pair = this.#listed(product);
    const stated = pair?.size("exchangeQuoteMinSize");
    const enough = this.#costOf(product, smallest(pair));
    return stated !== undefined && enough?.gt(stated) === true ? enough : stated;
  }

  /** A target need not list a minimum value: then what the usual quantity costs is enough. */
  #costOfQuantity(product: string): ExactDecimal | undefined {
    const { qty, sellNear, sellCross, sellFar } = this.#plan(product);
    const quantity = parseDecimal(qty ?? "") ?? smallest(this.#listed(product))?.times(2);
    const price = parseDecimal(sellNear ?? sellCross ?? sellFar ?? "");
    return (
      this.#costOf(product, quantity) ?? (price && quantity && this.#inCents(product, quantity.times(price)))
    );
  }

  /** At the best ask. Ten percent more leaves room for fees and for a moving price. */
  #costOf(product: string, quantity: ExactDecimal | undefined): ExactDecimal | undefined {
    const ask = bookPrice(this.#books.get(product), "SELL", "near");
    return ask === undefined || quantity === undefined
      ? undefined
      : this.#inCents(product, quantity.times(ask).times("1.1"));
  }

  /** Up, to whole cents; a cost of a few cents is one in a coin, which has eight digits. */
  #inCents(product: string, cost: ExactDecimal): ExactDecimal {
    const scale = this.#spendScale(product);
    return rounded(cost, cost.gte("0.1") ? scale : Math.max(scale, 8), "up");
  }

  #step(kind: string, product: string | undefined, lenient: boolean): string {
    const id = product ?? (lenient && this.candidates().length === 0 ? undefined : this.product("tradable"));
    if (id === undefined) return "0.01";
    if (kind === "value") return plain(unitOfScale(this.#spendScale(id)));
    const found = stepOfProduct(kind, this.#plan(id), this.#books.get(id), smallest(this.#listed(id)));
    if (found !== undefined) return found;
    if (lenient) return "0.01";
    if (this.#hasBooks() || kind === "quantity") this.#mustSee();
    throw new Blocked(`no ${kind} step of ${id} is known: state safety.products.${id} in the profile`);
  }

  /** The number of decimals of an amount to spend: that of the profile's amount or of the least one, or two. */
  #spendScale(product: string): number {
    const least = this.#listed(product)?.size("exchangeQuoteMinSize");
    return Math.max(2, scaleOf(this.#plan(product).spend ?? ""), least?.decimalPlaces() ?? 0);
  }
}

/** The smallest quantity that satisfies all limits of the listing. */
function smallest(pair: ListedPair | undefined): ExactDecimal | undefined {
  const known = ["minOrderSize", "exchangeMinSize"]
    .map((field) => pair?.size(field))
    .filter((size) => size !== undefined);
  return known.reduce<ExactDecimal | undefined>(
    (least, size) => (least === undefined || size.gt(least) ? size : least),
    undefined,
  );
}
