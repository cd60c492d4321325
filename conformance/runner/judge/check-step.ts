import { isDeepStrictEqual } from "node:util";
import { levelsAt, priceOf } from "../../check/book-levels.ts";
import { describeJson } from "../../check/describe.ts";
import { type Placement, type PlacementOutcome, placementProblem } from "../../check/linearizable.ts";
import { readJson } from "../../check/lossless-json.ts";
import { match } from "../../check/match.ts";
import type { MatchContext } from "../../check/matching.ts";
import { resolvePointer } from "../../check/pointer.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { Blocked } from "../../model/outcome.ts";
import type { AssertStep, CheckStep, Step } from "../../model/step.ts";
import type { CaseRun } from "../case-run.ts";
import { type Scope, toJson } from "../prepare/scope.ts";
import { runStreamCheck } from "./stream-laws.ts";

/** `check`: laws over collected lists. */
export function runCheck(step: CheckStep, run: CaseRun, scope: Scope): void {
  const { law } = step;
  if (law === undefined) throw new Blocked("the check names no law");
  const history = historyOf(law.of, scope);
  switch (law.kind) {
    case "numbered":
    case "book":
      return runStreamCheck(law, history, step, run, scope);
    case "linearizable": {
      const actual = placementProblem(history.map((exchange) => toPlacement(exchange, run)));
      const expected = "at most one order per client_order_id";
      if (actual !== undefined)
        run.report(step, "expect", [{ pointer: law.of.join(", "), expected, actual }]);
      return;
    }
    case "unique": {
      const { pointer } = law;
      const values = valuesAt(pointer, history);
      const repeated = values.filter((value, index) =>
        values.slice(0, index).some((other) => isDeepStrictEqual(other, value)),
      );
      const actual = repeated.map((value) => describeJson(value)).join(", ");
      if (repeated.length > 0) run.report(step, "expect", [{ pointer, expected: "each value once", actual }]);
      return;
    }
    case "multiset": {
      const values = valuesAt("#/data/type", history);
      const is = run.evaluator.matcher(law.is, scope);
      const wanted = { $unordered: Array.isArray(is) ? is : [is] };
      const pointer = law.of.join(", ");
      return run.report(step, "expect", match(wanted, values, contextOf(run, scope), { pointer }));
    }
    case "prices": {
      const { side, of } = law;
      const places = run.session.operation("orderBook");
      const prices = history.flatMap(({ json }) =>
        levelsAt(json, places[side]).map((level) => priceOf(level, places) ?? null),
      );
      const pointer = `${of.join(", ")}: prices of ${side}`;
      const is = run.evaluator.matcher(law.is, scope);
      return run.report(step, "expect", match(is, prices, contextOf(run, scope), { pointer }));
    }
    default:
      return law satisfies never;
  }
}

const valuesAt = (pointer: string, history: readonly Exchange[]): Json[] =>
  history.map(({ json }) => resolvePointer(json, pointer)).filter((value) => value !== undefined);

const contextOf = (run: CaseRun, scope: Scope): MatchContext => ({
  lookup: (key) => run.evaluator.lookup(key, scope),
  decimal: (key) => run.evaluator.decimal(key, scope),
  record: () => undefined,
});

/** `assert`: matches a value of the case, or judges the exchange of an earlier step again. */
export function runAssert(step: AssertStep, run: CaseRun, scope: Scope): Exchange | true {
  const { left = null, is = null, of } = step;
  if (of !== undefined) return exchangeOf(run.evaluator.text(of, scope), scope);
  const actual = toJson(explained(step, () => run.evaluator.value(left, scope)));
  run.report(step, "expect", match(run.evaluator.matcher(is, scope), actual, contextOf(run, scope)));
  return true;
}

/** A missing value has no reason of its own; the note of the step explains it. */
function explained<T>({ note }: Step, value: () => T): T {
  try {
    return value();
  } catch (error) {
    if (error instanceof Blocked && note !== undefined) error.message = `${note}: ${error.message}`;
    throw error;
  }
}

function exchangeOf(step: string, scope: Scope): Exchange {
  const record = scope.record(step);
  if (record === undefined) throw new Blocked(`the step ${step} received nothing to check`);
  return record.exchange;
}

/** The exchanges collected under a name, or the exchange of the step with that name; a list of names is one history. */
function historyOf(names: readonly string[], scope: Scope): readonly Exchange[] {
  return names.flatMap((name) => scope.collected(name) ?? [exchangeOf(name, scope)]);
}

/**
 * The specification leaves open whether clients share a name space, so each client's placements are a history of their
 * own.
 */
function toPlacement(exchange: Exchange, run: CaseRun): Placement {
  const body = readJson(exchange.request.body);
  const key = body.ok ? resolvePointer(body.json, "/client_order_id") : undefined;
  const { startedAt } = exchange;
  // Without an answer the time of the placement, and whether it took effect, are unknown: it may be later than all
  // others.
  const endedAt = exchange.reply === undefined ? Number.POSITIVE_INFINITY : exchange.endedAt;
  const { role } = exchange.request;
  const client = run.session.profile.credentials[role]?.client ?? role;
  const name = typeof key === "string" ? key : "(none)";
  return { key: `${name} of ${client}`, startedAt, endedAt, outcome: outcomeOf(exchange) };
}

function outcomeOf(exchange: Exchange): PlacementOutcome {
  const status = exchange.reply?.status;
  if (status === undefined || status >= 500) return { kind: "unknown" };
  const [type, id] = [
    resolvePointer(exchange.json, "#/data/type"),
    resolvePointer(exchange.json, "#/data/order/id"),
  ];
  if (type === "NEW_ORDER" && typeof id === "string") return { kind: "new", orderId: id };
  if (type === "DUPLICATE_REPLAY" && typeof id === "string") return { kind: "duplicate", orderId: id };
  return status === 200 ? { kind: "unknown" } : { kind: "refused" };
}
