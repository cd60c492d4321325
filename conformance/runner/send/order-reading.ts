import { objectsIn, resolvePointer } from "../../check/pointer.ts";
import { finalStatuses } from "../../contract/fields.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import { soleReference } from "../../model/expr.ts";
import type { Call } from "../../model/language.ts";
import { Blocked, NotSupplied } from "../../model/outcome.ts";
import { capabilityOf, isWithin, type Profile, type SafetyClass } from "../../model/profile.ts";
import { asMap, type Value, type ValueMap } from "../../model/value.ts";
import { type FilledCall, readCall } from "../../plan/call.ts";
import { type Names, resolved } from "../../plan/known-values.ts";
import type { CaseRun } from "../case-run.ts";
import { planRequest } from "../prepare/plan-request.ts";
import { Scope } from "../prepare/scope.ts";
import type { Session } from "../session.ts";

/**
 * Reads an order: by its route if the profile maps one, and else by repeating its placement, whose answer shows the
 * order (PLC-12).
 *
 * Invariant: only a request that was answered NEW_ORDER is repeated, with the same bytes and by the same key. A target
 * that creates a second order for a repeat has violated PLC-10, and the ledger records that order like any other.
 *
 * Known limit: a repeat may always show the order as it was at first (F-replay-state). So before the first case relies
 * on repeats, one order is brought to its end and repeated. A final status in a repeat is true at any target.
 */
