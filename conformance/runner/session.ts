import { checkAmbient } from "../check/ambient.ts";
import { resolveFirst, resolvePointer } from "../check/pointer.ts";
import type { Spending } from "../client/budget.ts";
import { Control } from "../client/control.ts";
import { prepare, type RequestPlan } from "../client/prepare.ts";
import type { Abandon } from "../client/raw-client.ts";
import type { Redactor } from "../client/redact.ts";
import type { Target } from "../client/target.ts";
import type { ClauseRegister } from "../model/clause.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked, NotApplicable } from "../model/outcome.ts";
import {
  type Credential,
  capabilityOf,
  type Operation,
  type Presence,
  type Profile,
} from "../model/profile.ts";
import type { Fragment } from "../parse/scenario.ts";
import { plainPlan } from "../signing/tamper.ts";
import { AmbientLog } from "./ambient-log.ts";
import { orderProblem } from "./order-guard.ts";
import { OrderLedger } from "./order-ledger.ts";

/** What a run has and its cases share: the target, what may be spent, what was seen on every reply, what was placed. */
export interface SessionParts {
  readonly profile: Profile;
  readonly target: Target;
  readonly spending: Spending;
  readonly redactor: Redactor;
  readonly clauses: ClauseRegister;
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly seed: number;
  readonly salt: string;
  readonly now: () => number;
  readonly nonce: () => string;
}

export class Session {
  readonly parts: SessionParts;
  readonly ambient: AmbientLog;
  readonly ledger: OrderLedger;
  #control: Control | undefined;
  /** Who else wants to see every exchange, in the order of the answers. */
  readonly observers = new Set<(exchange: Exchange) => void>();
  /** True while a fault is injected: what the target does then on purpose is not its mistake. */
  faulty = false;
  /** What the target lists, known after the preflight. */
  listedProducts: ReadonlySet<string> = new Set();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.ambient = new AmbientLog(parts.clauses, parts.profile);
    this.ledger = new OrderLedger();
  }

  get profile(): Profile {
    return this.parts.profile;
  }

  operation(name: string): Operation {
    const operation = this.profile.operations[name];
    if (operation === "absent") throw new NotApplicable(`the profile says that the target has no ${name}`);
    if (operation === undefined)
      throw new Blocked(`${name} is not mapped: add it under operations in the profile`);
    return operation;
  }

  credential(role: string): Credential {
    const credential = this.profile.credentials[role];
    if (credential === undefined)
      throw new Blocked(`there is no credential "${role}": add it under credentials in the profile`);
    return credential;
  }

  /** A capability is stated by the profile or follows from what is mapped. */
  presence(capability: string): Presence {
    if (capability === "cancel") return this.#mapped("cancelOrder");
    return capabilityOf(this.profile, capability);
  }

  #mapped(operation: string): Presence {
    const found = this.profile.operations[operation];
    return found === undefined ? "unknown" : found === "absent" ? "absent" : "present";
  }

  control(): Control {
    const { control } = this.profile;
    if (control === undefined) throw new Blocked("the profile has no control section for clock and faults");
    this.#control ??= new Control(control);
    return this.#control;
  }

  /** Signs now: the timestamp and the nonce belong to this sending. */
  prepare(plan: RequestPlan): SentRequest {
    const { now, nonce } = this.parts;
    return prepare(plan, { now: now(), nonce: nonce(), signedPath: this.profile.auth.signedPath });
  }

  async send(
    request: SentRequest,
    options: {
      readonly fresh?: boolean;
      readonly failureExpected?: boolean;
      readonly abandon?: Abandon | undefined;
    } = {},
  ): Promise<Exchange> {
    await this.admit(request);
    const { target } = this.parts;
    const { abandon } = options;
    const exchange =
      abandon === undefined
        ? await target.send(request, options)
        : await target.abandon(request, abandon, this.profile.timeouts.requestMs);
    this.observe(exchange, options.failureExpected === true);
    return exchange;
  }

  /** The gate before the wire: is this order allowed here, and is there anything left to spend? */
  async admit(request: SentRequest): Promise<void> {
    const kind = kindOf(request);
    const problem = kind === "order" ? orderProblem(request, this.profile, this.listedProducts) : undefined;
    if (problem !== undefined) throw new Blocked(problem);
    await this.parts.spending.reserve(kind);
  }

  /** Every reply passes here once: ambient rules, and the book of orders that are to be cancelled again. */
  observe(exchange: Exchange, failureExpected: boolean): void {
    const { operation, role } = exchange.request;
    const mapped = operation === undefined ? undefined : this.profile.operations[operation];
    const envelope = typeof mapped === "object" && mapped.envelope && mapped.specified;
    this.ambient.add(
      checkAmbient(exchange, { envelope, failureExpected: failureExpected || this.faulty }),
      exchange,
    );
    for (const observer of this.observers) observer(exchange);
    if (createdNothing(exchange)) this.parts.spending.giveBackOrder();
    // A repeat may be the first that is heard of an order whose own answer was lost.
    const type = resolvePointer(exchange.json, "#/data/type");
    if (operation !== "placeOrder" || (type !== "NEW_ORDER" && type !== "DUPLICATE_REPLAY")) return;
    const id = resolvePointer(resolveFirst(exchange.json, ["#/data/order"]), "/id");
    const product = resolvePointer(exchange.json, "#/data/order/productId");
    if (typeof id === "string")
      this.ledger.placed({ id, role, product: typeof product === "string" ? product : "?" });
  }

  /** Cancels what was placed since the mark, newest first; a refusal is not judged, only remembered. */
  async cleanUp(mark: number): Promise<void> {
    const operation = this.profile.operations["cancelOrder"];
    if (typeof operation !== "object") return;
    for (const order of this.ledger.since(mark)) {
      const credential = this.profile.credentials[order.role];
      if (credential === undefined) continue;
      const request = this.prepare({
        operation: "cancelOrder",
        method: operation.method,
        role: order.role,
        credential,
        target: this.parts.target.basePath + operation.path.replace("{id}", encodeURIComponent(order.id)),
        headers: [],
        body: new Uint8Array(),
        sign: plainPlan,
        mutation: {},
        clockOffsetMs: 0,
      });
      await this.parts.spending.reserve("request", "cleanup");
      const { reply } = await this.parts.target.send(request);
      if (
        reply !== undefined &&
        reply.status < 500 &&
        reply.status !== 401 &&
        reply.status !== 403 &&
        reply.status !== 429
      ) {
        this.ledger.closed(order.id);
      }
    }
  }
}

/** An answered order that is not new: a 4xx, a repeat. A failed outcome may hide an order, and so may silence or a 5xx. */
function createdNothing({ request, reply, json }: Exchange): boolean {
  if (kindOf(request) !== "order" || reply === undefined) return false;
  if (reply.status >= 400 && reply.status < 500) return true;
  return reply.status === 200 && resolvePointer(json, "#/data/type") === "DUPLICATE_REPLAY";
}

function kindOf(request: SentRequest): "request" | "order" {
  return request.operation === "placeOrder" || (request.method === "POST" && request.path.endsWith("/order"))
    ? "order"
    : "request";
}
