import { setTimeout as wait } from "node:timers/promises";
import { checkExpectation, listIn, type Observed } from "../check/expectation.ts";
import type { MatchContext } from "../check/matching.ts";
import { onAnswer } from "../check/own-failure.ts";
import { resolveFirst } from "../check/pointer.ts";
import { walletIn } from "../check/wallet-in.ts";
import { mappedDefaults } from "../contract/operations.ts";
import { longestWaitMs } from "../model/duration.ts";
import type { Exchange, Permit } from "../model/exchange.ts";
import type { Difference, Finding } from "../model/finding.ts";
import type { Json } from "../model/json.ts";
import type { Expectation } from "../model/language.ts";
import { Blocked } from "../model/outcome.ts";
import { saidBy } from "../model/said.ts";
import { type CaseRow } from "../model/scenario.ts";
import { type Step, type Strength, strengths } from "../model/step.ts";
import { isMap } from "../model/value.ts";
import { captured, whyMissed } from "./captured.ts";
import { blamed, severityOf } from "./judge/severity.ts";
import type { Evaluator } from "./prepare/evaluate.ts";
import type { Scope } from "./prepare/scope.ts";
import type { Sender } from "./send/sender.ts";
import type { Stream } from "./send/stream.ts";
import { TraceRecorder } from "./send/trace-recorder.ts";
import type { Session } from "./session.ts";
import type { Sleep } from "./wait/side-by-side.ts";

interface StepReport {
  readonly step: Step;
  readonly strength: Strength;
  readonly differences: readonly Difference[];
  readonly exchange: Exchange | undefined;
  readonly label: string;
}

/** Limits per step and per row: enough to see the problem, however long the answer is. */
const mostDifferences = 200;
const mostObserved = 200;

/** From this length on a sleep lets other cases run meanwhile. */
export const longSleepMs = 1000;

/** The means of a case to cooperate with the cases beside it. */
export interface RunMeans {
  readonly signal?: AbortSignal | undefined;
  /** Absent if the case would have to be alone when it wakes up. */
  readonly aside?: Sleep | undefined;
}

/** One case row while it runs. Steps take the session from it and leave their results in it. */
export class CaseRun implements Sender {
  readonly session: Session;
  readonly evaluator: Evaluator;
  readonly permit: Permit;
  readonly row: CaseRow;
  readonly findings: Finding[] = [];
  readonly observations: Record<string, string> = {};
  readonly trace: TraceRecorder;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Open connections by name; they are closed with the case. */
  readonly streams = new Map<string, Stream>();
  /** All judgements in order: cases that share a run of steps are each charged with it. */
  readonly reports: StepReport[] = [];
  #hasStreamPlace = false;
  #noted = 0;
  #requests = 0;
  #orders = 0;

  readonly #aside: Sleep;

  constructor({ session, evaluator, permit }: Sender, row: CaseRow, { signal, aside }: RunMeans = {}) {
    this.signal = signal;
    this.#aside = aside ?? ((time) => time());
    this.session = session;
    this.evaluator = evaluator;
    this.permit = permit;
    this.row = row;
    this.trace = new TraceRecorder(session.parts.redactor, session.traces);
    this.deadline = session.elapsed() + row.scenario.timeoutMs;
  }

  /** The means to build the requests of a step. */
  at({ id, action }: Step): Sender {
    const { session, evaluator, permit } = this;
    return { session, evaluator, permit: { ...permit, step: id ?? action } };
  }

