import { isExpectationKey } from "../check/expectation.ts";
import { generatorNames, generatorProblem } from "../check/generator-rules.ts";
import { matchers } from "../check/match.ts";
import { amountFields } from "../contract/order-text.ts";
import type { ClauseRegister } from "../model/clause.ts";
import { isOpen } from "../model/expr.ts";
import { forEachStep } from "../model/for-each-step.ts";
import type { Call } from "../model/language.ts";
import type { Path, Problem } from "../model/position.ts";
import {
  type AssertStep,
  type CheckStep,
  type Fragments,
  type Step,
  strengths,
  type UseStep,
} from "../model/step.ts";
import { didYouMean } from "../model/suggest.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { Sections } from "../parse/scenario.ts";
import type { Source } from "../parse/source.ts";
import { maps } from "../parse/step.ts";
import { lintDurations } from "./lint-bounds.ts";
import { lintCaptures, lintParams } from "./lint-call.ts";
import { MatcherLint } from "./lint-matcher.ts";
import { lintNames } from "./lint-names.ts";
import { LintProblems } from "./lint-problems.ts";
import { lintStream } from "./lint-stream.ts";

export interface LintContext {
  readonly clauses: ClauseRegister;
  readonly operations: readonly string[];
  readonly fragments: Fragments;
}

/**
 * The rules that a schema cannot express: matcher arguments, expressions, clause ids, decimals, names that must exist.
 */
export function lintScenario(source: Source, sections: Sections, context: LintContext): Problem[] {
  return new Linter(source, context).run(sections);
}

class Linter {
  readonly #file: ValueMap;
  readonly #context: LintContext;
  readonly #problems: LintProblems;
  readonly #matchers: MatcherLint;

  constructor(source: Source, context: LintContext) {
    this.#file = isMap(source.value) ? source.value : {};
    this.#context = context;
    this.#problems = new LintProblems(source, context.clauses);
    this.#matchers = new MatcherLint(this.#problems);
  }

