/** Engine and reference venue side by side after a command; the first difference is told in words. */
import { formatScaled } from "../../domain/decimal-text.ts";
import type { Event } from "../../domain/event.ts";
import type { Order } from "../../domain/order.ts";
import type { Outcome } from "../decision.ts";
import type { VenueState } from "../state.ts";
import type { Drive } from "./drive.ts";
import { type Decimal, zero } from "./exact.ts";
import type { ReferenceFill, ReferenceOrder, ReferenceOutcome } from "./reference-model.ts";
import type { ReferenceVenue } from "./reference-venue.ts";

export class Disagreement extends Error {
  override readonly name = "Disagreement";
}

/** Order numbers of the engine against the reference venue's own count of accepted orders. */
export class Numbers {
  readonly #byCount: number[] = [];
  readonly #counts = new Map<number, number>([[0, 0]]);

  add(number: number): void {
    this.#byCount.push(number);
    this.#counts.set(number, this.#byCount.length);
  }

  readonly countOf = (number: number): number => this.#counts.get(number) ?? -1;
  numberOf = (count: number): number => this.#byCount[count - 1] ?? -1;
}

export function compareOutcome(engine: Outcome, reference: ReferenceOutcome, numbers: Numbers): void {
  expectSame("outcome", describeOutcome(engine, numbers), describeReference(reference));
}

function describeOutcome(outcome: Outcome, numbers: Numbers): string {
  switch (outcome.kind) {
    case "accepted":
      return `accepted ${numbers.countOf(outcome.order.terms.number)}`;
    case "replayed":
      return `replayed ${numbers.countOf(outcome.order)}`;
    case "rejected": {
      const { rejection } = outcome;
      return `rejected ${rejection.code} ${rejection.code === "EXCHANGE_REJECTED" ? rejection.reason : ""}`;
    }
    case "done":
      return "done";
    case "failed":
      return `failed ${outcome.type}`;
  }
}

function describeReference(outcome: ReferenceOutcome): string {
  switch (outcome.kind) {
    case "accepted":
    case "replayed":
      return `${outcome.kind} ${outcome.order}`;
    case "rejected":
      return `rejected ${outcome.code} ${outcome.reason ?? ""}`;
    case "done":
      return "done";
  }
}

export function compareFill(
  state: VenueState,
  engine: Event<"Traded">,
  reference: ReferenceFill,
  numbers: Numbers,
): void {
  const { product } = state.market(engine.product);
  const { scale } = product.quote;
  const money = (value: bigint): string => formatScaled(value, scale);
  expectSame(
    `fill ${engine.trade}`,
    [
      product.id,
      formatScaled(engine.price * product.tickUnit, product.priceScale),
      formatScaled(engine.quantity * product.lotUnit, product.lotScale),
      engine.takerSide,
      numbers.countOf(engine.taker),
      numbers.countOf(engine.maker),
      money(engine.takerCharge.commission),
      money(engine.takerCharge.exchangeFee),
      money(engine.makerCharge.commission),
      money(engine.makerCharge.exchangeFee),
    ].join(" "),
    [
      reference.product,
      reference.price.toFixed(),
      reference.quantity.toFixed(),
      reference.takerSide,
      reference.taker,
      reference.maker,
      plain(reference.takerCharge.commission),
      plain(reference.takerCharge.exchangeFee),
      plain(reference.makerCharge.commission),
      plain(reference.makerCharge.exchangeFee),
    ].join(" "),
  );
}

/** decimal.js has a negative zero; the engine has none. */
const plain = (value: Decimal): string => (value.isZero() ? "0" : value.toFixed());

export function compareOrder(state: VenueState, order: Order, reference: ReferenceOrder): void {
  const { product } = state.market(order.terms.product);
  const { scale } = product.quote;
  const holdScale = order.terms.side === "BUY" ? scale : product.base.scale;
  const lots = (count: number): string =>
    formatScaled(BigInt(count) * BigInt(product.lotUnit), product.lotScale);
  expectSame(
    `order ${reference.id} (${order.terms.side} ${order.terms.type}, number ${order.terms.number})`,
    [
      order.status,
      order.phase,
      `filled ${lots(order.filled)}`,
      `removed ${lots(order.removed)}`,
      `value ${formatScaled(order.filledValue, scale)}`,
      `commission ${formatScaled(order.commission, scale)}`,
      `exchangeFee ${formatScaled(order.exchangeFee, scale)}`,
      `hold ${formatScaled(order.hold, holdScale)}`,
    ].join(", "),
    [
      reference.status,
      reference.phase === "waiting" ? "waiting-for-stop" : reference.phase,
      `filled ${plain(reference.filled)}`,
      `removed ${plain(reference.removed)}`,
      `value ${plain(reference.value)}`,
      `commission ${plain(reference.commission)}`,
      `exchangeFee ${plain(reference.exchangeFee)}`,
      `hold ${plain(reference.hold)}`,
    ].join(", "),
  );
}

export function compareWallets(state: VenueState, reference: ReferenceVenue): void {
  for (const client of state.clients) {
    const other = reference.clients[client.index];
    for (const asset of state.world.assets) {
      const wallet = client.wallets.get(asset.index);
      const theirs = other?.wallets.get(asset.symbol);
      const ours = `${formatScaled(wallet?.balance ?? 0n, asset.scale)} of which ${formatScaled(wallet?.hold ?? 0n, asset.scale)} on hold`;
      const expected = `${plain(theirs?.balance ?? zero)} of which ${plain(theirs?.hold ?? zero)} on hold`;
      expectSame(`${asset.symbol} of ${client.name}`, ours, expected);
    }
  }
}

/** Orders, books and last prices as a whole; too dear to do after every command. */
export function compareEverything(drive: Drive, reference: ReferenceVenue, numbers: Numbers): void {
  const { state } = drive;
  drive.audit();
  for (const order of reference.orders) compareOrder(state, state.order(numbers.numberOf(order.id)), order);
  compareWallets(state, reference);
  for (const market of state.markets) {
    const product = reference.products[market.product.index];
    const { tickUnit, priceScale, lotUnit, lotScale, id } = market.product;
    const price = (count: number): string => formatScaled(count * tickUnit, priceScale);
    expectSame(`last price of ${id}`, price(market.tape.last), product?.last.toFixed() ?? "");
    for (const side of ["BUY", "SELL"] as const) {
      const slots = [...market.book.slots(side)].map((slot) => {
        const size = formatScaled(market.book.remaining(slot) * lotUnit, lotScale);
        return `${numbers.countOf(market.book.order(slot))}: ${size} @ ${price(market.book.price(slot))}`;
      });
      expectSame(`${side} side of ${id}`, slots.join("\n"), reference.describeSide(id, side).join("\n"));
    }
  }
}

function expectSame(what: string, engine: string, reference: string): void {
  if (engine === reference) return;
  throw new Disagreement(`${what}\n  engine:    ${engine}\n  reference: ${reference}`);
}
