import { AcceptedCancels } from "../check/accepted-cancels.ts";
import { checkAmbient } from "../check/ambient.ts";
import { EndedOrders } from "../check/ended-orders.ts";
import { KnownIds } from "../check/known-ids.ts";
import { type OrderContext, OrderMemory } from "../check/order-memory.ts";
import { onAnswer } from "../check/own-failure.ts";
import { Placements } from "../check/placements.ts";
import { checkMessage, toldOrders } from "../check/stream-ambient.ts";
import type { StreamNumbers } from "../check/stream-numbers.ts";
import { isBusy } from "../client/busy.ts";
import { Control } from "../client/control.ts";
import type { Egress } from "../client/egress.ts";
import type { OrderLedger } from "../client/order-ledger.ts";
import { isOrder, scanOrder } from "../client/order-scan.ts";
import { prepare, type RequestPlan } from "../client/prepare.ts";
import type { Abandon } from "../client/raw-client.ts";
import type { Redactor } from "../client/redact.ts";
import type { SendOptions, Target } from "../client/target.ts";
import type { ClauseRegister } from "../model/clause.ts";
import type { Credential } from "../model/credential.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked, NotApplicable } from "../model/outcome.ts";
import { isOurs, type Operation, type Presence, type Profile } from "../model/profile.ts";
import type { Fragments } from "../model/step.ts";
import { AmbientLog } from "./judge/ambient-log.ts";
import { presenceOf } from "./prepare/capability.ts";
import { Promises } from "./prepare/promises.ts";
import { type CleanUpResult, cancelLeft } from "./send/cancel-left.ts";
import { CleanUpWaits } from "./send/clean-up-waits.ts";
import { OrderReading } from "./send/order-reading.ts";
import { type Retry, retryWhileBusy } from "./send/retry-while-busy.ts";
import { StreamPlaces } from "./send/stream-places.ts";
import { TraceAllowance } from "./send/trace-recorder.ts";
import { SharedSteps } from "./shared-steps.ts";

export interface SessionSendOptions extends SendOptions {
  readonly failureExpected?: boolean;
  readonly abandon?: Abandon | undefined;
}

/**
 * The state of a run that its cases share: the target, the budget, the findings of every reply, and the placed orders.
 */
export interface SessionParts {
  readonly profile: Profile;
  readonly target: Target;
  /** The guards, the budget and the ledger of the target's transport. */
  readonly egress: Egress;
  readonly redactor: Redactor;
  readonly clauses: ClauseRegister;
  readonly fragments: Fragments;
  readonly seed: number;
  readonly salt: string;
  readonly now: () => number;
  readonly nonce: () => string;
}