  run(sections: Sections): Problem[] {
    const file = this.#file;
    this.#problems.clauses(file["spec"], ["spec"]);
    this.#generators(file["vars"], ["vars"]);
    this.#rows(file["rows"], ["rows"]);
    for (const steps of [sections.setup, sections.steps, sections.cleanup])
      forEachStep(steps, undefined, { visit: (step) => this.#step(step) });
    lintNames(file, sections, this.#problems, this.#context.fragments);
    lintDurations(file, [], (path, problem) => this.#say(path, problem));
    return this.#problems.all;
  }

  #say(path: Path, message: string, hint?: string, what: "key" | "value" = "value"): void {
    this.#problems.say(path, message, hint, what);
  }

  #rows(rows: Value | undefined, path: Path): void {
    for (const [index, row] of maps(rows).entries()) {
      this.#problems.clauses(row["spec"], [...path, index, "spec"]);
      this.#generators(row, [...path, index]);
    }
  }

  #step(step: Step): void {
    const at = (...keys: Path): Path => [...step.path, ...keys];
    this.#problems.clauses(step.spec, at("spec"));
    this.#rows(step.rows, at("rows"));
    lintCaptures(step.capture, at("capture"), this.#problems);
    for (const strength of strengths) this.#matchers.expectation(step.assertions[strength], at(strength));
    switch (step.action) {
      case "call":
        return this.#call(step.call, at("call"));
      case "poll":
        this.#call(step.call, at("poll", "call"));
        return this.#matchers.expectation(step.until, at("poll", "until"));
      case "never":
        this.#call(step.call, at("never", "call"));
        return this.#matchers.expectation(step.match, at("never", "match"));
      case "ws":
        return lintStream(step.does, at("ws"), this.#problems, this.#matchers);
      case "raw":
        return this.#generators(step.raw, at("raw"));
      case "clock":
        return this.#generators(step.clock, at("clock"));
      case "inject":
        return this.#generators(step.fault, at("inject"));
      case "use":
        return this.#use(step, at("use"));
      case "assert":
        return this.#assert(step, at("assert"));
      case "check":
        return this.#check(step, at("check"));
      case "sleep":
        if (step.note === undefined)
          this.#say(at("sleep"), "a sleep needs a note that says why a poll will not do", undefined, "key");
        return;
      case "concurrent":
      case "repeat":
      case "group":
        return;
      default:
        return step satisfies never;
    }
  }

  #assert({ left, is, of, assertions, capture }: AssertStep, path: Path): void {
    this.#generators(left, [...path, "left"]);
    this.#matchers.matcher(is, [...path, "is"]);
    if (of === undefined ? left === undefined || is === undefined : left !== undefined || is !== undefined)
      this.#say(
        path,
        "an assert is { left: value, is: matcher }, or { of: step } with expect, should or observe",
      );
    const looks = Object.keys({ ...assertions, ...capture }).length > 0;
    if (of !== undefined && !looks)
      this.#say(path, "it checks nothing: give expect, should, observe or capture as well");
  }

  #check({ law }: CheckStep, path: Path): void {
    if (law?.kind === "multiset" || law?.kind === "prices") this.#matchers.matcher(law.is, [...path, "is"]);
    if (law !== undefined) return;
    this.#say(
      path,
      "a check is { linearizable: placement, history }, { unique, in }, { multiset, is }, { numbered }, { book, equals } or { prices, in, is }",
    );
  }

  #use({ fragment, with: given }: UseStep, path: Path): void {
    this.#generators(given, [...path, "with"]);
    const known = [...this.#context.fragments.keys()];
    if (fragment === "" || known.includes(fragment)) return;
    this.#say(path, `there is no fragment "${fragment}"`, didYouMean(fragment, known));
  }

  #call(call: Call, path: Path): void {
    const { op, method, reuse, body } = call;
    if (op === undefined && reuse === undefined && (method === undefined || call.path === undefined)) {
      this.#say(path, "a call names an op, or a method and a path, or a step to reuse");
    }
    if (typeof op === "string" && !isOpen(op) && !this.#context.operations.includes(op)) {
      const known = this.#context.operations;
      this.#say(
        [...path, "op"],
        `there is no operation "${op}"`,
        didYouMean(op, known) ?? `known: ${known.join(", ")}`,
      );
    }
    const bodies = (["body", "bodyText", "bodyBase64"] as const).filter((key) => call[key] !== undefined);
    const templates = bodies.every((key) => String(call[key]).startsWith("${"));
    if (bodies.length > 1 && !templates)
      this.#say(path, `a call has one body; this one has ${bodies.join(" and ")}`);
    lintParams(call, path, this.#problems);
    this.#generators(call, path);
    this.#decimals(body, [...path, "body"]);
  }

  /** An unquoted number would be sent as a JSON number by mistake. */
  #decimals(body: Value | undefined, path: Path): void {
    if (!isMap(body)) return;
    for (const field of amountFields) {
      const value = body[field];
      if (typeof value !== "number") continue;
      this.#say(
        [...path, field],
        `${field} is a decimal: an unquoted number would be sent as a JSON number`,
        `write '${value}' in quotes, or { $json: '${value}' } when a JSON number is what you mean to send`,
      );
    }
  }

  #generators(value: Value | undefined, path: Path): void {
    if (isList(value)) for (const [index, item] of value.entries()) this.#generators(item, [...path, index]);
    if (!isMap(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if (generatorNames.includes(key)) {
        const problem = generatorProblem(key, item);
        if (problem !== undefined) this.#say([...path, key], `${key} ${problem}`);
      } else if (
        key.startsWith("$") &&
        !Object.hasOwn(matchers, key) &&
        !isExpectationKey(key) &&
        key !== "$switch"
      ) {
        this.#say([...path, key], `unknown generator ${key}`, didYouMean(key, generatorNames), "key");
      } else this.#generators(item, [...path, key]);
    }
  }
}