  /** Enforces the limits that the author states for the case; polls count, too. */
  spend(requests: number, orders: number): void {
    const { cost } = this.row.scenario;
    this.#requests += requests;
    this.#orders += orders;
    for (const [what, used] of [
      ["requests", this.#requests],
      ["orders", this.#orders],
    ] as const)
      if (used > (cost[what] ?? Infinity))
        throw new Blocked(`the case states at most ${cost[what]} ${what} (cost)`);
  }

  /** Waits until the number of cases with connections is below the target's limit. */
  async beginStreams(): Promise<void> {
    if (this.#hasStreamPlace) return;
    this.#hasStreamPlace = true;
    await this.session.streamPlaces.take();
  }

  releaseStreams(): void {
    for (const stream of this.streams.values()) stream.release();
    this.streams.clear();
    if (this.#hasStreamPlace) this.session.streamPlaces.giveBack();
    this.#hasStreamPlace = false;
  }

  /** A wait that the time of the case cut short says nothing about the target. */
  tooLong(): Blocked {
    return new Blocked(`the case took longer than ${this.row.scenario.timeoutMs} ms`);
  }

  /** Waits; an interrupted run does not wait. */
  async pause(milliseconds: number): Promise<void> {
    const signal = this.signal === undefined ? {} : { signal: this.signal };
    await wait(Math.min(milliseconds, longestWaitMs), undefined, signal).catch(() => {
      throw new Blocked("the run was interrupted");
    });
  }

  /** Waits without expecting an answer. During a long wait other cases run. */
  async sleep(milliseconds: number): Promise<void> {
    if (milliseconds < longSleepMs) return this.pause(milliseconds);
    return this.#aside(() => this.pause(milliseconds));
  }

  /** Judges a step's blocks on an exchange. True if no hard assertion failed. */
  judge(step: Step, scope: Scope, exchange: Exchange | undefined, label = ""): boolean {
    const before = this.findings.length;
    this.session.reading.assertTold(exchange);
    for (const strength of strengths) {
      const template = step.assertions[strength];
      if (template === undefined) continue;
      const block = this.evaluator.expectation(template, scope);
      const found = this.differences(block, scope, exchange, step, strength);
      this.report(step, strength, found, exchange, label);
    }
    return this.findings.slice(before).every((finding) => finding.severity !== "fail");
  }

  differences(
    block: Expectation,
    scope: Scope,
    exchange: Exchange | undefined,
    step: Step,
    strength?: Strength,
  ): Difference[] {
    const context: MatchContext = {
      lookup: (name) => this.evaluator.lookup(name, scope),
      decimal: (name) => this.evaluator.decimal(name, scope),
      record: (pointer, text) => {
        if (strength !== undefined && ++this.#noted <= mostObserved)
          this.observations[`${step.id ?? step.action} ${pointer}`] = text;
      },
    };
    const judge = () => checkExpectation(block, this.#observed(exchange, scope), context);
    const found = onAnswer("judge", judge, (difference) => [difference]);
    return this.#isMapped(exchange) ? found.map(withoutEnvelopeClause) : found;
  }

  /** Is this an operation that only the profile defines? Its envelope is then an assumption (GEN-07). */
  #isMapped(exchange: Exchange | undefined): boolean {
    const operation = this.session.profile.operations[exchange?.request.operation ?? ""];
    return typeof operation === "object" && !operation.specified;
  }

  report(
    step: Step,
    strength: Strength,
    differences: readonly Difference[],
    exchange?: Exchange,
    label = "",
  ): void {
    const [missing] = differences;
    if (missing !== undefined) this.session.reading.assertTold(exchange);
    if (missing !== undefined && strength === "expect" && step.onFail === "block") {
      const { pointer, expected, actual } = missing;
      throw new Blocked(`${step.note ?? step.id ?? step.action}: ${pointer} is ${actual}, not ${expected}`);
    }
    if (differences.length > 0)
      this.reports.push({
        step,
        strength,
        differences: differences.slice(0, mostDifferences),
        exchange,
        label,
      });
    for (const difference of differences.slice(0, mostDifferences)) {
      const clauses = blamed(difference, step, this.row, this.session.promises, strength);
      // The result is unknown, so no clause is violated by it (docs/kit.md).
      const indeterminate = difference.unanswered === true || exchange?.uncertain === true;
      // Only the gateway that was recorded is known to answer so.
      const recorded = strength === "expect" && this.row.scenario.origin?.["recorded"] !== undefined;
      const weight = recorded ? "fail" : severityOf(strength, clauses, this.row, this.session);
      const severity = indeterminate ? "info" : weight;
      const request =
        exchange === undefined ? {} : { request: `${exchange.request.method} ${exchange.request.path}` };
      const said = exchange === undefined || difference.pointer !== "status" ? undefined : saidBy(exchange);
      const name = `${step.id ?? step.action}${label === "" ? "" : `[${label}]`}`;
      const { unanswered: _, ...shown } = difference;
      this.findings.push({
        ...shown,
        strength,
        severity,
        ...(indeterminate ? { indeterminate } : {}),
        ...(recorded && !indeterminate ? { recorded } : {}),
        clauses,
        step: name,
        position: step.position,
        ...request,
        ...(said === undefined ? {} : { said }),
      });
    }
  }

  /** Stores an exchange under the step's id and takes the captures from it. */
  keep(step: Step, scope: Scope, exchange: Exchange): void {
    this.look(step, () => this.#keep(step, scope, exchange), exchange);
  }

  /** Runs code of the kit on received data; if it fails, the failure is charged to the step. */
  look<T>(step: Step, work: () => T, exchange?: Exchange): T | undefined {
    return onAnswer<T | undefined>("read", work, (difference) => {
      this.report(step, "expect", [difference], exchange);
      return undefined;
    });
  }

  #keep(step: Step, scope: Scope, exchange: Exchange): void {
    const views = this.#views(exchange);
    const orderOf = (): Json | undefined =>
      exchange.stream?.event.get("order") ?? resolveFirst(exchange.json, views.order);
    if (step.id !== undefined)
      scope.remember(step.id, { exchange, orderOf, itemsOf: () => listIn(exchange.json, views.items) });
    for (const [name, source] of Object.entries(step.capture)) {
      const asset = isMap(source) ? source["wallet"] : undefined;
      const pointer = isMap(source) && source["next"] === true ? views.next : source;
      const value =
        asset === undefined
          ? captured(pointer ?? null, exchange, orderOf())
          : walletIn(listIn(exchange.json, views.items), this.evaluator.text(asset, scope), views.wallet);
      if (value !== undefined) {
        scope.capture(name, value);
        if (pointer !== source || /(?:id|cursor)$/i.test(String(source))) this.session.ids.note(value);
      } else
        scope.miss(
          name,
          whyMissed(step.id ?? step.action, pointer ?? null, asset !== undefined, exchange, views.wallet),
        );
    }
  }

  /** An answer that could not be recorded is a finding like any other. */
  chargeTrace(): void {
    const { failure } = this.trace;
    if (failure === undefined || this.findings.some((finding) => finding.step === "trace")) return;
    const { spec: clauses, scenario } = this.row;
    const severity = severityOf("expect", clauses, this.row, this.session);
    const position = scenario.position;
    this.findings.push({ ...failure, strength: "expect", severity, clauses, step: "trace", position });
  }

  #observed(exchange: Exchange | undefined, scope: Scope): Observed {
    return {
      ...(exchange === undefined ? {} : { exchange }),
      views: this.#views(exchange),
      collected: (name) => scope.collected(name),
      bodyOf: (step) => scope.record(step)?.exchange.json,
    };
  }

  #views(exchange: Exchange | undefined): Observed["views"] {
    const name = exchange?.request.operation;
    const operation = name === undefined ? undefined : this.session.profile.operations[name];
    return typeof operation === "object"
      ? operation
      : { ...mappedDefaults, order: ["#/data/order", "#/data"] };
  }
}

/** A difference without its own clause is charged to the clauses of the step. */
function withoutEnvelopeClause(difference: Difference): Difference {
  if (!/^(?:ENV-|GEN-)/.test(difference.clause ?? "")) return difference;
  const { pointer, expected, actual } = difference;
  return { pointer, expected, actual };
}
