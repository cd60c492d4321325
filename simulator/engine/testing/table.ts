/**
 * A venue for table tests: orders as one line of text, states as lines of text.
 *
 * `BUY LIMIT 0.5 @ 60000`, `SELL MARKET 0.3`, `BUY MARKET for 1000`, `SELL STOP_LIMIT 2 @ 95 stop 96`.
 */
import type { Command, PlaceOrder } from "../../domain/command.ts";
import { formatScaled } from "../../domain/decimal-text.ts";
import type { OrderType, Side } from "../../domain/order.ts";
import type { Rejection } from "../../domain/rejection.ts";
import type { Settings } from "../../domain/settings.ts";
import type { Outcome } from "../decision.ts";
import { stateHash } from "../snapshot.ts";
import { Drive } from "./drive.ts";
import type { VenueSpec } from "./venue-spec.ts";

const plenty = { USD: "1000000", COIN: "100000" };

/** One product with whole prices and whole sizes, three clients without fees, matching at once. */
export const plain: VenueSpec = {
  assets: [{ symbol: "COIN" }, { symbol: "USD" }],
  products: [{ id: "COIN-USD", priceIncrement: "1", baseIncrement: "1", reference: "100" }],
  clients: ["ann", "bob", "cleo"].map((name) => ({
    name,
    rates: { maker: "0", taker: "0" },
    balances: plenty,
  })),
  settings: { matchDelayMs: 0 },
};

export const plainWith = (settings: Partial<Settings>): VenueSpec => ({
  ...plain,
  settings: { ...plain.settings, ...settings },
});

const linePattern =
  /^(BUY|SELL) (LIMIT|MARKET|STOP_LIMIT)(?: ([\d.]+))?(?: for ([\d.]+))?(?: @ ([\d.]+))?(?: stop ([\d.]+))?$/;

export class Table {
  readonly drive: Drive;
  readonly #spec: VenueSpec;
  #ids = 0;

  constructor(spec: VenueSpec = plain) {
    this.#spec = spec;
    this.drive = new Drive(spec);
  }

  client(name: string): number {
    const index = this.#spec.clients.findIndex((client) => client.name === name);
    if (index < 0) throw new RangeError(`no client ${name}`);
    return index;
  }

  command(name: string, line: string, change: Partial<PlaceOrder> = {}): PlaceOrder {
    const read = linePattern.exec(line);
    if (read === null) throw new RangeError(`cannot read ${line}`);
    const [, side, type, size, budget, price, stop] = read;
    return {
      kind: "PlaceOrder",
      client: this.client(name),
      clientOrderId: `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, "0")}`,
      product: this.#spec.products[0]?.id ?? "",
      side: side as Side,
      type: type as OrderType,
      baseQuantity: size ?? null,
      price: price ?? null,
      stopPrice: stop ?? null,
      quoteValue: budget ?? null,
      fault: null,
      ...change,
    };
  }

  /** Places an order that must be accepted; gives its number. */
  place(name: string, line: string, change: Partial<PlaceOrder> = {}): number {
    const outcome = this.drive.submit(this.command(name, line, change));
    if (outcome.kind !== "accepted") throw new RangeError(`${line}: ${JSON.stringify(outcome)}`);
    return outcome.order.terms.number;
  }

  /** Places an order that must be refused. */
  refused(name: string, line: string, change: Partial<PlaceOrder> = {}): Rejection {
    return rejectionOf(this.drive.submit(this.command(name, line, change)));
  }

  do(command: Command): Outcome {
    return this.drive.submit(command);
  }

  cancel(name: string, order: number): Outcome {
    return this.do({ kind: "CancelOrder", client: this.client(name), order });
  }

  /** A synthetic level a text: `SELL 0.2 @ 59900`. */
  refresh(...levels: readonly string[]): Outcome {
    const read = levels.map((level) => {
      const [side, quantity, , price] = level.split(" ");
      return { side: side as Side, quantity: quantity ?? "", price: price ?? "" };
    });
    return this.do({ kind: "RefreshLiquidity", product: this.#spec.products[0]?.id ?? "", levels: read });
  }

  print(price: string, quantity = "1"): Outcome {
    return this.do({ kind: "PrintTrade", product: this.#spec.products[0]?.id ?? "", price, quantity });
  }

  /** `OPEN 3 of 10 for 297, fees 0.5 + 0.1, hold 700`. */
  order(number: number): string {
    const order = this.drive.order(number);
    const { product } = this.drive.state.market(order.terms.product);
    const lots = (count: number): string =>
      formatScaled(BigInt(count) * BigInt(product.lotUnit), product.lotScale);
    const quote = (value: bigint): string => formatScaled(value, product.quote.scale);
    const wanted =
      order.terms.quantity === null ? `${quote(order.terms.budget ?? 0n)} quote` : lots(order.terms.quantity);
    const fees = `fees ${quote(order.commission)} + ${quote(order.exchangeFee)}`;
    const hold = formatScaled(
      order.hold,
      order.terms.side === "BUY" ? product.quote.scale : product.base.scale,
    );
    return `${order.status} ${lots(order.filled)} of ${wanted} for ${quote(order.filledValue)}, ${fees}, hold ${hold}`;
  }

  /** `ann 5 @ 101`, best first; the synthetic market is called `market`. */
  side(side: Side): string[] {
    const { book, product } = this.drive.state.market(0);
    return [...book.slots(side)].map((slot) => {
      const owner = book.owner(slot);
      const name = owner < 0 ? "market" : (this.#spec.clients[owner]?.name ?? "?");
      const size = formatScaled(book.remaining(slot) * product.lotUnit, product.lotScale);
      return `${name} ${size} @ ${formatScaled(book.price(slot) * product.tickUnit, product.priceScale)}`;
    });
  }

  /** `1000, 300 on hold`. */
  wallet(name: string, symbol: string): string {
    const asset = this.drive.state.world.assets.find((candidate) => candidate.symbol === symbol);
    if (asset === undefined) throw new RangeError(`no asset ${symbol}`);
    const wallet = this.drive.state.client(this.client(name)).wallets.get(asset.index);
    return `${formatScaled(wallet?.balance ?? 0n, asset.scale)}, ${formatScaled(wallet?.hold ?? 0n, asset.scale)} on hold`;
  }

  /** `taker <- maker: size @ price` of every trade since the last call, with numbers of orders. */
  trades(): string[] {
    const { product } = this.drive.state.market(0);
    return this.drive.takeEvents().flatMap((event) => {
      if (event.kind !== "Traded") return [];
      const size = formatScaled(event.quantity * product.lotUnit, product.lotScale);
      return [
        `${event.taker} <- ${event.maker}: ${size} @ ${formatScaled(event.price * product.tickUnit, product.priceScale)}`,
      ];
    });
  }

  stateHash(): string {
    return stateHash(this.drive.state);
  }
}

export function rejectionOf(outcome: Outcome): Rejection {
  if (outcome.kind !== "rejected") throw new RangeError(`not refused: ${outcome.kind}`);
  return outcome.rejection;
}
