import { isExpectationKey } from "../check/expectation.ts";
import { generatorNames, generatorProblem } from "../check/generator-rules.ts";
import { matchers } from "../check/match.ts";
import type { ClauseRegister } from "../model/clause.ts";
import type { Problem } from "../model/position.ts";
import { strengths } from "../model/scenario.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { FragmentSteps } from "../parse/effort.ts";
import type { Path, Source } from "../parse/source.ts";
import { didYouMean } from "../parse/suggest.ts";
import { lintDurations } from "./lint-bounds.ts";
import { MatcherLint } from "./lint-matcher.ts";
import { lintNames } from "./lint-names.ts";
import { LintProblems } from "./lint-problems.ts";
import { lintStream } from "./lint-stream.ts";

export interface LintContext {
  readonly clauses: ClauseRegister;
  readonly operations: readonly string[];
  readonly fragments: FragmentSteps;
}

/** What a schema cannot say: matcher arguments, expressions, clause ids, decimals, names that must exist. */
export function lintScenario(source: Source, context: LintContext): Problem[] {
  return new Linter(source, context).run();
}

/** Request fields that are decimals: an unquoted number there would be sent as a JSON number by mistake. */
const decimalFields = ["base_quantity", "quote_value", "price", "stop_price"];

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

  run(): Problem[] {
    const file = this.#file;
    this.#problems.clauses(file["spec"], ["spec"]);
    this.#generators(file["vars"], ["vars"]);
    this.#rows(file["rows"], ["rows"]);
    for (const key of ["setup", "steps", "cleanup"]) this.#steps(file[key], [key]);
    lintNames(file, this.#problems, this.#context.fragments);
    lintDurations(file, [], (path, problem) => this.#say(path, problem));
    return this.#problems.all;
  }

  #say(path: Path, message: string, hint?: string, what: "key" | "value" = "value"): void {
    this.#problems.say(path, message, hint, what);
  }

  #rows(rows: Value | undefined, path: Path): void {
    if (!isList(rows)) return;
    for (const [index, row] of rows.entries()) {
      if (!isMap(row)) continue;
      this.#problems.clauses(row["spec"], [...path, index, "spec"]);
      this.#generators(row, [...path, index]);
    }
  }

  #steps(steps: Value | undefined, path: Path): void {
    if (!isList(steps)) return;
    for (const [index, step] of steps.entries()) if (isMap(step)) this.#step(step, [...path, index]);
  }

  #step(step: ValueMap, path: Path): void {
    this.#problems.clauses(step["spec"], [...path, "spec"]);
    this.#rows(step["rows"], [...path, "rows"]);
    for (const strength of strengths) this.#matchers.expectation(step[strength], [...path, strength]);
    this.#call(step["call"], [...path, "call"]);
    if (isMap(step["ws"])) lintStream(step["ws"], [...path, "ws"], this.#problems, this.#matchers);
    if (step["sleep"] !== undefined && step["note"] === undefined) {
      this.#say(
        [...path, "sleep"],
        "a sleep needs a note that says why a poll will not do",
        undefined,
        "key",
      );
    }
    this.#nested(step, path);
    this.#use(step["use"], [...path, "use"]);
    for (const key of ["raw", "use", "inject", "clock"]) this.#generators(step[key], [...path, key]);
    if (isMap(step["assert"])) this.#generators(step["assert"]["left"], [...path, "assert", "left"]);
  }

  #nested(step: ValueMap, path: Path): void {
    const { poll, never, repeat, group, concurrent, assert, check } = step;
    for (const [name, block, key] of [
      ["poll", poll, "until"],
      ["never", never, "match"],
    ] as const) {
      if (!isMap(block)) continue;
      this.#call(block["call"], [...path, name, "call"]);
      this.#matchers.expectation(block[key], [...path, name, key]);
    }
    for (const [name, block] of [
      ["repeat", repeat],
      ["group", group],
    ] as const) {
      if (isMap(block)) this.#steps(block["steps"], [...path, name, "steps"]);
    }
    if (isMap(concurrent) && isList(concurrent["branches"])) {
      for (const [index, branch] of concurrent["branches"].entries()) {
        this.#steps(branch, [...path, "concurrent", "branches", index]);
      }
    }
    if (isMap(assert)) this.#assert(assert, step, [...path, "assert"]);
    if (isMap(check)) {
      this.#matchers.matcher(check["is"], [...path, "check", "is"]);
      if (!isCompleteCheck(check))
        this.#say(
          [...path, "check"],
          "a check is { linearizable: placement, history }, { unique, in }, { multiset, is }, { numbered } or { book, equals }",
        );
    }
  }

  #assert({ left, is, of }: ValueMap, step: ValueMap, path: Path): void {
    this.#matchers.matcher(is, [...path, "is"]);
    if (of === undefined ? left === undefined || is === undefined : left !== undefined || is !== undefined)
      this.#say(
        path,
        "an assert is { left: value, is: matcher }, or { of: step } with expect, should or observe",
      );
    const looks = [...strengths, "capture"].some((key) => step[key] !== undefined);
    if (of !== undefined && !looks)
      this.#say(path, "it checks nothing: give expect, should, observe or capture beside the assert");
  }

  #use(use: Value | undefined, path: Path): void {
    const name = isMap(use) ? use["fragment"] : use;
    if (name === undefined || this.#context.fragments.has(String(name))) return;
    this.#say(
      path,
      `there is no fragment "${String(name)}"`,
      didYouMean(String(name), [...this.#context.fragments.keys()]),
    );
  }

  #call(call: Value | undefined, path: Path): void {
    if (!isMap(call)) return;
    const { op, method, reuse } = call;
    if (op === undefined && reuse === undefined && (method === undefined || call["path"] === undefined)) {
      this.#say(path, "a call names an op, or a method and a path, or a step to reuse");
    }
    if (typeof op === "string" && !op.includes("${") && !this.#context.operations.includes(op)) {
      const known = this.#context.operations;
      this.#say(
        [...path, "op"],
        `there is no operation "${op}"`,
        didYouMean(op, known) ?? `known: ${known.join(", ")}`,
      );
    }
    const bodies = ["body", "bodyText", "bodyBase64"].filter((key) => call[key] !== undefined);
    const templates = bodies.every((key) => String(call[key]).startsWith("${"));
    if (bodies.length > 1 && !templates)
      this.#say(path, `a call has one body; this one has ${bodies.join(" and ")}`);
    this.#generators(call, path);
    this.#decimals(call["body"], [...path, "body"]);
  }

  #decimals(body: Value | undefined, path: Path): void {
    if (!isMap(body)) return;
    for (const field of decimalFields) {
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
      } else if (key.startsWith("$") && !Object.hasOwn(matchers, key) && !isExpectationKey(key)) {
        this.#say([...path, key], `unknown generator ${key}`, didYouMean(key, generatorNames), "key");
      } else this.#generators(item, [...path, key]);
    }
  }
}

function isCompleteCheck(check: ValueMap): boolean {
  const pairs = [
    ["linearizable", "history"],
    ["multiset", "is"],
    ["unique", "in"],
    ["book", "equals"],
    ["numbered"],
  ];
  return pairs.some((keys) => keys.every((key) => check[key] !== undefined));
}