export class OrderReading {
  readonly #session: Session;
  readonly #placements = new Map<string, Placement>();
  readonly #repeats = new WeakSet<SentRequest>();
  #looked: Promise<Look> | undefined;
  /** Has a repeat shown that an order ended after its placement was answered? */
  #current = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Is there no route, so that a read of one order is a repeat? */
  get repeats(): boolean {
    return readsByRepeat(this.#session.profile);
  }

  /** Called once for every exchange. */
  note({ request, json }: Exchange): void {
    if (request.operation !== "placeOrder") return;
    const [type, id, status, key] = ["type", "order/id", "order/status", "order/clientOrderId"].map((name) =>
      resolvePointer(json, `#/data/${name}`),
    );
    if (typeof id !== "string" || typeof status !== "string") return;
    const known = this.#placements.get(id);
    const over = finalStatuses.includes(status);
    if (type === "NEW_ORDER" && known === undefined)
      this.#placements.set(id, { body: request.body, key: String(key ?? ""), role: request.role, over });
    else if (type === "DUPLICATE_REPLAY" && known?.over === false && over) this.#current = true;
  }

  /** The call to send: a read of an order without a route becomes the repeat of its placement. */
  translated(call: FilledCall): FilledCall {
    if (call.op !== "readOrder" || !this.repeats) return call;
    const placed = this.#placements.get(String(call.params["id"]));
    const clientOf = (role: string): string => this.#session.credential(role).client;
    if (placed === undefined) throw new Blocked(`${unmapped}, and the order was not placed by this run`);
    if (clientOf(call.role) !== clientOf(placed.role))
      throw new Blocked(`${unmapped}, and only the client that placed an order can repeat it`);
    return repeatOf(placed);
  }

  /** Another answer than a repeat does not show the order; a missing answer is judged like any other. */
  answered(call: FilledCall, { request, reply, json }: Exchange): void {
    if (call.op !== "readOrder" || request.operation !== "placeOrder") return;
    this.#repeats.add(request);
    const type = resolvePointer(json, "#/data/type");
    if (reply !== undefined && type !== "DUPLICATE_REPLAY")
      throw new Blocked(`the placement of an order, repeated, was answered ${reply.status}, ${String(type)}`);
  }

  /**
   * The answer that shows an order which its own route does not find any more. A target may keep orders that have ended
   * in the list of all orders alone: if it is there, its placement is repeated.
   */
  async foundElsewhere(call: FilledCall, { reply }: Exchange, run: CaseRun): Promise<Exchange | undefined> {
    const { credentials, operations } = this.#session.profile;
    if (call.op !== "readOrder" || this.repeats || reply?.status !== 404) return undefined;
    const id = String(call.params["id"]);
    const placed = this.#placements.get(id);
    const list = operations["listOrders"];
    const client = credentials[call.role]?.client;
    if (placed === undefined || typeof list !== "object" || client === undefined) return undefined;
    if (credentials[placed.role]?.client !== client) return undefined;
    const key = list.query["clientOrderId"] === undefined ? {} : { params: { clientOrderId: placed.key } };
    const listed = await this.#ask({ op: "listOrders", as: call.role, ...key }, run);
    if (objectsIn(listed.json, (object) => object.get("id") === id).length === 0) return undefined;
    const repeated = await this.#send(repeatOf(placed), run);
    this.answered(call, repeated);
    return repeated;
  }

  /** Throws Blocked if this exchange may show the order in an old state. */
  assertTold(exchange: Exchange | undefined): void {
    if (exchange === undefined || this.#current || !this.#repeats.has(exchange.request)) return;
    const status = resolvePointer(exchange.json, "#/data/order/status");
    if (exchange.reply === undefined || finalStatuses.includes(String(status))) return;
    throw new NotSupplied(`${unmapped}, and it is not known whether a repeat shows an order as it is now`);
  }

  /**
   * Called before a case that reads orders: throws Blocked if repeats do not show the current state. Tested once per
   * run.
   */
  async begin(run: CaseRun): Promise<void> {
    if (this.#current) return;
    this.#looked ??= this.#look(run);
    const { obstacle } = await this.#looked;
    if (obstacle !== undefined && !this.#current) throw new NotSupplied(`${unmapped}, and ${obstacle}`);
  }

  /** Brings an order to its end and repeats it until the repeat shows that. */
  async #look(run: CaseRun): Promise<Look> {
    try {
      return await this.#see(run);
    } catch (error) {
      if (error instanceof Blocked) return { obstacle: error.message };
      throw error;
    }
  }

  async #see(run: CaseRun): Promise<Look> {
    const cancels = this.#session.presence("cancel") === "present";
    const scope = new Scope({}, undefined);
    const body = run.evaluator.of("reading an order").value(cancels ? resting : buying, scope);
    const placed = await this.#ask({ op: "placeOrder", body }, run);
    const id = resolvePointer(placed.json, "#/data/order/id");
    if (typeof id !== "string" || !this.#placements.has(id))
      return { obstacle: "the order for this check was not accepted" };
    if (this.#placements.get(id)?.over === true) return {};
    if (cancels) await this.#ask({ op: "cancelOrder", params: { id } }, run);
    for (const pause of pausesMs) {
      await run.pause(pause);
      const read = readCall({ op: "readOrder", params: { id } });
      this.answered(read, await this.#send(this.translated(read), run));
      if (this.#current) return {};
    }
    const open = await this.#ask({ op: "openOrders" }, run);
    const listed = objectsIn(open.json, (object) => object.get("id") === id).length > 0;
    const end = cancels ? "was cancelled" : "was to trade at once";
    return {
      obstacle: listed
        ? `an order that ${end} is still open`
        : `a repeat keeps showing an order as it was when it was placed (seen on one that ${end} and is not open any more)`,
    };
  }

  #ask(call: Call, run: CaseRun): Promise<Exchange> {
    return this.#send(readCall(call), run);
  }

  async #send(call: FilledCall, run: CaseRun): Promise<Exchange> {
    const exchange = await this.#session.ask(() => this.#session.prepare(planRequest(call, run)));
    run.trace.add("repeats", exchange);
    return exchange;
  }
}

const repeatOf = ({ body, role }: Placement): FilledCall =>
  readCall({ op: "placeOrder", as: role, bodyBase64: Buffer.from(body).toString("base64") });

interface Placement {
  readonly body: Uint8Array;
  /** Its client_order_id, as the order shows it. */
  readonly key: string;
  readonly role: string;
  /** Had it ended when it was first shown? Then a repeat cannot show a newer state. */
  readonly over: boolean;
}

interface Look {
  /** Why orders cannot be read here. */
  readonly obstacle?: string;
}

/**
 * Their sum is the longest time that a cancel may need for its confirmation; at nearly every target the first repeat is
 * enough.
 */
const pausesMs = [50, 150, 400, 800, 1600, 3000];

const unmapped = "readOrder is not mapped (add it under operations in the profile)";

const rest: ValueMap = { client_order_id: { $uuid4: "key" } };
const resting: Value = {
  ...rest,
  side: "BUY",
  type: "LIMIT",
  product: { $product: "tradable" },
  base_quantity: { $qty: "typical" },
  price: { $price: { side: "BUY", away: "far" } },
};
const buying: Value = {
  ...rest,
  side: "BUY",
  type: "MARKET",
  product: { $product: "liquid" },
  quote_value: { $spend: { size: "typical", product: { $product: "liquid" } } },
};

export function readsByRepeat({ operations }: Profile): boolean {
  return typeof operations["readOrder"] !== "object";
}

/** Can an order be read, by its route, or because the kit can end an order and so test repeats? */
export function readable(profile: Profile, safety: SafetyClass): boolean {
  const { operations } = profile;
  if (!readsByRepeat(profile) || typeof operations["cancelOrder"] === "object") return true;
  return capabilityOf(profile, "liquidity.cross") === "present" && isWithin("trades", safety);
}

/**
 * Why a repeat cannot replace a read without a route, as far as the file shows: the case is about the route itself, or
 * the kit cannot end an order at this target, so repeats cannot be tested.
 */
export function repeatProblem(
  call: Call,
  names: Names,
  safety: SafetyClass,
  session: Session,
): string | undefined {
  const filled = asMap(resolved(call, names));
  const named = soleReference(asMap(filled["params"])["id"])?.startsWith("id.") === false;
  const plain = Object.keys(filled).every((key) => ["op", "as", "params"].includes(key));
  if (!named || !plain || filled["as"] === "anonymous") return unmapped;
  if (readable(session.profile, safety)) return undefined;
  return `${unmapped}, and nothing in the profile ends an order (cancelOrder, liquidity.cross): what a repeat shows cannot be known`;
}
