import type { AmbientReading } from "../../check/ambient.ts";
import { shorten } from "../../check/describe.ts";
import type { Redactor } from "../../client/redact.ts";
import { type Exchange, headerOf } from "../../model/exchange.ts";
import { saidBy } from "../../model/said.ts";
import type { TracedExchange } from "../../model/trace.ts";
import type { Promises } from "../prepare/promises.ts";
import { TraceAllowance, TraceRecorder } from "../send/trace-recorder.ts";
import { OrderTrail } from "./order-trail.ts";

export interface AmbientLine {
  readonly clause: string;
  readonly severity: "fail" | "warn";
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
  readonly firstRequest: string;
  /** Cases and properties in whose traffic it was seen; the list has a limit. */
  readonly cases?: readonly string[];
  /** The entry of the expectation file that expected it. */
  readonly expectedBy?: string;
  /** The target's own words in the first answer that showed it, if that was a refusal. */
  readonly said?: string;
  readonly evidence?: RuleEvidence;
  /** The clause that each of these orders had broken in an earlier answer. */
  readonly after?: string;
}

/** The first exchange that broke a rule for every answer. */
export interface RuleEvidence {
  /** The case or property that sent it, and its step. Preparations and shared steps belong to no case. */
  readonly case?: string;
  readonly step?: string;
  /** The cases that show it again: those of the order. */
  readonly cases: readonly string[];
  /** The exchange before about the same order, if there is one, and the one that broke the rule. */
  readonly exchanges: readonly TracedExchange[];
}

const mostPlaces = 50;
const mostBroken = 2000;

/** Collects the findings of every reply; one line per clause and place, with a counter. */
export class AmbientLog {
  readonly #promises: Pick<Promises, "levelOf">;
  readonly #exercised = new Map<string, number>();
  readonly #lines = new Map<string, AmbientLine>();
  readonly #places = new Map<string, Set<string>>();
  readonly #trail = new OrderTrail();
  /** The first clause that an order broke. */
  readonly #broken = new Map<string, string>();
  readonly #redactor: Redactor;
  readonly #allowance = new TraceAllowance(4 * 1024 * 1024);
  redirects = 0;
  /** Told of each difference, while its request is the last one. */
  onFound: ((clause: string, pointer: string, exchange: Exchange) => void) | undefined;

  constructor(promises: Pick<Promises, "levelOf">, redactor: Redactor) {
    this.#promises = promises;
    this.#redactor = redactor;
  }

  add(reading: AmbientReading, exchange: Exchange): void {
    const status = exchange.reply?.status ?? 0;
    if (status >= 300 && status < 400 && headerOf(exchange.reply, "location") !== undefined)
      this.redirects += 1;
    for (const clause of reading.exercised)
      this.#exercised.set(clause, (this.#exercised.get(clause) ?? 0) + 1);
    const first = new Map<string, string>();
    for (const difference of reading.differences) {
      const { clause, pointer } = difference;
      const place = this.#placeOf(clause, shorten(pointer, 300).replace(/\/\d+/g, "/*"));
      const key = `${clause} ${place}`;
      const known = this.#lines.get(key);
      const order = this.#trail.namesAt(exchange, pointer);
      const line = known ?? this.#firstLine({ ...difference, pointer: place }, order, exchange);
      const cases = withCase(known?.cases ?? [], exchange.request.permit?.caseId);
      const { after, ...counted } = { ...line, count: line.count + 1, cases };
      const cause = this.#broken.get(order[0] ?? "");
      const still = cause !== undefined && cause !== clause && (known === undefined || after === cause);
      this.#lines.set(key, still ? { ...counted, after: cause } : counted);
      if (order[0] !== undefined && !first.has(order[0])) first.set(order[0], clause);
      this.onFound?.(clause, place, exchange);
    }
    // Clauses that one answer breaks do not explain each other.
    for (const [order, clause] of first)
      if (!this.#broken.has(order) && this.#broken.size < mostBroken) this.#broken.set(order, clause);
    this.#trail.note(exchange);
  }

  #firstLine(
    { clause, pointer, expected, actual }: AmbientReading["differences"][number],
    order: readonly string[],
    exchange: Exchange,
  ): AmbientLine {
    const { method, path } = exchange.request;
    const said = saidBy(exchange);
    return {
      clause,
      severity: this.#promises.levelOf(clause) === "required" ? "fail" : "warn",
      pointer,
      expected,
      actual,
      count: 0,
      firstRequest: `${method} ${path}`,
      ...(said === undefined ? {} : { said }),
      evidence: this.#evidence(this.#trail.before(order, exchange), exchange),
    };
  }

  #evidence(before: Exchange | undefined, broken: Exchange): RuleEvidence {
    const exchanges = before === undefined ? [broken] : [before, broken];
    const trace = new TraceRecorder(this.#redactor, this.#allowance, exchanges[0]?.startedAt);
    for (const one of exchanges) {
      const { caseId = "", step = "" } = one.request.permit ?? {};
      trace.add([caseId, step].filter((name) => name !== "").join(" · "), one);
    }
    const { caseId, step } = broken.request.permit ?? {};
    const [id] = withCase([], caseId);
    return {
      ...(id === undefined ? {} : { case: id }),
      ...(step === undefined ? {} : { step }),
      cases: exchanges.reduce<readonly string[]>((all, one) => withCase(all, one.request.permit?.caseId), []),
      exchanges: trace.finish(false).exchanges,
    };
  }

  /** The target chooses the names of places, so their number per clause is limited. */
  #placeOf(clause: string, place: string): string {
    const places = this.#places.get(clause) ?? new Set();
    this.#places.set(clause, places);
    if (places.size < mostPlaces) places.add(place);
    return places.has(place) ? place : "(elsewhere)";
  }

  get exercised(): ReadonlySet<string> {
    return new Set(this.#exercised.keys());
  }

  get lines(): AmbientLine[] {
    return [...this.#lines.values()];
  }
}

const mostCases = 500;

/** Trials of a property count as the property. The steps of a shared fragment belong to no case. */
function withCase(cases: readonly string[], caseId = ""): readonly string[] {
  const id = caseId.replace(/^(P-\d\d)#.*$/s, "$1");
  const known = id === "" || id.startsWith("shared:") || cases.includes(id) || cases.length >= mostCases;
  return known ? cases : [...cases, id];
}
