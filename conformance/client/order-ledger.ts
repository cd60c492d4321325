import { type ExactDecimal, parseDecimal } from "../check/decimal.ts";
import { objectsIn, resolvePointer } from "../check/pointer.ts";
import { finalStatuses } from "../contract/fields.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { LedgerFile, LedgerLine } from "./ledger-file.ts";
import { scanOrder } from "./order-scan.ts";

/** An order that is open, or that may be open: then its id is empty and it can be found only by its client_order_id. */
export interface PlacedOrder {
  readonly n: number;
  readonly id: string;
  readonly clientOrderId: string;
  readonly role: string;
  readonly product: string;
  readonly caseId: string;
  /** The order trades at once or not at all. */
  readonly market: boolean;
}

/** What an order of the run can trade with. A text that several readers read differently has several prices. */
interface Terms {
  readonly caseId: string;
  readonly products: readonly string[];
  readonly sides: readonly string[];
  readonly market: boolean;
  readonly prices: readonly ExactDecimal[];
}

function couldTrade(one: Terms, other: Terms): boolean {
  const meets = (buyer: Terms, seller: Terms): boolean =>
    buyer.sides.includes("BUY") &&
    seller.sides.includes("SELL") &&
    (buyer.market ||
      seller.market ||
      buyer.prices.some((paid) => seller.prices.some((asked) => paid.gte(asked))));
  const isOneProduct = one.products.some((product) => other.products.includes(product));
  return isOneProduct && (meets(one, other) || meets(other, one));
}

/**
 * Every order of the run, from before it is sent until it is known to be closed.
 *
 * Invariants: an order is in the file before it is on the wire; after silence, a 5xx or a failed outcome the state of
 * an order is unknown, never closed; a refusal, a repeat and a connection that was never made mean that no order was
 * created.
 */
export class OrderLedger {
  readonly #file: LedgerFile | undefined;
  /** Orders that are open or may be open; a line that closes an order removes it. */
  readonly #live = new Map<number, PlacedOrder>();
  /** The ids of all orders of the run, also of those that are closed. */
  readonly placed = new Set<string>();
  readonly #sent = new WeakMap<SentRequest, number>();
  readonly #terms = new Map<number, Terms>();
  /** Orders that were sent and are not answered yet. */
  readonly #underWay = new Set<number>();
  /** Orders whose answer was 200 and showed no order. */
  readonly #withoutOrder = new Set<number>();
  /** Those of them that the open orders, read afterwards, do not show. */
  readonly #unseen = new Set<number>();
  /** Orders that a clean-up could not cancel, or whose cancel was not confirmed. */
  readonly #left = new Map<number, PlacedOrder>();
  #count = 0;

  constructor(file?: LedgerFile) {
    this.#file = file;
  }