export class Session {
  readonly parts: SessionParts;
  readonly ambient: AmbientLog;
  promises: Promises;
  readonly ids = new KnownIds();
  readonly #memory = new OrderMemory();
  readonly #ended = new EndedOrders();
  readonly #cancels = new AcceptedCancels();
  #profile: Profile;
  readonly #placements = new Placements();
  readonly #waits = new CleanUpWaits();
  /** The memory limit for the traces of all rows. */
  readonly traces = new TraceAllowance();
  #control: Control | undefined;
  readonly retries: Retry[] = [];
  /** Further observers of every exchange, in the order of the answers. */
  readonly observers = new Set<(exchange: Exchange) => void>();
  /** How far the target's clock is ahead, if the target refuses signatures with the local time. */
  clockOffsetMs = 0;
  /** True while a fault is injected: the target then fails on purpose, which is no mistake. */
  faulty = false;
  readonly shared = new SharedSteps();
  readonly reading = new OrderReading(this);
  readonly streamPlaces: StreamPlaces;
  /** Why no further case may begin: the state that one case left would affect the next. */
  spoiled: string | undefined;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.#profile = parts.profile;
    this.promises = new Promises(parts.clauses, parts.profile);
    this.ambient = new AmbientLog({ levelOf: (clause) => this.promises.levelOf(clause) }, parts.redactor);
    this.streamPlaces = new StreamPlaces(parts.profile.stream?.connections ?? 2);
    parts.egress.onOrder = (order) => {
      const keys = scanOrder(order).values("client_order_id");
      this.#placements.sent(order, keys);
      for (const key of keys) this.ids.note(key);
    };
  }

  get profile(): Profile {
    return this.#profile;
  }

  /** The profile as it holds for the target that has answered. */
  narrow(profile: Profile): void {
    this.#profile = profile;
    this.promises = new Promises(this.parts.clauses, profile);
  }

  get ledger(): OrderLedger {
    return this.parts.egress.ledger;
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
    if (credential === undefined) throw new Blocked(this.withoutCredential(role));
    return credential;
  }

  withoutCredential(role: string): string {
    const unset = this.profile.withoutVariables[role];
    return unset === undefined
      ? `there is no credential "${role}": add it under credentials in the profile`
      : `the credential "${role}" was left out: ${unset.join(" and ")} ${unset.length === 1 ? "is" : "are"} not set`;
  }

  /** A capability is stated by the profile or follows from its mappings. */
  presence(capability: string): Presence {
    return presenceOf(this.profile, capability);
  }

  control(): Control {
    const { control } = this.profile;
    if (control === undefined) throw new Blocked("the profile has no control section for clock and faults");
    this.#control ??= new Control(control);
    return this.#control;
  }

  /** Signs now, by the target's clock: timestamp and nonce are valid for this request only. */
  prepare(plan: RequestPlan): SentRequest {
    const { now, nonce } = this.parts;
    const request = prepare(plan, {
      now: now() + this.clockOffsetMs,
      nonce: nonce(),
      signedPath: this.profile.auth.signedPath,
      withholdTampered: !isOurs(this.profile),
    });
    this.parts.redactor.noteSignature(request.signed?.signature);
    return request;
  }

  /** Sends a signed request once; a busy answer is the answer, too. */
  async send(request: SentRequest, options: SessionSendOptions = {}): Promise<Exchange> {
    const { target } = this.parts;
    const { abandon } = options;
    const exchange =
      abandon === undefined
        ? await target.send(request, options)
        : await target.abandon(request, abandon, this.profile.timeouts.requestMs);
    this.observe(exchange, options.failureExpected === true);
    return exchange;
  }

  /** Signs and sends, and repeats while the target is busy, each time with a new signature. */
  ask(
    sign: () => SentRequest,
    options: SessionSendOptions = {},
    expected?: (status: number) => boolean,
  ): Promise<Exchange> {
    const send = (fresh: boolean) => this.send(sign(), { ...options, ...(fresh ? { fresh } : {}) });
    return this.untilAnswered(send, expected);
  }

  /**
   * Repeats while the target is busy. A request whose connection ended before the answer is sent once more on a new one: a
   * target that gives no answer gives none there either. An order is not, beyond this machine: it could be there twice; and
   * nothing is while a fault is injected, which may be what took the answer.
   */
  async untilAnswered(
    send: (fresh: boolean) => Promise<Exchange>,
    expected?: (status: number) => boolean,
  ): Promise<Exchange> {
    const exchange = await this.retryWhileBusy(() => send(false), expected);
    const isFinal = this.faulty || (isOrder(exchange.request) && !isOurs(this.profile));
    if (exchange.uncertain !== true || isFinal) return exchange;
    const { uncertain, ...lost } = exchange;
    const { method, path, signed } = lost.request;
    this.retries.push({ request: `${method} ${path}`, status: "lost", pauseMs: 0 });
    const { uncertain: _, ...again } = await this.retryWhileBusy(() => send(true), expected);
    if (again.transport === "refused") return lost;
    const isNew = method === "GET" && signed?.nonce !== again.request.signed?.nonce;
    return isNew || again.transport !== "response" ? again : { ...again, uncertain };
  }

  retryWhileBusy(send: () => Promise<Exchange>, expected?: (status: number) => boolean): Promise<Exchange> {
    const { traffic } = this.parts.egress;
    const onRetry = (retry: Retry) => this.retries.push(retry);
    return retryWhileBusy(send, { traffic, now: this.parts.now, onRetry, expected });
  }

  /** The milliseconds that cases have used, without the time in which the kit waits for permission to send. */
  elapsed(): number {
    return this.parts.egress.traffic.now();
  }

  /** Called once for every reply: the ambient rules apply to all replies except those of a busy target. */
  observe(exchange: Exchange, failureExpected: boolean): void {
    const { operation } = exchange.request;
    const mapped = operation === undefined ? undefined : this.profile.operations[operation];
    const envelope = typeof mapped === "object" && mapped.envelope && mapped.specified;
    this.#look(exchange, () => {
      if (isBusy(exchange)) return this.#memory.mayHold(exchange);
      this.reading.note(exchange);
      this.ids.read(exchange, typeof mapped === "object" ? mapped.next : undefined);
      const reading = checkAmbient(exchange, {
        envelope,
        failureExpected: failureExpected || this.faulty,
        market: typeof mapped === "object" ? mapped : undefined,
      });
      const remembered = [
        ...this.#memory.read(exchange, this.#context(exchange)),
        ...this.#ended.read(exchange),
        // While a fault is injected, an answer need not be that of the gateway.
        ...(this.faulty ? [] : this.#cancels.read(exchange, this.profile, this.parts.target.basePath)),
      ];
      this.ambient.add({ ...reading, differences: [...reading.differences, ...remembered] }, exchange);
    });
    this.#placements.answered(exchange.request);
  }

  /** The common path of replies and messages. */
  #look(exchange: Exchange, judge: () => void): void {
    this.#safely("judge", exchange, judge);
    for (const observer of this.observers) this.#safely("write down", exchange, () => observer(exchange));
  }

  /** A failure of the kit is charged to the exchange that caused it. */
  #safely(what: "judge" | "write down", exchange: Exchange, work: () => void): void {
    onAnswer(what, work, (difference) =>
      this.ambient.add({ exercised: [], differences: [{ ...difference, clause: "GEN-13" }] }, exchange),
    );
  }

  /** Called once for every message of every connection. */
  hear(message: Exchange, numbers: StreamNumbers): void {
    const { stream } = this.profile;
    this.#look(message, () => {
      if (stream === undefined) return;
      this.ambient.add(checkMessage(message, stream, numbers), message);
      const orders = toldOrders(message);
      if (orders.length === 0) return;
      const judge = this.#memory.hear(orders, message, this.#context(message));
      this.#placements.afterwards(() =>
        this.#safely("judge", message, () => {
          const differences = [...judge(), ...this.#ended.hear(orders, message)];
          this.ambient.add({ exercised: [], differences }, message);
        }),
      );
    });
  }

  /** The caller, and the orders that may be created meanwhile. */
  #context({ request }: Exchange): OrderContext {
    const client = this.profile.credentials[request.role]?.client;
    return {
      // A client with the name of the role is the default of a profile that names none.
      client: client === request.role ? undefined : client,
      underWay: (key) =>
        this.#placements.isUnderWay(key) ||
        this.ledger.open().some(({ clientOrderId }) => clientOrderId.toLowerCase() === key),
    };
  }

  /** Cancels the orders of a case; without a case id all open orders, and those that were sent and never answered. */
  cleanUp(caseId?: string, patient = false): Promise<CleanUpResult> {
    const { profile, ledger } = this;
    const ask = (plan: RequestPlan) => this.ask(() => this.prepare(plan), { purpose: "cleanup" });
    const { basePath } = this.parts.target;
    const means = { profile, ledger, basePath, ask, waits: this.#waits };
    return cancelLeft(means, (order) => caseId === undefined || order.caseId === caseId, {
      thorough: caseId === undefined,
      patient,
    });
  }
}
