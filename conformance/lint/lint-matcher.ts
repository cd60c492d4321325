import { checkCalc } from "../check/calc.ts";
import { exchangeMacroNames, exchangeMacroProblem } from "../check/exchange-macros.ts";
import { bareMatchers, matchers } from "../check/match.ts";
import { integerProblem } from "../check/relation.ts";
import { orderFields } from "../contract/fields.ts";
import { isOpen } from "../model/expr.ts";
import type { Expectation } from "../model/language.ts";
import type { Path } from "../model/position.ts";
import { didYouMean } from "../model/suggest.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { LintProblems } from "./lint-problems.ts";

/** Names that other tools have for these. */
const meant: Readonly<Record<string, string>> = {
  $equals: 'did you mean "$eq"?',
  $matches: 'did you mean "$re"?',
  $regex: 'did you mean "$re"?',
  $exists: "did you mean the text $any, or $absent?",
};

/** Checks expectations and matchers: unknown names, wrong arguments, keys that exclude each other. */
export class MatcherLint {
  readonly #problems: LintProblems;

  constructor(problems: LintProblems) {
    this.#problems = problems;
  }

  #say(path: Path, message: string, hint?: string, what: "key" | "value" = "value"): void {
    this.#problems.say(path, message, hint, what);
  }

  /** In a file that the schema refuses, a block can be any value. */
  expectation(given: Expectation | Value | undefined, path: Path): void {
    // as: an expectation is a JSON value.
    const block = given as Value | undefined;
    if (!isMap(block)) return;
    const switched = block["$switch"] !== undefined;
    for (const [key, value] of Object.entries(block)) {
      const at = [...path, key];
      if (key === "$switch") continue;
      if (switched) this.expectation(value, at);
      else if (key === "$anyOf")
        for (const [index, item] of (isList(value) ? value : []).entries())
          this.expectation(item, [...at, index]);
      else if (key === "$macro") this.#macro(String(value), at);
      else if (key === "headers" && isMap(value))
        for (const [name, item] of Object.entries(value)) this.matcher(item, [...at, name]);
      else if (key === "count" && isMap(value)) {
        this.expectation(value["where"], [...at, "where"]);
        this.#integer(value["is"], [...at, "is"]);
      } else if (key === "anywhere" && isMap(value)) {
        this.matcher(value["object"], [...at, "object"]);
        if (value["times"] !== undefined) this.#integer(value["times"], [...at, "times"]);
      } else if (key === "order") {
        this.matcher(value, at);
        this.#words(value, at);
      } else if (
        key !== "contentType" &&
        key !== "envelope" &&
        !(key === "status" && /^[1-5]xx$/.test(String(value)))
      ) {
        this.matcher(value, at);
      }
    }
  }

  /** Words of an order that no order has: every answer would differ from them. */
  #words(order: Value, path: Path): void {
    if (!isMap(order)) return;
    for (const { name, kind } of orderFields) {
      if (typeof kind === "string") continue;
      const given = order[name];
      const listed = isMap(given) ? given["$in"] : undefined;
      for (const word of [given, ...(isList(listed) ? listed : [])]) {
        if (typeof word !== "string" || isOpen(word) || word.startsWith("$") || kind.oneOf.includes(word))
          continue;
        const hint = didYouMean(word, kind.oneOf) ?? `an order has ${kind.oneOf.join(", ")}`;
        this.#say([...path, name], `"${word}" is no ${name} of an order`, hint);
      }
    }
  }

  #macro(name: string, path: Path): void {
    const problem = exchangeMacroProblem(name);
    if (problem !== undefined) this.#say(path, `$macro ${problem}`, didYouMean(name, exchangeMacroNames));
  }

  #integer(value: Value | undefined, path: Path): void {
    const problem = value === undefined ? "is missing" : integerProblem(value);
    if (problem !== undefined) this.#say(path, problem);
  }

  matcher(matcher: Value | undefined, path: Path): void {
    if (
      typeof matcher === "string" &&
      matcher.startsWith("$") &&
      !matcher.startsWith("${") &&
      !bareMatchers.includes(matcher)
    ) {
      this.#say(
        path,
        `${matcher} is not a matcher without an argument`,
        didYouMean(matcher, bareMatchers) ?? `for the text itself: { $eq: '${matcher}' }`,
      );
    }
    if (isList(matcher)) for (const [index, item] of matcher.entries()) this.matcher(item, [...path, index]);
    if (!isMap(matcher)) return;
    const names = Object.keys(matcher).filter((key) => key.startsWith("$"));
    const companions = names.flatMap((name) => matchers[name]?.companions ?? []);
    for (const [key, argument] of Object.entries(matcher)) {
      const definition = Object.hasOwn(matchers, key) ? matchers[key] : undefined;
      if (definition !== undefined) this.#arguments(key, argument, matcher, path);
      else if (key === "$calc") this.#calc(argument, [...path, key]);
      else if (key.startsWith("$"))
        this.#say(
          [...path, key],
          `unknown matcher ${key}`,
          didYouMean(key, Object.keys(matchers)) ??
            meant[key] ??
            `known: ${Object.keys(matchers).join(", ")}`,
          "key",
        );
      else if (names.length > 0 && !companions.includes(key)) {
        this.#say(
          [...path, key],
          `"${key}" cannot be combined with ${names.join(", ")}`,
          "put the fields in one $allOf branch and the matcher in another",
          "key",
        );
      } else if (names.length === 0) this.matcher(argument, [...path, key]);
    }
  }

  #arguments(name: string, argument: Value, whole: ValueMap, path: Path): void {
    const definition = matchers[name];
    const template = typeof argument === "string" && isOpen(argument);
    const problem = template ? undefined : definition?.lint?.(argument, whole);
    if (problem !== undefined) this.#say([...path, name], `${name} ${problem}`);
    if (name === "$cite") this.#problems.clauses(argument, [...path, name]);
    if (definition?.inner === undefined || template) return;
    const at = name === "$cite" ? [...path, "is"] : [...path, name];
    if (name === "$cite") this.matcher(whole["is"], at);
    else if (isList(argument))
      for (const [index, item] of argument.entries()) this.matcher(item, [...at, index]);
    else if (name === "$oneOf" && isMap(argument))
      for (const [label, item] of Object.entries(argument)) this.matcher(item, [...at, label]);
    else this.matcher(argument, at);
  }

  #calc(argument: Value, path: Path): void {
    const problem = typeof argument === "string" ? checkCalc(argument) : "expects an expression in quotes";
    if (problem !== undefined) this.#say(path, `$calc: ${problem}`);
  }
}