  /** Continues the ledger of another run. */
  static from(lines: readonly LedgerLine[], file?: LedgerFile): OrderLedger {
    const ledger = new OrderLedger(file);
    for (const line of lines) ledger.#apply(line);
    return ledger;
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  sending(request: SentRequest): void {
    this.#count += 1;
    const scan = scanOrder(request);
    this.#sent.set(request, this.#count);
    this.#underWay.add(this.#count);
    const caseId = request.permit?.caseId ?? "";
    const market = scan.values("type").includes("MARKET");
    this.#terms.set(this.#count, {
      caseId,
      products: scan.values("product"),
      sides: scan.values("side"),
      market,
      prices: scan.values("price").flatMap((text) => parseDecimal(text) ?? []),
    });
    this.#write({
      event: "sending",
      n: this.#count,
      role: request.role,
      product: scan.values("product")[0] ?? "?",
      clientOrderId: scan.values("client_order_id")[0] ?? "",
      caseId,
      market,
    });
  }

  /** Reads the reply for the order of this request, and for any other order that it shows. */
  answered(exchange: Exchange): void {
    const n = this.#sent.get(exchange.request);
    const order = n === undefined ? undefined : this.#live.get(n);
    if (n !== undefined) this.#underWay.delete(n);
    if (order?.id === "") this.#settle(order, exchange);
    this.#notice(exchange.json);
  }

  closed(n: number): void {
    this.#write({ event: "closed", n });
  }

  found(n: number, id: string, product: string): void {
    this.#write({ event: "open", n, id, product });
  }

  /** Orders that are open or may be open; newest first. */
  open(caseId?: string): PlacedOrder[] {
    return [...this.#live.values()]
      .filter((order) => caseId === undefined || order.caseId === caseId)
      .reverse();
  }

  /** Orders that may be open although their answer, a failed outcome, showed none. */
  withoutOrder(): PlacedOrder[] {
    return this.open().filter(({ n, id }) => id === "" && this.#withoutOrder.has(n) && !this.#unseen.has(n));
  }

  /**
   * The open orders were read after the answer and do not show it: it takes no place among them. It stays in the ledger, because it
   * may show later.
   */
  unseen(n: number): void {
    if (this.#live.get(n)?.id === "") this.#unseen.add(n);
  }

  /** A clean-up could not cancel this order, or did not see that it was cancelled. */
  left(order: PlacedOrder): void {
    this.#left.set(order.n, order);
  }

  /** Orders that other cases have left open and that orders of this case could trade with. */
  metBy(caseId: string): PlacedOrder[] {
    const own = [...this.#terms.values()].filter((terms) => terms.caseId === caseId);
    return [...this.#left.values()].filter(({ n, caseId: from }) => {
      const terms = this.#terms.get(n);
      return from !== caseId && own.some((one) => terms && couldTrade(one, terms));
    });
  }

  get openCount(): number {
    return this.#live.size - this.#unseen.size;
  }

  /** Keeps the file if it has orders that a later clean-up needs. */
  end(): void {
    if (this.#live.size === 0) this.#file?.remove();
    else this.#file?.close();
  }

  #settle(order: PlacedOrder, exchange: Exchange): void {
    const id = resolvePointer(exchange.json, "#/data/order/id");
    if (createdNothing(exchange)) this.#write({ event: "nothing", n: order.n });
    else if (typeof id === "string") this.found(order.n, id, order.product);
    else if (exchange.reply?.status === 200) this.#withoutOrder.add(order.n);
  }

  /** An order in a final state needs no cancel; a lost order that is shown has an id again. */
  #notice(json: Json | undefined): void {
    if (this.#live.size === 0) return;
    const live = [...this.#live.values()];
    const byId = new Map(live.map((order) => [order.id, order]));
    // Two clients may use one client_order_id, so an order with an id, or one that is about to get one, is found only
    // by its id.
    const lost = live.filter(({ n, id }) => id === "" && !this.#underWay.has(n));
    const byKey = new Map(lost.map((order) => [order.clientOrderId.toLowerCase(), order]));
    const liveOne = (object: JsonObject): PlacedOrder | undefined => {
      const [id, key] = [object.get("id"), object.get("clientOrderId")];
      if (typeof id !== "string" || id === "") return undefined;
      return byId.get(id) ?? (typeof key === "string" ? byKey.get(key.toLowerCase()) : undefined);
    };
    for (const [, object] of objectsIn(json, (one) => liveOne(one) !== undefined)) {
      const [id, status, order] = [object.get("id"), object.get("status"), liveOne(object)];
      if (typeof id !== "string" || order === undefined) continue;
      if (order.id === "") this.found(order.n, id, order.product);
      if (typeof status === "string" && finalStatuses.includes(status)) this.closed(order.n);
    }
  }

  #write(line: LedgerLine): void {
    this.#file?.append(line);
    this.#apply(line);
  }

  #apply(line: LedgerLine): void {
    if (line.event === "run") return;
    if (line.event === "sending") {
      const { event: _, ...order } = line;
      this.#count = Math.max(this.#count, line.n);
      this.#live.set(line.n, { ...order, id: "" });
      return;
    }
    const order = this.#live.get(line.n);
    if (order === undefined) return;
    this.#unseen.delete(line.n);
    if (line.event !== "open") this.#left.delete(line.n);
    if (line.event === "open") this.placed.add(line.id);
    if (line.event === "open") this.#live.set(line.n, { ...order, id: line.id, product: line.product });
    else this.#live.delete(line.n);
  }
}

/**
 * A refusal, a repeat, a key without a client, or a connection that was never made. The other failed outcomes may hide
 * an order; so may silence and a 5xx.
 */
export function createdNothing({ transport, reply, json }: Exchange): boolean {
  if (transport === "refused") return true;
  if (reply === undefined) return false;
  if (reply.status >= 400 && reply.status < 500) return true;
  const type = resolvePointer(json, "#/data/type");
  return reply.status === 200 && (type === "DUPLICATE_REPLAY" || type === "CLIENT_NOT_FOUND");
}
